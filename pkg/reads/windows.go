package reads

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/insights/insights-reporting-datasource/pkg/service"
	"github.com/insights/insights-reporting-datasource/schema"
)

const (
	// windowsAtOnce is how many windows of one query are read concurrently, so that other queries can run.
	windowsAtOnce = 8
	// oneMoment is how far apart windows may have been read whose differences are the activity between their starts.
	oneMoment = time.Minute
)

// windowSet is the same question over several numbers of days, read at one moment: the difference of two windows is what
// happened between their starts, up to that moment. It is immutable.
type windowSet struct {
	at      time.Time       // when the oldest of them was read
	spread  time.Duration   // how much later the newest was
	isWhole bool            // none lacks rows
	isOfOne bool            // all belong to one organization
	windows map[int]*Result // by days
}

// Bytes returns the approximate memory.
func (s *windowSet) Bytes() int64 {
	var bytes int64
	for _, w := range s.windows {
		bytes += entryBytes + w.Table.Bytes()
	}
	return bytes
}

// Windows reads the same question over several numbers of days, descending, all as of one moment. That moment may be up to
// Config.FullReadInterval ago if the longest and the shortest window have gained the same since: then the activity between
// the starts of two windows has not changed. It passes on the results: days[0] first, then the others in any order, one at
// a time.
//
// The result is the shortest window, as fresh as other reads. The first error stops all reads, and is returned as from Read.
func (r *Reads) Windows(ctx context.Context, q Question, days []int, take func(n int, result *Result)) (*Result, error) {
	key := fmt.Sprint("windows of ", r.key(q.over(0).Question), days)
	since := time.Now().Add(-min(r.config.CacheTTL, oneMoment))
	now, err := r.windows(ctx, q, []int{days[0], days[len(days)-1]}, since)
	if err != nil {
		return nil, err
	}
	shortest := now.windows[days[len(days)-1]]
	kept, _ := r.cache.get(key).(*windowSet)
	if kept != nil && time.Since(kept.at) < r.config.FullReadInterval && kept.gainedSame(q.DataSet, now, days) {
		for n, d := range days {
			w := *kept.windows[d]
			w.Reused = true
			take(n, &w)
		}
		return shortest, nil
	}
	all, err := r.windows(ctx, q, days, since)
	if err == nil && !all.isOfOne {
		all, err = r.windows(ctx, q, days, time.Now()) // Some were read before the organization changed.
	}
	if err == nil && !all.isOfOne {
		err = &service.Error{Kind: ErrIncomplete, Message: "the organization changed while the windows of the query were read: refresh to read them again"}
	}
	if err != nil {
		return nil, err
	}
	switch {
	case all.spread >= oneMoment:
		longest := *all.windows[days[0]]
		longest.missing = fmt.Sprintf("its windows were read over %s, so what happened meanwhile is in some of them only: select fewer points", all.spread.Round(time.Second))
		longest.Warnings = append(slices.Clone(longest.Warnings), Warning{"moments", longest.missing})
		all.windows[days[0]] = &longest
	case r.config.Incremental && r.config.FullReadInterval > 0 && all.isWhole:
		r.cache.put(key, all)
	}
	for n, d := range days {
		take(n, all.windows[d])
	}
	return all.windows[days[len(days)-1]], nil
}

// over returns the question over other days.
func (q Question) over(days int) Question {
	q.Days = days
	return q
}

// rounding is the relative error of sums that are added in a different order.
const rounding = 1e-9

// gainedSame reports whether the longest and the shortest of some windows have gained the same since the set was read, in
// every row and every field that adds up over time, and nothing was lost. Otherwise, the data changed, a window lacks
// something, or a day has ended.
func (s *windowSet) gainedSame(set *schema.DataSet, now *windowSet, days []int) bool {
	longest, shortest := days[0], days[len(days)-1]
	if !now.isWhole || now.windows[longest].organization != s.windows[longest].organization || !now.isOfOne {
		return false
	}
	for _, field := range set.Fields {
		if !field.Additive {
			continue
		}
		long := gain(set.Key, field.Name, s.windows[longest], now.windows[longest])
		short := gain(set.Key, field.Name, s.windows[shortest], now.windows[shortest])
		for _, gained := range []map[string]change{long, short} {
			for key := range gained {
				slack := rounding * (long[key].scale + short[key].scale)
				if math.Abs(long[key].by-short[key].by) > slack || short[key].by < -slack {
					return false
				}
			}
		}
	}
	return true
}

// change is by how much a number has changed, and the sum of both numbers, to which the rounding is relative.
type change struct{ by, scale float64 }

// gain returns by how much a field of each row has changed. A row that is missing counts as 0.
func gain(key, field string, before, now *Result) map[string]change {
	gained := map[string]change{}
	for sign, w := range map[float64]*Result{-1: before, 1: now} {
		keys, values := w.Table.Column(key), w.Table.Column(field)
		for row, valid := range values.Valid {
			if valid {
				c := gained[keys.Text(row)]
				gained[keys.Text(row)] = change{c.by + sign*values.Numbers[row], c.scale + math.Abs(values.Numbers[row])}
			}
		}
	}
	return gained
}

// windows reads windows.
func (r *Reads) windows(ctx context.Context, q Question, days []int, since time.Time) (*windowSet, error) {
	results := make([]*Result, len(days))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(windowsAtOnce)
	for i, d := range days {
		group.Go(func() (err error) {
			defer service.Recover(&err)
			results[i], err = r.readSince(ctx, q.over(d), since)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	set := &windowSet{at: results[0].ReadAt, isWhole: true, isOfOne: true, windows: map[int]*Result{}}
	newest := set.at
	for i, w := range results {
		set.windows[days[i]] = w
		set.isWhole = set.isWhole && w.missing == ""
		set.isOfOne = set.isOfOne && w.organization == results[0].organization
		if w.ReadAt.Before(set.at) {
			set.at = w.ReadAt
		}
		if w.ReadAt.After(newest) {
			newest = w.ReadAt
		}
	}
	set.spread = newest.Sub(set.at)
	return set, nil
}
