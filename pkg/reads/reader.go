package reads

import (
	"context"
	"errors"

	"golang.org/x/sync/errgroup"

	"github.com/insights/insights-reporting-datasource/pkg/flight"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/service"
)

// maxPasses is how often the pages are read while the data moves so much that no reading is whole.
const maxPasses = 3

// reader reads the pages of one Read.
type reader struct {
	reads   *Reads
	read    Read
	most    int // rows to give
	size    int // rows to ask for in a page; 0: none is sent
	asked   int // the same of page 0
	texts   *pages.Texts
	usage   service.Usage
	hold    *hold
	pages   int // pages read by all passes
	tracker *tracker
	// passes is how often reading from page 0 on has begun.
	passes int
	// organization is whose rows the latest pass gave.
	organization string
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
		whole = r.oneOrganization() && whole
		if whole && r.distrustsSize(p) {
			n--
			continue
		}
		if whole || n == maxPasses {
			p.unsettled = !whole
			return p, nil
		}
	}
}

// oneOrganization says whether all pages of a pass are of one organization: a new login in between may be for another.
func (r *reader) oneOrganization() bool {
	names := r.usage.TakeOrganizations()
	if len(names) != 1 {
		return false
	}
	r.organization = names[0]
	return true
}

// distrustsSize says whether rows are missing for which the page size may be to blame: a service may honor it on page 0,
// and count the others otherwise. From then on none is asked for.
func (r *reader) distrustsSize(p *pass) bool {
	if r.size == 0 || !p.stuck && !p.misses() {
		return false
	}
	r.reads.sizes.refused.Store(true)
	return true
}

// makeWhole says whether a pass has every row that was there all the time, after it has settled what it can. sameAgain
// says that the pass before came to the same rows.
func (r *reader) makeWhole(ctx context.Context, p *pass, sameAgain bool) (bool, error) {
	switch {
	case p.early:
		return !p.moved() || sameAgain, nil
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
	r.passes++
	first, _, err := r.reads.sizes.sized(r.reads.sizes.ask(r.read.DataSet, r.wanted()), func(size int) (*pages.Page, error) {
		r.size = size
		return r.first(ctx)
	})
	if err != nil {
		return nil, err
	}
	p := &pass{rows: newAssembly(r.read.DataSet), size: first.Table.Rows, first: -1, total: -1, emptyPage: -1}
	p.totals.SetSeed(seed)
	r.asked = r.size
	if p.size > 0 && r.size > 0 {
		// What page 0 holds is what counts from here on: a service that caps a size may still skip by the one asked for.
		r.size = p.size
	}
	p.before = first.Table.Columns
	p.head, _ = p.take(first, 0)
	if p.size == 0 {
		p.emptyPage = 0
	}
	plan := r.plan(first, p)
	p.cut = plan.cut || first.Left > 0
	if r.stopsEarly(first, plan) {
		return p, r.newest(ctx, p, first, plan)
	}
	if err := r.hold.expect(ctx, r.expected(p, plan.rows)); err != nil {
		return nil, err
	}
	p.rows.reserve(r.room(p, plan))
	r.tell(p, plan.end)
	return p, r.rest(ctx, p, plan)
}

// wanted is how many rows are enough, where it is known how they begin.
func (r *reader) wanted() int {
	if rows := r.read.Newest.first(); rows > 0 {
		return min(rows, r.most)
	}
	return r.most
}

// page reads one page, logging in and trying again as needed.
func (r *reader) page(ctx context.Context, number int) (*pages.Page, error) {
	return r.pageWithin(ctx, number, 0)
}

func (r *reader) pageWithin(ctx context.Context, number int, bytes int64) (*pages.Page, error) {
	bounds := pages.Bounds{Rows: r.most, Bytes: bytes}
	page, err := r.reads.source.Page(ctx, r.question(r.size), number, bounds, r.texts, &r.usage)
	if err != nil {
		return nil, err
	}
	return page, r.hold.add(page.Table.Bytes(), r.texts.Size())
}

// question is what pages are asked for, with a size.
func (r *reader) question(size int) pages.Question {
	q := r.read.Question
	q.Size = size
	return q
}

// several reads pages side by side, and returns them in the order of these numbers.
func (r *reader) several(ctx context.Context, numbers []int) ([]*pages.Page, error) {
	read := make([]*pages.Page, len(numbers))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(2 * r.reads.config.MaxConcurrent)
	for i, number := range numbers {
		group.Go(func() (err error) {
			defer flight.Recover(&err)
			read[i], err = r.page(ctx, number)
			return err
		})
	}
	return read, group.Wait()
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

// expected is how many bytes the pass will hold with so many rows: each as much as those of page 0, and half as much again, since
// slices grow in steps.
func (r *reader) expected(p *pass, rows int) int64 {
	read := p.rows.table.Rows
	if read == 0 {
		return 0
	}
	return (r.hold.held + r.texts.Size()) / int64(read) * int64(rows) * 3 / 2
}

// room is for how many rows to make room: those of the plan, and a page of new ones, as far as the read may hold them. How
// many there are is the service's word alone.
func (r *reader) room(p *pass, plan plan) int {
	rows := p.rows.table.Rows
	if rows == 0 {
		return 0
	}
	holds := (readFloor + r.hold.extra) / (r.hold.held/int64(rows) + 1)
	return int(min(int64(plan.rows+p.size), holds))
}
