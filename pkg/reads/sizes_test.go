package reads

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// sizesAsked returns the requested page sizes for tasks, "-" without one.
func sizesAsked(f *servicetest.Fake) string {
	var asked []string
	for _, r := range f.Requests(tasksPath) {
		size := r.URL.Query().Get("size")
		if size == "" {
			size = "-"
		}
		asked = append(asked, size)
	}
	return strings.Join(asked, " ")
}

func TestPageSize(t *testing.T) {
	for name, test := range map[string]struct {
		size, largest, limit, rows int
		asked                      string
	}{
		"not asked for":          {size: 0, largest: 1000, rows: 60, asked: "- - -"},
		"honored":                {size: 500, largest: 1000, rows: 1100, asked: "500 500 500"},
		"bounded":                {size: 500, largest: 100, rows: 300, asked: "500 100 100"},
		"ignored":                {size: 500, largest: 0, rows: 60, asked: "500 20 20"},
		"refused":                {size: 500, largest: -1, rows: 60, asked: "500 - - -"},
		"few rows are enough":    {size: 500, largest: 1000, rows: 1000, limit: 30, asked: "500"},
		"few rows, in two pages": {size: 20, largest: 1000, rows: 1000, limit: 30, asked: "20 20"},
		"few rows, and ignored":  {size: 500, largest: 0, rows: 1000, limit: 30, asked: "500 20"},
		"one page":               {size: 500, largest: 1000, rows: 3, asked: "500"},
		"no rows":                {size: 500, largest: 1000, rows: 0, asked: "500"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newRobots(1, test.rows, 20)
			w.largest = test.largest
			f := servicetest.New().Data(tasksPath, w.ServeHTTP)
			c := start(t, f, withPageSize(test.size), func(s *settings) { s.MaxConcurrent = 1 })
			r := lastDays(30)
			r.Goal.Rows = test.limit
			result, err := c.Read(t.Context(), r)
			require.NoError(t, err)
			want := test.rows
			if test.limit > 0 {
				want = test.limit
			}
			assert.Equal(t, want, result.Table.Rows)
			assert.Empty(t, result.Warnings)
			assert.Equal(t, test.asked, sizesAsked(f))
		})
	}
}

func TestRejectedSizeIsNotRequestedAgain(t *testing.T) {
	w := newRobots(1, 60, 20)
	w.largest = -1
	f := servicetest.New().Data(tasksPath, w.ServeHTTP)
	c := start(t, f, withPageSize(500))
	for range 2 {
		assert.Equal(t, 60, readTasks(t, c).Table.Rows)
	}
	assert.Equal(t, "500 - - - - - -", sizesAsked(f))
}

// A request that is rejected with and without a size does not fail because of the size.
func TestErrorsUnrelatedToTheSize(t *testing.T) {
	f := servicetest.New().Data(tasksPath, servicetest.InTurn(
		servicetest.Status(http.StatusBadRequest, `{"message":"days are too many"}`),
		servicetest.Status(http.StatusBadRequest, `{"message":"days are too many"}`),
		servicetest.OK(threeTasks),
	))
	c := start(t, f, withPageSize(500))
	_, err := c.Read(t.Context(), lastDays(7))
	require.ErrorContains(t, err, "days are too many")
	assert.Equal(t, 3, readTasks(t, c).Table.Rows)
	assert.Equal(t, "500 - 500", sizesAsked(f))
}

