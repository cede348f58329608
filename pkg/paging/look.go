package paging

import (
	"maps"
	"slices"
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/schema"
)

// Rules say how a list is read.
type Rules struct {
	Set        *schema.DataSet
	MaxRows    int           // rows to read at most
	Concurrent int           // pages requested side by side
	Now        time.Time     // when the reading begins
	Since      time.Time     // rows that may still change count if they were requested since then
	Interval   time.Duration // within which each page is read again, if there are looks; 0: only those that may have changed are
	Other      bool          // the prediction is that of a list over other days
}

// look is one attempt to bring a prediction up to date. It says which pages to read next, and takes them.
type look struct {
	Rules
	before            *order // the prediction; nil: none, so all pages are read
	organization      string
	pages             map[int]*Page // those with rows of the list
	first, firstAgain *Page         // page 0, and as it was when the other pages had been read
	size, total       int           // of page 0; total -1: unknown
	proven            int           // a total that a page behind the end has shown to be right
	received          map[key]spot
	corrected         int   // rows that were not expected to change, but have
	joined            int   // rows that are on one page more than once, perhaps with other cells: the service lists them so, as a page is of one moment
	mayShift          bool  // pages may be numbered from 1
	taken             []int // places of the prediction whose rows were received
	found             merged
	isGathered        bool // the rows found are those of several looks
	moves             moves
	oddities          oddities
}

// predicts reports whether what was found predicts the next reading.
func (k *look) predicts() bool {
	return k.found.rows > 0 && k.counts() && k.short().Expected == 0 && !k.moves.listed && !k.oddities.stuck && !k.isGathered
}

// counts reports whether counting proves something: there is a total, rows have one owner and a key each, and pages are as it says.
func (k *look) counts() bool {
	return k.total >= 0 && !k.moves.foreign && !k.moves.broken && !k.oddities.keyless && k.joined == 0
}

type spot struct {
	page *Page
	row  int
}

// moves is how pages show that the list changed while they were read.
type moves struct {
	differ  bool         // they have different totals
	unknown bool         // they have no total, and the look before has not found the same rows
	late    bool         // page 0 has changed in the end, although nothing else shows it
	left    bool         // page 0 was not read again, so that nothing shows it
	foreign bool         // they have different organizations
	broken  bool         // counting proves nothing: a page has not as many rows as its total says, or others that are equal in another order
	refused error        // why the service refused a page that should exist
	twice   map[key]bool // rows that are on two pages
	apart   bool         // such rows are not next to each other
	unlike  bool         // such rows may be two with one key
	shifts  [][2]int64   // when those pages were requested and received
	listed  bool         // the service lists these rows twice, although nothing moves
}

func (k *look) hasMoved() bool {
	m := &k.moves
	return m.differ || m.unknown || m.late || m.foreign || m.broken || m.refused != nil || len(m.twice) > 0 && !m.listed
}

// failsLike reports whether two looks have failed in the same way: nothing moves, but a page is refused, or rows are listed twice.
func (k *look) failsLike(other *look) bool {
	if k.moves.refused != nil || other.moves.refused != nil {
		return k.moves.refused != nil && other.moves.refused != nil
	}
	twice := k.moves.twice
	return len(twice) > 0 && k.first.total() == other.first.total() && maps.Equal(twice, other.moves.twice)
}

func (k *look) next() []int {
	if k.first == nil {
		return []int{0}
	}
	k.merge()
	if k.firstAgain != nil || k.hasMoved() && k.before != nil {
		return nil
	}
	numbers := k.following
	if k.before != nil {
		numbers = k.checking
	}
	if wanted := numbers(); len(wanted) > 0 || k.hasMoved() || k.total < 0 || k.total > k.MaxRows && k.before == nil {
		return wanted
	}
	if len(k.pages) < pagesFor(k.rows(), k.size) && k.before != nil || len(k.pages) > 1 && rises(k.found.stretches, k.Set) {
		return []int{0}
	}
	return nil
}

// rises reports whether a list begins with its oldest row: if that leaves and one comes at the end, no row is on two pages.
func rises(stretches []stretch, set *schema.DataSet) bool {
	if len(set.TimeFields) == 0 || len(stretches) == 0 {
		return false
	}
	first, last := stretches[0], stretches[len(stretches)-1]
	begin, isKnown := first.table.Latest(set.TimeFields[:1])(first.row)
	end, known := last.table.Latest(set.TimeFields[:1])(last.row + last.rows - 1)
	return isKnown && known && begin < end
}

