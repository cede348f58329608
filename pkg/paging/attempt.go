package paging

import (
	"context"
	"hash/maphash"
	"maps"
	"slices"
	"sync"

	"github.com/insights/insights-reporting-datasource/pkg/pages"
)

// verdict is the outcome of an attempt.
type verdict int

const (
	broken verdict = iota // the pages are inconsistent, although nothing moved
	moved                 // the data changed meanwhile
	proven                // the order holds as far as the goal needs it
)

// attempt is one look at the list. It must not change meanwhile: all pages report the same total. Pages count together,
// whatever they were read for.
type attempt struct {
	whole bool          // the order consists of the pages of this attempt; nothing is predicted
	asked int           // requested size of page 0; 0: none
	size  int           // rows of a page, according to page 0
	plan  plan          // how many pages there are, according to page 0
	total int           // rows of the list; -1: unknown, or the service contradicts itself
	told  int           // what page 0 reports; -1: nothing
	read  map[int][]int // the entries of each page
	// pageOf is the number of the first page that had an entry, plus one.
	pageOf []int
	moved  bool // two pages report different totals, or a row was received twice

	mended      []int // entries behind which rows were put in their place
	confirmed   int   // pages received in all attempts when page 0 was read again; 0: it was not
	next        int   // page behind those that a reading of all pages has taken
	random      int   // a page to read although nothing speaks against it; -1: none yet
	repeated    int   // rows received twice
	ended       bool
	cut         bool // there are more rows than MaxRows
	stuck       bool // the route returns page 0 for every page
	emptyPage   int  // number of the page without rows; -1: none
	pagesTold   int  // number of pages reported last; 0: none
	understated bool // there are more rows than the total

	arrivals  arrivals
	totals    map[int]int // reported by each page
	differ    bool        // two of them differ
	toldAgain bool        // each is that of the same page in the pass before
}

// try makes one attempt, or continues it for a deeper goal.
func (r *Reader) try(ctx context.Context, goal Goal) (verdict, error) {
	if r.attempt == nil {
		if err := r.begin(ctx); err != nil {
			return broken, err
		}
	}
	for {
		v, err := r.prove(ctx, goal)
		if err != nil {
			return broken, err
		}
		if v = r.judge(v); v != proven {
			return v, nil
		}
		holds, err := r.orderHolds(ctx, goal)
		if err != nil || r.attempt.moved {
			return moved, err
		}
		if holds {
			v, err := r.confirm(ctx, goal)
			return r.judge(v), err
		}
		r.unordered = true // Every goal needs all rows now.
	}
}

// confirm proves an order that holds if no row has left its place since the attempt began: page 0 shows which rows were added,
// and its total that no other one is missing. Equal totals alone prove nothing: if a row was added in front while another one
// left at the end, the last page fits although a row that was removed before is in the order. Where the list moved is unknown
// then. Pages without a gap need no confirmation, because they have a row twice if one was added meanwhile; if the second has
// all rows of page 0, as many as a page has may have been added. Neither does a read right after another one, unless it had to
// search.
func (r *Reader) confirm(ctx context.Context, goal Goal) (verdict, error) {
	a := r.attempt
	if r.Fresh && len(a.mended) == 0 || r.rows.keyless || a.confirmed == r.pages || !a.stuck && r.hasNoGap(goal) {
		return proven, nil
	}
	zero, err := r.page(ctx, 0)
	if err != nil {
		return rejected(err)
	}
	r.pages++
	a.confirmed = r.pages
	if added, isSame := r.rows.added(zero, a.read[0]); !isSame || zero.Total != a.told+added {
		a.arrivals.unknown()
		a.moved = true
		return moved, nil
	}
	return proven, nil
}

// hasNoGap reports whether all rows that a goal needs were received in this attempt.
func (r *Reader) hasNoGap(goal Goal) bool {
	need, _ := r.need(goal)
	for number := range pagesFor(need, max(1, r.attempt.size)) {
		if _, read := r.attempt.read[number]; !read {
			return false
		}
	}
	return true
}

// judge adds what only the end of an attempt shows.
func (r *Reader) judge(v verdict) verdict {
	a := r.attempt
	switch {
	case !r.oneOrganization():
		r.tries, r.changed = maxAttempts, "" // The rows of another organization predict nothing.
		return broken
	case v == moved && a.whole && r.samePassAgain():
		// Duplicates and differing totals that recur identically are not caused by changes.
		r.repeated, a.moved = a.repeated, false
		return proven
	case v == moved && !a.whole && a.differ && a.toldAgain:
		return broken // The totals have another meaning than the specification's, and prove nothing.
	default:
		return v
	}
}

// oneOrganization reports whether all rows, also those of the prediction, belong to one organization: a new login in
// between may be for another.
func (r *Reader) oneOrganization() bool {
	owners := r.Source.TakeOrganizations()
	if r.organization != "" && !slices.Contains(owners, r.organization) {
		owners = append(owners, r.organization)
	}
	r.organization = ""
	if len(owners) == 1 {
		r.organization = owners[0]
	}
	return len(owners) == 1
}

