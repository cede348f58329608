// Package list reads one list of the service for many callers, who share its reads, and keeps what was read.
package list

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
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
	Page       func(ctx context.Context, r PageRequest) (*pages.Page, error) // errors: *service.Error, or why a context ended
	DataSet    *schema.DataSet
	Concurrent int                 // pages requested at once
	MaxRows    int                 // rows to read
	Predicts   bool                // what was read predicts the next read; otherwise, every read is a full one
	Interval   time.Duration       // within which each page is read again; 0: only pages with rows that may have changed are
	Large      *semaphore.Weighted // bounds the reads of many pages that run at once
	Done       func(error)         // is called at the end of each read; nil: nothing is
	Ended      <-chan struct{}     // ends the reads for which nobody waits but those who were told to ask again
}

// List is one list of the service. It is safe for concurrent use.
type List struct {
	Config

	mu      sync.Mutex
	now     *run           // nil: nobody reads
	paused  *fetch         // a read that was stopped
	answer  *paging.Result // nil: none
	failure *failure
	known   *paging.Prediction
	bytes   int64
	asked   time.Time // when those asked first who are owed an answer
	told    time.Time // when the last of them was told to ask again
}

// run is a read. It goes on as long as somebody waits for it, and for a moment for those who were told to ask again.
type run struct {
	stop    context.CancelFunc
	done    chan struct{} // closed at the end
	result  *paging.Result
	err     error
	began   time.Time
	waiting int // callers, and those who were told
	pages   int // received
	all     int // pages of the list; 0: unknown
}

// predict returns what is known of a list over other days; nil: nothing is.
type predict = func(context.Context) *paging.Prediction

// New returns a list of which nothing is known.
func New(c Config) *List { return &List{Config: c} }

const (
	failureTime = time.Second      // how long a failed read is not repeated: Grafana repeats the queries of a rule at once
	grace       = time.Minute      // how long a read goes on for somebody who was told to ask again: so often do boards ask
	owedTime    = 10 * time.Minute // how long they are owed the answer
)

// failure is a read whose answer cannot be kept. It answers the callers that waited, so that none waits for one timeout after another.
type failure struct {
	ended  time.Time
	result *paging.Result // rows that moved during each attempt; nil: an error
	err    error
}

// ErrSlow is the kind of the errors that tell a caller to ask again, and of the cause with which a context ends his patience.
var ErrSlow = errors.New("slow service")

// Slow tells a caller to ask again, after so many pages, or other units. all 0: nobody knows of how many.
func Slow(unit string, done, all int, took time.Duration) error {
	read, progress := fmt.Sprintf("%s %d", unit, done), strconv.Itoa(done)
	switch {
	case all > 0:
		read, progress = fmt.Sprintf("%s of %d", read, all), fmt.Sprintf("%d/%d", done, all)
	case done == 0:
		read = "no " + unit
	}
	return &service.Error{Kind: ErrSlow, Cause: errors.New(progress), Message: fmt.Sprintf(
		"the service is slow: %s was read after %s. Reading goes on for a minute: ask again, or ask for fewer days", read, took.Round(time.Second))}
}

// Read returns the rows, of which those that may still change are not older than since. One caller begins to read, and the others wait
// for the same read. It goes on for a moment if the patience of one ends (ErrSlow), and ends when all have left otherwise. The next one
// goes on where it was. If nothing is known, other returns the prediction of a list over other days with which to begin, so that nothing
// is read twice; nil, or one that returns nil: there is none. Errors come from the source, or are the cause of a context that ended.
func (l *List) Read(ctx context.Context, since time.Time, other predict) (*paging.Result, error) {
	for arrived := time.Now(); ; {
		l.mu.Lock()
		if l.isOwed() {
			since, arrived = since.Add(l.asked.Sub(arrived)), l.asked // as if they had waited
		}
		r, err := l.kept(since, arrived)
		now, isOwn := l.now, l.now == nil
		if r == nil && err == nil && isOwn {
			if err = context.Cause(ctx); err == nil {
				now = l.begin(ctx, since, other)
			}
		}
		if r != nil || err != nil {
			l.mu.Unlock()
			return r, err
		}
		now.waiting++
		l.mu.Unlock()
		select {
		case <-now.done:
			l.leave(now)
			isOlder := now.result != nil && now.result.AsOf.Before(since) && !now.began.Before(since) // It went on with an older one.
			if isOwn && !isOlder {
				return now.result, now.err
			}
		case <-ctx.Done():
			return nil, l.left(ctx, now)
		}
	}
}

func (l *List) begin(ctx context.Context, since time.Time, other predict) *run {
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	now, paused := &run{stop: stop, done: make(chan struct{}), began: time.Now()}, l.paused
	l.now, l.paused = now, nil // It is kept again if it is stopped again, and not if it panics.
	go func() {
		defer close(now.done)
		now.result, now.err = l.refresh(ctx, now, paused, since, other)
		if l.Done != nil {
			l.Done(now.err)
		}
		l.mu.Lock()
		defer l.mu.Unlock()
		l.now = nil
	}()
	return now
}

// left returns why a caller leaves a read. Somebody who is told to ask again will, and counts for a while as if he waited.
func (l *List) left(ctx context.Context, now *run) error {
	cause := context.Cause(ctx)
	if !errors.Is(cause, ErrSlow) {
		l.leave(now)
		return cause
	}
	go func() {
		select {
		case <-now.done:
		case <-l.Ended:
		case <-time.After(grace):
		}
		l.leave(now)
	}()
	l.mu.Lock()
	defer l.mu.Unlock()
	return Slow("page", now.pages, now.all, time.Since(now.began))
}

