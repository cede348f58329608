package list

import (
	"context"
	"flag"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/paging"
)

var (
	smallSeeds = flag.Int("smallseeds", 300, "small worlds of each kind")
	smallFrom  = flag.Int("smallfrom", 0, "the first of them")
)

// small is a small world with two lists, of all tasks and of the newer ones, each of which begins with what is known of the
// other one.
type small struct {
	*cancels
	r     *rand.Rand
	lists [2]*List
}

func newSmall(t *testing.T, seed int, events []func(*world)) *small {
	r := rand.New(rand.NewPCG(uint64(seed), 77))
	w := &world{Rand: rand.New(rand.NewPCG(uint64(seed), 11)), all: map[int64]*task{}, events: events, size: 1 + r.IntN(4), now: time.Now().Add(-24 * time.Hour)}
	n := 12 + r.IntN(40)
	for i := range n {
		row := w.row()
		row.ended = n-i > 15 || w.IntN(3) > 0
		w.list = append(w.list, row)
	}
	slices.Reverse(w.list)
	s := &small{cancels: &cancels{world: w}, r: r}
	for i := range s.lists {
		s.renew(t, i)
	}
	return s
}

// renew forgets what is known of a list.
func (s *small) renew(t *testing.T, i int) {
	s.lists[i] = of(t, s.cancels, func(c *Config) {
		c.Concurrent = []int{1, 4}[s.r.IntN(2)]
	})
}

// other returns what is known of the other list if nothing is of this one and, at times, of all tasks when the newer ones are
// read.
func (s *small) other(ctx context.Context, which int) func(bool) *paging.Prediction {
	useLonger := which > 0 && s.r.IntN(2) > 0
	return func(isKnown bool) *paging.Prediction {
		if !isKnown {
			return s.lists[1-which].Known()
		}
		if !useLonger {
			return nil
		}
		defer func(hidden int64) { s.world.hidden = hidden }(s.world.hidden)
		s.world.hidden = 0
		if got, err := s.lists[0].Read(ctx, time.Now(), nil); err != nil || got.Lack != paging.Complete {
			return nil
		}
		return s.lists[0].Known()
	}
}

// change lets the world change between two reads, up to eleven times.
func (s *small) change() {
	w := s.world
	for range s.r.IntN(12) {
		if s.r.IntN(2) == 0 && len(w.list) > 3*w.size+4 {
			w.tick++
			w.events[w.IntN(len(w.events))](w)
		}
	}
	w.tick += 3 * len(w.all) // A row that has just come may be on no page that was counted: refer to check.
	for len(w.list) < 3*w.size+8 {
		oneComes(w)
	}
}

// Small lists that change a lot: reads, canceled or not, with many changes between and during them. This is the oracle of
// what cannot be proven: in which worlds an answer claims to be complete and is not.
func TestSmallWorlds(t *testing.T) {
	worlds := map[string][]func(*world){
		"slides":    {comes, slides, ends, runs},
		"deletions": {comes, slides, ends, deletes},
		"rolls":     {rolls, deletes, ends},
		"replaces":  {rolls, replaces, ends},
		"lastjumps": {comes, lastJumps, deletes, ends},
		"jumps":     {comes, jumps, slides, deletes},
		"touches":   {comes, touches, slides, deletes},
		"all":       {comes, slides, ends, runs, deletes, rolls, replaces, lastJumps, jumps},
	}
	for name, events := range worlds {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var f faults
			for seed := *smallFrom; seed < *smallFrom+*smallSeeds; seed++ {
				s := newSmall(t, seed, events)
				w := s.world
				for op := range 8 {
					s.change()
					which := 0
					// Where tasks jump without a change, a look can see too little of the order to doubt what another list knows.
					if w.hidden = 0; s.r.IntN(3) == 0 && name != "lastjumps" && name != "all" {
						which, w.hidden = 1, w.next/3
					}
					if s.r.IntN(6) == 0 {
						s.renew(t, which)
					}
					w.busy = []int{0, 0, 20, 60, 150}[s.r.IntN(5)]
					ctx, cancel := context.WithCancel(t.Context())
					if s.left = -1; s.r.IntN(4) == 0 {
						s.left, s.cancel = 1+s.r.IntN(2+len(w.list)/w.size), cancel
					}
					from := w.tick
					w.tick++
					got, err := s.lists[which].Read(ctx, time.Now(), s.other(ctx, which))
					cancel()
					s.left = -1
					if err != nil {
						continue
					}
					before := f.wrong()
					if w.judge(&f, got, from); f.wrong() > before {
						t.Logf("seed %d, read %d of list %d, pages of %d: %+v, reused %d", seed, op, which, w.size, f, got.Cost.Reused)
					}
				}
			}
			t.Logf("%+v", f)
			// In lists of one row a page, which change with most requests, about one read in 100,000 is wrong.
			require.LessOrEqual(t, f.wrong(), 1+f.right/20_000)
		})
	}
}