var seed = maphash.MakeSeed()

// samePassAgain reports whether a pass received the same rows with the same totals as the one before.
func (r *Reader) samePassAgain() bool {
	var h maphash.Hash
	h.SetSeed(seed)
	keys := r.rows.now.Column(r.DataSet.Key)
	for row := range r.rows.now.Rows {
		k, _ := keyOf(keys, row)
		maphash.WriteComparable(&h, k)
	}
	maphash.WriteComparable(&h, [2]int{r.attempt.repeated, r.attempt.emptyPage})
	for _, number := range r.attempt.numbers() {
		maphash.WriteComparable(&h, [2]int{number, r.attempt.totals[number]})
	}
	before := r.fingerprint
	r.fingerprint = h.Sum64()
	return before == r.fingerprint
}

// begin reads page 0, and plans what follows.
func (r *Reader) begin(ctx context.Context) error {
	if r.rows == nil {
		r.predict()
	}
	a := &attempt{total: -1, read: map[int][]int{}, totals: map[int]int{}, emptyPage: -1, random: -1, toldAgain: true}
	r.attempt = a
	first, used, err := r.Sizes.Sized(r.DataSet, r.sizeToRequest(), func(size int) (*pages.Page, error) { return r.first(ctx, size) })
	if err != nil {
		return err
	}
	r.pages++
	a.told = first.Total
	a.arrivals.add(0, 0, first.Total)
	a.asked, a.size, a.plan, a.cut = used, first.Table.Rows, makePlan(r.DataSet, first, r.MaxRows), first.Left > 0
	if a.plan.end > 0 && first.Total >= a.size && a.plan.end == a.plan.sure {
		a.total = first.Total
	}
	if a.total < 0 || a.size == 0 {
		r.rows = newLedger(r.DataSet, nil) // Without a total, only reading all pages proves anything.
		r.setOrder(nil)
	}
	if a.whole = len(r.order) == 0; a.whole {
		r.passes++
		r.told = a.totals
	}
	entries := r.receive(0, first)
	if a.whole {
		return r.begins(entries, first)
	}
	return nil
}

// predict creates the ledger, with the prediction if there is one.
func (r *Reader) predict() {
	r.Memory.Reset()
	r.moved = map[int]bool{}
	if r.Known == nil {
		r.rows, r.organization = newLedger(r.DataSet, nil), ""
		return
	}
	r.rows, r.organization, r.ordered = newLedger(r.DataSet, r.Known.Table), r.Known.Organization, r.Known.Ordered
	for entry := range r.Known.Table.Rows {
		r.order = append(r.order, entry)
	}
	for _, row := range r.Known.Seams {
		r.moved[row] = true
	}
}

// sizeToRequest returns the page size to request from page 0; 0: none.
func (r *Reader) sizeToRequest() int {
	if r.withoutSize {
		return 0
	}
	return r.Sizes.Ask(r.DataSet, r.MaxRows)
}

// receive records a page of the attempt, and returns its entries.
func (r *Reader) receive(number int, page *pages.Page) []int {
	a := r.attempt
	if page.Pages >= 0 {
		a.pagesTold = page.Pages
	}
	if a.told >= 0 && page.Total >= 0 && page.Total != a.told {
		a.moved, a.differ = true, true
	}
	a.totals[number] = page.Total
	a.toldAgain = a.toldAgain && r.told != nil && r.told[number] == page.Total
	end := a.plan.end
	if a.total >= 0 {
		end = pagesFor(a.total, max(1, a.size))
	}
	if end > 0 && number >= end-1 && page.Last != nil && !*page.Last && page.Table.Rows > 0 {
		a.understated = true
	}
	a.read[number] = r.rows.add(page)
	a.pageOf = append(a.pageOf, make([]int, len(r.rows.latest)-len(a.pageOf))...)
	for _, entry := range a.read[number] {
		if a.pageOf[entry] == 0 {
			a.pageOf[entry] = number + 1
		}
	}
	return a.read[number]
}

// arrivals is the order in which pages arrived, and when the list changed meanwhile. Times are numbers of pages that had
// arrived before. It is safe for concurrent use.
type arrivals struct {
	mu      sync.Mutex
	count   int
	last    int             // total of the last page
	pages   map[int]arrival // by page
	changes [][2]int        // of the total: after the first time, before the second
	shifts  [][2]int        // that two pages with the same row show
}

type arrival struct{ asked, at int }

// asks returns the time at which a page is requested.
func (a *arrivals) asks() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.count
}

func (a *arrivals) add(number, asked, total int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.pages == nil {
		a.pages, a.last = map[int]arrival{}, total
	}
	if total != a.last {
		a.changes = append(a.changes, [2]int{a.count - 1, a.count})
	}
	a.pages[number] = arrival{asked, a.count}
	a.last = total
	a.count++
}

