package reads

import (
	"iter"

	"github.com/insights/insights-reporting-datasource/pkg/pages"
)

// plan is which pages follow page 0.
type plan struct {
	end  int  // the number after the last page; 0 where it is not known, so that reading goes on until a page is empty
	sure int  // pages that hold the rows of the total; 0 where it is not known
	rows int  // rows that are expected in all
	cut  bool // the service has more rows than are wanted
	tail bool // the last page is read before the others
}

// plan decides by what page 0 holds, and by the totals where they are given. The size that the envelope reports says
// nothing: some services report what was asked for.
func (r *reader) plan(first *pages.Page, p *pass) plan {
	rows := p.size
	switch {
	case rows == 0:
		return plan{end: 1}
	case first.Bare && r.read.DataSet.Parameters.Page == "":
		// A route without pages gave all it has.
		return plan{end: 1, rows: rows}
	case first.Total < 0 && first.Pages < 0:
		return r.unknown(first, rows)
	}
	total := max(first.Total, rows)
	if first.Total < 0 {
		total = rows * first.Pages
	}
	wanted := min(total, r.most)
	// Where the totals disagree, the larger one is tried: a page too many is empty, and ends the read.
	end := min(max(pagesFor(wanted, rows), first.Pages), pagesFor(r.most, rows))
	moreThanTold := first.Total >= 0 && first.Total < rows
	if total <= rows && first.Last != nil && !*first.Last || moreThanTold && first.Pages < 2 {
		// The totals disagree with last, or with the rows.
		return r.unknown(first, rows)
	}
	cut := total > r.most
	return plan{end: end, sure: pagesFor(wanted, rows), rows: wanted, cut: cut, tail: !cut && first.Total >= 0 && end > 2}
}

// unknown is the plan where no total is given, or not one to go by.
func (r *reader) unknown(first *pages.Page, rows int) plan {
	if first.Last != nil && *first.Last || rows >= r.most {
		return plan{end: 1, rows: rows, cut: rows >= r.most && (first.Last == nil || !*first.Last)}
	}
	return plan{rows: min(2*rows, r.most)}
}

func pagesFor(rows, size int) int { return (rows + size - 1) / size }

// numbers are the pages after page 0, in the order of reading. The last one comes first, unless it was read already: when
// it is read again at the end, the two tell whether rows went from the middle.
func (p plan) numbers(tailRead bool) iter.Seq[int] {
	return func(yield func(int) bool) {
		end := p.end
		if p.tail {
			end--
			if !tailRead && !yield(end) {
				return
			}
		}
		for number := 1; p.end == 0 || number < end; number++ {
			if !yield(number) {
				return
			}
		}
	}
}
