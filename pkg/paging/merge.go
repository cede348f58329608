package paging

import (
	"cmp"
	"maps"
	"slices"
	"sort"
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
)

// merged is what a look knows of the list: the rows of its pages in their place in the prediction.
type merged struct {
	stretches     []stretch
	rows          int
	unclear       []int // pages of gaps that have not as many rows as the prediction
	next          int   // the place in the prediction behind the last row that was found there
	lastPredicted bool  // the last row of the last page is the next predicted one, with the same cells: a changed one may have jumped here
}

// merge puts the rows of the pages in their place in the prediction. If the prediction has as many rows as a gap between
// two pages, nothing was added or removed there. Otherwise, the page in its middle shows in which half.
func (k *look) merge() {
	k.found = merged{}
	slices.Sort(k.taken)
	last := -1
	behindGap := int64(0) // In front of the first gap, nothing can have moved unseen.
	for _, n := range slices.Sorted(maps.Keys(k.pages)) {
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
		last = n
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
// row that was added and one that was removed leave the total as it was, but shift rows: a row is on two pages then, unless it is in the
// gap in front. behindGap is when the first of the pages behind that gap was received; 0: there is none.
func (k *look) mayHide(a, b *Page, behindGap int64) bool {
	if k.areNeighbors(a, b) {
		return false
	}
	asked, got := min(a.Asked, b.Asked), max(a.Got, b.Got)
	return k.moves.late || k.moves.left && b.Asked < behindGap || k.moves.differ && k.differBetween(a, asked, got) ||
		slices.ContainsFunc(k.moves.shifts, func(s [2]int64) bool { return s[0] < got && asked < s[1] })
}

// differBetween reports whether the total changed about when pages were read: a row that was removed then can keep one from being on
// two pages. As many pages as are read side by side may be received between the change and one that shows it.
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

// Result is an answer. Tables are shared and must not be modified.
type Result struct {
	Table        *columns.Table
	AsOf         time.Time     // when the oldest of the rows that may still change was requested
	OldestAt     time.Time     // when the oldest of all rows was requested
	Ahead        time.Duration // how far the service's clock is ahead of this one
	Organization string        // owner of the rows; empty: they have different ones
	Total        int           // rows that the service reports; -1: unknown
	Lack         Lack          // why rows may be missing
	Short        Short         // the page of ShortPage
	Repeated     int           // rows that the service lists more than once
	Keyless      bool          // rows of several pages have no key, so that nothing shows which rows are on two of them
	Problems     pages.Problems
	Shared       bool // another caller's read, or an earlier one, had the rows
	Cost         Cost // of the read that had the rows
}

// Cost is what a read took.
type Cost struct {
	Pages     int   // pages received
	Rows      int   // of the answer
	AllPages  int   // number of pages of the list
	Requests  int64 // HTTP requests for data, including retries
	Bytes     int64 // of the responses, decompressed
	Reused    int   // rows that an earlier read had received
	Corrected int   // rows that were not expected to change, but have
	Took      time.Duration
}

// Result returns what the reading has found at its end, and the prediction of the next one; nil: nothing predicts it.
func (r *Reading) Result(now time.Time) (out *Result, next *Prediction) {
	k := r.look
	k.cut(k.all())
	out = &Result{
		Organization: k.organization, Ahead: k.first.response.Usage.Ahead, Total: k.first.total(), Lack: k.lack(), Short: k.short(),
		Repeated: k.repeated(), Keyless: k.oddities.keyless && len(k.pages) > 1, AsOf: r.Now, OldestAt: r.Now, Cost: r.cost,
	}
	if k.moves.foreign {
		out.Organization = "" // There is no single one.
	}
	out.Cost.Corrected, out.Cost.Took = k.corrected, now.Sub(r.Now)
	out.Cost.AllPages = max(len(k.pages), pagesFor(min(k.total, k.MaxRows), k.size))
	for _, s := range k.found.stretches {
		if s.origin.at.Before(r.Now) {
			out.Cost.Reused += s.rows
		}
		if out.OldestAt = columns.Earlier(out.OldestAt, s.origin.at); len(s.unsettled()) > 0 {
			out.AsOf = columns.Earlier(out.AsOf, s.origin.at) // It was not requested again, because an answer may be that old.
		}
		out.Problems.Add(s.problems()...)
	}
	if k.predicts() {
		next = &Prediction{k.found.stretches, k.organization, r.firstNumber} // The stretches move to a new table below.
	}
	table := r.table(k.found.stretches)
	out.Table, out.Cost.Rows = table.Readable(), table.Rows
	for i, row := 0, 0; i < len(k.found.stretches); i++ {
		s := &k.found.stretches[i]
		s.table, s.row = table, row
		row += s.rows
	}
	return out, next
}

func (r *Reading) table(stretches []stretch) (table *columns.Table) {
	parts := joined(stretches)
	if len(parts) == 1 && parts[0].row == 0 && parts[0].rows == parts[0].table.Rows {
		switch table = parts[0].table; {
		case table == r.collected:
			return r.arranged(table)
		case !r.tables[table]:
			return table // Nothing has changed.
		}
	}
	table = pages.NewTable(r.Set, r.look.found.rows)
	for _, s := range parts {
		table.Append(s.table.Between(s.row, s.row+s.rows), nil)
	}
	others := len(r.Set.Fields)
	table.Columns = append(table.Columns[:others], slices.DeleteFunc(table.Columns[others:], func(c *columns.Column) bool {
		return !slices.Contains(c.Valid, true) && !r.wasReceived(c.Name) // The rows that had it are gone.
	})...)
	return r.arranged(table)
}

// arranged arranges the other fields of a new table, so that their order does not depend on what was read when.
func (r *Reading) arranged(table *columns.Table) *columns.Table {
	others := table.Columns[len(r.Set.Fields):]
	slices.SortFunc(others, func(a, b *columns.Column) int { return cmp.Compare(a.Name, b.Name) })
	return table
}

func (r *Reading) wasReceived(field string) bool {
	for t := range r.tables {
		if t.Column(field) != nil {
			return true
		}
	}
	return false
}

func joined(stretches []stretch) (parts []stretch) {
	for _, s := range stretches {
		if last := len(parts) - 1; last >= 0 && parts[last].goesOn(s) {
			parts[last].rows += s.rows
			continue
		}
		parts = append(parts, s)
	}
	return parts
}
