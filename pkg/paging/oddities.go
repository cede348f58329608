package paging

import (
	"cmp"
	"slices"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
)

// Lack says why rows may be missing from an answer.
type Lack string

// The reasons why rows may be missing.
const (
	Complete  Lack = ""
	Unstable  Lack = "unstable"  // the list changed during each attempt to read it
	Cut       Lack = "cut"       // there are more than Rules.MaxRows
	SamePage  Lack = "same page" // the service returns the rows of page 0 for every page
	ShortPage Lack = "page"      // a page has fewer rows than it must have: Result.Short
	FewerRows Lack = "fewer"     // all pages together have fewer rows than the service reports
)

// Short is a page that has fewer rows than it must have.
type Short struct{ Page, Rows, Expected int }

// oddities are what pages without a prediction show about the service.
type oddities struct {
	ended   bool // there are no pages behind those that were received
	keyless bool // some row has no key
	stuck   bool // the service returns page 0 for every page
	shifted bool // page 1 has the rows of page 0: pages are numbered from 1
	rows    int  // how many there were when pages were requested last while their number is unknown
}

// behind returns how many pages behind the end to read: one if the total ends exactly with a full page, as that of a service that
// counts only so far, unless the prediction and the rows that came in front of it explain the total.
func (k *look) behind() int {
	first := k.first.response
	isFull := first.Size == k.first.rows || first.Size < 0 && k.total > k.first.rows
	if !isFull || k.total <= 0 || k.total%k.size > 0 || k.total >= k.MaxRows || k.total == k.proven || k.pages[k.total/k.size] != nil || k.Set.Parameters.Page == "" {
		return 0
	}
	i := slices.IndexFunc(k.first.located, func(l located) bool { return l.place >= 0 })
	if i >= 0 && k.total == k.before.rows()+i-k.first.located[i].place {
		return 0
	}
	return 1
}

// isBehind reports whether a page shows that the total is right, as it is behind the end: it has no rows but those of the first or the
// last page, or the last ones. In a list that is ordered anew for each page, it may have these by chance.
func (k *look) isBehind(p *Page) bool {
	last := pagesFor(k.total, k.size) - 1
	if k.total < 0 || p.number == 0 || p.number <= last {
		return false
	}
	if p.rows == 0 {
		return true
	}
	end := k.pages[max(0, last)]
	if end == nil || differ(p.total(), k.total) || !k.hasKeys() || len(k.moves.twice) > 0 {
		return false
	}
	left := end.rows - p.rows
	return p.hasRowsOf(k.first, k.Set.Key) || p.hasRowsOf(end, k.Set.Key) || last > 0 && left > 0 && slices.Equal(p.keys(k.Set.Key), end.keys(k.Set.Key)[left:])
}

func (k *look) notice(p *Page) {
	o, as := &k.oddities, p.response
	last, isSame := pagesFor(k.total, k.size)-1, p != k.first && p.rows > 0 && k.isFirst(p)
	switch {
	case isSame && p.number == 1 && k.first.isAll():
		k.keepFirst()
	case p.number > 0 && p.rows == 0 || k.total < 0 && (as.Last != nil && *as.Last && !p.isFull() || as.Pages >= 0 && p.number+1 >= as.Pages && k.first.total() < 0):
		o.ended = true
	case isSame && p.number == 1 && k.mayShift && !k.moves.differ && !k.moves.foreign && !as.Bare:
		o.ended, o.shifted = true, true
	case k.total < 0 && p.number == 1 && isSame:
		k.keepFirst()
	case k.total < 0 || k.moves.differ || k.moves.foreign:
	case isSame:
		k.keepFirst()
	case p.number >= last && (p.rows > k.expected(p.number, k.total) || as.Last != nil && !*as.Last && p.rows > 0):
		k.total = -1 // There are more rows than the service reports, perhaps on more pages.
	}
}

// keepFirst drops all pages but page 0, whose rows they have. These are all there are if the service says so, and in a bare array.
func (k *look) keepFirst() {
	k.oddities.ended, k.oddities.stuck, k.pages = true, !k.first.isAll(), map[int]*Page{0: k.first}
	k.moves.twice, k.moves.shifts = map[key]bool{}, nil
	for i := range k.first.located {
		k.first.located[i].repeated = false
	}
}

// hasKeys reports whether keys identify the rows of page 0, or most of them, so that they tell pages apart.
func (k *look) hasKeys() bool {
	if !k.oddities.keyless {
		return true
	}
	keys := map[key]bool{}
	for _, is := range k.first.keys(k.Set.Key) {
		keys[is] = true
	}
	delete(keys, key{})
	return 2*len(keys) > k.first.rows
}

// isFirst reports whether a page has the rows of page 0. Of rows without a key, only their cells can tell: a list in which they are
// all equal ends with its first page, which is said, as a service may return that page for ever.
func (k *look) isFirst(p *Page) bool {
	if k.hasKeys() {
		return p.hasRowsOf(k.first, k.Set.Key)
	}
	if p.rows != k.first.rows {
		return false
	}
	compared := columns.Compare(p.table, k.first.table)
	return !slices.ContainsFunc(numbersOf(0, p.rows), func(i int) bool { return !compared.Same(p.begin+i, k.first.begin+i) })
}

