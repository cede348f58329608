package list

import (
	"context"
	"flag"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/insights/insights-reporting-datasource/pkg/paging"
)

var (
	stormSeeds = flag.Int("stormseeds", 1, "storms of each kind")
	stormTime  = flag.Duration("stormtime", 450*time.Millisecond, "how long each lasts, a third of it in a short run")
)

const (
	stormSpacing = 20 * time.Minute
	stormCallers = 8
	stormDays    = 5
)

// storm is a world with lists of so many days, in which callers with any goals come and go, or are told to ask again. Each list begins with what is
// known of another one.
type storm struct {
	*world
	isCalendar bool // days begin at midnight
	ended      chan struct{}
	lock       sync.Mutex
	lists      map[int]*List
	marks      []mark
	counts     map[string]int
}

func newStorm(seed, busy int, isCalendar bool, events []func(*world)) *storm {
	w := newWorld(seed, stormDays*72, 10, time.Now().Add(-stormDays*24*time.Hour), stormSpacing, events)
	w.busy, w.spacing, w.left = busy, time.Millisecond, -1
	return &storm{world: w, isCalendar: isCalendar, ended: make(chan struct{}), lists: map[int]*List{}, counts: map[string]int{}}
}

// of returns the part of so many days.
func (s *storm) of(days int) part {
	return part{s.world, func(now time.Time) time.Time {
		if s.isCalendar {
			return now.Truncate(24*time.Hour).AddDate(0, 0, 1-days)
		}
		return now.Add(-time.Duration(days) * 24 * time.Hour)
	}}
}

// listOf returns the list of so many days, which may be new, as if it had been evicted.
func (s *storm) listOf(t *testing.T, days int, isNew bool) *List {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.lists[days] == nil || isNew {
		s.lists[days] = of(t, s.of(days).Page, func(c *Config) { c.Interval, c.Concurrent, c.Ended = 40*time.Millisecond, 4, s.ended })
	}
	return s.lists[days]
}

// known returns what is known of any list.
func (s *storm) known(context.Context) *paging.Prediction {
	s.lock.Lock()
	defer s.lock.Unlock()
	for days := range stormDays {
		if other := s.lists[days+1]; other != nil && other.Known() != nil {
			return other.Known()
		}
	}
	return nil
}

// since returns the moment since which a caller wants rows to have been read: now, or lately.
func (s *storm) since(r *rand.Rand) mark {
	m := s.mark()
	s.lock.Lock()
	defer s.lock.Unlock()
	s.marks = append(s.marks, m)
	if r.IntN(3) > 0 {
		if old := s.marks[max(0, len(s.marks)-1-r.IntN(20))]; time.Since(old.at) < 60*time.Millisecond {
			return old
		}
	}
	return m
}

// call makes one read, from which the caller may leave.
func (s *storm) call(t *testing.T, r *rand.Rand) {
	m, days := s.since(r), []int{1, 2, 3, stormDays}[r.IntN(4)]
	ctx, cancel := context.WithCancel(t.Context())
	if r.IntN(3) == 0 {
		ctx, cancel = context.WithTimeoutCause(t.Context(), time.Duration(r.IntN(20000))*time.Microsecond, []error{nil, ErrSlow}[r.IntN(2)])
	}
	defer cancel()
	got, err := s.listOf(t, days, r.IntN(30) == 0).Read(ctx, m.at, s.known)
	what := "answered"
	switch {
	case err != nil:
		what = "left"
	case got.Lack != paging.Complete:
		what = "lack " + string(got.Lack)
	default:
		if wrong := s.of(days).wrong(got.Table, m); wrong != "" {
			what = "wrong"
			t.Logf("%d days: %s (shared %v, reused %d)", days, wrong, got.Shared, got.Cost.Reused)
		}
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	s.counts[what]++
}

func TestStorms(t *testing.T) {
	for _, test := range []struct {
		name       string
		busy       int
		isCalendar bool
		events     []func(*world)
	}{
		{"new rows", 20, false, []func(*world){comes, ends, runs}},
		{"days pass", 20, false, []func(*world){comes, ends, runs, passes}},
		{"calendar", 20, true, []func(*world){comes, ends, runs, passes, manyCome}},
		{"rolls", 20, false, []func(*world){func(w *world) { oneComes(w); passes(w) }, ends, runs}},
		{"deletions", 20, false, []func(*world){comes, ends, runs, drops, passes}},
		{"replaces", 10, false, []func(*world){func(w *world) { drops(w); oneComes(w) }, passes, ends, runs, drops}},
		{"many", 10, false, []func(*world){manyCome, ends, runs, drops, passes}},
	} {
		t.Run(test.name, func(t *testing.T) {
			for seed := range *stormSeeds {
				synctest.Test(t, func(t *testing.T) { newStorm(seed, test.busy, test.isCalendar, test.events).rages(t, seed) })
			}
		})
	}
}

// rages lets callers read for a while.
func (s *storm) rages(t *testing.T, seed int) {
	lasts := *stormTime
	if testing.Short() {
		lasts /= 3
	}
	stop := time.Now().Add(lasts)
	var callers sync.WaitGroup
	for c := range stormCallers {
		callers.Go(func() {
			r := rand.New(rand.NewPCG(uint64(seed), uint64(c)+100))
			for time.Now().Before(stop) {
				time.Sleep(time.Duration(r.IntN(int(3 * time.Millisecond)))) // Nobody calls at the same moment.
				s.call(t, r)
			}
		})
	}
	callers.Wait()
	close(s.ended) // Those who were told to ask again do not.
	time.Sleep(time.Second)
	t.Log(seed, s.counts, "requests", s.tick, "rows", len(s.list))
	assert.Zero(t, s.counts["wrong"])
	assert.Positive(t, s.counts["answered"])
}
