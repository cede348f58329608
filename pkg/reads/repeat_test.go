package reads

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// tenThousand is 10,000 tasks, eight of which have not ended.
func tenThousand(largest int) *robots {
	w := newRobots(1, 9_992, 20)
	w.largest = largest
	for range 8 {
		w.add()
	}
	return w
}

// five are added, and four end.
func fiveAndFour(w *robots) {
	for i := range 4 {
		w.tasks[2*i].state = "FINISHED"
	}
	for range 5 {
		w.add()
	}
	w.slide(3)
}

func stuckDeepDown(w *robots) { w.tasks[7_777].state = "RUNNING" }

func TestRequestsOfAFirstRead(t *testing.T) {
	if testing.Short() {
		t.Skip("counts requests, which the race detector doesn't change")
	}
	for name, test := range map[string]struct{ largest, most int }{
		"honored up to 1000": {largest: 1000, most: 25},
		"honored up to 100":  {largest: 100, most: 101},
		"ignored":            {largest: 0, most: 500},
		"refused":            {largest: -1, most: 502},
	} {
		t.Run(name, func(t *testing.T) {
			w := newRobots(1, 10_000, 20)
			w.largest = test.largest
			c, _ := startRobots(t, w, withPageSize(500))
			cost := w.cost(func() { require.Equal(t, 10_000, readTasks(t, c).Table.Rows) })
			assert.LessOrEqual(t, cost, test.most)
			t.Logf("%d requests", cost)
		})
	}
}

func TestRequestsOfARepeatedRead(t *testing.T) {
	if testing.Short() {
		t.Skip("counts requests, which the race detector doesn't change")
	}
	for name, test := range map[string]struct {
		largest, most int
		stuck         bool
		step          func(*robots)
	}{
		"unchanged, 20":          {most: 4, step: func(*robots) {}},
		"unchanged, 500":         {largest: 500, most: 4, step: func(*robots) {}},
		"five and four, 20":      {most: 12, step: fiveAndFour},
		"five and four, 500":     {largest: 500, most: 4, step: fiveAndFour},
		"stuck deep down, 20":    {stuck: true, most: 8, step: fiveAndFour},
		"stuck deep down, 500":   {largest: 500, stuck: true, most: 5, step: fiveAndFour},
		"stuck, unchanged, 20":   {stuck: true, most: 5, step: func(*robots) {}},
		"stuck, unchanged, 1000": {largest: 1000, stuck: true, most: 5, step: func(*robots) {}},
	} {
		t.Run(name, func(t *testing.T) {
			w := tenThousand(test.largest)
			if test.stuck {
				stuckDeepDown(w)
			}
			again, whole := startRobots(t, w, withPageSize(500))
			first := readTasks(t, again)
			w.change(test.step)
			var repeated *Result
			cost := w.cost(func() { repeated = readTasks(t, again) })
			assert.LessOrEqual(t, cost, test.most)
			assert.Positive(t, repeated.Stats.Kept)
			assert.Empty(t, repeated.Warnings)
			requireSame(t, readTasks(t, whole).Table, repeated.Table, name)
			t.Logf("%d requests after %d, %d of %d rows kept", cost, first.Stats.Requests, repeated.Stats.Kept, repeated.Table.Rows)
		})
	}
}

func TestNothingChangedGivesTheSameTable(t *testing.T) {
	again, _ := startRobots(t, newRobots(1, 400, 20))
	first, size := readTasks(t, again), bytesKept(again)
	repeated := readTasks(t, again)
	assert.Same(t, first.Table, repeated.Table, "so that what was judged on it stays known")
	assert.Equal(t, size, bytesKept(again), "what a cache holds does not grow with every refresh")
}

func bytesKept(c *Reads) int64 {
	c.cache.mu.Lock()
	defer c.cache.mu.Unlock()
	return c.cache.bytes
}

// Rows that came or went anywhere are found with few pages.
func TestMends(t *testing.T) {
	for name, test := range map[string]struct {
		step func(w *robots)
		most int
	}{
		"one gone from the middle":        {(*robots).vanish, 30},
		"one gone, one came":              {func(w *robots) { w.vanish(); w.add() }, 30},
		"one gone, and the window slides": {func(w *robots) { w.vanish(); w.slide(30) }, 30},
		"one came in the middle":          {func(w *robots) { w.tasks = slices.Insert(w.tasks, w.inTheMiddle(), w.task("START")) }, 30},
		"three gone, five came, two ended": {func(w *robots) {
			w.tasks[0].state, w.tasks[3].state = "FINISHED", "FINISHED"
			for range 3 {
				w.vanish()
			}
			for range 5 {
				w.add()
			}
		}, 60},
	} {
		t.Run(name, func(t *testing.T) {
			w := newRobots(1, 4_000, 20)
			again, whole := startRobots(t, w)
			readTasks(t, again)
			w.change(test.step)
			var repeated *Result
			cost := w.cost(func() { repeated = readTasks(t, again) })
			assert.LessOrEqual(t, cost, test.most)
			t.Logf("%d requests", cost)
			assert.Positive(t, repeated.Stats.Kept)
			requireSame(t, readTasks(t, whole).Table, repeated.Table, name)
		})
	}
}

