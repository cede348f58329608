package reads

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/paging"
	"github.com/insights/insights-reporting-datasource/pkg/service"
	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// ids returns the keys of the rows of a read, in order.
func ids(r *Result) []int64 { return r.Table.Column("id").Integers }

func numbers(first, last int64) []int64 {
	out := []int64{}
	for n := first; n <= last; n++ {
		out = append(out, n)
	}
	return out
}

// askedPages returns the requested page numbers, sorted.
func askedPages(t *testing.T, f *servicetest.Fake, path string) []int {
	t.Helper()
	var pages []int
	for _, r := range f.Requests(path) {
		n, err := strconv.Atoi(r.URL.Query().Get("page"))
		require.NoError(t, err, "page of %v", r.URL.Query())
		pages = append(pages, n)
	}
	slices.Sort(pages)
	return pages
}

func TestReadsAllPagesInOrder(t *testing.T) {
	for _, test := range []struct{ rows, size, pages int }{
		{0, 20, 1}, {1, 20, 1}, {19, 20, 1}, {20, 20, 1}, {21, 20, 2}, {399, 20, 20}, {5000, 20, 250}, {1000, 100, 10}, {5, 1, 5},
	} {
		t.Run(fmt.Sprintf("%d rows of %d", test.rows, test.size), func(t *testing.T) {
			f := servicetest.New().Data(tasksPath, servicetest.Paged(test.size, servicetest.Still(servicetest.TaskRange(1, test.rows))))
			result, err := start(t, f).Read(t.Context(), lastDays(7))
			require.NoError(t, err)
			assert.Equal(t, test.rows, result.Table.Rows)
			assert.True(t, slices.Equal(numbers(1, int64(test.rows)), ids(result)), "%v", ids(result))
			assert.Empty(t, result.Warnings)
			assert.Equal(t, test.rows, result.Total)
			assert.Equal(t, Stats{Pages: test.pages, Rows: test.rows, Requests: int64(test.pages), Bytes: result.Stats.Bytes, Took: result.Stats.Took}, result.Stats)
			if test.pages > 1 {
				assert.Contains(t, result.Executed, fmt.Sprintf("page=%d (%d pages)", test.pages-1, test.pages))
			} else {
				assert.Regexp(t, `^GET http://127\.0\.0\.1:\d+`+tasksPath+`\?days=7&page=0$`, result.Executed)
			}
			asked := askedPages(t, f, tasksPath)
			assert.Len(t, asked, test.pages)
			assert.Equal(t, slices.Compact(slices.Clone(asked)), asked, "each page once")
		})
	}
}

func TestEmptyReadHasAllFields(t *testing.T) {
	for _, set := range datasets.All() {
		for name, body := range map[string]string{"envelope": servicetest.Envelope(nil, 0, 20), "array": `[]`} {
			t.Run(set.Name+" "+name, func(t *testing.T) {
				result, err := start(t, servicetest.New().Data(set.Path, servicetest.OK(body))).Read(t.Context(), Read{Question: pages.Question{DataSet: set, Days: 7}})
				require.NoError(t, err)
				assert.Zero(t, result.Table.Rows)
				assert.Equal(t, sentFields(set), result.Table.Names())
				assert.Empty(t, result.Warnings)
			})
		}
	}
}

func runner(id string) string {
	return fmt.Sprintf(`{"_id":%q,"tasks":5,"items":7,"itemsErrorCount":1,"utilizationRate":0.5}`, id)
}

