package paging

import (
	"cmp"
	"maps"
	"slices"
)

// gathered is the rows of several looks during which the total stood still. A service that sorts by a time that several rows have
// may order these anew for each page, so that no look has all rows. If all looks together have as many as the service
// reports, these are the list.
type gathered struct {
	rows  map[key]spot // nil: none
	twice map[key]bool // that were on two pages
	total int
}

// add adds the rows of a look, and reports whether these are all rows, which the look has found then.
func (g *gathered) add(k *look) bool {
	m := &k.moves
	if m.differ || m.foreign || m.broken || m.refused != nil || k.oddities.keyless || k.joined > 0 || k.total <= 0 || k.total > k.MaxRows {
		g.rows = nil
		return false
	}
	if g.rows == nil || g.total != k.total {
		if g.rows, g.total = nil, k.total; len(m.twice) == 0 {
			return false
		}
		g.rows, g.twice = map[key]spot{}, map[key]bool{}
	}
	maps.Copy(g.rows, k.received)
	maps.Copy(g.twice, m.twice)
	if len(g.rows) != g.total || !slices.ContainsFunc(k.Set.TimeFields, g.areTies) {
		return false
	}
	k.found, k.moves, k.isGathered = merged{}, moves{total: k.total}, true
	place := func(s spot) int { return s.page.number*k.size + s.row }
	for _, s := range slices.SortedStableFunc(maps.Values(g.rows), func(a, b spot) int { return cmp.Compare(place(a), place(b)) }) {
		k.found.add(s.page.row(s.row))
	}
	return true
}

// areTies reports whether each row that was on two pages has the time of another one: otherwise, it has moved.
func (g *gathered) areTies(field string) bool {
	timeOf := func(s spot) (at int64, known bool) {
		return s.page.table.Latest([]string{field})(s.page.begin + s.row)
	}
	rows := map[int64]int{}
	for _, s := range g.rows {
		if at, known := timeOf(s); known {
			rows[at]++
		}
	}
	for is := range g.twice {
		if at, known := timeOf(g.rows[is]); !known || rows[at] < 2 {
			return false
		}
	}
	return true
}

// isUnknown reports whether a list without a total may have moved: only the rows of the look before, if they are the same, show
// that it has not.
func (r *Reading) isUnknown() bool {
	k := r.look
	if k.total >= 0 || k.hasMoved() || k.oddities.keyless || k.found.rows <= k.size {
		return false
	}
	return !slices.Equal(newOrder(r.Set.Key, k.found.stretches).keys(), newOrder(r.Set.Key, r.unknown).keys())
}

// keys returns the keys of all rows.
func (o *order) keys() []key {
	keys := make([]key, 0, o.rows())
	o.each(func(_ int, is key) { keys = append(keys, is) })
	return keys
}
