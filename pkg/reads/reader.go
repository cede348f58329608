package reads

import (
	"context"
	"errors"

	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/service"
)

// maxPasses is how often the pages are read while the data moves so much that no reading is whole.
const maxPasses = 3

// reader reads the pages of one Read.
type reader struct {
	reads *Reads
	read  Read
	most  int // rows to give
	texts *pages.Texts
	usage service.Usage
	hold  *hold
	pages int // pages read by all passes
	// endFirst says that the order of the rows is not to be relied on: the last page is read before the others.
	endFirst bool
}

// all reads the pages until one reading is whole. The service's pages are offsets over live data: a row that comes or
// goes while they are read shifts all that follow.
func (r *reader) all(ctx context.Context) (*pass, error) {
	var before uint64
	for n := 1; ; n++ {
		p, err := r.pass(ctx)
		if err != nil {
			return nil, err
		}
		print := p.fingerprint()
		whole, err := r.makeWhole(ctx, p, print == before)
		if err != nil {
			return nil, err
		}
		before = print
		r.pages += p.pages
		if whole || n == maxPasses {
			p.unsettled = !whole
			return p, nil
		}
	}
}

// makeWhole says whether a pass has every row that was there all the time, after it has settled what it can. sameAgain
// says that the pass before came to the same rows.
func (r *reader) makeWhole(ctx context.Context, p *pass, sameAgain bool) (bool, error) {
	switch {
	case p.stuck && p.rows.keyless:
		return true, nil
	case p.stuck:
		// Unless as many rows came in front as a page has, and page 1 is what page 0 was.
		return r.holds(ctx, p, 0, p.head)
	case !p.moved():
		return r.endsHold(ctx, p)
	case sameAgain:
		// Rows that come twice each time, and totals that differ from page to page in the same way, do not move.
		return true, nil
	default:
		return r.settle(ctx, p)
	}
}

// pass reads page 0, learns what follows, and reads the rest side by side.
func (r *reader) pass(ctx context.Context) (*pass, error) {
	r.hold.reset()
	first, err := r.first(ctx)
	if err != nil {
		return nil, err
	}
	p := &pass{rows: newAssembly(r.read.DataSet), size: first.Table.Rows, first: -1, total: -1, emptyPage: -1}
	p.totals.SetSeed(seed)
	p.before = first.Table.Columns
	p.head, _ = p.take(first, 0)
	if p.size == 0 {
		p.emptyPage = 0
	}
	plan := r.plan(first, p)
	p.cut = plan.cut || first.Left > 0
	if err := r.hold.expect(ctx, r.expected(p, plan)); err != nil {
		return nil, err
	}
	return p, r.rest(ctx, p, plan)
}

// page reads one page, logging in and trying again as needed.
func (r *reader) page(ctx context.Context, number int) (*pages.Page, error) {
	return r.pageWithin(ctx, number, 0)
}

func (r *reader) pageWithin(ctx context.Context, number int, bytes int64) (*pages.Page, error) {
	bounds := pages.Bounds{Rows: r.most, Bytes: bytes}
	page, err := r.reads.source.Page(ctx, r.read.Question, number, bounds, r.texts, &r.usage)
	if err != nil {
		return nil, err
	}
	return page, r.hold.add(page.Table.Bytes(), r.texts.Size())
}

// first reads page 0, of which nobody knows yet how large it is. One that is larger than what every read may hold is
// broken off, and read when there is room for it: waiting in the middle of an answer would keep a request from others.
func (r *reader) first(ctx context.Context) (*pages.Page, error) {
	if r.hold.extra > 0 {
		return r.page(ctx, 0)
	}
	page, err := r.pageWithin(ctx, 0, readFloor)
	if !errors.Is(err, service.ErrTooLarge) {
		return page, err
	}
	if err := r.hold.takeAll(ctx); err != nil {
		return nil, err
	}
	return r.page(ctx, 0)
}

// expected is how many bytes the pass will hold: each row as much as those of page 0, and half as much again, since
// slices grow in steps.
func (r *reader) expected(p *pass, plan plan) int64 {
	rows := p.rows.table.Rows
	if rows == 0 {
		return 0
	}
	return (r.hold.held + r.texts.Size()) / int64(rows) * int64(plan.rows) * 3 / 2
}
