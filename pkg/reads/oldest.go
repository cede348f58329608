package reads

import (
	"cmp"
	"context"
	"errors"
	"reflect"
	"sort"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/service"
	"github.com/insights/insights-reporting-datasource/schema"
)

var lookBacks = []int{3650, 365, 90} // days: more than any service keeps tasks for or, if so many are refused, fewer

const (
	oldestTime     = time.Hour        // how long the answer about the oldest task is kept
	oldestRetry    = time.Minute      // how long a failure is
	oldestRejected = 15 * time.Minute // how long a 401 is: some services answer so to many days, and a login ends the tokens of others
	oldestWait     = 3 * time.Second  // how long a query waits for the answer, as a rule that waits with it would fail
)

// Oldest returns when the oldest task was created that the service lists; zero if it lists none, or does not tell soon enough. It has
// forgotten nothing since. It is asked at most once an hour, for the first and the last page of a long look-back, whatever their order.
func (r *Reads) Oldest(ctx context.Context, set *schema.DataSet) time.Time {
	return r.oldest.Ask(ctx, r.ended, oldestWait, func(ctx context.Context, earlier time.Time) (time.Time, time.Duration) {
		for _, days := range lookBacks {
			at, err := r.readOldest(ctx, set, days)
			if err == nil {
				return at, oldestTime
			}
			if errors.Is(err, service.ErrUnauthorized) {
				return earlier, oldestRejected
			}
			if !pages.IsRefused(err) {
				break
			}
		}
		return earlier, oldestRetry
	})()
}

func (r *Reads) readOldest(ctx context.Context, set *schema.DataSet, days int) (time.Time, error) {
	read := func(number int) (*pages.Page, error) {
		q := schema.Question{DataSet: set, Days: days, Size: r.config.PageSize}
		return r.source.Page(ctx, q, number, r.config.MaxRows, pages.NewInterner())
	}
	first, err := read(0)
	if err != nil || first.Table.Rows == 0 {
		return time.Time{}, err
	}
	last, err := r.lastPage(first, read)
	if err != nil {
		return time.Time{}, err
	}
	return columns.Earlier(first.Table.Earliest(set.TimeFields[0]), last.Table.Earliest(set.TimeFields[0])), nil
}

// lastPage returns the last page that has rows. If the service reports no number of pages, it searches for it.
func (r *Reads) lastPage(first *pages.Page, read func(number int) (*pages.Page, error)) (*pages.Page, error) {
	rows := first.Table.Rows
	switch end := max(first.Pages, (first.Total+rows-1)/rows); {
	case end == 1:
		return first, nil
	case end > 1:
		return read(end - 1)
	}
	last := first
	var failure error
	sort.Search(r.config.MaxRows/rows, func(n int) bool {
		page, err := read(n + 1)
		failure = cmp.Or(failure, err)
		hasRows := err == nil && page.Table.Rows > 0
		if hasRows {
			last = page
		}
		return !hasRows
	})
	return last, failure
}

// Background is an answer that all queries share, and for which they wait only for a moment, and only until there is one.
type Background[T any] struct {
	reads singleflight.Group
	known atomic.Pointer[known[T]]
}

type known[T any] struct {
	answer T
	until  time.Time // when to read again
}

// Ask begins to read, unless the answer is new, and returns how to get it: the earlier one or, if that is zero, the answer if it comes in
// time. read gets the earlier one, and returns for how long to keep its own. It goes on when the caller leaves, until ended.
func (b *Background[T]) Ask(ctx, ended context.Context, wait time.Duration, read func(ctx context.Context, earlier T) (answer T, keep time.Duration)) (answer func() T) {
	latest := func() (k known[T]) {
		if stored := b.known.Load(); stored != nil {
			k = *stored
		}
		return k
	}
	earlier := latest()
	if time.Now().Before(earlier.until) {
		return func() T { return earlier.answer }
	}
	done := b.reads.DoChan("", func() (_ any, err error) {
		defer service.Recover(&err)
		ctx, cancel := context.WithTimeout(ended, longestRead)
		defer cancel()
		answer, keep := read(ctx, earlier.answer)
		b.known.Store(&known[T]{answer, time.Now().Add(keep)})
		return nil, nil
	})
	if !reflect.ValueOf(&earlier.answer).Elem().IsZero() {
		return func() T { return earlier.answer }
	}
	return func() T {
		select {
		case <-done:
		case <-time.After(wait):
		case <-ctx.Done():
		}
		return latest().answer
	}
}
