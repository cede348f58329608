package paging

import (
	"cmp"
	"slices"
)

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
	if m.differ || m.foreign || m.broken || m.refused != nil || k.oddities.keyless || k.joined > 0 || k.total <= 0 || k.total > k.MaxRows {
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
	k.found, k.moves, k.isGathered = merged{}, moves{total: k.total}, true
	for _, row := range rows {
		k.found.add(row.page.row(row.row))
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
