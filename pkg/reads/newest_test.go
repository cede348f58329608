package reads

import (
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/paging"
	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

func newestTasks(g paging.Goal) Read {
	r := lastDays(30)
	g.Field = "dateCreation"
	r.Goal = g
	return r
}

// wantedOf returns the ids of the tasks that a read needs.
func wantedOf(w *robots, g paging.Goal) []int64 {
	var wanted []int64
	for _, t := range w.tasks {
		if within(g, t.created) && (g.Rows == 0 || len(wanted) < g.Rows) {
			wanted = append(wanted, int64(t.id))
		}
	}
	return wanted
}

func within(g paging.Goal, at time.Time) bool {
	return !at.Before(g.From) && (g.To.IsZero() || !at.After(g.To))
}

// gotOf returns the received ids among them.
func gotOf(r *Result, g paging.Goal) []int64 {
	var got []int64
	times := r.Table.Column(g.Field)
	for row := range r.Table.Rows {
		if within(g, times.Time(row)) && (g.Rows == 0 || len(got) < g.Rows) {
			got = append(got, ids(r)[row])
		}
	}
	return got
}

func TestNewestRows(t *testing.T) {
	w := newRobots(1, 10_000, 20)
	at := func(i int) time.Time { return w.tasks[i].created }
	for name, test := range map[string]struct {
		largest, most int
		newest        paging.Goal
		step          func(w *robots)
	}{
		"50 rows":                         {most: 4, newest: paging.Goal{Rows: 50}},
		"50 rows of pages of 500":         {largest: 500, most: 2, newest: paging.Goal{Rows: 50}},
		"50 rows since long":              {most: 4, newest: paging.Goal{Rows: 50, From: at(9_000)}},
		"50 rows, of which 10 are there":  {most: 3, newest: paging.Goal{Rows: 50, From: at(9)}},
		"50 rows that ended in the past":  {most: 70, newest: paging.Goal{Rows: 50, To: at(1_000), From: at(9_000)}},
		"since a moment ago":              {most: 2, newest: paging.Goal{From: at(0).Add(time.Second)}},
		"since some time":                 {most: 22, newest: paging.Goal{From: at(300)}},
		"since some time in pages of 500": {largest: 500, most: 2, newest: paging.Goal{From: at(300)}},
		"since some time until then":      {most: 22, newest: paging.Goal{From: at(300), To: at(200)}},
		"60 rows, 30 of which are new at once": {most: 5, newest: paging.Goal{Rows: 60}, step: func(w *robots) {
			for i := range 30 {
				w.tasks[i].created = w.tasks[0].created
			}
		}},
		"one row": {largest: 500, most: 2, newest: paging.Goal{Rows: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			if test.step != nil {
				before := slices.Clone(w.tasks)
				defer func() { w.tasks = before }()
				test.step(w)
			}
			w.largest = test.largest
			c, _ := startRobots(t, w, withPageSize(500))
			r := newestTasks(test.newest)
			var result *Result
			cost := w.cost(func() {
				var err error
				result, err = c.Read(t.Context(), r)
				require.NoError(t, err)
			})
			assert.Equal(t, wantedOf(w, r.Goal), gotOf(result, r.Goal))
			assert.LessOrEqual(t, cost, test.most)
			assert.Empty(t, result.Warnings)
			assert.Equal(t, 10_000, result.Total)
			assert.Contains(t, result.Executed, "dateCreation decreases from row to row and on the last page")
			t.Logf("%d requests, %d rows", cost, result.Table.Rows)
		})
	}
}

// If the newest do not come first, all rows are read, and the next read does not try.
func TestNewestOfRowsWithoutOrder(t *testing.T) {
	for name, prepare := range map[string]func(w *robots){
		"oldest first":                 func(w *robots) { slices.Reverse(w.tasks) },
		"all of one time":              func(w *robots) { w.each(func(t *task) { t.created = w.now }) },
		"one out of order on page 1":   func(w *robots) { w.tasks[25].created = w.now.Add(time.Hour) },
		"one out of order at the end":  func(w *robots) { w.tasks[395].created = w.now.Add(time.Hour) },
		"a newer one at the end":       func(w *robots) { w.tasks[399].created = w.now.Add(time.Hour) },
		"the last as new as the first": func(w *robots) { w.tasks[399].created = w.tasks[0].created },
	} {
		t.Run(name, func(t *testing.T) {
			w := newRobots(1, 400, 20)
			prepare(w)
			c, whole := startRobots(t, w)
			want := readTasks(t, whole)
			r := newestTasks(paging.Goal{Rows: 30})
			for range 2 {
				result, err := c.Read(t.Context(), r)
				require.NoError(t, err)
				requireSame(t, want.Table, result.Table, name)
			}
			assert.NotEmpty(t, c.order.notice())
		})
	}
}

// Max rows may end within the last page.
func TestNewestUpToMaxRows(t *testing.T) {
	for _, most := range []int{385, 395, 400} {
		w := newRobots(1, 400, 20)
		c, whole := startRobots(t, w, func(s *settings) { s.MaxRows = most })
		want := readTasks(t, whole)
		require.Equal(t, most, want.Table.Rows)
		got, err := c.Read(t.Context(), newestTasks(paging.Goal{From: time.Unix(0, 0)}))
		require.NoError(t, err)
		requireSame(t, want.Table, got.Table, "all rows")
		assert.Equal(t, want.Warnings, got.Warnings)
	}
}

// Years beyond 64 bits of nanoseconds.
func TestNewestOfAllTimes(t *testing.T) {
	w := newRobots(1, 400, 20)
	c, _ := startRobots(t, w)
	year := func(n int) time.Time { return time.Date(n, time.January, 1, 0, 0, 0, 0, time.UTC) }
	cost := w.cost(func() {
		result, err := c.Read(t.Context(), newestTasks(paging.Goal{Rows: 50, From: year(1500), To: year(9999)}))
		require.NoError(t, err)
		assert.GreaterOrEqual(t, result.Table.Rows, 50)
	})
	assert.LessOrEqual(t, cost, 5)
}

// A last page that leaves the window during its request says nothing about the order.
func TestNewestWhoseLastPageDisappears(t *testing.T) {
	w := newRobots(1, 401, 20)
	c, _ := startRobots(t, w)
	w.change(func(w *robots) {
		w.before = func() {
			if w.requests == 2 {
				w.tasks = w.tasks[:400]
			}
		}
	})
	r := newestTasks(paging.Goal{Rows: 50})
	result, err := c.Read(t.Context(), r)
	require.NoError(t, err)
	assert.Equal(t, wantedOf(w, r.Goal), gotOf(result, r.Goal))
	assert.Empty(t, c.order.notice())
}

// Neither do rows of the last page that moved to the preceding one, which was read later.
func TestNewestWhoseLastPageOverlaps(t *testing.T) {
	w := newRobots(1, 80, 20)
	last := make(chan struct{})
	var answered, gone sync.Once
	f := servicetest.New().Data(tasksPath, func(rw http.ResponseWriter, r *http.Request) {
		switch r.URL.Query().Get("page") {
		case "2":
			<-last
			gone.Do(func() { w.change(func(w *robots) { w.tasks = slices.Delete(w.tasks, 30, 33) }) })
		case "3":
			defer answered.Do(func() { close(last) })
		}
		w.ServeHTTP(rw, r)
	})
	c := start(t, f)
	r := newestTasks(paging.Goal{From: w.tasks[50].created})
	_, err := c.Read(t.Context(), r)
	require.NoError(t, err)
	assert.Empty(t, c.order.notice())
}

// A single row has any order. Further rows show that this service sorts by the last change.
func TestOrderOfASingleRowIsUnknown(t *testing.T) {
	w := newRobots(1, 400, 20)
	w.largest = 500
	changed := w.tasks[3]
	w.tasks = slices.Insert(slices.Delete(w.tasks, 3, 4), 0, changed)
	c, _ := startRobots(t, w, withPageSize(500))
	result, err := c.Read(t.Context(), newestTasks(paging.Goal{Rows: 1}))
	require.NoError(t, err)
	assert.Equal(t, 400, result.Table.Rows)
}

func (w *robots) each(change func(*task)) {
	for i := range w.tasks {
		change(&w.tasks[i])
	}
}

func TestNewestThatReadsEverything(t *testing.T) {
	w := newRobots(1, 400, 20)
	c, whole := startRobots(t, w, withCache(time.Minute))
	result, err := c.Read(t.Context(), newestTasks(paging.Goal{From: time.Unix(0, 0)}))
	require.NoError(t, err)
	requireSame(t, readTasks(t, whole).Table, result.Table, "all rows")
	assert.Zero(t, w.cost(func() { readTasks(t, c) }), "a read that came to the end serves all")
}

func TestNewestReadsAreShared(t *testing.T) {
	w := newRobots(1, 400, 20)
	c, _ := startRobots(t, w, withCache(time.Minute))
	ask := func(n paging.Goal) int {
		return w.cost(func() {
			r := newestTasks(n)
			result, err := c.Read(t.Context(), r)
			require.NoError(t, err)
			assert.Equal(t, wantedOf(w, r.Goal), gotOf(result, r.Goal))
		})
	}
	assert.Positive(t, ask(paging.Goal{From: w.tasks[100].created}))
	assert.Zero(t, ask(paging.Goal{From: w.tasks[80].created}), "less far back")
	assert.Zero(t, ask(paging.Goal{From: w.tasks[90].created, Rows: 10}))
	assert.Positive(t, ask(paging.Goal{From: w.tasks[200].created}), "further back")
	assert.Zero(t, ask(paging.Goal{From: w.tasks[100].created}), "which serves the first again")
	assert.Positive(t, ask(paging.Goal{Rows: 300}))
	readTasks(t, c)
	assert.Zero(t, ask(paging.Goal{Rows: 350}), "all rows serve every read")
}

// A task that is removed while pages are read is detected, and the pages are read again.
func TestNewestWhileDataChanges(t *testing.T) {
	for seed := range uint64(inShort(40)) {
		w := newRobots(seed, 400, 20)
		c, _ := startRobots(t, w)
		n := 0
		w.change(func(w *robots) {
			w.before = func() {
				if n++; n == 2+int(seed%5) {
					w.tasks = slices.Delete(w.tasks, 10, 11)
				}
			}
		})
		r := newestTasks(paging.Goal{Rows: 70})
		result, err := c.Read(t.Context(), r)
		require.NoError(t, err)
		assert.Empty(t, result.Warnings)
		got := gotOf(result, r.Goal)
		w.change(func(w *robots) { w.before = nil })
		if n > 2+int(seed%5) {
			assert.Equal(t, wantedOf(w, r.Goal), got, "world %d", seed)
		}
	}
}
