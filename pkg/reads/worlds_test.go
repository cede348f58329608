package reads

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/paging"
	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// inShort returns how many of n random cases are tested. With the race detector, which makes them take many times as
// long, npm test runs the short form: a few of each kind.
func inShort(n int) int {
	if testing.Short() {
		return max(1, n/8)
	}
	return n
}

// randomWorld is a list of tasks that changes at random after each request.
type randomWorld struct {
	world
	*rand.Rand
	dated bool // the dates of its tasks show that the newest comes first
	gone  map[string]bool
	next  int
}

func newRandomWorld(seed uint64, step func(w *randomWorld)) *randomWorld {
	w := &randomWorld{Rand: rand.New(rand.NewPCG(seed, 7)), dated: seed%2 == 0, gone: map[string]bool{}, next: 1_000}
	w.size = 1 + w.IntN(6)
	for range 20 + w.IntN(120) {
		w.rows = append(w.rows, w.task())
	}
	slices.Reverse(w.rows)
	w.world.step = func(*world) { step(w) }
	return w
}

// task is the next task, newer than all before.
func (w *randomWorld) task() string {
	w.next++
	if !w.dated {
		return fmt.Sprintf(`{"id":%d}`, w.next)
	}
	return fmt.Sprintf(`{"id":%d,"dateCreation":%q}`, w.next, time.Unix(int64(w.next)*60, 0).UTC().Format(time.RFC3339))
}

func (w *randomWorld) oneIn(n int) bool { return w.IntN(n) == 0 }
func (w *randomWorld) comeInFront()     { w.rows = slices.Insert(w.rows, 0, w.task()) }

func (w *randomWorld) goAt(i int) {
	if len(w.rows) > 1 {
		w.gone[w.rows[i]] = true
		w.rows = slices.Delete(w.rows, i, i+1)
	}
}

func (w *randomWorld) goAtTheEnd()  { w.goAt(len(w.rows) - 1) }
func (w *randomWorld) goSomewhere() { w.goAt(w.IntN(len(w.rows))) }
func (w *randomWorld) swapInFront() { w.comeInFront(); w.goSomewhere() }

// Whatever is added or removed while pages are read, no row is duplicated, and a row that existed all the time is in
// the result, or a warning says that some may be missing, and the result is not cached.
func TestNothingIsLostSilently(t *testing.T) {
	for name, step := range map[string]func(w *randomWorld){
		"in front": func(w *randomWorld) {
			if w.oneIn(8) {
				w.comeInFront()
			}
		},
		"in front, and out at the end": func(w *randomWorld) {
			if w.oneIn(12) {
				w.comeInFront()
			}
			if w.oneIn(12) {
				w.goAtTheEnd()
			}
		},
		"in front, and out anywhere": func(w *randomWorld) {
			if w.oneIn(6) {
				w.comeInFront()
			}
			if w.oneIn(6) {
				w.goSomewhere()
			}
		},
		"one in, one out, seldom": func(w *randomWorld) {
			if w.oneIn(60) {
				w.swapInFront()
			}
		},
		"out anywhere, seldom": func(w *randomWorld) {
			if w.oneIn(60) {
				w.goSomewhere()
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			worlds, noticed := inShort(25), 0
			for seed := range uint64(worlds) {
				w := newRandomWorld(seed, step)
				start := slices.Clone(w.rows)
				result := readWorld(t, w)
				got := ids(result)
				require.Len(t, slices.Compact(sorted(got)), len(got), "seed %d: a row twice", seed)
				lost := 0
				for _, row := range start {
					if !w.gone[row] && !slices.ContainsFunc(got, func(id int64) bool { return strings.HasPrefix(row, fmt.Sprintf(`{"id":%d`, id)) }) {
						lost++
					}
				}
				require.Equal(t, len(result.Warnings) > 0, result.incomplete == paging.Moved, "seed %d: %v", seed, result.Warnings)
				require.False(t, lost > 0 && result.incomplete != paging.Moved, "seed %d: %d of %d rows are missing without a warning", seed, lost, len(start))
				if result.incomplete == paging.Moved {
					noticed++
				}
			}
			t.Logf("%d worlds: %d whole, %d with a warning", worlds, worlds-noticed, noticed)
		})
	}
}

// An unchanging world is read once.
func TestUnchangingWorld(t *testing.T) {
	for seed := range uint64(20) {
		w := newRandomWorld(seed, func(*randomWorld) {})
		f := servicetest.New().Data(tasksPath, w.ServeHTTP)
		result, err := start(t, f).Read(t.Context(), lastDays(7))
		require.NoError(t, err)
		require.NotEqual(t, paging.Moved, result.incomplete)
		require.Empty(t, result.Warnings)
		require.Equal(t, len(w.rows), result.Table.Rows)
		require.Equal(t, (len(w.rows)+w.size-1)/w.size, f.Count(tasksPath), "seed %d", seed)
	}
}

func readWorld(t *testing.T, w *randomWorld) *Result {
	t.Helper()
	f := servicetest.New().Data(tasksPath, w.ServeHTTP)
	server := f.Start(t)
	defer server.Close()
	result, err := inHaste(newReads(t, server.URL, server.Client(), func(c *settings) { c.MaxConcurrent = 1 + w.IntN(8) })).Read(t.Context(), lastDays(7))
	require.NoError(t, err)
	return result
}
