package reads

import (
	"fmt"
	"net/http"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/paging"
	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// Rows may be missing anywhere in a read that moved at every attempt, also among the first.
func TestShortQuestionOfALongReadThatMoved(t *testing.T) {
	w := weeks()
	c, _ := startRobots(t, w)
	deep, short := w.since(10), w.since(1)
	_, err := c.Read(t.Context(), deep)
	require.NoError(t, err)
	silent := 0
	for range 5 {
		w.change(func(w *robots) {
			w.before = func() {
				w.add()
				w.vanish()
				w.vanish()
			}
		})
		memory, err := c.budget.Reserve(t.Context())
		require.NoError(t, err)
		r := c.newReading([]Read{deep}, nil, memory)
		l, err := r.Read(t.Context(), c.goal(deep))
		require.NoError(t, err)
		result := r.result(l)
		answer := result.answer(short)
		if answer != nil {
			if result.Incomplete() != "" && answer.Incomplete() == "" {
				silent++
			}
		}
		w.change(func(w *robots) { w.before = nil })
	}
	require.Zero(t, silent)
}

// The first pages of an audit are old when it ends.
func TestAuditDoesNotGoBackInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newRobots(1, 400, 20)
		w.tasks[50].state = "RUNNING"
		f := servicetest.New().Data(tasksPath, func(rw http.ResponseWriter, r *http.Request) {
			w.ServeHTTP(rw, r)
			time.Sleep(time.Second)
		})
		c := startInBubble(t, f, incremental, withCache(2*time.Second))
		defer c.Close()
		state := func() string { return readTasks(t, c).Table.Column("state").Strings[50] }
		state()
		time.Sleep(11 * time.Minute)
		time.Sleep(4500 * time.Millisecond)
		w.change(func(w *robots) { w.tasks[50].state = "FINISHED" })
		time.Sleep(5 * time.Second)
		for c.auditing.Load() {
			time.Sleep(100 * time.Millisecond)
		}
		after := state()
		assert.Equal(t, "FINISHED", after)
	})
}

// A short table does not decide the page size of a deeper read.
func TestPageSizeOfAGroup(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newRobots(1, 4000, 20)
		w.largest = 500
		c := startInBubble(t, servicetest.New().Data(tasksPath, w.ServeHTTP), incremental, withPageSize(500))
		defer c.Close()
		cost := w.cost(func() {
			a := arrive(c, Read{Question: pages.Question{DataSet: tasks, Days: 30}, Goal: paging.Goal{Field: "dateCreation", Rows: 10}})
			b := arrive(c, lastDays(30))
			require.NoError(t, <-a.done)
			require.NoError(t, <-b.done)
			require.Equal(t, 4000, b.got.Table.Rows)
		})
		assert.LessOrEqual(t, cost, 12)
	})
}

// A small window does not drop what is known of the list.
func TestSmallWindowOfAKnownList(t *testing.T) {
	w := weeks()
	c, _ := startRobots(t, w)
	read := func(r Read) int {
		return w.cost(func() {
			_, err := c.Read(t.Context(), r)
			require.NoError(t, err)
		})
	}
	read(w.since(12))
	read(lastDays(1))
	assert.LessOrEqual(t, read(w.since(12)), 4)
}

// An audit is as deep as the longest time that was asked for.
func TestDepthOfAnAudit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := weeks()
		c := startRobotsInBubble(t, w)
		read := func(r Read) int {
			return w.cost(func() {
				_, err := c.Read(t.Context(), r)
				require.NoError(t, err)
			})
		}
		time.Sleep(11 * time.Minute)
		read(w.since(12))
		time.Sleep(time.Second)
		for c.auditing.Load() {
			time.Sleep(time.Second)
		}
		cost := read(w.since(12))
		assert.LessOrEqual(t, cost, 4)
	})
}

// A window that moved at every attempt is read again, as its warning says.
func TestWindowsThatMovedAreNotKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		moving, n := true, 0
		f := servicetest.New().Data(automationsPath, func(rw http.ResponseWriter, r *http.Request) {
			mu.Lock()
			defer mu.Unlock()
			if moving {
				n++
			}
			var rows []string
			for i := range 100 {
				rows = append(rows, fmt.Sprintf(`{"label":"a%d","taskCount":5}`, i+n))
			}
			for i := range n % 7 {
				rows = append(rows, fmt.Sprintf(`{"label":"b%d","taskCount":5}`, i+n))
			}
			number, _ := strconv.Atoi(r.URL.Query().Get("page"))
			servicetest.OK(servicetest.Envelope(rows, number, 20))(rw, r)
		})
		c := startInBubble(t, f, incremental, withCache(10*time.Second))
		defer c.Close()
		read := func() (why string) {
			_, err := c.Windows(t.Context(), Read{Question: pages.Question{DataSet: automations}}, []int{3, 2}, 0, func(n int, r *Result) { why += r.Incomplete() })
			require.NoError(t, err)
			return why
		}
		require.NotEmpty(t, read())
		mu.Lock()
		moving = false
		mu.Unlock()
		time.Sleep(5 * time.Minute)
		assert.Empty(t, read())
	})
}

