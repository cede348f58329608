package paging

import (
	"context"
	"iter"
	"math"
	"slices"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
)

// plan is what page 0 says about the pages that follow.
type plan struct {
	end  int // exclusive end of the pages; 0 if unknown: read until a page is empty
	sure int // pages needed for the total; 0 if unknown
}

// makePlan decides by the rows of page 0, and by the totals if present. The reported page size is ignored: some services
// echo the requested one.
func makePlan(set *datasets.DataSet, first *pages.Page, maxRows int) plan {
	rows := first.Table.Rows
	switch {
	case rows == 0, first.Bare && set.Parameters.Page == "":
		// A route without paging returns all its rows.
		return plan{end: 1}
	case first.Total < 0 && first.Pages < 0:
		return planUnknown(first, maxRows)
	}
	total := max(first.Total, rows)
	if first.Total < 0 {
		total = rows * first.Pages
	}
	moreThanTold := first.Total >= 0 && first.Total < rows
	if total <= rows && first.Last != nil && !*first.Last || moreThanTold && first.Pages < 2 {
		// The totals contradict last, or the number of rows.
		return planUnknown(first, maxRows)
	}
	sure := pagesFor(min(total, maxRows), rows)
	// If the totals disagree, the larger one is tried: an extra page is empty and ends the read.
	return plan{end: min(max(sure, first.Pages), pagesFor(maxRows, rows)), sure: sure}
}

// planUnknown is the plan without a reliable total.
func planUnknown(first *pages.Page, maxRows int) plan {
	if first.Last != nil && *first.Last || first.Table.Rows >= maxRows {
		return plan{end: 1}
	}
	return plan{}
}

func pagesFor(rows, size int) int { return (rows + size - 1) / size }

// guesses is how many pages are requested at once if their number is unknown.
const guesses = 2

// begins makes page 0 the order.
func (r *Reader) begins(entries []int, first *pages.Page) error {
	a := r.attempt
	a.next = 1
	r.extend(0, entries)
	if a.size == 0 {
		a.emptyPage = 0
	}
	a.ended = a.plan.end == 1
	told := first.Total
	if told < 0 {
		told = (first.Pages-1)*a.size + 1 // The last page has at least one row.
	}
	if over := max(told, a.size) > r.MaxRows; a.plan.end > 0 || a.size >= r.MaxRows {
		a.cut = a.cut || over || a.size >= r.MaxRows && a.plan.end == 1 && first.Total < 0 && (first.Last == nil || !*first.Last) && !first.Bare
	}
	return r.count()
}

// extend adds the entries of the next page to the order, and returns how many of them are new. Others are duplicates: a
// row was added in front, or the service lists it twice.
func (r *Reader) extend(number int, entries []int) (fresh int) {
	a := r.attempt
	r.updateListed()
	for i, entry := range entries {
		if number*a.size+i < len(r.order) && r.order[number*a.size+i] == entry {
			continue // The order ends within this page.
		}
		if r.isListed[entry] {
			a.repeated++
			a.moved = true
			r.movedSince(number, entry)
			continue
		}
		r.order = append(r.order, entry)
		r.isListed[entry] = true
		fresh++
	}
	return fresh
}

// updateListed makes isListed say for each entry whether it is in the order.
func (r *Reader) updateListed() {
	if r.isListed == nil {
		r.isListed = make([]bool, len(r.rows.latest))
		for _, entry := range r.order {
			r.isListed[entry] = true
		}
	}
	r.isListed = append(r.isListed, make([]bool, len(r.rows.latest)-len(r.isListed))...)
}

// movedSince records that a page has an entry that another page had before.
func (r *Reader) movedSince(number, entry int) {
	if other := r.attempt.pageOf[entry] - 1; other >= 0 && other != number {
		r.attempt.arrivals.shift(other, number)
	}
}

// fill reads the pages behind the order, as far as a goal is expected to need them.
func (r *Reader) fill(ctx context.Context, goal Goal) error {
	a := r.attempt
	begin := len(r.order) / a.size
	if a.whole {
		begin = a.next // Pages may have had rows twice, and the last page may have been read for its order alone.
	}
	end := r.pagesAhead(goal, begin)
	rows := (end - begin) * a.size
	if a.plan.end == 0 {
		rows = a.size
	}
	if err := r.Memory.Expect(ctx, r.rows.predicted.Bytes()+r.expected(r.rows.now.Rows+rows)); err != nil {
		return err
	}
	window := 2 * r.Concurrent
	if end == 0 {
		window = guesses
	}
	return r.inOrder(ctx, r.following(goal, begin, end), window, a.plan.sure, func(number int, page *pages.Page) (bool, error) {
		if end > 0 && number >= end {
			r.receive(number, page) // Shows the order of the list, refer to orderHolds.
			return true, r.count()
		}
		return r.take(number, page)
	})
}

