package reads

import (
	"context"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/service"
)

const (
	// windowsAtOnce is how many windows of one query are read concurrently, so that other queries can run.
	windowsAtOnce = 8
	// oneMoment is how far apart windows may have been read whose differences are the activity between their starts.
	oneMoment = time.Minute
)

// Windows reads the same question over several numbers of days, descending, all as of one moment: the difference of two
// windows is what happened between their starts, up to that moment.
//
// The first error stops all reads, and is returned as from Read.
func (r *Reads) Windows(ctx context.Context, q pages.Question, days []int) ([]*Result, error) {
	windows, err := r.windows(ctx, q, days, time.Now().Add(-min(r.config.CacheTTL, oneMoment)))
	if err == nil && !areOfOne(windows) {
		windows, err = r.windows(ctx, q, days, time.Now()) // Some were read before the organization changed.
	}
	if err == nil && !areOfOne(windows) {
		err = &service.Error{Kind: ErrIncomplete, Message: "the organization changed while the windows of the query were read: refresh to read them again"}
	}
	if err != nil {
		return nil, err
	}
	if spread := spreadOf(windows); spread >= oneMoment {
		missing := fmt.Sprintf("its windows were read over %s, so what happened meanwhile is in some of them only: select fewer points", spread.Round(time.Second))
		windows[0].missing, windows[0].Warnings = missing, append(windows[0].Warnings, Warning{"moments", missing})
	}
	if areAlike(windows, q.DataSet.CountField) {
		windows[0].Warnings = append(windows[0].Warnings, Warning{"days", fmt.Sprintf(
			"the service returns the same totals for %d and for %d days: all of them are from the latter, or it does not heed the number of days", days[0], days[len(days)-1])})
	}
	return windows, nil
}

// windows reads windows.
func (r *Reads) windows(ctx context.Context, q pages.Question, days []int, since time.Time) ([]*Result, error) {
	windows := make([]*Result, len(days))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(windowsAtOnce)
	for i, d := range days {
		group.Go(func() (err error) {
			defer service.Recover(&err)
			windows[i], err = r.list(over(q, d), 0).answer(ctx, since, nil)
			return err
		})
	}
	return windows, group.Wait()
}

// areOfOne reports whether windows belong to one organization.
func areOfOne(windows []*Result) bool {
	return !slices.ContainsFunc(windows, func(w *Result) bool { return w.Organization != windows[0].Organization })
}

// spreadOf returns how long it took to read windows, from the first request to the last response.
func spreadOf(windows []*Result) time.Duration {
	first, last := windows[0].AsOf, windows[0].AsOf
	for _, w := range windows {
		if w.AsOf.Before(first) {
			first = w.AsOf
		}
		if end := w.AsOf.Add(w.Stats.Took); end.After(last) {
			last = end
		}
	}
	return last.Sub(first)
}