// An audit that fails is not repeated at once.
func TestAuditThatFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newRobots(1, 400, 20)
		var mu sync.Mutex
		fails, pagesRead := false, 0
		var c *Reads
		f := servicetest.New().Data(tasksPath, func(rw http.ResponseWriter, r *http.Request) {
			mu.Lock()
			bad := fails && r.URL.Query().Get("page") == "18" && c.auditing.Load()
			pagesRead++
			mu.Unlock()
			if bad {
				rw.WriteHeader(500)
				return
			}
			w.ServeHTTP(rw, r)
		})
		c = startInBubble(t, f, incremental)
		defer c.Close()
		readTasks(t, c)
		mu.Lock()
		fails = true
		mu.Unlock()
		time.Sleep(11 * time.Minute)
		mu.Lock()
		pagesRead = 0
		mu.Unlock()
		for range 10 {
			_, _ = c.Read(t.Context(), lastDays(30))
			time.Sleep(20 * time.Second)
		}
		assert.Less(t, pagesRead, 70)
	})
}

// A board has a table of the 20 newest tasks of 13 days, and numbers of 11 days. An audit for the table alone would drop
// what is known, so that somebody waits for all pages.
func TestAuditIsNotForAShortTable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := weeks()
		c := startRobotsInBubble(t, w, withCache(time.Minute))
		table := Read{Question: pages.Question{DataSet: tasks, Days: 14}, Goal: paging.Goal{Field: "dateCreation", From: w.now.AddDate(0, 0, -13), To: w.now, Rows: 20}}
		load := func() {
			a, b := arrive(c, w.since(11)), arrive(c, table)
			require.NoError(t, <-a.done)
			require.NoError(t, <-b.done)
		}
		load()
		most := 0
		for range 30 {
			time.Sleep(2 * time.Minute)
			for c.auditing.Load() {
				time.Sleep(time.Second)
			}
			before := c.kept(c.key(table)).audited
			if cost := w.cost(load); c.kept(c.key(table)).audited.Equal(before) { // An audit that starts reads, too.
				most = max(most, cost)
			}
		}
		assert.LessOrEqual(t, most, 6, "a refresh that somebody waits for")
	})
}

// A rule reads the last hours each minute, all from page 0. That says nothing about what is known of the days before, and
// does not put off their audit.
func TestShortReadsDoNotReplaceAudits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := weeks()
		c := startRobotsInBubble(t, w, withCache(20*time.Second))
		_, err := c.Read(t.Context(), w.since(12))
		require.NoError(t, err)
		short := w.since(0)
		short.Goal.From = w.now.Add(-5 * time.Hour)
		readFor := func(minutes int) {
			for range minutes {
				time.Sleep(time.Minute)
				_, err := c.Read(t.Context(), short)
				require.NoError(t, err)
			}
		}
		readFor(5)
		_, err = c.Read(t.Context(), w.since(12))
		require.NoError(t, err)
		readFor(25) // Longer than it counts that somebody asked for 12 days.
		w.change(func(w *robots) { w.tasks[150].items += 1000 })
		readFor(30)
		result, err := c.Read(t.Context(), w.since(12))
		require.NoError(t, err)
		row := slices.Index(ids(result), int64(w.tasks[150].id))
		assert.InDelta(t, float64(w.tasks[150].items), result.Table.Column("processedItems").Numbers[row], 0)
	})
}

// A table of a few rows does not keep the memory of the page that it is from.
func TestMemoryOfShortTables(t *testing.T) {
	f := servicetest.New().Data(tasksPath, servicetest.Paged(1000, servicetest.Still(servicetest.TaskRange(1, 1000))))
	c := start(t, f, withCache(time.Hour), withPageSize(1000))
	read := func(from, to int) {
		for days := from; days < to; days++ {
			_, err := c.Read(t.Context(), Read{Question: pages.Question{DataSet: tasks, Days: days, Search: "a"}, Goal: paging.Goal{Rows: 10}})
			require.NoError(t, err)
		}
	}
	read(1, 10)
	before := heap()
	read(10, 30)
	assert.Less(t, heap()-before, int64(20*1000*8), "less than one number for each row of the pages")
	runtime.KeepAlive(c)
}

func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc) //nolint:gosec // no machine has as much
}

// What an unfinished read had is not proven, however fresh it is.
func TestPartialIsNotProven(t *testing.T) {
	c, _ := startRobots(t, newRobots(1, 400, 20), withCache(time.Minute))
	memory, err := c.budget.Reserve(t.Context())
	require.NoError(t, err)
	defer memory.Release()
	for _, partial := range []bool{false, true} {
		before := &kept{known: &paging.Known{Table: readTasks(t, c).Table, Seen: time.Now(), Partial: partial}}
		assert.Equal(t, !partial, c.newReading([]Read{lastDays(30)}, before, memory).Fresh)
	}
}