// take adds a page that was received, and returns whether the look needs those behind it.
func (k *look) take(p *Page) (more bool) {
	if p.number == 0 && k.first != nil {
		k.firstAgain = p
		k.moves.late = p.total() != k.total || p.response.Usage.Organization != k.organization || !p.hasRowsOf(k.first, k.Set.Key)
		k.moves.broken = k.moves.broken || k.before != nil && !k.moves.late && !slices.Equal(p.keys(k.Set.Key), k.first.keys(k.Set.Key))
		return true
	}
	if p.number == 0 {
		k.takeFirst(p)
	}
	if k.isBehind(p) {
		k.proven = k.total
		return true
	}
	k.pages[p.number] = p
	if p.refused != nil && p.number < pagesFor(k.total, k.size) {
		k.moves.refused = p.refused // The list may have become shorter.
		return true
	}
	if p.refused == nil {
		k.moves.foreign = k.moves.foreign || k.organization != "" && p.response.Usage.Organization != k.organization
		k.organization = p.response.Usage.Organization
	}
	// Without a prediction, rows behind the end rather show that the total is wrong.
	isInside := k.before != nil || p.number < pagesFor(k.total, k.size)
	k.moves.differ = k.moves.differ || p != k.first && isInside && differ(p.total(), k.total)
	k.locate(p)
	isUnexpected := k.total >= 0 && p.total() >= 0 && p.rows != k.expected(p.number, p.total())
	behind, last := p.number-pagesFor(k.total, k.size), p.response.Last
	hasMore := p.rows > 0 && (behind >= 0 || behind == -1 && last != nil && !*last) // There are more rows than the total says.
	k.moves.broken = k.moves.broken || isUnexpected && (k.before != nil || k.moves.differ || k.moves.foreign) || hasMore && k.before != nil
	if k.before == nil {
		k.notice(p)
	}
	return !k.oddities.ended
}

func (k *look) takeFirst(p *Page) {
	k.first, k.size, k.total = p, max(1, p.rows), p.total()
	as, rows := p.response, p.rows+p.response.Left
	if rows == 0 || k.Set.Parameters.Page == "" && as.Total <= rows && as.Pages <= 1 && (as.Last == nil || *as.Last) {
		k.total = rows // A route without paging returns all its rows.
	}
	if k.total < 0 {
		k.before = nil // Without a total, only reading all pages proves anything.
	}
	if k.before == nil {
		k.received = make(map[key]spot, k.capacity())
	}
}

func (k *look) locate(p *Page) {
	keys, compared := p.table.Column(k.Set.Key), map[*columns.Table]columns.Comparison{}
	p.located = make([]located, p.rows)
	expected, fromEnd := p.number*k.size, p.number*k.size+k.before.rows()-k.total
	for i := range p.located {
		row := &p.located[i]
		row.place = -1
		key, keyed := keyOf(keys, p.begin+i)
		if !keyed {
			k.oddities.keyless = true
			continue
		}
		other, is := k.received[key]
		if is && other.page == p && k.areTwo(other, spot{p, i}) {
			k.oddities.keyless = true // These are two rows, so that the key identifies none.
			continue
		}
		if is && other.page == p {
			row.repeated = true
			k.joined++
			continue
		}
		if k.before != nil {
			if row.place = k.before.find(key, expected, fromEnd); row.place >= 0 {
				s, n := k.before.at(row.place)
				if compared[s.table] == nil {
					compared[s.table] = columns.Compare(p.table, s.table)
				}
				row.same = compared[s.table].Same(p.begin+i, s.row+n)
				if _, mayChange := slices.BinarySearch(s.origin.unsettled, s.first+n); !row.same && !mayChange {
					k.corrected++
				}
				k.taken = append(k.taken, row.place)
				expected, fromEnd = row.place+1, -1
			}
		}
		if is {
			k.noteTwice(key, other, spot{p, i})
			other.page.located[other.row].repeated = true
		}
		k.received[key] = spot{p, i}
	}
}

// areTwo reports whether rows with one key are two, and not one that a join lists twice: created once, or with the same cells.
func (k *look) areTwo(a, b spot) bool {
	if len(k.Set.TimeFields) == 0 {
		return !columns.Compare(a.page.table, b.page.table).Same(a.page.begin+a.row, b.page.begin+b.row)
	}
	at, _ := a.page.table.Latest(k.Set.TimeFields[:1])(a.page.begin + a.row)
	other, _ := b.page.table.Latest(k.Set.TimeFields[:1])(b.page.begin + b.row)
	return at != other
}

func (k *look) noteTwice(is key, a, b spot) {
	m := &k.moves
	m.twice[is] = true
	m.unlike = m.unlike || k.areTwo(a, b)
	m.shifts = append(m.shifts, [2]int64{min(a.page.Asked, b.page.Asked), max(a.page.Got, b.page.Got)})
	if a.page.number > b.page.number {
		a, b = b, a
	}
	isNext := a.page.number+1 == b.page.number && a.row == a.page.rows-1 && b.row == 0
	m.apart = m.apart || !isNext
}

