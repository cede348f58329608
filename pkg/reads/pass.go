package reads

import (
	"hash/maphash"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
)

// pass is one reading of the pages, from the first to the last. It records what was observed, independent of the
// service's own totals.
type pass struct {
	rows  *assembly
	order []int // rows of the table in the service's order; nil: as received

	size          int // rows of a page, according to page 0
	first         int // total reported by page 0; -1 if no page does
	total         int // total reported by the latest page
	lowest        int // the smallest total
	highest       int // the largest
	reportedPages int // number of pages reported last; 0 if none

	pages    int   // pages read, including settling
	last     int   // the highest page number
	repeated int   // duplicate rows
	head     []int // the rows of page 0
	end      []int // the rows of the page with the highest number
	tail     []int // the same if it was read right after page 0, before anything moved; otherwise nil
	// totals is a fingerprint of the reported totals.
	totals maphash.Hash
	// before are the columns of the previous page, for comparison if rows have no keys.
	before    []*columns.Column
	tailAt    int  // its number
	tailEarly bool // it was read before any other page was requested

	early     bool // older rows were not needed and not read
	cut       bool // there are more rows than needed
	emptyPage int  // number of the page without rows; -1: none
	stuck     bool // the route returns the rows of page 0 for every page
	unsettled bool // the data changed, and no pass was complete
}

// take adds the rows of a page. It returns their rows in the table, and how many are new.
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

// takeTail adds the rows of the last page. If the totals were too high, it is empty and tells nothing about the end.
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
		// Otherwise it was read after a change since page 0, and rows that disappeared before it would go unnoticed.
		p.tail = at
	}
}

// note counts a page and records its total.
func (p *pass) note(page *pages.Page, number int) {
	p.pages++
	p.last = max(p.last, number)
	maphash.WriteComparable(&p.totals, [2]int{number, page.Total})
	if page.Pages >= 0 {
		p.reportedPages = page.Pages
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

// moved reports whether rows were added or removed while the pages were read.
func (p *pass) moved() bool {
	return p.repeated > 0 || p.lowest != p.highest
}

// missesPages reports whether the service claims more pages than have rows, without a total that would resolve the
// contradiction. Some services report one page for no rows.
func (p *pass) missesPages() bool {
	found := p.emptyPage
	if p.stuck {
		found = 1
	}
	return p.total < 0 && found >= 0 && p.reportedPages > max(found, 1)
}

// misses reports whether complete pages had fewer rows than the service reports.
func (p *pass) misses() bool {
	return !p.cut && !p.early && (p.total > p.count() || p.missesPages())
}

// count returns the number of rows of the pass.
func (p *pass) count() int {
	if p.order != nil {
		return len(p.order)
	}
	return p.rows.table.Rows
}

// seed is for fingerprints, which are only compared within one process.
var seed = maphash.MakeSeed()

// fingerprint is equal for two passes that received the same rows in the same way. A service whose rows really repeat
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
