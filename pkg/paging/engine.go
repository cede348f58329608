package paging

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
)

// maxMends bounds the mends of one attempt: beyond it, reading all pages is as cheap.
const maxMends = 40

// prove makes the order hold as far as a goal needs it. The order of rows is nearly right: it is what was just read, or
// what was read before. A row that was added or removed shifts all rows behind it, so if the last page that matters has
// the rows that the order says, so do the pages before it. Otherwise, a search finds the first page that differs, and
// its rows are put in their place. Pages that have to be seen anyhow, because their rows may have changed, must fit, too.
//
// For example, the order is 1 to 9 in pages of three, and row 5 was removed: the service has 123 467 89. The last page
// should have 7 8 9 but has 8 9. Page 1 differs, too, and page 0 does not, so page 1 is the first. Its rows 4 6 7 are put
// in their place: 6 and 7 follow 4, so 5, which was between them, is gone. The order is 1 2 3 4 6 7 8 9, and page 2 fits.
//
// One change cannot be seen in this way: a row that appears in the middle while another one disappears from the middle
// between two reads. The rows behind both are in their place. Only a page at random and full reads can find it.
func (r *Reader) prove(ctx context.Context, goal Goal) (verdict, error) {
	for mends := 0; ; {
		need, reached := r.need(goal)
		first, err := r.firstMisplaced(ctx, need)
		switch {
		case err != nil:
			return rejected(err)
		case r.changed != "" && r.Known != nil:
			return broken, nil
		case r.attempt.moved && (reached || !r.attempt.whole):
			return moved, nil // A reading of all pages comes to its end: it predicts the next attempt.
		case first >= 0:
			mended, err := r.mend(ctx, first)
			if err != nil {
				return rejected(err)
			}
			if mends++; mends > maxMends || !mended {
				return broken, nil
			}
		case reached:
			return proven, nil
		default:
			before := r.pages
			if err := r.fill(ctx, goal); err != nil {
				return broken, err
			}
			if r.pages == before {
				return broken, nil // Without another page, the goal would never be met.
			}
		}
	}
}

// need returns how many leading rows a goal needs, and whether the order has them.
func (r *Reader) need(goal Goal) (rows int, reached bool) {
	a := r.attempt
	if r.unordered || goal.Field != "" && !r.mayStopEarly() {
		goal = Goal{}
	}
	limit := r.limit()
	rows, enough := r.needed(goal, min(len(r.order), limit))
	return rows, enough || len(r.order) >= limit || a.ended
}

// needed is Goal.Needed of the first n rows of the order.
func (r *Reader) needed(goal Goal, n int) (rows int, enough bool) {
	timeOf := r.rows.times(goal.Field)
	return goal.Needed(n, func(row int) int64 { return timeOf(r.order[row]) })
}

// limit returns how many rows there are to keep.
func (r *Reader) limit() int {
	if a := r.attempt; a.total >= 0 && a.plan.end > 0 && !a.understated {
		return min(r.MaxRows, a.total)
	}
	return r.MaxRows
}

// firstMisplaced returns the number of the first page that differs from the order, or -1.
func (r *Reader) firstMisplaced(ctx context.Context, need int) (int, error) {
	a := r.attempt
	known := min(need, len(r.order))
	if a.whole || a.moved || known == 0 {
		return -1, nil // All rows are as they were just received, or no search can tell.
	}
	if number := r.misfit(); number >= 0 {
		return r.search(ctx, number) // The rows of other pages may have shifted, and be on others still.
	}
	if err := r.see(ctx, known); err != nil || a.moved {
		return -1, err
	}
	if number := r.misfit(); number >= 0 {
		return r.search(ctx, number)
	}
	r.changed = cmp.Or(r.changedFinal(), r.changed)
	return -1, nil
}

// see reads the pages that must be seen if so many rows are known, unless reading all pages is better.
func (r *Reader) see(ctx context.Context, known int) error {
	a := r.attempt
	numbers := append(r.toSee(known), (known-1)/a.size)
	if len(numbers) > max(4, pagesFor(known, a.size)/2) {
		a.moved, r.tries = true, maxAttempts // It is as cheap.
		return nil
	}
	err := r.look(ctx, numbers)
	if a.understated {
		a.moved, r.tries = true, maxAttempts // There are rows that the total does not count.
	}
	return err
}

// misfit returns the number of the first page of the attempt that differs from the order, or -1.
func (r *Reader) misfit() int {
	for _, number := range r.attempt.numbers() {
		if !r.fits(number) {
			return number
		}
	}
	return -1
}

// toSee returns the pages with predicted rows that may have changed, those where the list moved in an earlier attempt,
// and one of the others at random, unless another read has just looked at them.
func (r *Reader) toSee(known int) []int {
	a := r.attempt
	open, final := map[int]bool{}, map[int]bool{}
	for i, entry := range r.order[:known] {
		if r.moved[entry] {
			open[i/a.size], open[min(i+1, known-1)/a.size] = true, true // What both readings missed follows it.
		}
		p, number := r.rows.latest[entry], i/a.size
		if !p.isPrediction() || open[number] {
			continue
		}
		if r.Fresh || isFinal(r.DataSet.End, r.rows.predicted, p.row(), r.Known.Seen) {
			final[number] = true
			continue
		}
		open[number] = true
	}
	var numbers, others []int
	for number := range pagesFor(known, a.size) {
		if open[number] {
			numbers = append(numbers, number)
		} else if final[number] {
			others = append(others, number)
		}
	}
	if a.random < 0 && len(others) > 0 && !r.Sampled {
		a.random = others[rand.IntN(len(others))]
	}
	if a.random >= 0 && a.random <= (known-1)/a.size {
		numbers = append(numbers, a.random)
	}
	return numbers
}