// What cannot be mended leads to a full read in the same query.
func TestFallsBack(t *testing.T) {
	for name, step := range map[string]func(w *robots){
		"most of them are gone":          func(w *robots) { w.slide(len(w.tasks) - 3) },
		"an ended task in front changed": func(w *robots) { w.tasks[2].items++ },
		"too many have not ended": func(w *robots) {
			for i := range w.tasks {
				w.tasks[i].state = "RUNNING"
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newRobots(1, 400, 20)
			again, whole := startRobots(t, w)
			readTasks(t, again)
			w.change(step)
			repeated := readTasks(t, again)
			assert.Zero(t, repeated.Stats.Kept)
			requireSame(t, readTasks(t, whole).Table, repeated.Table, name)
		})
	}
}

// A read with too many unfinished rows is not repeated in part, because it would check all of them only to give up.
func TestNoBaseOfUnfinishedRows(t *testing.T) {
	w := newRobots(1, 4_000, 20)
	w.each(func(t *task) { t.state = "RUNNING" })
	again, _ := startRobots(t, w)
	readTasks(t, again)
	w.change(func(w *robots) { w.each(func(t *task) { t.items++ }) })
	assert.LessOrEqual(t, w.cost(func() { readTasks(t, again) }), 201)
}

// A rejected page proves nothing.
func TestRefusedPages(t *testing.T) {
	for name, refuse := range map[string]func(w *robots){
		"the size is not accepted any more": func(w *robots) { w.largest = -1 },
		"the last page goes": func(w *robots) {
			page0 := w.requests
			w.strict, w.before = true, func() {
				if w.requests > page0+1 {
					w.tasks = w.tasks[:400]
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newRobots(1, 401, 20)
			w.largest = 25
			again, whole := startRobots(t, w, withPageSize(20))
			readTasks(t, again)
			w.change(refuse)
			repeated := readTasks(t, again)
			requireSame(t, readTasks(t, whole).Table, repeated.Table, name)
		})
	}
}

// These always need a full read, because rows of an earlier one predict nothing.
func TestNoPrediction(t *testing.T) {
	for name, prepare := range map[string]func(w *robots){
		"an unknown field of several types": func(w *robots) { w.tasks[3].extra, w.tasks[4].extra = `,"x":1`, `,"x":"one"` },
		"an unknown field without values":   func(w *robots) { w.tasks[3].extra = `,"x":null` },
		"cells that do not fit":             func(w *robots) { w.tasks[3].extra = `,"totalItems":"many"` },
		"a row that comes twice":            func(w *robots) { w.tasks[200] = w.tasks[201] },
	} {
		t.Run(name, func(t *testing.T) {
			w := newRobots(1, 400, 20)
			prepare(w)
			again, whole := startRobots(t, w)
			readTasks(t, again)
			w.change((*robots).add)
			repeated := readTasks(t, again)
			assert.Zero(t, repeated.Stats.Kept)
			requireSame(t, readTasks(t, whole).Table, repeated.Table, name)
		})
	}
}

func TestUnknownFieldsAreKept(t *testing.T) {
	w := newRobots(1, 400, 20)
	w.tasks[2].extra = `,"zone":"a","priority":1`
	w.tasks[150].extra = `,"note":{"by":"me"},"zone":"b"`
	again, whole := startRobots(t, w)
	readTasks(t, again)
	w.change(func(w *robots) {
		w.add()
		w.tasks[0].extra = `,"mood":true`
		w.add()
		w.tasks[0].extra = `,"zone":"c"`
	})
	repeated := readTasks(t, again)
	assert.Positive(t, repeated.Stats.Kept)
	requireSame(t, readTasks(t, whole).Table, repeated.Table, "columns of both")
}

// The limit of unknown fields applies to reused and new rows together.
func TestUnknownFieldsBeyondTheBound(t *testing.T) {
	fields := func(from int) string {
		var s strings.Builder
		for i := range 150 {
			fmt.Fprintf(&s, `,"u%d":1`, from+i)
		}
		return s.String()
	}
	w := newRobots(1, 400, 20)
	w.tasks[200].extra = fields(0)
	again, whole := startRobots(t, w)
	readTasks(t, again)
	w.change(func(w *robots) { w.add(); w.tasks[0].extra = fields(150) })
	want, got := readTasks(t, whole), readTasks(t, again)
	require.Len(t, want.Warnings, 1)
	assert.Equal(t, want.Warnings, got.Warnings)
	assert.Equal(t, want.Table.Names(), got.Table.Names())
}
