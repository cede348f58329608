package reads

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"sync"

	"github.com/insights/insights-reporting-datasource/pkg/flight"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/service"
)

// guesses is how many pages are requested at once if their number is unknown.
const guesses = 2

// asked is a requested page. Its channel receives the page once, unless reading was stopped.
type asked struct {
	number int
	came   chan came
}

type came struct {
	page *pages.Page
	err  error
}

// remaining reads the pages after page 0 concurrently, and adds them in order, so that each is held only until the
// preceding ones have arrived.
func (r *reader) remaining(ctx context.Context, p *pass, plan plan) error {
	if plan.end == 1 {
		return nil
	}
	tail, err := r.tailFirst(ctx, p, plan)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancelCause(ctx)
	var fetching sync.WaitGroup
	defer fetching.Wait()
	defer stop(nil)

	window := 2 * r.reads.config.MaxConcurrent
	if plan.end == 0 {
		window = guesses
	}
	queue := make(chan asked, window-1)
	fetching.Go(func() {
		defer close(queue)
		for number := range plan.numbers(tail != nil) {
			next := asked{number: number, came: make(chan came, 1)}
			select {
			case queue <- next:
			case <-ctx.Done():
				return
			}
			fetching.Go(func() { r.fetch(ctx, next, plan, stop) })
		}
	})
	return r.collect(ctx, p, plan, tail, queue)
}

// tailFirst reads the last page before all others if page 0 is not newest first. New rows may then be added at the end,
// which only an early reading of the last page can show. Otherwise it does not cost a separate round trip.
func (r *reader) tailFirst(ctx context.Context, p *pass, plan plan) (*pages.Page, error) {
	if !plan.tail || p.descends(p.head) && !r.endFirst {
		return nil, nil
	}
	p.tailAt, p.tailEarly = plan.end-1, true
	return r.page(ctx, p.tailAt)
}

// fetch reads one page. An error stops the others, unless the page may be past the end.
func (r *reader) fetch(ctx context.Context, next asked, plan plan, stop context.CancelCauseFunc) {
	var got came
	defer func() {
		if got.err != nil && plan.end > 0 {
			stop(got.err)
		}
		next.came <- got
	}()
	defer flight.Recover(&got.err)
	got.page, got.err = r.page(ctx, next.number)
	if got.err != nil && r.pastTheEnd(next.number, plan, got.err) {
		got = came{page: pages.Empty(r.read.DataSet)}
	}
}

// pastTheEnd reports whether a page was rejected because it does not exist: some services do not return an empty one.
// This requires a known total, to distinguish it from a missing page.
func (r *reader) pastTheEnd(number int, plan plan, err error) bool {
	if plan.sure == 0 || number < plan.sure {
		return false
	}
	return isRejected(err)
}

// isRejected reports whether the service rejected the request of a page.
func isRejected(err error) bool {
	return errors.Is(err, service.ErrNotFound) || errors.Is(err, service.ErrRejected)
}

// collect adds the pages in order, until there are no more.
func (r *reader) collect(ctx context.Context, p *pass, plan plan, tail *pages.Page, queue <-chan asked) error {
	for next := range queue {
		page, err := next.wait(ctx)
		if err != nil {
			return err
		}
		if plan.tail && tail == nil {
			tail, p.tailAt = page, next.number
			continue
		}
		more, err := r.takeNext(p, plan, page, next.number)
		if err != nil {
			return err
		}
		if !more {
			break
		}
	}
	// Requesting stops silently when the context ends.
	if err := context.Cause(ctx); err != nil {
		return err
	}
	if tail != nil && !p.stuck {
		p.takeTail(tail)
	}
	return nil
}

func (a asked) wait(ctx context.Context) (*pages.Page, error) {
	select {
	case got := <-a.came:
		return got.page, got.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// takeNext adds a page, and reports whether there may be more.
func (r *reader) takeNext(p *pass, plan plan, page *pages.Page, number int) (more bool, err error) {
	if page.Table.Rows == 0 {
		p.note(page, number)
		p.emptyPage = number
		return false, nil
	}
	if (plan.end == 0 || number == 1 && p.size > 1) && p.rows.keyless && reflect.DeepEqual(page.Table.Columns, p.before) {
		// Without keys, only this shows that the route returns the same rows again and again.
		p.note(page, number)
		p.stuck = true
		return false, nil
	}
	p.before = page.Table.Columns
	at, fresh := p.take(page, number)
	if number == 1 && fresh == 0 && page.Total == p.first && slices.Equal(at, p.head) {
		p.stuck = true
		return false, nil
	}
	if err := r.hold.add(p.rows.padding(), r.texts.Size()); err != nil {
		return false, err
	}
	if plan.end > 0 {
		return true, nil
	}
	if page.Last != nil && *page.Last {
		return false, nil
	}
	p.cut = p.rows.table.Rows >= r.most
	return !p.cut && fresh > 0, nil
}
