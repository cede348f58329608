package reads

import (
	"hash/maphash"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
)

// pass is one reading of the pages, from the first to the last. What it says of the rows is what was seen, whatever the
// service says of itself.
type pass struct {
	rows  *assembly
	order []int // rows of the table in the service's order; nil: as they came

	size    int // rows of a page, as page 0 has them
	first   int // matching rows, as page 0 reports them; -1 where no page says
	total   int // the same, as the latest page does
	lowest  int // the smallest total
	highest int // the largest
	told    int // pages that there are, as the latest page reports that does; 0 where none does

	pages    int   // pages read, settling included
	last     int   // the highest page number
	repeated int   // rows that came before
	head     []int // the rows of page 0
	end      []int // the rows of the page with the highest number
	tail     []int // the same, where it was read right after page 0, before anything moved; otherwise nil
	// totals is a fingerprint of what the pages say of the total.
	totals maphash.Hash
	// before are the columns of the page before, to compare where rows have no keys.
	before    []*columns.Column
	tailAt    int  // its number
	tailEarly bool // it was there before any other page was asked for

	early     bool // what follows is older than is wanted, and was not read
	cut       bool // there are more rows than are wanted
	emptyPage int  // the page that had no rows; -1: none
	stuck     bool // the route gives the rows of page 0 for every page
	unsettled bool // the data moved, and no reading was whole
}

// take adds the rows of a page. It returns which rows of the table they are, and how many are new.
func (p *pass) take(page *pages.Page, number int) (at []int, fresh int) {
	before := p.rows.table.Rows
	at = p.rows.add(page)
	fresh = p.rows.table.Rows - before
	p.repeated += len(at) - fresh
	if number >= p.last {
		p.end = at
	}
	p.note(page, number)
	return at, fresh
}

// takeTail adds the rows of the last page. Where the totals were too high, it has none, and tells nothing of the end.
func (p *pass) takeTail(tail *pages.Page) {
	if tail.Table.Rows == 0 {
		p.note(tail, p.tailAt)
		if p.emptyPage < 0 {
			p.emptyPage = p.tailAt
		}
		return
	}
	at, _ := p.take(tail, p.tailAt)
	if tail.Total == p.first {
		// Otherwise it is a reading of a moment after page 0, and what had gone by then nobody could tell.
		p.tail = at
	}
}

// note counts a page, and remembers what it says of the total.
func (p *pass) note(page *pages.Page, number int) {
	p.pages++
	p.last = max(p.last, number)
	maphash.WriteComparable(&p.totals, [2]int{number, page.Total})
	if page.Pages >= 0 {
		p.told = page.Pages
	}
	if page.Total < 0 {
		return
	}
	if p.total < 0 {
		p.first, p.lowest, p.highest = page.Total, page.Total, page.Total
	}
	p.total = page.Total
	p.lowest = min(p.lowest, page.Total)
	p.highest = max(p.highest, page.Total)
}

// moved says whether rows came or went while the pages were read.
func (p *pass) moved() bool {
	return p.repeated > 0 || p.lowest != p.highest
}

// missesPages says whether the service reports more pages than have rows, and no total that would say which of the two is
// right. One page is what some report that have nothing.
func (p *pass) missesPages() bool {
	found := p.emptyPage
	if p.stuck {
		found = 1
	}
	return p.total < 0 && found >= 0 && p.told > max(found, 1)
}

// misses says whether the pages had fewer rows than the service reports, though all of them were read.
func (p *pass) misses() bool {
	return !p.cut && !p.early && (p.total > p.count() || p.missesPages())
}

// count is how many rows the pass has.
func (p *pass) count() int {
	if p.order != nil {
		return len(p.order)
	}
	return p.rows.table.Rows
}

// seed is for fingerprints, which are compared within one process.
var seed = maphash.MakeSeed()

// fingerprint is the same for two passes that came to the same rows in the same way. A service whose rows really repeat
// does so each time.
func (p *pass) fingerprint() uint64 {
	column := p.rows.table.Column(p.rows.set.Key)
	var h maphash.Hash
	h.SetSeed(seed)
	for row := range p.rows.table.Rows {
		k, _ := keyOf(column, row)
		maphash.WriteComparable(&h, k)
	}
	maphash.WriteComparable(&h, [3]int{p.repeated, p.total, p.emptyPage})
	maphash.WriteComparable(&h, p.totals.Sum64())
	return h.Sum64()
}
