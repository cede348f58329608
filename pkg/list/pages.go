package list

import (
	"context"
	"errors"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/service"
)

// reading is one read of the list, in one look or several.
type reading struct {
	goal    Goal
	since   time.Time // rows that may still change count if they were requested since then
	before  *kept     // the prediction; nil: none
	tries   int       // looks at most
	window  int       // pages in flight, or waiting for those before them
	publish func(*kept)

	began, wholeAt time.Time
	texts          *pages.Interner
	earlierTexts   int64 // bytes of the texts of the prediction
	large          bool  // holds Config.Large
	fieldsCut      bool
	cost           Cost

	need   int  // rows that the goal needs
	enough bool // it needs no more, even if the list has more
}

// largePages is how many pages a full read may have without waiting for others.
const largePages = 8

// enter waits until a full read of so many pages may run: a refresh waits for nobody.
func (r *reading) enter(ctx context.Context, large *semaphore.Weighted, pages int) error {
	if r.large || large == nil || pages <= largePages {
		return nil
	}
	if err := large.Acquire(ctx, 1); err != nil {
		return context.Cause(ctx)
	}
	r.large = true
	return nil
}

func (r *reading) leave(large *semaphore.Weighted) {
	if r.large {
		large.Release(1)
	}
}

// count counts a page that was received.
func (r *reading) count(p *page) {
	r.cost.Pages++
	r.cost.LastPage = max(r.cost.LastPage, p.number)
	r.cost.Requests += p.Requests
	r.cost.Bytes += p.Bytes
}

// page is a page that was received. requested and received are times: numbers of pages received before.
type page struct {
	*Response
	number              int
	rows                []row
	keyless             bool
	position            int   // where its rows are in the order
	refused             error // why the service refused it
	requested, received int64
}

// see reads pages side by side, each as soon as there is room in the window, and takes them in order until one is the
// last.
func (k *look) see(ctx context.Context, numbers []int) error {
	if k.isWhole() {
		if err := k.enter(ctx, k.Large, len(numbers)); err != nil {
			return err
		}
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	group, ctx := errgroup.WithContext(ctx)
	queue := make(chan chan *page, k.window-1)
	group.Go(func() error {
		defer close(queue)
		for _, n := range numbers {
			response := make(chan *page, 1)
			select {
			case queue <- response:
			case <-ctx.Done():
				return context.Cause(ctx)
			}
			group.Go(func() error {
				defer close(response)
				p, err := k.fetch(ctx, n)
				if err == nil {
					response <- p
				}
				return err
			})
		}
		return nil
	})
	for response := range queue {
		p := <-response
		if p == nil || k.ended {
			continue
		}
		k.count(p)
		if k.take(p); k.ended {
			stop()
		}
	}
	if err := group.Wait(); !k.ended {
		return err
	}
	return nil
}

// fetch requests one page.
func (k *look) fetch(ctx context.Context, number int) (p *page, err error) {
	defer service.Recover(&err)
	p = &page{number: number, requested: k.received.Load()}
	at := time.Now()
	p.Response, err = k.request(ctx, PageRequest{Days: k.goal.Days, Number: number, Size: k.size, Texts: k.texts})
	if number > 0 && isRefused(err) {
		p.Response, p.refused, err = &Response{Page: pages.Empty(k.DataSet)}, err, nil
	}
	if err != nil {
		return nil, err
	}
	keys, isSettled := p.Table.Column(k.DataSet.Key), settledIn(k.DataSet, p.Table, at.Add(p.Ahead))
	p.rows = make([]row, p.Table.Rows)
	for i := range p.rows {
		rowKey, keyed := keyOf(keys, i)
		p.rows[i] = row{key: rowKey, table: p.Table, index: int32(i), at: at.UnixNano(), settled: isSettled(i)}
		p.keyless = p.keyless || !keyed
	}
	for _, problem := range p.Problems {
		r := &p.rows[problem.Row]
		if r.problems == nil {
			r.problems = &pages.Problems{}
		}
		r.problems.Add(problem)
		r.settled = false // The next answer of the service may be readable.
	}
	p.received = k.received.Add(1)
	return p, nil
}

// isRefused reports whether the service refused a page. Some services do so for a page that does not exist, instead of
// returning an empty one.
func isRefused(err error) bool {
	return errors.Is(err, service.ErrNotFound) || errors.Is(err, service.ErrRejected)
}

// take adds a page, and publishes the rows so far if somebody waits for them.
func (k *look) take(p *page) {
	k.pages[p.number] = p
	if p.refused != nil && p.number < pagesFor(k.total, k.size) {
		k.refused, k.inconsistent = p.refused, true // The list may have become shorter.
		return
	}
	if p.refused == nil {
		k.foreign = k.foreign || k.organization != "" && p.Organization != k.organization
		k.organization = p.Organization
	}
	k.inconsistent = k.inconsistent || k.foreign || k.total >= 0 && p != k.first && differ(p.Total, k.total)
	k.keyless = k.keyless || p.keyless
	k.fieldsCut = k.fieldsCut || p.FieldsCut
	contradicts := p.Total >= 0 && len(p.rows) != k.expectedOf(p.number, p.Total)
	switch {
	case k.total < 0:
		k.takeNext(p)
	case contradicts && (k.inconsistent || !k.isWhole()):
		k.broken = true // Rows may be missing on the page, which no count shows.
	case !k.inconsistent && k.isWhole():
		k.takeCounted(p)
	}
	if k.isWhole() && k.waiting.Load() > 0 && len(k.pages) > k.published+k.published/4 {
		k.published = len(k.pages)
		k.publishRows()
	}
}

// takeNext takes a page while nothing says how many there are.
func (k *look) takeNext(p *page) {
	switch {
	case len(p.rows) == 0 || p.Last != nil && *p.Last || p.Pages >= 0 && p.number+1 >= p.Pages && !k.understated:
		k.ended = true
	case p.number == 1 && k.isSame(p, k.first):
		k.ended, k.stuck = true, !k.first.Bare // A bare array is all there is.
		delete(k.pages, p.number)
	}
}

// takeCounted takes a page of a list whose total is known.
func (k *look) takeCounted(p *page) {
	last := pagesFor(k.total, k.size) - 1
	switch {
	case p.number > 0 && len(p.rows) > 0 && k.isSame(p, k.first):
		// One page may have moved to the next while they were read.
		if k.same++; k.same > 1 || last <= 1 {
			k.stuck, k.ended, k.pages = true, true, map[int]*page{0: k.first}
		}
	case p.number >= last && (len(p.rows) > k.expected(p.number) || p.Last != nil && !*p.Last && len(p.rows) > 0):
		k.total, k.understated = -1, true
	case p.number > 0 && len(p.rows) == 0 && k.pages[p.number-1] != nil:
		k.ended = true
	}
}

// isSame reports whether two pages have the same rows.
func (k *look) isSame(a, b *page) bool {
	if !a.keyless && !b.keyless {
		return slices.EqualFunc(a.rows, b.rows, sameKey)
	}
	if len(a.rows) != len(b.rows) || len(a.rows) < 2 {
		return false // Two single rows without a key may well be equal.
	}
	compared := columns.Compare(a.Table, b.Table)
	for i := range a.rows {
		if !compared.Same(i, i) {
			return false
		}
	}
	return true
}

// differ reports whether two totals are known and differ.
func differ(a, b int) bool { return a >= 0 && b >= 0 && a != b }