// unknown records that the list changed at some time.
func (a *arrivals) unknown() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.changes = append(a.changes, [2]int{-1, a.count})
}

// shift records that two pages have the same row.
func (a *arrivals) shift(one, other int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	p, q := a.pages[one], a.pages[other]
	a.shifts = append(a.shifts, [2]int{min(p.asked, q.asked) - 1, max(p.at, q.at)})
}

// between reports whether the list may have changed between two pages.
func (a *arrivals) between(one, other int) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	p, q := a.pages[one], a.pages[other]
	overlaps := func(changes [][2]int, first, last int) bool {
		return slices.ContainsFunc(changes, func(c [2]int) bool { return first < c[1] && c[0] < last })
	}
	// A shift does not say when it was, only that it was while one of its pages was on its way.
	return overlaps(a.changes, min(p.at, q.at), max(p.at, q.at)) ||
		overlaps(a.shifts, min(p.asked, q.asked)-1, max(p.at, q.at))
}

// seams adds the entries at which the list may have moved between two neighboring pages: a row that was removed after
// the page that it was on had been read shifts another one from the second to the first, so that both readings miss it.
// If the row that is gone stays in the order in its place, all later pages fit. The page that the entry is on now, and
// that of the entry behind it, show it. So do the pages of entries that were not where the order says, and those where a
// search found the first difference: pages of the search may be from before and after a move that totals do not show.
func (r *Reader) seams() {
	a := r.attempt
	for _, entry := range a.mended {
		r.moved[entry] = true
	}
	for _, number := range a.numbers() {
		if begin := number * a.size; !a.whole && !r.fits(number) {
			for _, entry := range r.order[min(begin, len(r.order)):min(begin+a.size, len(r.order))] {
				r.moved[entry] = true
			}
		}
		entries, next := a.read[number], number+1
		_, read := a.read[next]
		if read && len(entries) > 0 && (a.totals[number] != a.totals[next] || a.arrivals.between(number, next)) {
			r.moved[entries[len(entries)-1]] = true
		}
	}
}

// numbers returns the pages that were read, in order.
func (a *attempt) numbers() []int { return slices.Sorted(maps.Keys(a.read)) }

// look reads those of the pages that the attempt has not read.
func (r *Reader) look(ctx context.Context, numbers []int) error {
	slices.Sort(numbers)
	numbers = slices.DeleteFunc(slices.Compact(numbers), func(number int) bool { _, read := r.attempt.read[number]; return read })
	return r.inOrder(ctx, slices.Values(numbers), r.Concurrent, 0, func(number int, page *pages.Page) (bool, error) {
		r.receive(number, page)
		return true, r.count()
	})
}

// count counts the memory of received rows beyond that of their pages.
func (r *Reader) count() error { return r.Memory.Add(r.rows.padding(), r.Texts.Size()) }

// rejected turns the rejection of a predicted page into a verdict: the page or its size does not exist any more, and
// reading all pages can do without.
func rejected(err error) (verdict, error) {
	if isRejected(err) {
		return broken, nil
	}
	return broken, err
}

// orderHolds reports whether a goal may rely on the order of the rows: those that were read descend by its Field, and so
// does the last page, which shows that the order holds to the end.
func (r *Reader) orderHolds(ctx context.Context, goal Goal) (bool, error) {
	a := r.attempt
	if goal.Field == "" || r.unordered || !r.mayStopEarly() {
		return true, nil
	}
	rows, _ := r.need(goal)
	rows = min(len(r.order), pagesFor(max(rows, 1), a.size)*a.size)
	low, timeOf := int64(noTime), r.rows.times(goal.Field)
	for _, entry := range r.order[:rows] {
		at := timeOf(entry)
		if at == noTime || at > low {
			return false, nil
		}
		low = at
	}
	if r.ordered {
		return true, nil
	}
	high := timeOf(r.order[0])
	if rows < a.total {
		last := pagesFor(a.total, a.size) - 1
		if err := r.look(ctx, []int{last}); err != nil {
			return false, err
		}
		for _, entry := range a.read[last] {
			at := timeOf(entry)
			if at == noTime || at > low && !slices.Contains(r.order[:rows], entry) {
				return a.moved, nil
			}
			low = min(low, at)
		}
		if len(a.read[last]) == 0 {
			return false, nil // The total is too high, so the last page is unknown.
		}
	}
	r.ordered = low < high // If all times are equal, they show no order.
	return r.ordered, nil
}

// mayStopEarly reports whether a goal may need fewer rows than the list has: the totals show which page is the last.
func (r *Reader) mayStopEarly() bool {
	a := r.attempt
	all := pagesFor(a.total, max(1, a.size))
	return a.total >= 0 && all > 2 && (a.pagesTold == 0 || a.pagesTold == all)
}
