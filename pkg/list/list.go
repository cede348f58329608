// Package list reads one list of the service for many callers: it locks, requests pages, and keeps what was read. Package
// paging decides which pages these are.
package list

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/paging"
	"github.com/insights/insights-reporting-datasource/pkg/service"
	"github.com/insights/insights-reporting-datasource/schema"
)

// PageRequest describes a page to request.
type PageRequest struct {
	Number int
	Rows   int // of page 0, as a service that caps the size may compute offsets from the requested one; 0 for page 0
	Texts  *pages.Interner
}

// Config says how to read a list.
type Config struct {
	// Page requests a page. Errors are *service.Error, or the cause of a context that ended.
	Page       func(ctx context.Context, r PageRequest) (*pages.Page, error)
	DataSet    *schema.DataSet
	Concurrent int           // pages requested at once
	MaxRows    int           // rows to read
	Predicts   bool          // what was read predicts the next read; otherwise, every read is a full one
	Interval   time.Duration // within which each page is read again; 0: only pages with rows that may have changed are
	// Large bounds the reads of many pages that run at once.
	Large *semaphore.Weighted
}

// List is one list of the service. It is safe for concurrent use.
type List struct {
	Config
	lock *semaphore.Weighted // whoever holds it reads

	mu      sync.Mutex
	answer  *paging.Result // nil: none
	failure *failure
	known   *paging.Prediction
	bytes   int64
}

// New returns a list of which nothing is known.
func New(c Config) *List { return &List{Config: c, lock: semaphore.NewWeighted(1)} }

// failureTime is how long a failed read is not repeated: Grafana repeats the queries of a rule at once.
const failureTime = time.Second

// failure is a read whose answer cannot be kept: an error, or rows that moved during each attempt. It answers the callers
// that waited for it, so that none waits for one timeout after the other.
type failure struct {
	ended  time.Time
	result *paging.Result
	err    error
}

// Read returns the rows, of which those that may still change are not older than since. One caller at a time reads. What a
// caller that leaves has received is the prediction of the next one. If nothing is known, other returns the prediction of a list
// over other days with which to begin, so that nothing is read twice. nil, or one that returns nil: there is none.
//
// Errors come from the source, or are the cause of a context that ended.
func (l *List) Read(ctx context.Context, since time.Time, other func() *paging.Prediction) (*paging.Result, error) {
	arrived := time.Now()
	if r, err := l.kept(since, arrived); r != nil || err != nil {
		return r, err
	}
	if l.lock.Acquire(ctx, 1) != nil {
		return nil, context.Cause(ctx)
	}
	defer l.lock.Release(1)
	if r, err := l.kept(since, arrived); r != nil || err != nil {
		return r, err // Another caller has read meanwhile.
	}
	return l.refresh(ctx, since, other)
}

// Await waits until nobody reads.
func (l *List) Await(ctx context.Context) {
	if l.lock.Acquire(ctx, 1) == nil {
		l.lock.Release(1)
	}
}

// Kept returns the last answer, however old; nil if there is none, or if the last read failed.
func (l *List) Kept() *paging.Result {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.failure != nil {
		return nil
	}
	return l.answer
}

// Known returns what is known of the list, nil if nothing is.
func (l *List) Known() *paging.Prediction {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.known
}

// kept returns the answer that is not older than since, or a failure that has just ended.
func (l *List) kept(since, arrived time.Time) (*paging.Result, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r, f := l.answer, l.failure
	if r == nil || r.AsOf.Before(since) {
		if f == nil || arrived.After(f.ended.Add(failureTime)) {
			return nil, nil
		}
		if r = f.result; r == nil {
			return nil, f.err
		}
	}
	shared := *r
	shared.Shared = true
	return &shared, nil
}

// refresh reads for the holder of the lock.
func (l *List) refresh(ctx context.Context, since time.Time, other func() *paging.Prediction) (*paging.Result, error) {
	rules := paging.Rules{Set: l.DataSet, MaxRows: l.MaxRows, Concurrent: l.Concurrent, Now: time.Now(), Since: since, Interval: l.Interval}
	known := l.known
	if l.Predicts && known == nil && other != nil {
		known = other()
		rules.Other = known != nil
	}
	r := paging.New(rules, known)
	if err := l.run(ctx, r); err != nil {
		var f *failure
		if ctx.Err() == nil { // Otherwise, the caller left, and the service is not to blame.
			f = &failure{ended: time.Now(), err: err}
		}
		l.keep(l.answer, f, r.Left())
		return nil, err
	}
	result, known := r.Result(time.Now())
	if result.Lack == paging.Unstable {
		l.keep(l.answer, &failure{ended: time.Now(), result: result}, known)
	} else {
		l.keep(result, nil, known)
	}
	return result, nil
}

func (l *List) run(ctx context.Context, r *paging.Reading) error {
	f := fetch{List: l, reading: r, texts: pages.NewInterner(r.UnknownFields()...)}
	defer f.release()
	for {
		numbers, err := f.next(ctx)
		if err == nil && len(numbers) > 0 {
			err = f.read(ctx, numbers)
		}
		if err != nil || len(numbers) == 0 {
			return cmp.Or(err, r.Err())
		}
	}
}

// keep replaces what is known. Its memory is measured here, not where a cache holds its own lock.
func (l *List) keep(answer *paging.Result, f *failure, known *paging.Prediction) {
	if !l.Predicts {
		known = nil
	}
	bytes := paging.Bytes(answer, known)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.answer, l.failure, l.known, l.bytes = answer, f, known, bytes
}

// Bytes returns the approximate memory of what is known, as of when it was kept.
func (l *List) Bytes() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.bytes
}

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
		if f.Large.Acquire(ctx, 1) != nil {
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

func (f *fetch) page(ctx context.Context, number int) (p *paging.Page, err error) {
	defer service.Recover(&err)
	asked, at := f.got.Load(), time.Now()
	r := PageRequest{Number: f.reading.Number(number), Texts: f.texts}
	if number > 0 {
		r.Rows = f.reading.Size()
	}
	received, err := f.Page(ctx, r)
	switch {
	case number > 0 && isRefused(err, number >= f.end):
		p = paging.RefusedPage(f.DataSet, number, err)
	case err != nil:
		return nil, err
	default:
		p = paging.NewPage(f.DataSet, number, received, at)
	}
	p.Asked, p.Got = asked, f.got.Add(1)
	return p, nil
}

// refusals are the statuses with which some services refuse a page that does not exist, instead of returning an empty one.
var refusals = []int{400, 404, 410, 416, 422}

// isRefused reports whether the service refused a page itself. For one behind the end, some services fail, or say so in JSON.
// What may pass, or is said of more than the page, such as a broken connection or 403, is no word about what is there.
func isRefused(err error, isBehind bool) bool {
	e, is := errors.AsType[*service.Error](err)
	return is && e.Kind != service.ErrLogin && (slices.Contains(refusals, e.Status) || isBehind && (e.Status == 500 || e.NoRows))
}
