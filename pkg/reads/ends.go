package reads

import (
	"context"
	"slices"
)

// endsHold compares a second reading of the first and the last page with what they held. It is for rows that carry times
// and do not come newest first: when one of them leaves in the moment in which one comes at the end, every total is the
// same, nothing repeats, and a row is missing all the same. Where new rows come in front, whoever misses a row has another
// one twice, so that nothing has to be read again.
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

// holds says whether a page still has these rows, and no total has changed.
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

// endIsKnown says whether the last page was read soon enough to tell what has moved since. Where the newest comes first
// that needs no care. Otherwise it has to be read before all others, which the next pass does.
func (r *reader) endIsKnown(p *pass) bool {
	known := p.tail != nil && (p.tailEarly || p.newestFirst())
	r.endFirst = r.endFirst || !known
	return known
}

// newestFirst says whether the times of the rows fall from the first to the last.
func (p *pass) newestFirst() bool {
	ends := []int{p.head[0], p.end[len(p.end)-1]}
	return p.falls(p.head) && p.falls(ends)
}

// falls says whether rows are in the order of their times, the latest first, and not all of one time. One row alone is.
func (p *pass) falls(rows []int) bool {
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