// following returns the numbers of the pages to read, and that of the last page if it has to show the order; end 0 means
// that there is none.
func (r *Reader) following(goal Goal, begin, end int) iter.Seq[int] {
	a := r.attempt
	last := pagesFor(max(a.total, 0), a.size) - 1
	_, read := a.read[last]
	showsOrder := goal.Field != "" && !r.ordered && !r.unordered && r.mayStopEarly() && end > 0 && last >= end && !read
	return func(yield func(int) bool) {
		for number := begin; end == 0 || number < end; number++ {
			if !yield(number) {
				return
			}
		}
		if showsOrder {
			yield(last)
		}
	}
}

// pagesAhead returns the exclusive end of the pages to read next; 0 if it is unknown. A goal that ends at a time is
// expected to need as many rows as if the times continued to descend at the same rate.
func (r *Reader) pagesAhead(goal Goal, begin int) int {
	a := r.attempt
	if a.plan.end == 0 || a.understated {
		return 0
	}
	if r.unordered || goal.All() || goal.Field != "" && !r.mayStopEarly() {
		return max(begin+1, a.plan.end)
	}
	if goal.Field == "" {
		return min(max(begin+1, pagesFor(goal.Rows, a.size)), a.plan.end)
	}
	rows := float64(len(r.order)) + r.rowsAhead(goal)
	pages := int(math.Min(math.Ceil(rows/float64(a.size)), float64(a.plan.end)))
	return min(max(begin+1, pages), begin+2*r.Concurrent, a.plan.end)
}

// rowsAhead estimates how many more rows a goal with a Field needs.
func (r *Reader) rowsAhead(goal Goal) float64 {
	rows := math.Inf(1)
	if !goal.From.IsZero() {
		rows = r.rowsUntil(goal, goal.from())
	}
	if goal.Rows > 0 {
		found, timeOf := 0, r.rows.times(goal.Field)
		for _, entry := range r.order {
			if timeOf(entry) <= goal.until() {
				found++
			}
		}
		rows = min(rows, r.rowsUntil(goal, goal.until())+float64(goal.Rows-found))
	}
	return rows
}

// rowsUntil estimates how many rows there are down to a time.
func (r *Reader) rowsUntil(goal Goal, at int64) float64 {
	timeOf := r.rows.times(goal.Field)
	high, low := timeOf(r.order[0]), timeOf(r.order[len(r.order)-1])
	switch {
	case at >= low:
		return 0
	case high <= low:
		return math.Inf(1)
	}
	return (float64(low) - float64(at)) / (float64(high-low) / float64(len(r.order)))
}

// expected estimates the memory of so many rows: the average so far plus half, because slices grow in steps.
func (r *Reader) expected(rows int) int64 {
	read := r.rows.now.Rows
	if read == 0 {
		return 0
	}
	return (r.Memory.Held() + r.Texts.Size()) / int64(read) * int64(rows) * 3 / 2
}

// take adds the next page to the order, and reports whether there may be more.
func (r *Reader) take(number int, page *pages.Page) (more bool, err error) {
	a := r.attempt
	entries := r.receive(number, page)
	a.next = number + 1
	if len(entries) == 0 {
		a.emptyPage, a.ended = number, true
		return false, nil
	}
	if a.whole && number == 1 && r.isPageZero(entries) {
		a.stuck, a.ended = true, true
		return false, nil
	}
	fresh := r.extend(number, entries)
	if err := r.count(); err != nil {
		return false, err
	}
	if a.plan.end > 0 && !a.understated {
		a.ended = number == a.plan.end-1
		a.cut = a.cut || a.ended && len(r.order) >= r.MaxRows && a.total > r.MaxRows
		return true, nil
	}
	a.cut = a.cut || len(r.order) >= r.MaxRows
	a.ended = a.cut || fresh == 0 || page.Last != nil && *page.Last
	return !a.ended, nil
}

// isPageZero reports whether a page has the rows of page 0, so that the route seems to ignore the parameter.
func (r *Reader) isPageZero(entries []int) bool {
	zero := r.attempt.read[0]
	if len(entries) != len(zero) {
		return false
	}
	if slices.Equal(entries, zero) {
		return true
	}
	if !r.rows.keyless || r.attempt.plan.end > 0 && r.attempt.size == 1 {
		return false // Two single rows without a key may well be equal.
	}
	same := columns.Compare(r.rows.now, r.rows.now)
	for i, entry := range entries {
		if !same.Same(r.rows.latest[entry].row(), r.rows.latest[zero[i]].row()) {
			return false
		}
	}
	return true
}