func (k *look) expected(number, total int) int { return max(0, min(k.size, total-number*k.size)) }

func (k *look) capacity() int { return max(k.size, min(k.total, k.MaxRows)) }

func (k *look) all() int {
	if k.total < 0 {
		return k.MaxRows
	}
	return min(k.total, k.MaxRows)
}

func (k *look) rows() int { return min(k.found.rows, k.all()) }

// following returns the pages behind those received, without a prediction: all or, if their number is unknown, half as many again.
func (k *look) following() []int {
	end, next := pagesFor(k.all(), k.size)+k.behind(), len(k.pages)
	switch {
	case k.oddities.ended:
		return nil
	case k.total < 0 && k.found.rows == k.oddities.rows && next > 1:
		return nil // The last pages had no other rows.
	case k.total < 0:
		k.oddities.rows = k.found.rows
		if end = min(end, next+max(2, next/2)); k.pages[next-1].rows < k.size {
			end = min(end, next+2) // It is probably the last one.
		}
	}
	return numbersOf(next, end)
}

// checking returns the pages that show whether the prediction holds: first, also those read longest ago, or all if that is as cheap.
func (k *look) checking() []int {
	last := max(0, k.all()-1) / k.size
	wanted := map[int]bool{last: true}
	for _, n := range k.found.unclear {
		wanted[n] = true
	}
	place, firstSeam := 0, k.rows()
	for _, s := range k.found.stretches {
		if s.origin.at.Before(k.Since) {
			for _, row := range s.unsettled() {
				wanted[(place+row-s.first)/k.size] = true
			}
		}
		if place += s.rows; s.seam {
			wanted[(place-1)/k.size], wanted[min(place, k.rows()-1)/k.size] = true, true
			firstSeam = min(firstSeam, place)
		}
	}
	if unknown := k.all() - k.rows(); unknown > 0 { // Probably, they are behind the first seam, or behind all rows.
		for _, n := range numbersOf(max(0, firstSeam-1)/k.size, (firstSeam+unknown-1)/k.size+1) {
			wanted[n] = true
		}
	}
	maps.DeleteFunc(wanted, func(n int, _ bool) bool { return k.pages[n] != nil || n*k.size >= k.all() })
	behind := numbersOf(last+1, last+1+k.behind())
	if len(k.pages) == 1 {
		for _, n := range k.oldest(last, wanted) {
			wanted[n] = true
		}
	}
	if len(k.pages) == 1 && len(wanted)+1 >= last {
		return append(numbersOf(1, last+1), behind...) // As cheap, and page 0 need not be read again.
	}
	return append(slices.Sorted(maps.Keys(wanted)), behind...)
}

// oldest returns the pages that are due because they were read longest ago, and one with cells that could not be read.
func (k *look) oldest(last int, except map[int]bool) (numbers []int) {
	at, spoiled, place := make([]time.Time, last+1), make([]bool, last+1), 0
	for _, s := range k.found.stretches {
		for n := place / k.size; n <= min(last, (place+s.rows-1)/k.size); n++ {
			if at[n].IsZero() || s.origin.at.Before(at[n]) {
				at[n] = s.origin.at
			}
			spoiled[n] = spoiled[n] || len(s.problems()) > 0
		}
		place += s.rows
	}
	numbers = slices.DeleteFunc(numbersOf(1, last+1), func(n int) bool { return except[n] || at[n].IsZero() })
	slices.SortStableFunc(numbers, func(a, b int) int { return at[a].Compare(at[b]) })
	due := k.due(at, numbers)
	if i := slices.IndexFunc(numbers[due:], func(n int) bool { return spoiled[n] }); i >= 0 {
		numbers[due], due = numbers[due+i], due+1
	}
	return numbers[:due]
}

// due returns how many pages to read because of their age, the oldest first, so that all of them are read once in the interval, a
// few with each look: a part x of the interval after any moment, a part x of the pages is younger than that.
func (k *look) due(at []time.Time, oldestFirst []int) (due int) {
	for i, n := range oldestFirst {
		if k.Interval > 0 {
			younger := len(oldestFirst) - 1 - i
			wanted := min(1, k.Now.Sub(at[n]).Seconds()/k.Interval.Seconds()) * float64(len(oldestFirst))
			due = max(due, int(wanted)-younger)
		}
	}
	return due
}

func pagesFor(rows, size int) int { return (max(0, rows) + size - 1) / size }

func numbersOf(from, end int) (numbers []int) {
	for ; from < end; from++ {
		numbers = append(numbers, from)
	}
	return numbers
}

func differ(a, b int) bool { return a >= 0 && b >= 0 && a != b }
