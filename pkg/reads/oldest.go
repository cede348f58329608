package reads

import (
	"context"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/service"
	"github.com/insights/insights-reporting-datasource/schema"
)

const (
	// longestLookBack is more days than any service keeps tasks for.
	longestLookBack = 3650
	// oldestTime is how long the answer about the oldest task is kept, even if it is that the service does not tell.
	oldestTime = time.Hour
	// oldestWait is how long a query waits for that answer. A service may take long for so many days, and a rule that
	// waits with it would fail.
	oldestWait = 3 * time.Second
)

// oldest is the oldest time that the service is known to list.
type oldest struct {
	reads singleflight.Group
	known atomic.Pointer[oldestAnswer]
}

type oldestAnswer struct {
	at    time.Time
	until time.Time // when to read again
}

// Oldest returns the creation of the oldest task that the service lists; zero if it does not tell, or not soon enough:
// then the read continues for later queries. A service that lists older tasks than the rows of a question has forgotten
// nothing of their time. It reads the first and the last page of a very long look-back, whatever their order: each task on
// them shows what the service knows.
func (r *Reads) Oldest(ctx context.Context, set *schema.DataSet) time.Time {
	if known := r.oldest.known.Load(); known != nil && time.Now().Before(known.until) {
		return known.at
	}
	answer := r.oldest.reads.DoChan(set.Name, func() (_ any, err error) {
		defer service.Recover(&err)
		ctx, cancel := context.WithTimeout(r.ended, longestRead)
		defer cancel()
		at := r.readOldest(ctx, set)
		r.oldest.known.Store(&oldestAnswer{at, time.Now().Add(oldestTime)})
		return at, nil
	})
	select {
	case found := <-answer:
		at, _ := found.Val.(time.Time)
		return at
	case <-time.After(oldestWait):
	case <-ctx.Done():
	}
	return time.Time{}
}

func (r *Reads) readOldest(ctx context.Context, set *schema.DataSet) time.Time {
	read := func(number, size int) (*pages.Page, error) {
		q := pages.Question{DataSet: set, Days: longestLookBack, Size: size}
		return r.source.Page(ctx, q, number, r.config.MaxRows, pages.NewInterner(), &service.Usage{})
	}
	first, size, err := pages.Sized(r.sizeFor(set), func(size int) (*pages.Page, error) { return read(0, size) })
	if err != nil {
		return time.Time{}
	}
	at := first.Table.Earliest(set.TimeFields[0])
	if first.Pages <= 1 {
		return at
	}
	last, err := read(first.Pages-1, size)
	if err != nil {
		return at
	}
	return columns.Earlier(at, last.Table.Earliest(set.TimeFields[0]))
}
