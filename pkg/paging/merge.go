package paging

import (
	"maps"
	"slices"
	"sort"
)

// merged is what a look knows of the list: the rows of its pages in their place in the prediction.
type merged struct {
	stretches []stretch
	rows      int
	unclear   []int // pages of gaps that have not as many rows as the prediction
	next      int   // the place in the prediction behind the last row that was found there
	// lastPredicted is whether the last row of the last page is the next predicted one, with the same cells: a row that changed
	// may have jumped here.
	lastPredicted bool
}

// merge puts the rows of the pages in their place in the prediction. If the prediction has as many rows as a gap between
// two pages, nothing was added or removed there. Otherwise, the page in its middle shows in which half.
func (k *look) merge() {
	k.found = merged{}
	slices.Sort(k.taken)
	numbers, behindGap := slices.Sorted(maps.Keys(k.pages)), int64(0) // In front of the first gap, nothing can have moved unseen.
	for i, n := range numbers {
		last := -1
		if i > 0 {
			last = numbers[i-1]
		}
		switch {
		case n > last+1 && k.before == nil:
			return // The pages between them were not received.
		case n > last+1:
			k.bridge(last, k.pages[n])
			behindGap = k.pages[n].Got
		case n > 0 && k.mayHide(k.pages[last], k.pages[n], behindGap):
			k.markSeam()
		}
		behindGap = min(behindGap, k.pages[n].Got)
		k.place(k.pages[n])
	}
	if m := &k.found; k.before != nil {
		if !m.lastPredicted {
			k.markSeam() // More new rows may follow.
		}
		read := m.rows
		k.predict(k.before.rows())
		k.cut(max(read, k.total)) // Rows leave a list at its end.
	}
}

func (m *merged) add(s stretch) {
	m.rows += s.rows
	if n := len(m.stretches); n > 0 {
		if last := &m.stretches[n-1]; !last.seam && last.goesOn(s) && last.origin == s.origin && last.first+last.rows == s.first {
			last.rows += s.rows
			last.seam = s.seam
			return
		}
	}
	m.stretches = append(m.stretches, s)
}

func (k *look) markSeam() {
	if last := len(k.found.stretches) - 1; last >= 0 {
		k.found.stretches[last].seam = true
	}
}

func (k *look) cut(rows int) {
	m := &k.found
	for m.rows > rows {
		last := &m.stretches[len(m.stretches)-1]
		drop := min(m.rows-rows, last.rows)
		*last = last.part(0, last.rows-drop)
		if m.rows -= drop; last.rows == 0 {
			m.stretches = m.stretches[:len(m.stretches)-1]
		}
	}
}

// predict adds the predicted rows up to a place that no page has, and returns how many these are.
func (k *look) predict(until int) (added int) {
	m := &k.found
	for m.next < until {
		end := until
		if i := sort.SearchInts(k.taken, m.next); i < len(k.taken) {
			end = min(end, k.taken[i])
		}
		for _, s := range k.before.between(m.next, end) {
			m.add(s)
		}
		added += end - m.next
		if m.next = end; end < until {
			m.next++
			if k.before.hasSeam(end) {
				k.markSeam() // The row in front of the seam is elsewhere now.
			}
		}
	}
	return added
}

func (k *look) isTaken(place int) bool {
	_, is := slices.BinarySearch(k.taken, place)
	return is
}

// bridge adds the predicted rows of the gap between two pages. If they are not as many as the gap has, or if new rows are
// next to it, which may go on in it and make up for removed ones, a page in it is unclear.
func (k *look) bridge(last int, p *Page) {
	m := &k.found
	seam, lastPredicted, added := len(m.stretches)-1, m.lastPredicted, 0
	first := slices.IndexFunc(p.located, func(l located) bool { return l.place >= 0 })
	if first >= 0 {
		added = k.predict(p.located[first].place)
	}
	if added == (p.number-last-1)*k.size && lastPredicted && first == 0 {
		return
	}
	m.unclear = append(m.unclear, (last+p.number)/2)
	if seam >= 0 && k.hasMoved() {
		m.stretches[seam].seam = true // The page will not be read in this look.
	}
}

// place adds the rows of a page.
func (k *look) place(p *Page) {
	m := &k.found
	for i, at := range p.located {
		for m.next < at.place && k.isTaken(m.next) {
			m.next++
		}
		if m.lastPredicted = at.same && at.place == m.next; at.place >= 0 {
			m.next = at.place + 1
		}
		if at.repeated {
			continue
		}
		s := p.row(i)
		// The row was read again, so it has the origin of the page. Its cells are the same, so those of the known table are
		// used: the page can be freed, and rows that follow each other in one table need not be copied for an answer.
		if at.same {
			known, row := k.before.at(at.place)
			s.table, s.row = known.table, known.row+row
		}
		s.seam = i == len(p.located)-1 && at.place >= 0 && k.before.hasSeam(at.place) && k.pages[p.number+1] == nil
		m.add(s)
	}
}

// mayHide reports whether the list may have moved between two neighboring pages, so that rows between them were missed. A
// row that was added and one that was removed leave the total as it was, but shift rows: a row is on two pages then, unless
// it is in the gap in front. behindGap is when the first of the pages behind that gap was received; 0: there is none.
func (k *look) mayHide(a, b *Page, behindGap int64) bool {
	if k.areNeighbors(a, b) {
		return false
	}
	asked, got := min(a.Asked, b.Asked), max(a.Got, b.Got)
	return k.moves.late || k.moves.left && b.Asked < behindGap || k.moves.differ && k.differBetween(a, asked, got) ||
		slices.ContainsFunc(k.moves.shifts, func(s [2]int64) bool { return s[0] < got && asked < s[1] })
}

// differBetween reports whether the total changed while pages were read, or just before or after: a row that was removed then can
// keep one from being on two pages. As many other pages as are read side by side may have been received between the change and a
// page that shows it.
func (k *look) differBetween(a *Page, asked, got int64) bool {
	sideBySide := int64(k.Concurrent)
	for _, p := range k.pages {
		if differ(p.total(), a.total()) && p.Asked < got+sideBySide && asked-sideBySide < p.Got {
			return true
		}
	}
	return false
}

// areNeighbors reports whether the prediction has the rows on both sides of a border next to each other, too.
func (k *look) areNeighbors(a, b *Page) bool {
	if len(a.located) == 0 || len(b.located) == 0 {
		return false
	}
	last := a.located[len(a.located)-1].place
	return last >= 0 && b.located[0].place == last+1 && !k.before.hasSeam(last)
}