// leave ends a read for which nobody waits anymore.
func (l *List) leave(now *run) {
	l.mu.Lock()
	now.waiting--
	isLast := now.waiting == 0
	l.mu.Unlock()
	if isLast {
		now.stop()
		<-now.done
	}
}

// Settle notes what came of a question, asked at some moment, about lists. Those who were told to ask again are owed what is read
// meanwhile, even if it is old by then: otherwise, windows that take minutes together would be read for ever.
func Settle(asked time.Time, err error, lists ...*List) {
	_, isOfService := errors.AsType[*service.Error](err)
	for _, l := range lists {
		l.mu.Lock()
		if isSlow := errors.Is(err, ErrSlow); isSlow && l.isOwed() {
			l.told = time.Now()
		} else if isSlow {
			l.asked, l.told = asked, time.Now()
		} else if err == nil || isOfService {
			l.told = time.Time{}
		}
		l.mu.Unlock()
	}
}

func (l *List) isOwed() bool { return time.Since(l.told) < owedTime }

// Await waits until nobody reads.
func (l *List) Await(ctx context.Context) {
	l.mu.Lock()
	now := l.now
	l.mu.Unlock()
	if now != nil {
		select {
		case <-now.done:
		case <-ctx.Done():
		}
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

// refresh reads, and keeps what was read. It goes on with a read that was stopped if that is as new as was asked for, or all there is.
func (l *List) refresh(ctx context.Context, now *run, f *fetch, since time.Time, other predict) (result *paging.Result, err error) {
	defer service.Recover(&err)
	known := l.Known()
	if f == nil || f.reading.Now.Before(since) && (known != nil || !l.Predicts) {
		rules := paging.Rules{Set: l.DataSet, MaxRows: l.MaxRows, Concurrent: l.Concurrent, Now: time.Now(), Since: since, Interval: l.Interval}
		if l.Predicts && known == nil && other != nil {
			known = other(ctx)
			rules.Other = known != nil
		}
		r := paging.New(rules, known)
		f = &fetch{List: l, reading: r, texts: pages.NewInterner(r.UnknownFields()...)}
	}
	f.now, f.hasTaken = now, false
	f.progress()
	if err := f.run(ctx); err != nil {
		var failed *failure
		if ctx.Err() == nil { // Otherwise, the callers left, and the service is not to blame.
			failed = &failure{ended: time.Now(), err: err}
		}
		isShorter := failed != nil && !f.hasTaken && isRefused(err, true) // The list may be, so that this page is behind its end by now.
		if isShorter || f.reading.Err() != nil || f.got.Load() == 0 {     // Without a page, it would only be older.
			f = nil
		}
		l.keep(l.answer, failed, l.known, f)
		return nil, err
	}
	result, known = f.reading.Result(time.Now())
	if result.Lack == paging.Unstable {
		l.keep(l.answer, &failure{ended: time.Now(), result: result}, known, nil)
	} else {
		l.keep(result, nil, known, nil)
	}
	return result, nil
}

// keep replaces what is known. Its memory is measured here, not where a cache holds its own lock.
func (l *List) keep(answer *paging.Result, f *failure, known *paging.Prediction, paused *fetch) {
	if !l.Predicts {
		known = nil
	}
	var reading *paging.Reading
	if paused != nil {
		reading = paused.reading
	}
	bytes := paging.Bytes(answer, known, reading)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.answer, l.failure, l.known, l.paused, l.bytes = answer, f, known, paused, bytes
}

// Bytes returns the approximate memory of what is known, as of when it was kept.
func (l *List) Bytes() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.bytes
}

// fetch requests the pages of a reading, in one run or several.
type fetch struct {
	*List
	now      *run
	reading  *paging.Reading
	texts    *pages.Interner
	hasTaken bool         // pages, in this run
	end      int          // the page behind the end, as far as it is known
	got      atomic.Int64 // pages
}

// run requests pages until the reading has ended. Many pages of which nothing is known wait until a read of so many may run, and so
// does a refresh whose prediction has proved wrong. Nobody waits for another list while holding Large, so these waits form no cycle.
func (f *fetch) run(ctx context.Context) error {
	isLarge := f.Large == nil
	for numbers := f.reading.Next(); len(numbers) > 0; numbers = f.reading.Next() {
		f.end = f.reading.End()
		if !isLarge && f.reading.IsLarge(numbers) {
			if f.Large.Acquire(ctx, 1) != nil {
				return context.Cause(ctx)
			}
			defer f.Large.Release(1)
			isLarge = true
		}
		if err := f.read(ctx, numbers); err != nil {
			return err
		}
	}
	return f.reading.Err()
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
	more, isWhole := true, true
	for response := range queue {
		p := <-response
		if isWhole = isWhole && p != nil; isWhole && more { // A reading has no page behind one that it lacks.
			if more = f.reading.Take(p); !more {
				stop()
			}
			f.hasTaken = true
			f.progress()
		}
	}
	if err := group.Wait(); more {
		return err
	}
	return nil
}

func (f *fetch) progress() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.now.pages = int(f.got.Load())
	if end := f.reading.End(); end < math.MaxInt {
		f.now.all = min(end, (f.MaxRows+f.reading.Size()-1)/f.reading.Size())
		f.now.pages = min(f.now.pages, f.now.all)
	}
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

var refusals = []int{400, 404, 410, 416, 422} // statuses of a page that does not exist, where a service returns no empty one

// isRefused reports whether the service refused a page itself. For one behind the end, some services fail, or say so in JSON.
// What may pass, or is said of more than the page, such as a broken connection or 403, is no word about what is there.
func isRefused(err error, isBehind bool) bool {
	e, is := errors.AsType[*service.Error](err)
	return is && e.Kind != service.ErrLogin && (slices.Contains(refusals, e.Status) || isBehind && (e.Status == 500 || e.NoRows))
}
