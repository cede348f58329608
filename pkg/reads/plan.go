package reads

import (
	"iter"

	"github.com/insights/insights-reporting-datasource/pkg/pages"
)

// plan determines which pages follow page 0.
type plan struct {
	end  int  // exclusive end of the pages; 0 if unknown: read until a page is empty
	sure int  // pages needed for the total; 0 if unknown
	rows int  // expected rows
	cut  bool // the service has more rows than needed
	tail bool // read the last page before the others
}

// plan decides by the rows of page 0, and by the totals if present. The reported page size is ignored: some services
// echo the requested one.
func (r *reader) plan(first *pages.Page, p *pass) plan {
	rows := p.size
	switch {
	case rows == 0:
		return plan{end: 1}
	case first.Bare && r.read.DataSet.Parameters.Page == "":
		// A route without paging returns all its rows.
		return plan{end: 1, rows: rows}
	case first.Total < 0 && first.Pages < 0:
		return r.unknown(first, rows)
	}
	total := max(first.Total, rows)
	if first.Total < 0 {
		total = rows * first.Pages
	}
	wanted := min(total, r.most)
	// If the totals disagree, the larger one is tried: an extra page is empty and ends the read.
	end := min(max(pagesFor(wanted, rows), first.Pages), pagesFor(r.most, rows))
	moreThanTold := first.Total >= 0 && first.Total < rows
	if total <= rows && first.Last != nil && !*first.Last || moreThanTold && first.Pages < 2 {
		// The totals contradict last, or the number of rows.
		return r.unknown(first, rows)
	}
	cut := total > r.most
	return plan{end: end, sure: pagesFor(wanted, rows), rows: wanted, cut: cut, tail: !cut && first.Total >= 0 && end > 2}
}

// unknown is the plan without a reliable total.
func (r *reader) unknown(first *pages.Page, rows int) plan {
	if first.Last != nil && *first.Last || rows >= r.most {
		return plan{end: 1, rows: rows, cut: rows >= r.most && (first.Last == nil || !*first.Last)}
	}
	return plan{rows: min(2*rows, r.most)}
}

func pagesFor(rows, size int) int { return (rows + size - 1) / size }

// numbers returns the pages after page 0 in reading order. The last one comes first, unless it was read already:
// comparing it with a second reading at the end shows whether rows disappeared in the middle.
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
