package reads

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/insights/insights-reporting-datasource/pkg/budget"
	"github.com/insights/insights-reporting-datasource/pkg/paging"
	"github.com/insights/insights-reporting-datasource/pkg/service"
)

const (
	// windowsAtOnce is how many windows of one query are read concurrently: half of the concurrent reads of a data
	// source, so that other queries can run.
	windowsAtOnce = budget.ReadsAtOnce / 2
	// oneMoment is how far apart two sets may have been started that are of one moment: the panels of a dashboard.
	oneMoment = 5 * time.Second
)

// windowSet is the same question over several numbers of days, read at one moment: the difference of two windows is what
// happened between their starts, up to that moment. It is immutable.
type windowSet struct {
	began   time.Time
	windows map[int]*Result // by days
	until   time.Time
}

func (s *windowSet) usefulUntil() time.Time { return s.until }

func (s *windowSet) size() int64 {
	var size int64
	for _, r := range s.windows {
		size += r.size() + r.Table.Bytes() + r.texts
	}
	return size
}

// has reports whether the set has windows of all these days.
func (s *windowSet) has(days []int) bool {
	return s != nil && !slices.ContainsFunc(days, func(d int) bool { return s.windows[d] == nil })
}

// Windows reads the same question over several numbers of days, descending, all as of one moment. That moment may be up to
// Config.FullReadInterval ago: what happened between the starts of two windows changes only by this shift. It passes on
// the results one at a time: days[0] first, then the others as they arrive.
//
// The result is the window of newest, one of days, as fresh as other reads: what happened since its start. It is nil if
// newest is 0, for windows that are all in the past. The first error stops all reads, and is returned as from Read.
func (c *Reads) Windows(ctx context.Context, r Read, days []int, newest int, take func(n int, result *Result)) (*Result, error) {
	key := "windows of " + c.key(r.over(0))
	set, _ := c.cache.get(key).(*windowSet)
	if set.has(days) {
		now, err := c.since(ctx, r, newest)
		if err != nil {
			return nil, err
		}
		if !now.hasRowsBeyond(set.windows[days[0]]) {
			for n, d := range days {
				take(n, set.windows[d].reused())
			}
			return now, nil
		}
	}
	began, windows, moved := time.Now(), map[int]*Result{}, false
	err := c.readWindows(ctx, r, days, func(n int, result *Result) {
		windows[days[n]] = result
		moved = moved || result.incomplete == paging.Moved
		take(n, result)
	})
	if err != nil {
		return nil, err
	}
	if !moved {
		c.keepWindows(key, &windowSet{began: began, windows: windows})
	}
	return windows[newest], nil
}

// since returns the window of so many days; nil for none.
func (c *Reads) since(ctx context.Context, r Read, days int) (*Result, error) {
	if days == 0 {
		return nil, nil
	}
	return c.Read(ctx, r.over(days))
}

// over returns the question over other days.
func (r Read) over(days int) Read {
	r.Days = days
	return r
}

// hasRowsBeyond reports whether a result has rows that a longer window of an earlier moment has not.
func (r *Result) hasRowsBeyond(longest *Result) bool {
	if r == nil {
		return false
	}
	known := map[string]bool{}
	keys := longest.Table.Column(r.set.Key)
	for row := range longest.Table.Rows {
		known[keys.Text(row)] = true
	}
	keys = r.Table.Column(r.set.Key)
	for row := range r.Table.Rows {
		if !known[keys.Text(row)] {
			return true
		}
	}
	return false
}

// keepWindows keeps a set of windows. Those of a set that was just read belong to the same moment.
func (c *Reads) keepWindows(key string, set *windowSet) {
	if !c.config.Incremental || c.config.FullReadInterval == 0 {
		return
	}
	c.cache.update(key, func(e entry) entry {
		before, _ := e.(*windowSet)
		if before != nil && set.began.Sub(before.began).Abs() < oneMoment {
			maps.Insert(set.windows, maps.All(before.windows))
			set.began = before.began
		}
		set.until = set.began.Add(c.config.FullReadInterval)
		return set
	})
}

// readWindows reads all windows.
func (c *Reads) readWindows(ctx context.Context, r Read, days []int, take func(n int, result *Result)) error {
	var turn sync.Mutex
	read := func(ctx context.Context, n int) (err error) {
		defer service.Recover(&err)
		result, err := c.Read(ctx, r.over(days[n]))
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
