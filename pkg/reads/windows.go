package reads

import (
	"context"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/insights/insights-reporting-datasource/pkg/flight"
)

// windowsAtOnce is how many windows of one query are read concurrently: half of the concurrent reads of a data source,
// so that other queries can run.
const windowsAtOnce = readsAtOnce / 2

// Windows reads the same question over several numbers of days, and passes on the results one at a time: days[0] first,
// then the others, which are read concurrently, as they arrive. Each is a normal read, shared and cached. The first
// error stops them all, and is returned as from Read.
func (c *Reads) Windows(ctx context.Context, r Read, days []int, take func(n int, result *Result)) error {
	var turn sync.Mutex
	read := func(ctx context.Context, n int) (err error) {
		defer flight.Recover(&err)
		window := r
		window.Days = days[n]
		result, err := c.Read(ctx, window)
		if err != nil {
			return err
		}
		turn.Lock()
		defer turn.Unlock()
		take(n, result)
		return nil
	}
	if err := read(ctx, 0); err != nil {
		return err
	}
	group, together := errgroup.WithContext(ctx)
	group.SetLimit(windowsAtOnce)
	for n := 1; n < len(days) && together.Err() == nil; n++ {
		group.Go(func() error { return read(together, n) })
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return context.Cause(ctx)
}