// The specification does not show the runners response: an array and an envelope are equivalent.
func TestRunnersAsArrayOrEnvelope(t *testing.T) {
	var rows, names []string
	for i := range 45 {
		names = append(names, fmt.Sprintf("m-%02d", i))
		rows = append(rows, runner(names[i]))
	}
	for _, test := range []struct {
		name   string
		answer http.HandlerFunc
		pages  int
	}{
		{"array", servicetest.OK("[" + strings.Join(rows, ",") + "]"), 1},
		{"envelope of one page", servicetest.OK(servicetest.Envelope(rows, 0, 100)), 1},
		{"envelope of three pages", servicetest.Paged(20, servicetest.Still(rows)), 3},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := servicetest.New().Data("/custom/runners", test.answer)
			c := start(t, f, func(c *settings) { c.RunnersPath = "/custom/runners" })
			result, err := c.Read(t.Context(), Read{Question: pages.Question{DataSet: runners, Days: 7}})
			require.NoError(t, err)
			assert.Equal(t, names, result.Table.Column("_id").Strings)
			assert.Empty(t, result.Warnings)
			assert.Equal(t, test.pages, f.Count("/custom/runners"))
		})
	}
}

// A route that announces pages but ignores the page parameter returns the first one again and again.
func TestRouteThatIgnoresPage(t *testing.T) {
	var rows []string
	for i := range 45 {
		rows = append(rows, runner(fmt.Sprintf("m-%02d", i)))
	}
	f := servicetest.New().Data(runnersPath, servicetest.OK(servicetest.Envelope(rows, 0, 20)))
	result, err := start(t, f).Read(t.Context(), Read{Question: pages.Question{DataSet: runners, Days: 7}})
	require.NoError(t, err)
	assert.Equal(t, 20, result.Table.Rows)
	require.Len(t, result.Warnings, 1)
	assert.Contains(t, result.Warnings[0], "20 of 45")
	assert.Contains(t, result.Warnings[0], "first page")
}

func TestLimitReadsOnlyThePagesItNeeds(t *testing.T) {
	for _, test := range []struct{ limit, size, pages, rows int }{
		{1, 20, 1, 1}, {20, 20, 1, 20}, {21, 20, 2, 21}, {45, 20, 3, 45}, {45, 100, 1, 45}, {1000, 20, 5, 100}, {7, 2, 4, 7},
	} {
		t.Run(fmt.Sprintf("%d of pages of %d", test.limit, test.size), func(t *testing.T) {
			f := servicetest.New().Data(tasksPath, servicetest.Paged(test.size, servicetest.Still(servicetest.TaskRange(1, 100))))
			result, err := start(t, f).Read(t.Context(), Read{Question: pages.Question{DataSet: tasks, Days: 7}, Goal: paging.Goal{Rows: test.limit}})
			require.NoError(t, err)
			assert.True(t, slices.Equal(numbers(1, int64(test.rows)), ids(result)), "%v", ids(result))
			assert.Equal(t, test.pages, f.Count(tasksPath))
			assert.Empty(t, result.Warnings, "what was asked for is all there")
		})
	}
}

func TestMoreRowsThanMaxRows(t *testing.T) {
	for _, limit := range []int{0, 50, 1000} {
		t.Run(fmt.Sprintf("limit %d", limit), func(t *testing.T) {
			f := servicetest.New().Data(tasksPath, servicetest.Paged(20, servicetest.Still(servicetest.TaskRange(1, 399))))
			c := start(t, f, func(c *settings) { c.MaxRows = 45 })
			result, err := c.Read(t.Context(), Read{Question: pages.Question{DataSet: tasks, Days: 7}, Goal: paging.Goal{Rows: limit}})
			require.NoError(t, err)
			assert.Equal(t, 45, result.Table.Rows)
			assert.True(t, slices.Equal(numbers(1, 45), ids(result)))
			assert.Equal(t, 3, f.Count(tasksPath), "pages that cannot be shown are not read")
			require.Len(t, result.Warnings, 1)
			assert.Contains(t, result.Warnings[0], "45")
			assert.Contains(t, result.Warnings[0], "399")
			assert.Contains(t, result.Warnings[0], "maxRows")
		})
	}
	t.Run("only the number of pages is reported", func(t *testing.T) {
		f := servicetest.New().Data(tasksPath, func(w http.ResponseWriter, r *http.Request) {
			number, _ := strconv.Atoi(r.URL.Query().Get("page"))
			servicetest.OK(fmt.Sprintf(`{"content":[{"id":%d}],"totalPages":6}`, number))(w, r)
		})
		result, err := start(t, f, func(c *settings) { c.MaxRows = 5 }).Read(t.Context(), lastDays(7))
		require.NoError(t, err)
		assert.Equal(t, 5, result.Table.Rows)
		require.Len(t, result.Warnings, 1)
		assert.Contains(t, result.Warnings[0], "maxRows")
	})
	t.Run("exactly maxRows", func(t *testing.T) {
		f := servicetest.New().Data(tasksPath, servicetest.Paged(20, servicetest.Still(servicetest.TaskRange(1, 45))))
		c := start(t, f, func(c *settings) { c.MaxRows = 45 })
		result, err := c.Read(t.Context(), lastDays(7))
		require.NoError(t, err)
		assert.Equal(t, 45, result.Table.Rows)
		assert.Empty(t, result.Warnings)
	})
}

