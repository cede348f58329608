package reads

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/paging"
	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// world is a list of rows that change while they are read: after each request, step may change them.
type world struct {
	mu      sync.Mutex
	rows    []string
	size    int
	request int
	step    func(w *world)
}

func (w *world) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	number, _ := strconv.Atoi(r.URL.Query().Get("page"))
	w.mu.Lock()
	body := servicetest.Envelope(w.rows, number, w.size)
	w.request++
	w.step(w)
	w.mu.Unlock()
	servicetest.OK(body)(rw, r)
}

// after changes the rows once, after the nth request.
func after(n int, change func(rows []string) []string) func(*world) {
	return func(w *world) {
		if w.request == n {
			w.rows = change(w.rows)
		}
	}
}

// readMoving reads one page after the other, so that a test knows when each page was read.
func readMoving(t *testing.T, w *world, read Read) (*servicetest.Fake, *Result) {
	t.Helper()
	f := servicetest.New().Data(tasksPath, w.ServeHTTP)
	read.DataSet, read.Days = tasks, 7
	result, err := start(t, f, func(c *settings) { c.MaxConcurrent = 1 }).Read(t.Context(), read)
	require.NoError(t, err)
	return f, result
}

func sorted(ids []int64) []int64 { return slices.Sorted(slices.Values(ids)) }

// New tasks come first: every row moves, some to the next page.
func TestTotalGrowsInFront(t *testing.T) {
	for _, test := range []struct{ rows, new, after int }{
		{40, 1, 1}, {40, 20, 1}, {45, 1, 1}, {45, 3, 2}, {45, 25, 1}, {100, 7, 3}, {20, 1, 1}, {19, 5, 1},
	} {
		t.Run(fmt.Sprintf("%d and %d new after page %d", test.rows, test.new, test.after-1), func(t *testing.T) {
			last := test.rows + test.new
			_, result := readMoving(t, &world{size: 20, rows: servicetest.TaskRange(test.new+1, last), step: after(test.after, func(rows []string) []string {
				return append(servicetest.TaskRange(1, test.new), rows...)
			})}, Read{})
			got := sorted(ids(result))
			assert.Equal(t, slices.Compact(slices.Clone(got)), got, "nothing twice")
			assert.Subset(t, got, numbers(int64(test.new+1), int64(last)), "nothing lost that was there from the start")
			if len(got) < last && test.after < (test.rows+19)/20 {
				assert.NotEmpty(t, result.Warnings, "new rows may be missing, but not without a warning")
			}
		})
	}
}

// New rows in front are not only reported but read, in their place.
func TestNewRowsInFrontAreRead(t *testing.T) {
	for _, count := range []int{1, 20, 25} {
		_, result := readMoving(t, &world{size: 20, rows: servicetest.TaskRange(count+1, count+45), step: after(1, func(rows []string) []string {
			return append(servicetest.TaskRange(1, count), rows...)
		})}, Read{})
		assert.Equal(t, numbers(1, int64(count+45)), ids(result))
		assert.Equal(t, count+45, result.Total)
		assert.Empty(t, result.Warnings)
	}
}

// If page 0 cannot be read again, the read fails as for any other page.
func TestReadingAgainMayFail(t *testing.T) {
	w := &world{size: 20, rows: servicetest.TaskRange(2, 45), step: after(1, func(rows []string) []string {
		return append(servicetest.TaskRange(1, 1), rows...)
	})}
	first := true
	f := servicetest.New().Data(tasksPath, func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("page") == "0" && !first {
			servicetest.Status(http.StatusInternalServerError, `{"message":"not again"}`)(rw, r)
			return
		}
		first = false
		w.ServeHTTP(rw, r)
	})
	_, err := start(t, f, func(c *settings) { c.MaxConcurrent = 1 }).Read(t.Context(), lastDays(7))
	require.ErrorContains(t, err, "not again")
}

