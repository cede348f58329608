package reads

import (
	"context"
	"time"

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

// Oldest returns the creation of the oldest task that the service lists; zero if it does not tell, or not soon enough. A
// service that lists older tasks than the rows of a question has forgotten nothing of their time. It reads the first and the
// last page of a very long look-back, whatever their order: each task on them shows what the service knows.
func (r *Reads) Oldest(ctx context.Context, set *schema.DataSet) time.Time {
	return r.oldest.Ask(ctx, r.ended, oldestWait, func(ctx context.Context, earlier time.Time) (time.Time, time.Duration) {
		at, err := r.readOldest(ctx, set)
		if err != nil && !earlier.IsZero() {
			at = earlier
		}
		return at, oldestTime
	})()
}

func (r *Reads) readOldest(ctx context.Context, set *schema.DataSet) (time.Time, error) {
	read := func(number, size int) (*pages.Page, error) {
		q := pages.Question{DataSet: set, Days: longestLookBack, Size: size}
		return r.source.Page(ctx, q, number, r.config.MaxRows, pages.NewInterner(), &service.Usage{})
	}
	first, size, err := pages.Sized(r.sizeFor(set), func(size int) (*pages.Page, error) { return read(0, size) })
	if err != nil || first.Table.Rows == 0 {
		return time.Time{}, err
	}
	at, end := first.Table.Earliest(set.TimeFields[0]), max(first.Pages, (first.Total+first.Table.Rows-1)/first.Table.Rows)
	if end <= 1 {
		return at, nil
	}
	last, err := read(end-1, size)
	if err != nil {
		return at, err
	}
	return columns.Earlier(at, last.Table.Earliest(set.TimeFields[0])), nil
}