// fits reports whether a page of the attempt has the rows that the order says, as far as it says anything.
func (r *Reader) fits(number int) bool {
	a := r.attempt
	begin := number * a.size
	end := min(begin+a.size, len(r.order), max(a.total, 0))
	if begin >= end {
		return begin < a.total || len(a.read[number]) == 0
	}
	read := a.read[number]
	return len(read) == min(a.size, a.total-begin) && slices.Equal(r.order[begin:end], read[:end-begin])
}

// search returns the first page that differs from the order, up to one that does. Pages are read side by side, which
// takes fewer round trips than a bisection.
func (r *Reader) search(ctx context.Context, differs int) (int, error) {
	low, high := 0, differs
	for _, number := range r.attempt.numbers() {
		if number < differs && r.fits(number) {
			low = number + 1
		}
	}
	for low < high {
		probes := spread(low, high, r.Concurrent)
		if err := r.look(ctx, probes); err != nil || r.attempt.moved {
			return -1, err
		}
		for _, number := range probes {
			if !r.fits(number) {
				high = number
				break
			}
			low = number + 1
		}
	}
	return high, nil
}

// spread returns at most n numbers that divide low to high, exclusive, into parts of nearly equal length.
func spread(low, high, n int) []int {
	n = min(n, high-low)
	numbers := make([]int, n)
	for i := range numbers {
		numbers[i] = low + (i+1)*(high-low)/(n+1)
	}
	return slices.Compact(numbers)
}

// mend puts the rows from a page on in their place, up to the end of a page whose rows are predicted: after a pause, there
// may be pages of new rows in front. It reports whether that changed the order, or the list meanwhile. Otherwise, the page
// has fewer rows than the totals say.
func (r *Reader) mend(ctx context.Context, number int) (bool, error) {
	a := r.attempt
	position := make(map[int]int, len(r.order))
	for i, entry := range r.order {
		position[entry] = i
	}
	rows, half := slices.Clone(a.read[number]), pagesFor(len(r.order), a.size)/2+2
	for next, all := number+1, pagesFor(a.total, a.size); next < all && !isKnown(rows, position); {
		read := next - number
		if read > half {
			return false, nil
		}
		end := min(next+read, next+r.Concurrent, all)
		if err := r.look(ctx, pagesBetween(next, end)); err != nil {
			return false, err
		}
		for ; next < end; next++ {
			rows = append(rows, a.read[next]...)
		}
	}
	if a.moved {
		return true, nil
	}
	order := splice(r.order, number*a.size, rows)
	if hasTwice(rows) || slices.Equal(order, r.order) {
		return false, nil
	}
	r.setOrder(order)
	if before := min(number*a.size, len(order)) - 1; before >= 0 {
		a.mended = append(a.mended, order[before])
	}
	return true, nil
}

// knownRows is how many rows at the end of a page must be those of the prediction, in its order, to show that what
// follows is predicted, too.
const knownRows = 5

func isKnown(rows []int, position map[int]int) bool {
	if len(rows) < knownRows {
		return false
	}
	before := -1
	for _, entry := range rows[len(rows)-knownRows:] {
		at, known := position[entry]
		if !known || at <= before {
			return false
		}
		before = at
	}
	return true
}

// splice puts rows in their place in an order. Behind them come those that followed the last of them that was known
// there: what was in between is gone, or is found where it is now. Others of them may have jumped there from further behind.
func splice(order []int, begin int, rows []int) []int {
	begin = min(begin, len(order))
	mine := make(map[int]bool, len(rows))
	for _, entry := range rows {
		mine[entry] = true
	}
	after := begin
	for _, entry := range slices.Backward(rows) {
		if i := slices.Index(order[begin:], entry); i >= 0 {
			after = begin + i + 1
			break
		}
	}
	spliced := make([]int, 0, len(order)+len(rows))
	for i, entry := range order[:begin] {
		if !mine[entry] {
			spliced = append(spliced, order[i])
		}
	}
	spliced = append(spliced, rows...)
	for _, entry := range order[after:] {
		if !mine[entry] {
			spliced = append(spliced, entry)
		}
	}
	return spliced
}

func hasTwice(entries []int) bool {
	seen := make(map[int]bool, len(entries))
	for _, entry := range entries {
		if seen[entry] {
			return true
		}
		seen[entry] = true
	}
	return false
}

func pagesBetween(from, end int) []int {
	var numbers []int
	for ; from < end; from++ {
		numbers = append(numbers, from)
	}
	return numbers
}

// changedFinal returns the key of a row that was final in the prediction and was received with other values, or "".
func (r *Reader) changedFinal() string {
	if r.Known == nil {
		return ""
	}
	same := columns.Compare(r.rows.now, r.rows.predicted)
	for _, entries := range r.attempt.read {
		for _, entry := range entries {
			if p := r.rows.latest[entry]; entry < r.rows.predicted.Rows && !p.isPrediction() &&
				isFinal(r.DataSet.End, r.rows.predicted, entry, r.Known.Seen) && !same.Same(p.row(), entry) {
				return r.rows.predicted.Column(r.DataSet.Key).Text(entry)
			}
		}
	}
	return ""
}
