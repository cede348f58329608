package reads

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/columnstest"
	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// task is a task of the service.
type task struct {
	id      int
	state   string
	created time.Time
	items   int
	extra   string // more members, if any
}

func (t task) json() string {
	if t.state == "FINISHED" {
		t.extra += `,"finishStatus":"SUCCESS"`
	}
	return fmt.Sprintf(`{"id":%d,"state":%q,"activityLabel":"intake-%d","dateCreation":%q,"processedItems":%d%s}`,
		t.id, t.state, t.id%7, t.created.Format("2006-01-02T15:04:05.000-07:00"), t.items, t.extra)
}

// robots is a service whose tasks behave like those of robots: they are added in front, run, and end.
type robots struct {
	*rand.Rand
	size    int           // default rows per page
	largest int           // maximum requested rows per page; 0: the size is ignored; -1: rejected
	strict  bool          // a page past the end is a 404
	delay   time.Duration // of each response
	windows bool          // only tasks of the requested days are listed

	mu       sync.Mutex
	tasks    []task // in the service's order
	created  int
	now      time.Time
	requests int
	before   func() // runs ahead of each request
}

func newRobots(seed uint64, tasks, size int) *robots {
	w := &robots{Rand: rand.New(rand.NewPCG(seed, 3)), size: size, now: time.Date(2026, time.November, 1, 0, 0, 0, 0, time.UTC)}
	for range tasks {
		w.tasks = append(w.tasks, w.task("FINISHED"))
	}
	slices.Reverse(w.tasks)
	return w
}

// add adds a task in front.
func (w *robots) add() { w.tasks = slices.Insert(w.tasks, 0, w.task("START")) }

func (w *robots) task(state string) task {
	w.created++
	w.now = w.now.Add(time.Duration(w.IntN(90)) * time.Second)
	return task{id: w.created, state: state, created: w.now, items: w.IntN(1000)}
}

// advance advances tasks that have not ended.
func (w *robots) advance() {
	for i := range w.tasks {
		if t := &w.tasks[i]; t.state == "START" || t.state == "RUNNING" {
			if w.IntN(3) == 0 {
				t.state = []string{"RUNNING", "FINISHED", "FINISHED", "CANCELED"}[w.IntN(4)]
				t.items++
			}
		}
	}
}

// slide removes tasks at the end.
func (w *robots) slide(n int) { w.tasks = w.tasks[:max(1, len(w.tasks)-n)] }

// inTheMiddle returns a position near neither end.
func (w *robots) inTheMiddle() int { return len(w.tasks)/4 + w.IntN(len(w.tasks)/2) }

func (w *robots) vanish() { i := w.inTheMiddle(); w.tasks = slices.Delete(w.tasks, i, i+1) }

func (w *robots) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	time.Sleep(w.delay)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.requests++
	if w.before != nil {
		w.before()
	}
	number, _ := strconv.Atoi(r.URL.Query().Get("page"))
	size := w.size
	if asked, err := strconv.Atoi(r.URL.Query().Get("size")); err == nil {
		if w.largest < 0 {
			servicetest.Status(http.StatusBadRequest, `{"message":"unknown parameter size"}`)(rw, r)
			return
		}
		if w.largest > 0 {
			size = min(asked, w.largest)
		}
	}
	listed := w.tasks
	if days, _ := strconv.Atoi(r.URL.Query().Get("days")); w.windows {
		since := w.now.AddDate(0, 0, -days)
		listed = listed[:sort.Search(len(listed), func(i int) bool { return listed[i].created.Before(since) })]
	}
	from := min(number*size, len(listed))
	if w.strict && from == len(listed) {
		servicetest.Status(http.StatusNotFound, `{"message":"no such page"}`)(rw, r)
		return
	}
	var content []string
	for _, t := range listed[from:min(from+size, len(listed))] {
		content = append(content, t.json())
	}
	servicetest.OK(fmt.Sprintf(`{"content":[%s],"number":%d,"size":%d,"totalElements":%d,"totalPages":%d}`,
		strings.Join(content, ","), number, size, len(listed), (len(listed)+size-1)/size))(rw, r)
}

// change changes the service between two reads.
func (w *robots) change(step func(w *robots)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	step(w)
}

// cost returns how many requests an action takes.
func (w *robots) cost(do func()) int {
	w.mu.Lock()
	w.requests = 0
	w.mu.Unlock()
	do()
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.requests
}

// incremental returns Reads that reuse rows but never cached results.
func incremental(c *settings) { c.Incremental, c.FullReadInterval = true, 10*time.Minute }

func withPageSize(size int) func(*settings) { return func(c *settings) { c.PageSize = size } }

// startRobots serves a world and returns Reads with partial and with full reads.
func startRobots(t *testing.T, w *robots, change ...func(*settings)) (again, whole *Reads) {
	t.Helper()
	f := servicetest.New().Data(tasksPath, w.ServeHTTP)
	server := f.Start(t)
	again = inHaste(newReads(t, server.URL, server.Client(), append(change, incremental)...))
	whole = inHaste(newReads(t, server.URL, server.Client(), change...))
	// Another login would invalidate the token.
	whole.source = again.source
	return again, whole
}

// startRobotsInBubble serves a world in memory and returns Reads with partial reads; for use inside synctest.Test.
func startRobotsInBubble(t *testing.T, w *robots, change ...func(*settings)) *Reads {
	t.Helper()
	c := startInBubble(t, servicetest.New().Data(tasksPath, w.ServeHTTP), append(change, incremental)...)
	t.Cleanup(c.Close)
	return c
}

func readTasks(t *testing.T, c *Reads) *Result {
	t.Helper()
	result, err := c.Read(t.Context(), lastDays(30))
	require.NoError(t, err)
	return result
}

// requireSame checks that two tables are equal: columns, types, and every cell.
func requireSame(t *testing.T, want, got *columns.Table, note string) {
	t.Helper()
	require.Equal(t, want.Names(), got.Names(), note)
	require.Equal(t, want.Rows, got.Rows, note)
	for i, c := range want.Columns {
		require.Equal(t, c.Type, got.Columns[i].Type, "%s: %s", note, c.Name)
		require.Equal(t, columnstest.Values(c), columnstest.Values(got.Columns[i]), "%s: %s", note, c.Name)
	}
}
