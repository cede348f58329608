package list

import (
	"context"
	"maps"
	"slices"
	"sync/atomic"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
)

// look is one attempt to bring a prediction up to date.
type look struct {
	*List
	*reading
	before       []row // the prediction; empty: all pages are read
	first        *page // page 0
	again        *page // page 0 as confirm has read it, which is page 0 of the next look
	organization string
	ordered      bool // rows are newest first, down to the last page

	size, total  int // of page 0; total -1: unknown
	places       map[key]int
	pages        map[int]*page
	deep         int   // the last page for the order; a page behind it only shows whether rows are newest first
	order        []row // the result
	borders      []border
	received     atomic.Int64
	shifts       [][2]int64   // when rows were shifted: two pages have the same row
	twice        map[key]bool // these rows
	twiceAt      int          // leading rows before the first of them is repeated
	listedTwice  bool         // the service lists these rows twice, although nothing moves
	inconsistent bool         // pages contradict each other, so the list moved
	foreign      bool         // two pages have different organizations
	unordered    bool         // rows are not newest first
	keyless      bool         // some row has no key
	broken       bool         // pages contradict the total, so the prediction proves nothing
	refused      error        // why the service refused a page that should exist
	ended        bool         // the last page was read
	understated  bool         // there are more rows than the total
	same         int          // pages with the rows of page 0
	stuck        bool         // the service returns page 0 for every page
	lackAt       int          // leading rows that lack nothing; -1: all
	expectedRows int          // of the page that lacks rows
	short        *page        // the page that lacks rows
	grown        int          // rows when pages were read last while their number is unknown
	published    int          // pages of the rows that were published last
}

// next returns the look after one that moved.
func (k *look) next() *look {
	return &look{
		List: k.List, reading: k.reading, before: k.before, first: k.again, organization: k.organization, ordered: k.ordered,
		pages: map[int]*page{}, places: make(map[key]int, len(k.before)), lackAt: -1,
	}
}

func (k *look) still() bool {
	return !k.inconsistent && !k.broken && (len(k.shifts) == 0 || k.listedTwice)
}

// isLike reports whether two looks have failed in the same way, so that the list does not move, but is odd: the service
// refuses a page, or lists rows twice.
func (k *look) isLike(other *look) bool {
	if k.refused != nil || other.refused != nil {
		return k.refused != nil && other.refused != nil
	}
	return len(k.twice) > 0 && k.total == other.total && maps.Equal(k.twice, other.twice)
}

func (k *look) isWhole() bool { return len(k.before) == 0 }

// run reads pages until all rows that the goal needs are known.
func (k *look) run(ctx context.Context) (err error) {
	for i, r := range k.before {
		k.places[r.key] = i
	}
	if k.first == nil {
		if k.first, err = k.fetch(ctx, 0); err != nil {
			return err
		}
		k.count(k.first)
	}
	k.takeFirst()
	for {
		deep := k.deep
		numbers := k.missing(k.assemble())
		switch {
		case len(numbers) == 0 && k.deep > deep:
			// The last page, which was read for its order, is the next one.
		case len(numbers) > 0:
			if err := k.see(ctx, numbers); err != nil {
				k.assemble()
				return err
			}
			if (k.inconsistent || k.broken) && !k.isWhole() {
				k.assemble() // What was received is a better prediction already.
				k.need = min(k.need, len(k.order))
				return k.confirm(ctx)
			}
		case k.goal.Field != "" && !k.unordered && !k.descends(k.need):
			k.unordered = true // Only all rows tell which are newest.
		default:
			return k.confirm(ctx)
		}
	}
}

// takeFirst takes page 0, and what it says about the others.
func (k *look) takeFirst() {
	p, rows := k.first, len(k.first.rows)+k.first.Left
	k.size, k.total = max(1, len(p.rows)), p.Total
	last := p.Last != nil && *p.Last
	switch {
	case rows == 0 || p.Bare && k.DataSet.Parameters.Page == "":
		k.total = rows // A route without paging returns all its rows.
	case p.Total < 0: // takeNext finds the end.
	case p.Total < rows || p.Pages > pagesFor(p.Total, k.size) || p.Total == rows && p.Last != nil && !last:
		k.total, k.understated = -1, true
	}
	if k.total < 0 {
		k.before, k.places = nil, nil // Without a total, only reading all pages proves anything.
	}
	k.take(p)
}

// expected returns how many rows a page must have.
func (k *look) expected(number int) int { return k.expectedOf(number, k.total) }

func (k *look) expectedOf(number, total int) int { return max(0, min(k.size, total-number*k.size)) }

// missing returns the pages to read: pages with rows which the goal needs beyond the order, its last page, pages with
// rows that may have changed, and pages where the list moved.
func (k *look) missing(unclear []int) []int {
	goal := k.goal
	if k.unordered {
		goal = goal.all()
	}
	all := k.all()
	timeOf := timesIn(k.order, goal.Field)
	k.need, k.enough = goal.needed(min(len(k.order), all), timeOf, k.size)
	var numbers []int
	if k.isWhole() {
		numbers = k.following(goal, all)
	} else {
		numbers = k.checking(goal, all, unclear)
	}
	if len(numbers) > 0 {
		k.deep = max(k.deep, numbers[len(numbers)-1])
	}
	if end := pagesFor(k.total, k.size) - 1; end > 0 && !k.ordered && !k.unordered && !k.ended &&
		(goal.Field != "" || k.isWhole() && k.total <= k.MaxRows && goal.All() && k.DataSet.HasTimes()) {
		numbers = slices.Insert(numbers, 0, end) // Shows whether rows are newest first.
	}
	wanted := map[int]bool{}
	return slices.DeleteFunc(numbers, func(n int) bool {
		is := wanted[n] || k.pages[n] != nil
		wanted[n] = true
		return is
	})
}

