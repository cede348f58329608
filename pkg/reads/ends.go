package reads

import (
	"context"
	"slices"
)

// endsHold reads the first and last page again and compares them. It is for rows with times that are not newest first:
// if one of them disappears at the same moment as one is added at the end, all totals are equal, nothing repeats, and a
// row may still be missing. If new rows come first, a missed row causes a duplicate, so nothing has to be read again.
func (r *reader) endsHold(ctx context.Context, p *pass) (bool, error) {
	if p.last == 0 || p.emptyPage >= 0 || p.rows.keyless || len(r.read.DataSet.TimeFields) == 0 || p.newestFirst() {
		return true, nil
	}
	if p.tail != nil && !r.endIsKnown(p) {
		return false, nil
	}
	holds, err := r.holds(ctx, p, 0, p.head)
	if err != nil || !holds || p.cut {
		return holds, err
	}
	return r.holds(ctx, p, p.last, p.end)
}

// holds reports whether a page still has these rows and the total is unchanged.
func (r *reader) holds(ctx context.Context, p *pass, number int, rows []int) (bool, error) {
	page, err := r.page(ctx, number)
	if err != nil {
		return false, err
	}
	before := p.total
	again := p.rows.add(page)
	p.note(page, number)
	return (page.Total < 0 || page.Total == before) && slices.Equal(again, rows), nil
}

// endIsKnown reports whether the last page was read early enough to detect later changes. If the newest row comes
// first, this does not matter. Otherwise it has to be read before all others, which the next pass does.
func (r *reader) endIsKnown(p *pass) bool {
	known := p.tail != nil && (p.tailEarly || p.newestFirst())
	r.endFirst = r.endFirst || !known
	return known
}

// newestFirst reports whether the times of the rows are descending.
func (p *pass) newestFirst() bool {
	ends := []int{p.head[0], p.end[len(p.end)-1]}
	return p.descends(p.head) && p.descends(ends)
}

// descends reports whether the times of rows are descending and not all equal. A single row is.
func (p *pass) descends(rows []int) bool {
	if len(p.rows.set.TimeFields) == 0 {
		return false
	}
	times := p.rows.table.Column(p.rows.set.TimeFields[0])
	for i, row := range rows {
		if !times.Valid[row] || i > 0 && times.Times[row] > times.Times[rows[i-1]] {
			return false
		}
	}
	return len(rows) == 1 || times.Times[rows[0]] > times.Times[rows[len(rows)-1]]
}