// New rows at the end add pages that page 0 did not announce.
func TestTotalGrowsBehind(t *testing.T) {
	f, result := readMoving(t, &world{size: 20, rows: servicetest.TaskRange(1, 45), step: after(1, func(rows []string) []string {
		return append(rows, servicetest.TaskRange(46, 70)...)
	})}, Read{})
	assert.Equal(t, numbers(1, 70), sorted(ids(result)))
	assert.Equal(t, 70, result.Total)
	assert.Empty(t, result.Warnings)
	assert.Contains(t, askedPages(t, f, tasksPath), 3)
}

// Removed rows shift the others forward, some of them to a page that was read already. The remaining ones are still
// read.
func TestTotalShrinks(t *testing.T) {
	for _, test := range []struct {
		name  string
		after int
		left  func(rows []string) []string
		want  []int64
	}{
		{"at the end", 2, func(rows []string) []string { return rows[:50] }, numbers(1, 50)},
		{"in front", 2, func(rows []string) []string { return rows[10:] }, numbers(11, 100)},
		{"in the middle", 3, func(rows []string) []string { return slices.Delete(rows, 20, 40) }, append(numbers(1, 20), numbers(41, 100)...)},
		{"to nothing", 1, func([]string) []string { return nil }, []int64{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, result := readMoving(t, &world{size: 20, rows: servicetest.TaskRange(1, 100), step: after(test.after, test.left)}, Read{})
			assert.Equal(t, test.want, append([]int64{}, ids(result)...))
			assert.Empty(t, result.Warnings)
			assert.Equal(t, len(test.want), result.Total)
		})
	}
}

// repeatingPage is a route of 60 tasks that returns page 1 again as page 2.
func repeatingPage(w http.ResponseWriter, r *http.Request) {
	number, _ := strconv.Atoi(r.URL.Query().Get("page"))
	servicetest.OK(servicetest.Envelope(servicetest.TaskRange(1, 60), min(number, 1), 20))(w, r)
}

// A repeated page shows no row twice. The rows of the missing page must be reported.
func TestRepeatedPage(t *testing.T) {
	f := servicetest.New().Data(tasksPath, repeatingPage)
	result, err := start(t, f).Read(t.Context(), lastDays(7))
	require.NoError(t, err)
	assert.Equal(t, numbers(1, 40), ids(result))
	require.NotEmpty(t, result.Warnings)
	assert.Contains(t, result.Warnings[0], "40")
	assert.Contains(t, result.Warnings[0], "60")
}

func TestPagePastTheEnd(t *testing.T) {
	// The envelope announces three pages, but the last one is empty.
	f := servicetest.New().Data(tasksPath, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("page") == "2" {
			servicetest.OK(servicetest.Envelope(servicetest.TaskRange(1, 40), 2, 20))(w, r)
			return
		}
		servicetest.OK(`{"content":[`+servicetest.Task(map[string]int{"0": 1, "1": 2}[r.URL.Query().Get("page")])+`],"size":1,"totalElements":2,"totalPages":3}`)(w, r)
	})
	result, err := start(t, f).Read(t.Context(), lastDays(7))
	require.NoError(t, err)
	assert.Equal(t, numbers(1, 2), ids(result))
}

// A limit gets its rows although one was received twice.
func TestLimitOverMovingRows(t *testing.T) {
	_, result := readMoving(t, &world{size: 20, rows: servicetest.TaskRange(2, 200), step: after(1, func(rows []string) []string {
		return append(servicetest.TaskRange(1, 1), rows...)
	})}, Read{Goal: paging.Goal{Rows: 40}})
	assert.Equal(t, numbers(1, 40), ids(result))
	assert.Empty(t, result.Warnings)
}

// If the service returns fewer rows than the limit, the warning is about the service and not about a setting.
func TestLimitNotReached(t *testing.T) {
	w := servicetest.New().Data(tasksPath, repeatingPage)
	read := lastDays(7)
	read.Goal.Rows = 50
	result, err := start(t, w).Read(t.Context(), read)
	require.NoError(t, err)
	assert.Equal(t, numbers(1, 40), ids(result))
	require.NotEmpty(t, result.Warnings)
	for _, warning := range result.Warnings {
		assert.NotContains(t, warning, "maxRows")
	}
	assert.Contains(t, result.Warnings[0], "40 of 60 rows")
}
