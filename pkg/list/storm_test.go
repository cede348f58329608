package list

import (
	"context"
	"flag"
	"fmt"
	"github.com/insights/insights-reporting-datasource/pkg/paging"
	"math/rand/v2"
	"slices"
	"sort"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/service"
)

var (
	stormSeeds   = flag.Int("stormseeds", 1, "")
	stormCallers = flag.Int("stormcallers", 8, "")
	stormTime    = flag.Duration("stormtime", 1500*time.Millisecond, "")
	stormSize    = flag.Int("stormsize", 10, "")
	stormErrors  = flag.Int("stormerrors", 0, "")
	stormOnly    = flag.String("stormworld", "", "")
)

type mark struct {
	tick int
	at   time.Time
}

// storm is a world with windows of days, in which callers with any goals come and go.
type storm struct {
	mu       sync.Mutex
	r        *rand.Rand
	list     []*task
	all      map[int64]*task
	tick     int
	next     int64
	offset   time.Duration
	clocks   []time.Duration // offset at each tick
	marks    []mark
	busy     int
	events   []func(*storm)
	size     int
	calendar bool
}

const spacing = 20 * time.Minute

func newStorm(seed uint64, busy int, calendar bool, events []func(*storm)) *storm {
	s := &storm{r: rand.New(rand.NewPCG(seed, 3)), all: map[int64]*task{}, busy: busy, events: events, size: *stormSize, calendar: calendar, clocks: []time.Duration{0}}
	n := 5 * 72
	for i := range n {
		s.next++
		r := &task{id: s.next, created: time.Now().Add(-time.Duration(n-i) * spacing), since: []int{0}, died: -1, ended: n-i > 60 || s.r.IntN(5) > 0}
		s.all[r.id] = r
		s.list = append(s.list, r)
	}
	slices.Reverse(s.list)
	return s
}

func (s *storm) step() {
	s.tick++
	if s.r.IntN(1000) < s.busy {
		s.events[s.r.IntN(len(s.events))](s)
	}
	s.clocks = append(s.clocks, s.offset)
}

func (s *storm) come() {
	s.next++
	r := &task{id: s.next, created: time.Now().Add(s.offset), born: s.tick, died: -1, since: []int{s.tick}}
	s.all[r.id] = r
	s.list = slices.Insert(s.list, 0, r)
}
func stormComes(s *storm) {
	for range 1 + s.r.IntN(3) {
		s.come()
	}
}
func stormMany(s *storm) {
	for range s.size + s.r.IntN(s.size) {
		s.come()
	}
}
func stormSlides(s *storm) {
	if s.offset < 20*time.Hour {
		s.offset += spacing
	}
}
func stormRolls(s *storm) { s.come(); stormSlides(s) }
func (s *storm) drop(i int) {
	s.list[i].died = s.tick
	s.list = slices.Delete(s.list, i, i+1)
}
func stormDeletes(s *storm)  { s.drop(s.r.IntN(len(s.list))) }
func stormReplaces(s *storm) { s.drop(s.r.IntN(len(s.list))); s.come() }
func stormEnds(s *storm) {
	open := []*task{}
	for _, r := range s.list {
		if !r.ended && time.Since(r.created) < 40*time.Hour {
			open = append(open, r)
		}
	}
	if len(open) > 0 {
		r := open[s.r.IntN(len(open))]
		r.ended = s.r.IntN(2) == 0
		r.version++
		r.since = append(r.since, s.tick)
	}
}

func (s *storm) begin(offset time.Duration, days int) time.Time {
	now := time.Now().Add(offset)
	if s.calendar {
		return now.Truncate(24*time.Hour).AddDate(0, 0, -(days - 1))
	}
	return now.Add(-time.Duration(days) * 24 * time.Hour)
}

func (s *storm) window(days int) []*task {
	begin := s.begin(s.offset, days)
	n := sort.Search(len(s.list), func(i int) bool { return !s.list[i].created.After(begin) })
	return s.list[:n]
}

// stormDays is the list of so many days of a storm.
type stormDays struct {
	*storm
	days int
}

func (d stormDays) Page(ctx context.Context, r PageRequest) (*paging.Response, error) {
	s := d.storm
	s.mu.Lock()
	wait := time.Duration(s.r.IntN(400)) * time.Microsecond
	s.mu.Unlock()
	time.Sleep(wait)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.step()
	if *stormErrors > 0 && s.r.IntN(*stormErrors) == 0 {
		return nil, &service.Error{Kind: service.ErrUnavailable, Message: "down"}
	}
	list := s.window(d.days)
	begin := min(r.Number*s.size, len(list))
	p := pages.Empty(tasks)
	p.Total, p.Pages = len(list), (len(list)+s.size-1)/s.size
	fill(p, list[begin:min(begin+s.size, len(list))])
	return &paging.Response{Page: p, Organization: "acme", Requests: 1}, nil
}

func (s *storm) mark() mark {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := mark{s.tick, time.Now()}
	s.marks = append(s.marks, m)
	return m
}