// A read is complete or an error: a partial table without notice would be a wrong result.
func TestOnePageThatFailsFailsTheRead(t *testing.T) {
	good := servicetest.Paged(20, servicetest.Still(servicetest.TaskRange(1, 100)))
	f := servicetest.New().Data(tasksPath, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("page") == "3" {
			servicetest.Status(http.StatusInternalServerError, `{"message":"page 3 is broken"}`)(w, r)
			return
		}
		good(w, r)
	})
	result, err := start(t, f).Read(t.Context(), lastDays(7))
	require.ErrorIs(t, err, service.ErrUnavailable)
	assert.ErrorContains(t, err, "page 3 is broken")
	assert.Nil(t, result)
}

// An envelope may be incomplete or contradictory. The rows are kept, and a gap is reported.
func TestOddEnvelopes(t *testing.T) {
	for _, test := range []struct {
		name, body string
		rows       int
		warned     bool
	}{
		{"content alone", `{"content":[` + servicetest.Task(1) + `]}`, 1, false},
		{"total below the rows", `{"content":[` + servicetest.Task(1) + `,` + servicetest.Task(2) + `],"totalElements":1,"totalPages":1,"size":20}`, 2, false},
		{"total above the rows", `{"content":[` + servicetest.Task(1) + `],"totalElements":2,"totalPages":1,"size":20}`, 1, true},
		{"size 0", `{"content":[` + servicetest.Task(1) + `],"totalElements":1,"totalPages":1,"size":0}`, 1, false},
		{"content last", `{"totalElements":1,"totalPages":1,"size":20,"content":[` + servicetest.Task(1) + `]}`, 1, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := servicetest.New().Data(tasksPath, servicetest.OK(test.body))
			result, err := start(t, f).Read(t.Context(), lastDays(7))
			require.NoError(t, err)
			assert.Equal(t, test.rows, result.Table.Rows)
			assert.Equal(t, test.warned, len(result.Warnings) > 0, "%v", result.Warnings)
		})
	}
}

// Rows without keys cannot be distinguished. A route that returns the same ones for every page, without totals, must
// still terminate.
func TestRowsWithoutKeysThatRepeat(t *testing.T) {
	for name, body := range map[string]string{
		"no totals":   `{"content":[{"name":"a"},{"name":"b"}]}`,
		"a bare list": `[{"name":"a"},{"name":"b"}]`,
	} {
		t.Run(name, func(t *testing.T) {
			f := servicetest.New().Data(automationsPath, servicetest.OK(body))
			result, err := start(t, f).Read(t.Context(), Read{Question: pages.Question{DataSet: automations, Days: 7}})
			require.NoError(t, err)
			assert.Equal(t, 2, result.Table.Rows)
			assert.Empty(t, result.Warnings)
			assert.LessOrEqual(t, f.Count(automationsPath), 4)
		})
	}
}

// sentFields returns the fields in the specification: those that the service sends.
func sentFields(set *datasets.DataSet) []string {
	names := []string{}
	for _, f := range set.Fields {
		names = append(names, f.Name)
	}
	return names
}
