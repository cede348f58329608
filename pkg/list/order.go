package list

import (
	"maps"
	"slices"
)

// assembly puts the rows of pages in their place in the prediction.
type assembly struct {
	*look
	placed        map[key]placement
	last          int  // number of the page that was placed last
	next          int  // what follows in the prediction
	lastPredicted bool // the last row of that page is in the prediction
	unclear       []int
}

// placement is where a row is in the order, and the page that has it; nil: it is predicted.
type placement struct {
	page  *page
	index int
}

// assemble puts the rows of the pages in their place in the prediction. If the prediction has as many rows as there are
// between two pages, nothing was added or removed there. Otherwise, the page in the middle shows in which half; these
// pages are returned.
func (k *look) assemble() (unclear []int) {
	room := max(len(k.before), len(k.pages)*k.size)
	k.order, k.borders, k.shifts, k.twice, k.lackAt = make([]row, 0, room), nil, nil, map[key]bool{}, -1
	if len(k.first.rows) == 0 && k.first.Total > 0 {
		k.lacks(k.first, min(1, k.first.Total))
	}
	a := &assembly{look: k, placed: make(map[key]placement, room), last: -1}
	for _, n := range slices.Sorted(maps.Keys(k.pages)) {
		p, gap := k.pages[n], (n-a.last-1)*k.size
		if n > k.deep || gap > 0 && k.isWhole() {
			break
		}
		if gap > 0 {
			a.bridge(p, gap)
		} else if n > 0 && len(k.order) > 0 {
			k.borders = append(k.borders, border{len(k.order) - 1, k.pages[n-1], p})
		}
		a.place(p)
	}
	ends := len(k.order)
	if ends > 0 && !a.lastPredicted {
		k.order[ends-1].seam = true // More new rows may follow.
	}
	a.predict(k.before[min(a.next, len(k.before)):])
	if k.total >= 0 && k.goal.Days >= k.longestDays() {
		k.order = k.order[:min(len(k.order), max(ends, k.total))] // Rows leave a list at its end.
	}
	for _, b := range k.borders {
		k.order[b.row].seam = k.mayHaveShifted(b.page, b.next) && !k.isPredicted(b)
	}
	return a.unclear
}

// predict adds rows of the prediction that no page has, and returns how many these are.
func (a *assembly) predict(rows []row) (added int) {
	for _, r := range rows {
		if _, is := a.placed[r.key]; !is {
			a.placed[r.key] = placement{nil, len(a.order)}
			a.order = append(a.order, r)
			added++
		} else if r.seam && len(a.order) > 0 {
			a.order[len(a.order)-1].seam = true
		}
	}
	return added
}

// bridge adds the predicted rows in front of a page whose previous ones were not read. If they are not as many as the gap
// has, or if new rows are next to it, which may go on in it and make up for removed ones, a page in it is unclear.
func (a *assembly) bridge(p *page, gap int) {
	seam, added, firstPredicted := len(a.order)-1, 0, slices.IndexFunc(p.rows, a.inPrediction)
	if firstPredicted >= 0 && a.places[p.rows[firstPredicted].key] > a.next {
		added = a.predict(a.before[a.next:a.places[p.rows[firstPredicted].key]])
	}
	if added == gap && a.lastPredicted && firstPredicted == 0 {
		return
	}
	if seam >= 0 {
		a.order[seam].seam = true
	}
	if a.lastPredicted {
		a.unclear = append(a.unclear, (a.last+p.number)/2)
	} else {
		a.unclear = append(a.unclear, a.last+1)
	}
}

// place adds the rows of a page.
func (a *assembly) place(p *page) {
	p.position = len(a.order)
	for i, r := range p.rows {
		place, is := a.places[r.key]
		if a.lastPredicted = is; is {
			a.ordered = a.ordered && (p.number > 0 || place < i+a.size) // It may have jumped to the front.
			a.next = place + 1
			r.seam = i == len(p.rows)-1 && a.before[place].seam && a.pages[p.number+1] == nil
		}
		if other, is := a.placed[r.key]; is && !a.keyless {
			a.repeat(r, other, p)
			continue
		}
		a.placed[r.key] = placement{p, len(a.order)}
		a.order = append(a.order, r)
	}
	a.last = p.number
	switch before := a.pages[p.number-1]; {
	case a.total < 0 && before != nil && len(before.rows) < a.size && len(p.rows) > 0:
		a.lacks(before, a.size)
	case a.total >= 0 && len(p.rows) > a.size:
		a.lacks(a.first, len(p.rows))
	case len(p.rows) < a.expected(p.number) && !differ(p.Total, a.total):
		a.lacks(p, a.expected(p.number))
	}
}

// repeat records that a row is on two pages: the list moved while one of them was on its way, or between them. The newer
// version counts.
func (k *look) repeat(r row, other placement, p *page) {
	if same := &k.order[other.index]; r.at >= same.at {
		r.seam = same.seam
		*same = r
	}
	if other.page == nil {
		other.page = p
	}
	k.shifts = append(k.shifts, [2]int64{min(other.page.requested, p.requested), max(other.page.received, p.received)})
	if len(k.twice) == 0 {
		k.twiceAt = len(k.order)
	}
	k.twice[r.key] = true
}

// lacks records that a page has fewer rows than it must have. Any of them may be missing, from its first one on.
func (k *look) lacks(p *page, expected int) {
	if k.lackAt < 0 || p.position < k.lackAt {
		k.lackAt, k.short, k.expectedRows = p.position, p, expected
	}
}

// border is the last row of a page whose next one was read, too.
type border struct {
	row        int
	page, next *page
}

// isPredicted reports whether the prediction has the rows at a border next to each other, too, so that none is missing.
func (k *look) isPredicted(b border) bool {
	if b.row+1 >= len(k.order) {
		return false
	}
	place, is := k.places[k.order[b.row].key]
	next, also := k.places[k.order[b.row+1].key]
	return is && also && next == place+1 && !k.before[place].seam
}

// mayHaveShifted reports whether the list may have moved between two pages, so that rows between them were missed. A row that
// was added and one that was removed leave the total as it was, but shift rows.
func (k *look) mayHaveShifted(a, b *page) bool {
	return differ(a.Total, b.Total) || slices.ContainsFunc(k.shifts, func(s [2]int64) bool {
		return s[0] < max(a.received, b.received) && min(a.requested, b.requested) < s[1]
	})
}

func (k *look) inPrediction(r row) bool {
	_, is := k.places[r.key]
	return is
}