// following returns the pages behind the pages that were read, without a prediction.
func (k *look) following(goal Goal, all int) []int {
	next := 0
	for next <= k.deep && k.pages[next] != nil {
		next++
	}
	switch {
	case k.enough || k.ended || k.need >= all || len(k.order) == k.grown && k.total < 0:
		return nil
	case k.total < 0:
		k.grown = len(k.order)
		return []int{next, next + 1}
	}
	end := pagesFor(all, k.size)
	if !goal.All() {
		end = min(end, next+pagesFor(k.ahead(goal), k.size))
	}
	return numbersOf(next, end)
}

// checking returns the pages that show whether the prediction holds.
func (k *look) checking(goal Goal, all int, unclear []int) []int {
	last := max(0, k.need-1) / k.size
	numbers := append(unclear, last)
	if !k.enough && k.need < all {
		end := pagesFor(all, k.size)
		if !goal.All() {
			end = min(end, last+1+pagesFor(k.ahead(goal), k.size))
		}
		numbers = append(numbers, numbersOf(last, end)...)
	}
	since := columns.Nanoseconds(k.since)
	for i, r := range k.order[:k.need] {
		if r.seam {
			numbers = append(numbers, i/k.size, min(i+1, k.need-1)/k.size)
		}
		if !r.settled && r.at < since {
			numbers = append(numbers, i/k.size)
		}
	}
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	if i := slices.Index(numbers, last); i+3 > last {
		numbers = append(numbersOf(0, last), numbers[max(0, i):]...) // As cheap, and needs no confirmation.
	}
	return numbers
}

// all returns how many rows there are to read.
func (k *look) all() int {
	switch {
	case k.stuck:
		return len(k.first.rows)
	case k.total >= 0:
		return min(k.total, k.MaxRows)
	case k.ended:
		return min(len(k.order), k.MaxRows)
	default:
		return k.MaxRows
	}
}

// ahead guesses how many more rows a goal needs: as if times continued to descend at the same rate, but not many more
// than are known.
func (k *look) ahead(goal Goal) int {
	rows := len(k.order)
	if goal.Field == "" {
		return max(1, goal.Rows-rows)
	}
	if goal.Rows > 0 {
		return max(k.size, goal.Rows-rows)
	}
	guess := float64(rows + k.size*k.Concurrent)
	timeOf := timesIn(k.order, goal.Field)
	if high, low := timeOf(0), timeOf(rows-1); low < high {
		guess = min(guess, float64(k.size)+float64(rows)*max(0, float64(low-columns.Nanoseconds(goal.From)))/float64(high-low))
	}
	return max(1, int(guess))
}

// confirm shows whether rows were shifted while pages were skipped: page 0 has its rows, perhaps behind new ones, and as
// many more rows are reported. Otherwise, a row may have come in front that made up for one that was removed before. If
// all pages were read, one of them has a row twice then.
func (k *look) confirm(ctx context.Context) (err error) {
	skipped := func(n int) bool { return k.pages[n] == nil }
	if k.isWhole() || k.total < 0 || k.keyless || k.foreign || k.broken || !slices.ContainsFunc(numbersOf(0, pagesFor(k.need, k.size)), skipped) {
		return nil
	}
	if k.again, err = k.fetch(ctx, 0); err != nil {
		return err
	}
	k.count(k.again)
	added, same := 0, k.again.Organization == k.organization
	for i, r := range k.again.rows {
		place := slices.IndexFunc(k.first.rows, func(o row) bool { return o.key == r.key })
		if place < 0 {
			added++
		}
		same = same && (place < 0 || place == i-added)
	}
	same = same && added < len(k.again.rows)
	for _, b := range k.borders { // Rows that came without a larger total may have hidden one on any page.
		k.order[b.row].seam = k.order[b.row].seam || (!same || added > 0 && k.again.Total != k.total+added) && !k.isPredicted(b)
	}
	k.inconsistent = k.inconsistent || !same || k.again.Total != k.total+added
	k.again.requested, k.again.received = 0, 0
	return nil
}

// descends reports whether the known rows are newest first, and the rows of the last page, which shows that the order
// holds down to the end.
func (k *look) descends(rows int) bool {
	field := k.DataSet.TimeFields[0]
	timeOf, low := timesIn(k.order, field), int64(noTime)
	for i := range k.order { // Predicted rows, too: another row may have jumped in front of them.
		at := timeOf(i)
		if at == noTime || at-int64(tolerance) > low {
			k.ordered = false
			return false
		}
		low = min(low, at)
	}
	if k.ordered || k.total >= 0 && rows >= k.total || k.ended {
		k.ordered = true
		return true
	}
	last := k.pages[pagesFor(k.total, k.size)-1]
	if last == nil || len(last.rows) == 0 {
		return false
	}
	timeOf = timesIn(last.rows, field)
	k.ordered = true
	for i := range last.rows {
		at := timeOf(i)
		k.ordered = k.ordered && at != noTime && (at-int64(tolerance) <= low || k.isListed(last.rows[i]))
	}
	return k.ordered
}

// isListed reports whether a row is in the order.
func (k *look) isListed(r row) bool {
	return slices.ContainsFunc(k.order, func(o row) bool { return o.key == r.key })
}

func pagesFor(rows, size int) int { return (max(0, rows) + size - 1) / size }

func numbersOf(from, end int) (numbers []int) {
	for ; from < end; from++ {
		numbers = append(numbers, from)
	}
	return numbers
}