func (s *storm) judge(days int, r *paging.Result, m mark) (wrong string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	got := map[int64]bool{}
	ids, versions := r.Table.Column("id").Integers, r.Table.Column("processedItems").Numbers
	margin := 5 * time.Second // of begin, which moves with the real clock
	for i, id := range ids {
		t := s.all[id]
		switch {
		case got[id]:
			return fmt.Sprintf("twice: %d", id)
		case t.died >= 0 && t.died <= m.tick:
			return fmt.Sprintf("ghost: %d died %d, mark %d, now %d", id, t.died, m.tick, s.tick)
		case t.created.Before(s.begin(s.clocks[m.tick], days).Add(-margin)):
			return fmt.Sprintf("ghost of window: %d created %v, begin then %v", id, t.created, s.begin(s.clocks[m.tick], days))
		case int(versions[i])+1 < len(t.since) && t.since[int(versions[i])+1] <= m.tick:
			return fmt.Sprintf("stale: %d version %v of %v, mark %d", id, versions[i], t.since, m.tick)
		}
		got[id] = true
	}
	rank := 0
	all := make([]*task, 0, len(s.all))
	for _, t := range s.all {
		all = append(all, t)
	}
	slices.SortFunc(all, func(a, b *task) int { return int(b.id - a.id) })
	for _, t := range all {
		if t.died >= 0 && t.died <= m.tick {
			continue
		}
		rank++
		if t.died >= 0 || t.born > m.tick {
			continue
		}
		if !t.created.After(s.begin(s.offset, days).Add(margin)) {
			continue
		}
		if !got[t.id] {
			return fmt.Sprintf("lost: %d born %d, mark %d, now %d (rank %d)", t.id, t.born, m.tick, s.tick, rank)
		}
	}
	return ""
}

var stormWorlds = []struct {
	name     string
	busy     int
	calendar bool
	events   []func(*storm)
}{
	{"new rows", 20, false, []func(*storm){stormComes, stormEnds}},
	{"slides", 20, false, []func(*storm){stormComes, stormEnds, stormSlides}},
	{"calendar", 20, true, []func(*storm){stormComes, stormEnds, stormSlides, stormMany}},
	{"rolls", 20, false, []func(*storm){stormRolls, stormEnds}},
	{"deletions", 20, false, []func(*storm){stormComes, stormEnds, stormDeletes, stormSlides}},
	{"replaces", 10, false, []func(*storm){stormReplaces, stormRolls, stormEnds, stormDeletes}},
	{"many", 10, false, []func(*storm){stormMany, stormEnds, stormDeletes, stormSlides}},
}

// stormLists are the lists of a storm. Each begins with what is known of another one.
type stormLists struct {
	*storm
	lock  sync.Mutex
	lists map[int]*List
}

// of returns the list of so many days, which may be new, as if it had been evicted.
func (l *stormLists) of(t *testing.T, days int, isNew bool) *List {
	l.lock.Lock()
	defer l.lock.Unlock()
	if l.lists[days] == nil || isNew {
		l.lists[days] = of(t, stormDays{l.storm, days}, func(c *Config) {
			c.Interval, c.Concurrent = 40*time.Millisecond, 4
		})
	}
	return l.lists[days]
}

// known returns what is known of any list.
func (l *stormLists) known() *paging.Prediction {
	l.lock.Lock()
	defer l.lock.Unlock()
	for _, other := range l.lists {
		if known := other.Known(); known != nil {
			return known
		}
	}
	return nil
}

// other returns what is known of another list if nothing is of this one, else of the longest list, which has just been read.
func (l *stormLists) other(ctx context.Context, t *testing.T, days int, since time.Time) func(bool) *paging.Prediction {
	return func(isKnown bool) *paging.Prediction {
		if !isKnown {
			return l.known()
		}
		if days == 5 {
			return nil
		}
		longest := l.of(t, 5, false)
		if got, err := longest.Read(ctx, since, nil); err != nil || got.Lack != paging.Complete {
			return nil
		}
		return longest.Known()
	}
}

func TestStormOfWorlds(t *testing.T) {
	for _, test := range stormWorlds {
		if *stormOnly != "" && *stormOnly != test.name {
			continue
		}
		t.Run(test.name, func(t *testing.T) {
			for seed := range uint64(*stormSeeds) {
				s := newStorm(seed, test.busy, test.calendar, test.events)
				lists := stormLists{storm: s, lists: map[int]*List{}}
				stop := time.Now().Add(*stormTime)
				var wg sync.WaitGroup
				var mu sync.Mutex
				counts := map[string]int{}
				for c := range *stormCallers {
					wg.Go(func() {
						r := rand.New(rand.NewPCG(seed, uint64(c)+100))
						for time.Now().Before(stop) {
							m := s.mark()
							if r.IntN(3) > 0 {
								s.mu.Lock()
								if old := s.marks[max(0, len(s.marks)-1-r.IntN(20))]; time.Since(old.at) < 60*time.Millisecond {
									m = old
								}
								s.mu.Unlock()
							}
							n := []int{1, 2, 3, 5}[r.IntN(4)]
							ctx, cancel := context.WithCancel(t.Context())
							if r.IntN(3) == 0 {
								ctx, cancel = context.WithTimeout(t.Context(), time.Duration(r.IntN(20000))*time.Microsecond)
							}
							got, err := lists.of(t, n, r.IntN(30) == 0).Read(ctx, m.at, lists.other(ctx, t, n, m.at))
							cancel()
							what := "answered"
							switch {
							case err != nil:
								what = "left"
							case got.Lack != paging.Complete:
								what = "lack " + string(got.Lack)
							default:
								if wrong := s.judge(n, got, m); wrong != "" {
									mu.Lock()
									if counts["WRONG"] < 4 {
										t.Errorf("%s seed %d: %d days: %s (shared %v, whole %v, at %v, since %v)", test.name, seed, n, wrong, got.Shared, got.Cost.Reused, got.AsOf.Format("05.000"), m.at.Format("05.000"))
									}
									counts["WRONG"]++
									mu.Unlock()
								}
							}
							mu.Lock()
							counts[what]++
							mu.Unlock()
							time.Sleep(time.Duration(r.IntN(3)) * time.Millisecond)
						}
					})
				}
				wg.Wait()
				s.mu.Lock()
				t.Log(test.name, seed, counts, "requests", s.tick, "rows", len(s.list))
				s.mu.Unlock()
				assert.Zero(t, counts["WRONG"])
			}
		})
	}
}
