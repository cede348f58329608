package reads

import (
	"flag"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// protocolWorlds is how many worlds of each kind are tested: go test ./pkg/reads -run Protocol -worlds 500
var protocolWorlds = flag.Int("worlds", 3, "random worlds of each kind in TestProtocol")

// stepsOfAWorld is how often each world is read again.
const stepsOfAWorld = 8

func (w *robots) oneIn(n int) bool { return w.IntN(n) == 0 }

// protocolSteps are the possible changes between two reads in worlds that satisfy the assumptions of repeated reads.
var protocolSteps = map[string]func(w *robots){
	"nothing": func(*robots) {},
	"new, ended, window slides": func(w *robots) {
		w.advance()
		for range w.IntN(5) {
			w.add()
		}
		w.slide(w.IntN(12))
	},
	"one vanishes": func(w *robots) {
		w.advance()
		for range w.IntN(3) {
			w.add()
		}
		w.vanish()
	},
	"one vanishes, one comes": func(w *robots) { w.vanish(); w.add() },
	"some vanish, window slides": func(w *robots) {
		for range 1 + w.IntN(3) {
			w.vanish()
		}
		w.slide(w.IntN(30))
		for range w.IntN(4) {
			w.add()
		}
	},
	"many come": func(w *robots) {
		for range w.IntN(120) {
			w.add()
		}
		w.advance()
		w.slide(w.IntN(100))
	},
	"one is stuck, one has an unknown state": func(w *robots) {
		for i := range w.tasks {
			switch t := &w.tasks[i]; {
			case t.state == "RUNNING" && w.oneIn(4):
				t.state = "SUSPENDED"
			case t.state == "SUSPENDED" && w.oneIn(2):
				t.items++
			}
		}
		w.advance()
		w.add()
	},
	"oldest first": func(w *robots) {
		if newest := slices.IsSortedFunc(w.tasks, func(a, b task) int { return b.id - a.id }); newest {
			slices.Reverse(w.tasks)
		}
		w.advance()
		w.tasks = append(w.tasks[w.IntN(2):], w.task("START"))
	},
	"order breaks": func(w *robots) {
		w.advance()
		w.tasks = slices.Insert(w.tasks, w.IntN(len(w.tasks)), w.task("START"))
	},
	"canceled in numbers": func(w *robots) {
		for i := range w.tasks {
			if t := &w.tasks[i]; t.state == "START" || t.state == "RUNNING" {
				t.state = "CANCELED"
			}
		}
		for range w.IntN(40) {
			w.add()
		}
	},
	"unknown fields": func(w *robots) {
		w.advance()
		w.add()
		w.tasks[0].extra = []string{`,"zone":"a"`, `,"zone":1`, `,"note":{}`, `,"zone":null`, ""}[w.IntN(5)]
		w.slide(w.IntN(3))
	},
	"page size changes": func(w *robots) {
		w.add()
		if w.oneIn(3) {
			w.size = 5 + w.IntN(20)
		}
	},
	"empty, and full again": func(w *robots) {
		if w.oneIn(3) {
			w.slide(len(w.tasks))
			return
		}
		for range 100 + w.IntN(200) {
			w.add()
		}
	},
}

// A repeated read must return what a full read at the same time returns, cell by cell, whatever happened in between.
func TestProtocol(t *testing.T) {
	for name, step := range protocolSteps {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			kept, fell, requests, whole := 0, 0, 0, 0
			for seed := range uint64(inShort(*protocolWorlds)) {
				w := newRobots(seed, 150+int(seed*37%300), 5+int(seed%16))
				w.largest = []int{0, 0, 50, 10}[seed%4]
				w.advance()
				again, plain := startRobots(t, w, withPageSize(30))
				readTasks(t, again)
				for n := range stepsOfAWorld {
					w.change(step)
					var got, want *Result
					requests += w.cost(func() { got = readTasks(t, again) })
					whole += w.cost(func() { want = readTasks(t, plain) })
					requireSame(t, want.Table, got.Table, fmt.Sprintf("world %d, step %d", seed, n))
					require.Equal(t, want.Warnings, got.Warnings)
					require.Equal(t, want.Total, got.Total)
					if got.Stats.Kept > 0 {
						kept++
					} else {
						fell++
					}
				}
			}
			t.Logf("%d rounds: %d in part, %d whole; %.2f of the requests of whole reads", kept+fell, kept, fell, float64(requests)/float64(whole))
		})
	}
}

// While pages are read, rows are added, end, and disappear, requests fail, and two reads run concurrently: the result
// is a state of the service during the read, unless a warning says that the data changed.
func TestProtocolWhileDataChanges(t *testing.T) {
	kept := 0
	for seed := range uint64(*protocolWorlds * 5) {
		w := newRobots(seed, 200+int(seed*53%200), 8+int(seed%13))
		f := servicetest.New().Data(tasksPath, faulty(w))
		server := f.Start(t)
		c := newReads(t, server.URL, server.Client(), incremental)
		readTasks(t, c)
		moments := [][]int64{idsOf(w)}
		w.change(func(w *robots) {
			w.before = func() {
				if !w.oneIn(5) {
					return
				}
				w.advance()
				if w.oneIn(2) {
					w.add()
				}
				if w.oneIn(3) {
					w.slide(1)
				}
				if w.oneIn(12) {
					w.vanish()
				}
				moments = append(moments, idsOf(w))
			}
		})
		var both sync.WaitGroup
		results := make([]*Result, 2)
		for i := range results {
			both.Go(func() { results[i], _ = c.Read(t.Context(), lastDays(30)) })
		}
		both.Wait()
		server.Close()
		for _, result := range results {
			require.NotNil(t, result)
			if result.Stats.Kept == 0 {
				continue // A full read: see TestNothingIsLostSilently.
			}
			kept++
			got := ids(result)
			assert.True(t, slices.ContainsFunc(moments, func(m []int64) bool { return slices.Equal(m, got) }), "world %d", seed)
		}
	}
	t.Logf("%d reads in part", kept)
	assert.Positive(t, kept)
}

// faulty is a world in which some requests fail once.
func faulty(w *robots) http.HandlerFunc {
	var mu sync.Mutex
	n := 0
	return func(rw http.ResponseWriter, r *http.Request) {
		mu.Lock()
		n++
		fails := n%29 == 0
		mu.Unlock()
		if fails {
			servicetest.Drop(rw, r)
			return
		}
		w.ServeHTTP(rw, r)
	}
}

func idsOf(w *robots) []int64 {
	var ids []int64
	for _, t := range w.tasks {
		ids = append(ids, int64(t.id))
	}
	return ids
}