func (k *look) lack() Lack {
	first := k.first.response
	switch {
	case k.hasMoved():
		return Unstable
	case k.oddities.stuck:
		return SamePage
	case k.short().Expected > 0:
		return ShortPage
	case k.moves.listed && !first.Bare && (k.joined == 0 || k.moves.apart) && !k.repeatsAtTheEnd():
		return FewerRows // Other rows may be missing in the place of those that are listed twice.
	case k.total > k.MaxRows || k.total < 0 && !k.oddities.ended || first.Left > 0:
		return Cut
	case k.rows()+k.repeated() < min(first.Total, k.MaxRows) && !first.Bare:
		return FewerRows
	default:
		return Complete
	}
}

// repeatsAtTheEnd reports whether the last rows, fewer than a page, are those listed twice: they are in the place of no others.
func (k *look) repeatsAtTheEnd() bool {
	left := len(k.moves.twice)
	if left >= k.size || k.total < 0 || k.moves.unlike {
		return false
	}
	for n := pagesFor(k.total, k.size) - 1; left > 0; n-- {
		p := k.pages[n]
		if p == nil {
			return false
		}
		keys := p.table.Column(k.Set.Key)
		for i := p.rows - 1; i >= 0 && left > 0; i-- {
			if is, _ := keyOf(keys, p.begin+i); !k.moves.twice[is] {
				return false
			}
			left--
		}
	}
	return true
}

func (k *look) repeated() int { return len(k.moves.twice) + k.joined }

// short returns the first page that has fewer rows than it must have. Without one, it expects none.
func (k *look) short() Short {
	if k.first.rows == 0 && k.first.total() > 0 {
		return Short{Expected: 1}
	}
	for n := range len(k.pages) {
		p := k.pages[n]
		if p == nil {
			break // The pages behind are those of a prediction, which are as expected.
		}
		next := k.pages[n+1]
		switch {
		case k.total >= 0 && p.rows > k.size:
			return Short{0, k.size, p.rows}
		case k.total >= 0 && p.rows < k.expected(n, k.total):
			return Short{n, p.rows, k.expected(n, k.total)}
		case k.total < 0 && p.rows < k.size && next != nil && next.rows > 0:
			return Short{n, p.rows, k.size}
		}
	}
	return Short{}
}

// gathered is the rows of several looks during which the total stood still. A service that sorts by a field in which several rows
// are equal may order these anew for each page, so that no look has all rows. But the rows that were seen before some moment, and
// after it, were listed at that moment: if they are as many as the service reports, they are the list.
type gathered struct {
	rows  map[key]seen // nil: none
	total int
	looks int
}

// seen is when a row was seen: in which looks first and last, and where.
type seen struct {
	first, last int
	spot
}

// add adds the rows of a look, and reports whether all rows are known, which the look has found then.
func (g *gathered) add(k *look) bool {
	m := &k.moves
	if !k.counts() || m.differ || m.refused != nil || k.total == 0 || k.total > k.MaxRows {
		g.rows = nil
		return false
	}
	if g.rows == nil || g.total != k.total {
		if *g = (gathered{total: k.total}); len(m.twice) == 0 {
			return false
		}
		g.rows = map[key]seen{}
	}
	for is, at := range k.received {
		row, isKnown := g.rows[is]
		if row.last, row.spot = g.looks, at; !isKnown {
			row.first = g.looks
		}
		g.rows[is] = row
	}
	g.looks++
	for moment := range g.looks - 1 {
		if g.has(k, moment) {
			return true
		}
	}
	return false
}

// has makes the rows that were seen in looks up to one, and in later ones, those that a look has found, if these are all.
func (g *gathered) has(k *look, moment int) bool {
	rows := make([]seen, 0, g.total)
	for _, row := range g.rows {
		if row.first <= moment && moment < row.last {
			rows = append(rows, row)
		}
	}
	if len(rows) != g.total {
		return false
	}
	place := func(row seen) int { return row.page.number*k.size + row.row }
	slices.SortFunc(rows, func(a, b seen) int { return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a.last, b.last)) })
	k.found, k.moves, k.isGathered = merged{}, moves{}, true
	for _, row := range rows {
		k.found.add(row.page.row(row.row))
	}
	return true
}

// isUnknown reports whether a list without a total may have moved: only the same rows as in the look before show that it has not.
func (r *Reading) isUnknown() bool {
	k := r.look
	if k.total >= 0 || k.hasMoved() || k.oddities.keyless || k.found.rows <= k.size {
		return false
	}
	return r.last == nil || !slices.Equal(newOrder(r.Set.Key, k.found.stretches).keys(), newOrder(r.Set.Key, r.last.found.stretches).keys())
}

func (o *order) keys() []key {
	keys := make([]key, 0, o.rows())
	o.each(func(_ int, is key) { keys = append(keys, is) })
	return keys
}
