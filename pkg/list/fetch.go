package list

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/paging"
	"github.com/insights/insights-reporting-datasource/pkg/service"
)

// fetch requests the pages of a reading.
type fetch struct {
	*List
	reading *paging.Reading
	texts   *pages.Interner
	large   bool         // holds Config.Large
	end     int          // the page behind the end, as far as it is known
	got     atomic.Int64 // pages
}

// next returns the pages to read next; none if the reading has ended. Many pages of which nothing is known wait until a read
// of so many may run, and so does a refresh whose prediction has proved wrong. Nobody waits for another list while holding
// Large, so these waits form no cycle.
func (f *fetch) next(ctx context.Context) ([]int, error) {
	numbers := f.reading.Next()
	f.end = f.reading.End()
	if f.large || !f.reading.IsLarge(numbers) {
		return numbers, nil
	}
	if f.Large != nil {
		if err := f.Large.Acquire(ctx, 1); err != nil {
			return nil, context.Cause(ctx)
		}
		f.large = true
	}
	return numbers, nil
}

// release lets other reads of many pages run.
func (f *fetch) release() {
	if f.large {
		f.Large.Release(1)
	}
}

// read reads pages side by side, each as soon as there is room, and takes them in order until the reading needs no more.
func (f *fetch) read(ctx context.Context, numbers []int) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	group, ctx := errgroup.WithContext(ctx)
	queue := make(chan chan *paging.Page, 2*f.Concurrent-1)
	group.Go(func() error {
		defer close(queue)
		for _, n := range numbers {
			response := make(chan *paging.Page, 1)
			select {
			case queue <- response:
			case <-ctx.Done():
				return context.Cause(ctx)
			}
			group.Go(func() error {
				defer close(response)
				p, err := f.page(ctx, n)
				if err == nil {
					response <- p
				}
				return err
			})
		}
		return nil
	})
	more := true
	for response := range queue {
		if p := <-response; p != nil && more {
			if more = f.reading.Take(p, f.texts.Size()); !more {
				stop()
			}
		}
	}
	if err := group.Wait(); more {
		return err
	}
	return nil
}

// page requests one page.
func (f *fetch) page(ctx context.Context, number int) (p *paging.Page, err error) {
	defer service.Recover(&err)
	asked, at := f.got.Load(), time.Now()
	r, err := f.request(ctx, PageRequest{Number: f.reading.Number(number), Texts: f.texts})
	switch {
	case number > 0 && isRefused(err), number >= f.end && errors.As(err, new(*service.Error)):
		p = paging.RefusedPage(f.DataSet, number, err)
	case err != nil:
		return nil, err
	default:
		p = paging.NewPage(f.DataSet, number, r, at)
	}
	p.Asked, p.Got = asked, f.got.Add(1)
	return p, nil
}

// isRefused reports whether the service refused a page. Some services do so for a page that does not exist, instead of
// returning an empty one. Others fail.
func isRefused(err error) bool {
	return errors.Is(err, service.ErrNotFound) || errors.Is(err, service.ErrRejected)
}

// sizelessTime is how long no page size is requested after the service has refused it. A stray error looks the same.
const sizelessTime = time.Hour

// request requests a page: page 0 without a size if the service refuses it.
func (f *fetch) request(ctx context.Context, r PageRequest) (*paging.Response, error) {
	if r.Number > 0 {
		r.Size = f.sizeOf(r.Number, f.reading.Size())
		return f.Source.Page(ctx, r)
	}
	asked := f.sizeOf(0, 0)
	p, used, err := pages.Sized(asked, func(size int) (*paging.Response, error) {
		r.Size = size
		return f.Source.Page(ctx, r)
	})
	if err == nil && used != asked {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.sizeless = time.Now().Add(sizelessTime)
	}
	return p, err
}

// sizeOf returns how many rows to request. Other pages are requested with the number of rows that page 0 had, because a
// service that caps the size may compute offsets from the requested size.
func (l *List) sizeOf(number, firstRows int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.Size == 0 || time.Now().Before(l.sizeless):
		return 0
	case number > 0:
		return firstRows
	default:
		return min(l.Size, l.MaxRows)
	}
}