// Services that honor a size on some pages only, or use different sizes for content and offset.
func TestPageSizeThatLosesRows(t *testing.T) {
	rows := servicetest.TaskRange(1, 300)
	page := func(from, size, told int) http.HandlerFunc {
		from = min(from, len(rows))
		content := rows[from:min(from+size, len(rows))]
		return servicetest.OK(fmt.Sprintf(`{"content":[%s],"size":%d,"totalElements":300,"totalPages":%d}`, strings.Join(content, ","), told, (299+told)/told))
	}
	number := func(r *http.Request, name string, absent int) int {
		n := absent
		_, _ = fmt.Sscan(r.URL.Query().Get(name), &n)
		return n
	}
	for name, answer := range map[string]http.HandlerFunc{
		"skips as many as were asked for, and gives fewer": func(w http.ResponseWriter, r *http.Request) {
			size := number(r, "size", 20)
			page(number(r, "page", 0)*size, min(size, 50), min(size, 50))(w, r)
		},
		"skips twenty, whatever was asked for": func(w http.ResponseWriter, r *http.Request) {
			page(number(r, "page", 0)*20, number(r, "size", 20), number(r, "size", 20))(w, r)
		},
		"gives page 0 for every page": func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Query().Has("size") {
				page(0, number(r, "size", 20), number(r, "size", 20))(w, r)
				return
			}
			page(number(r, "page", 0)*20, 20, 20)(w, r)
		},
		"gives nothing from page 1 on": func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Query().Has("size") && number(r, "page", 0) > 0 {
				page(300, 20, 100)(w, r)
				return
			}
			page(number(r, "page", 0)*number(r, "size", 20), number(r, "size", 20), number(r, "size", 20))(w, r)
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := start(t, servicetest.New().Data(tasksPath, answer), withPageSize(100))
			for range 2 {
				result := readTasks(t, c)
				assert.Equal(t, 300, result.Table.Rows)
				assert.Empty(t, result.Warnings)
			}
		})
	}
}

// The runners route has no pages, and thus no size.
func TestNoSizeWithoutPages(t *testing.T) {
	f := servicetest.New().Data(runnersPath, servicetest.OK(`[{"_id":"r-1"}]`))
	_, err := start(t, f, withPageSize(500)).Read(t.Context(), Read{Question: pages.Question{DataSet: runners, Days: 1}})
	require.NoError(t, err)
	assert.False(t, f.Requests(runnersPath)[0].URL.Query().Has("size"))
}

// A verdict about the page size concerns one data set, and expires: a stray error looks like a rejected size.
func TestRejectedSizeIsRequestedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		refuses := true
		answer := func(w http.ResponseWriter, r *http.Request) {
			if refuses && r.URL.Query().Has("size") {
				servicetest.Status(http.StatusBadRequest, `{"message":"bad gateway, perhaps"}`)(w, r)
				return
			}
			servicetest.OK(threeTasks)(w, r)
		}
		f := servicetest.New().Data(tasksPath, answer).Data(automationsPath, servicetest.OK(`{"content":[{"label":"a"}],"totalElements":1}`))
		c := startInBubble(t, f, withPageSize(500))
		defer c.Close()
		readTasks(t, c)
		refuses = false
		readTasks(t, c)
		_, err := c.Read(t.Context(), Read{Question: pages.Question{DataSet: automations, Days: 1}})
		require.NoError(t, err)
		assert.True(t, f.Requests(automationsPath)[0].URL.Query().Has("size"))
		time.Sleep(time.Hour)
		readTasks(t, c)
		assert.Equal(t, "500 - - 500", sizesAsked(f))
	})
}

// A total that is too high looks like a page size that hides rows. If rows are missing without it, too, it is kept.
func TestTotalThatIsTooHighKeepsTheSize(t *testing.T) {
	rows := servicetest.TaskRange(1, 300)
	f := servicetest.New().Data(tasksPath, func(w http.ResponseWriter, r *http.Request) {
		number, size := 0, 20
		_, _ = fmt.Sscan(r.URL.Query().Get("page"), &number)
		_, _ = fmt.Sscan(r.URL.Query().Get("size"), &size)
		from := min(number*size, len(rows))
		servicetest.OK(fmt.Sprintf(`{"content":[%s],"totalElements":301}`, strings.Join(rows[from:min(from+size, len(rows))], ",")))(w, r)
	})
	c := start(t, f, withPageSize(100))
	for range 2 {
		assert.Equal(t, 300, readTasks(t, c).Table.Rows)
	}
	asked := strings.Fields(sizesAsked(f))
	assert.Equal(t, []string{"100", "100", "100", "100"}, asked[len(asked)-4:], "the second read")
}
