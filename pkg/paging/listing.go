package paging

import (
	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
)

// Incomplete says why rows are missing from a listing.
type Incomplete int

// The reasons.
const (
	Complete  Incomplete = iota
	Moved                // the data changed during every attempt
	Cut                  // there are more rows than Reader.MaxRows
	SamePage             // the route returns page 0 for every page
	EmptyPage            // a page was empty although the service reports more rows
	FewerRows            // the pages have fewer rows than the service reports
)

// Listing is the result of a read. Tables are shared and must not be modified.
type Listing struct {
	Table      *columns.Table // the rows that the goal needs
	Known      *Known         // the prediction of the next read; nil: it has to read all pages
	Total      int            // rows of the list as far as is known
	AtEnd      bool           // the list has no rows behind those of Table
	Ordered    bool           // rows are in descending order of the goal's Field
	Unordered  bool           // they are not, so the whole list was read
	Changed    string         // the key of a row that changed although it was final in the prediction; empty: none
	Incomplete Incomplete
	EmptyPage  int  // number of the page without rows if Incomplete is EmptyPage
	Repeated   int  // rows that the service lists more than once, and Table has once
	Folded     bool // some unknown fields are in column pages.OtherFields
	Sampled    bool // a page was read at random
	Problems   pages.Problems

	Asked    int // requested size of page 0; 0: none
	Size     int // of the others
	Pages    int // pages received
	PageRows int // rows of a page, according to page 0
	LastPage int // the highest number of the pages of the last attempt
	AllPages int // number of pages of the list
	Reused   int // rows of Table that were not received
}

// listing returns the result for a goal that is met or cannot be.
func (r *Reader) listing(goal Goal, incomplete Incomplete) *Listing {
	a := r.attempt
	need, _ := r.need(goal)
	need = min(need, len(r.order))
	l := &Listing{
		Total: max(a.told, need), AtEnd: r.isWhole(need), Ordered: goal.Field != "" && !r.unordered, Unordered: r.unordered, Changed: r.changed,
		Incomplete: incomplete, EmptyPage: a.emptyPage, Repeated: r.repeated, Folded: r.rows.folded, Sampled: a.random >= 0,
		Problems: r.rows.problemsOf(r.order[:need]), Asked: a.asked, Size: r.size(), PageRows: a.size, Pages: r.pages,
	}
	if incomplete == Complete {
		l.Incomplete = r.whyIncomplete(goal, need)
		for _, entry := range r.order[:max(0, need-1)] {
			delete(r.moved, entry) // The pages of these have been seen.
		}
	}
	for number := range a.read {
		l.LastPage = max(l.LastPage, number)
	}
	l.AllPages = max(l.LastPage+1, pagesFor(l.Total, max(1, a.size)))
	for _, entry := range r.order[:need] {
		if r.rows.latest[entry].isPrediction() {
			l.Reused++
		}
	}
	l.Table = r.rows.table(r.order[:need])
	if l.Incomplete == Complete || l.Incomplete == Cut {
		l.Known = r.known(l.Table)
	}
	return l
}

// isWhole reports whether the list has no rows behind so many leading ones.
func (r *Reader) isWhole(rows int) bool {
	a := r.attempt
	return !a.cut && rows >= a.total && (a.total >= 0 && !a.understated || a.ended && rows == len(r.order))
}

// whyIncomplete returns why a proven order does not have all rows that a goal needs.
func (r *Reader) whyIncomplete(goal Goal, need int) Incomplete {
	a := r.attempt
	_, enough := r.needed(goal, need)
	switch {
	case enough && !r.unordered:
		return Complete
	case need >= r.MaxRows && (a.cut || a.told > need):
		return Cut
	case !r.missing():
		return Complete
	case a.stuck:
		return SamePage
	case a.emptyPage >= 0:
		return EmptyPage
	default:
		return FewerRows
	}
}

// missing reports whether all pages were read, and have fewer rows than the service reports: by the total or, without
// one, by the number of pages. Some services report one page for no rows.
func (r *Reader) missing() bool {
	a := r.attempt
	if !a.ended || len(r.order) >= r.MaxRows {
		return false
	}
	found := a.emptyPage
	if a.stuck {
		found = 1
	}
	return a.told > len(r.order) || a.told < 0 && found >= 0 && a.pagesTold > max(found, 1)
}

// known returns the prediction of the next read, or nil if the rows cannot be one. answer is the table of its first
// rows.
func (r *Reader) known(answer *columns.Table) *Known {
	a := r.attempt
	if a.total < 0 || a.understated || r.missing() || r.repeated > 0 {
		return nil
	}
	if !r.KeepTail {
		r.setOrder(r.order[:min(len(r.order), a.total)]) // Rows that left the list left it at the end.
	}
	if len(r.order) == answer.Rows {
		return r.predicts(answer)
	}
	return r.predicts(r.rows.table(r.order))
}

// predicts returns a prediction with these rows, or nil if they cannot be one.
func (r *Reader) predicts(table *columns.Table) *Known {
	odd := r.rows.keyless || r.rows.folded || len(r.rows.problems) > 0 || r.organization == ""
	if odd || r.DataSet.End == nil || table.Rows == 0 || !canPredict(r.DataSet, table) {
		return nil
	}
	seen := r.Began
	if r.Known != nil && r.isPredicted(table.Rows) {
		seen = r.Known.Seen
	}
	var seams []int
	for row, entry := range r.order[:table.Rows] {
		if r.moved[entry] {
			seams = append(seams, row)
		}
	}
	return &Known{Table: table, Seen: seen, Organization: r.organization, Ordered: r.ordered && !r.unordered, Seams: seams}
}

// isPredicted reports whether any of the first rows may have changed since the prediction was made: it was not final
// then, and was not received again.
func (r *Reader) isPredicted(rows int) bool {
	for _, entry := range r.order[:rows] {
		if p := r.rows.latest[entry]; p.isPrediction() && !isFinal(r.DataSet.End, r.rows.predicted, p.row(), r.Known.Seen) {
			return true
		}
	}
	return false
}

// Partial returns the rows that a read knew when it ended with an error, as the prediction of a later one, or nil. They
// may be fewer than those of the goal, and are not proven.
func (r *Reader) Partial() *Known {
	if r.attempt == nil || len(r.order) == 0 || !r.oneOrganization() {
		return nil
	}
	r.seams()
	known := r.predicts(r.rows.table(r.order))
	if known != nil {
		known.Partial = true
	}
	return known
}
