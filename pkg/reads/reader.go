package reads

import (
	"context"
	"errors"

	"golang.org/x/sync/errgroup"

	"github.com/insights/insights-reporting-datasource/pkg/flight"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/service"
)

// maxPasses bounds how often the pages are read while the data changes so much that no pass is complete.
const maxPasses = 3

// reader reads the pages of one Read.
type reader struct {
	reads *Reads
	read  Read
	most  int // maximum number of rows
	size  int // requested page size; 0: not sent
	asked int // requested page size of page 0
	texts *pages.Texts
	usage service.Usage
	hold  *hold
	pages int // pages read in all passes
	// passes counts the passes from page 0 on.
	passes int
	// organization is the owner of the rows of the latest pass.
	organization string
	// endFirst says that the order of the rows is unreliable, so the last page is read before the others.
	endFirst bool
	// withoutSize says that rows were missing with a page size.
	withoutSize bool
}

// all reads the pages until a pass is complete. The service's pages are offsets over live data: adding or removing a
// row during the read shifts all rows behind it.
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
		if whole && r.sizeMayHideRows(p) {
			n--
			continue
		}
		if whole || n == maxPasses {
			p.unsettled = !whole
			return p, nil
		}
	}
}

// oneOrganization reports whether all pages of a pass belong to one organization: a new login in between may be for
// another.
func (r *reader) oneOrganization() bool {
	names := r.usage.TakeOrganizations()
	if len(names) != 1 {
		return false
	}
	r.organization = names[0]
	return true
}

// sizeMayHideRows reports whether rows may be missing because of the page size, so that the pages are read again without
// it: a service may honor it on page 0, and compute offsets otherwise. What that reading finds is the verdict.
func (r *reader) sizeMayHideRows(p *pass) bool {
	missing := p.stuck || p.misses()
	if r.withoutSize {
		r.reads.sizes.decide(r.read.DataSet, !missing)
		return false
	}
	if _, decided := r.reads.sizes.verdict(r.read.DataSet); decided || !missing || r.size == 0 {
		return false
	}
	r.withoutSize = true
	return true
}

// sizeToAsk returns the page size to request from page 0; 0: none.
func (r *reader) sizeToAsk() int {
	if r.withoutSize {
		return 0
	}
	return r.reads.sizes.ask(r.read.DataSet, r.wanted())
}

// makeWhole reports whether a pass has every row that existed during the whole pass, after repairing what it can.
// sameAgain says that the pass before received the same rows.
func (r *reader) makeWhole(ctx context.Context, p *pass, sameAgain bool) (bool, error) {
	switch {
	case p.early:
		return !p.moved() || sameAgain, nil
	case p.stuck && p.rows.keyless:
		return true, nil
	case p.stuck:
		// Unless a full page of new rows was added, and page 1 is the previous page 0.
		return r.holds(ctx, p, 0, p.head)
	case !p.moved():
		return r.endsHold(ctx, p)
	case sameAgain:
		// Duplicates and differing totals that recur identically are not caused by changes.
		return true, nil
	default:
		return r.settle(ctx, p)
	}
}

// pass reads page 0, plans what follows, and reads the rest concurrently.
func (r *reader) pass(ctx context.Context) (*pass, error) {
	r.hold.reset()
	r.passes++
	first, _, err := r.reads.sizes.sized(r.read.DataSet, r.sizeToAsk(), func(size int) (*pages.Page, error) {
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
		// From here on, the rows of page 0 count: a service that caps the size may still compute offsets from the
		// requested one.
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
	return p, r.remaining(ctx, p, plan)
}

// wanted returns how many rows are needed, if their start is known.
func (r *reader) wanted() int {
	if rows := r.read.Newest.first(); rows > 0 {
		return min(rows, r.most)
	}
	return r.most
}

// page reads one page, logging in and retrying as needed.
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

// question returns the question with a page size.
func (r *reader) question(size int) pages.Question {
	q := r.read.Question
	q.Size = size
	return q
}

// several reads pages concurrently, and returns them in the order of the numbers.
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

// first reads page 0, whose size is unknown. If it exceeds what every read may use, it is aborted and read again when
// there is room: waiting in the middle of a response would block a request of others.
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

// expected estimates the memory of a pass with so many rows: the average so far plus half, because slices grow in
// steps.
func (r *reader) expected(p *pass, rows int) int64 {
	read := p.rows.table.Rows
	if read == 0 {
		return 0
	}
	return (r.hold.held + r.texts.Size()) / int64(read) * int64(rows) * 3 / 2
}

// room returns for how many rows to reserve capacity: those of the plan plus a page of new ones, within the memory of
// the read. The reported total may be wrong.
func (r *reader) room(p *pass, plan plan) int {
	rows := p.rows.table.Rows
	if rows == 0 {
		return 0
	}
	holds := (readFloor + r.hold.extra) / (r.hold.held/int64(rows) + 1)
	return int(min(int64(plan.rows+p.size), holds))
}
