package reads

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/paging"
	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// slice serves pages of 20 of these rows, with unrelated totals.
func slice(rows []string, totals string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		number, _ := strconv.Atoi(r.URL.Query().Get("page"))
		from := min(20*number, len(rows))
		content := rows[from:min(from+20, len(rows))]
		servicetest.OK(fmt.Sprintf(`{"content":[%s],%s}`, strings.Join(content, ","), totals))(w, r)
	}
}

// Totals that are too high make the last page empty, which is read before or along with the others.
func TestLastPageIsEmpty(t *testing.T) {
	newestFirst := servicetest.TaskRange(1, 60)
	newestLast := slices.Clone(newestFirst)
	slices.Reverse(newestLast)
	for order, rows := range map[string][]string{"newest first": newestFirst, "newest last": newestLast} {
		for totals, warning := range map[string]string{
			`"totalElements":60,"totalPages":4`: "",
			`"totalElements":61`:                "read 60 of 61 rows: page 3 was empty although the service reports more rows, so reading stopped there",
		} {
			t.Run(order+" "+totals, func(t *testing.T) {
				f := servicetest.New().Data(tasksPath, slice(rows, totals))
				result, err := start(t, f).Read(t.Context(), lastDays(1))
				require.NoError(t, err)
				assert.Equal(t, 60, result.Table.Rows)
				assert.NotEqual(t, paging.Moved, result.incomplete)
				assert.Equal(t, warning, strings.Join(result.Warnings, "\n"))
				assert.Equal(t, 4, f.Count(tasksPath), "each page once")
			})
		}
	}
}

// A service that filters rows after paging returns pages with fewer rows than the totals say. If the data also changes,
// nothing can be settled: the read ends with a warning.
func TestPageWithAHiddenRowWhileDataChanges(t *testing.T) {
	w := &world{size: 20, rows: servicetest.TaskRange(101, 180), step: after(3, func(rows []string) []string {
		return slices.Insert(rows, 0, servicetest.Task(100))
	})}
	f := servicetest.New().Data(tasksPath, func(out http.ResponseWriter, r *http.Request) {
		answer := httptest.NewRecorder()
		w.ServeHTTP(answer, r)
		servicetest.OK(strings.Replace(answer.Body.String(), servicetest.Task(130)+",", "", 1))(out, r)
	})
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	result, err := start(t, f, func(s *settings) { s.MaxConcurrent = 1 }).Read(ctx, lastDays(1))
	require.NoError(t, err)
	assert.Equal(t, 80, result.Table.Rows)
	assert.NotEmpty(t, result.Warnings)
}

// An empty page without totals does not revoke the totals of the pages before it.
func TestEmptyPageWithoutTotals(t *testing.T) {
	f := servicetest.New().Data(tasksPath, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("page") == "3" {
			servicetest.OK(`[]`)(w, r)
			return
		}
		slice(servicetest.TaskRange(1, 200), `"totalPages":10`)(w, r)
	})
	result, err := start(t, f).Read(t.Context(), lastDays(1))
	require.NoError(t, err)
	assert.Equal(t, 60, result.Table.Rows)
	assert.Equal(t, []string{"read 60 rows: page 3 was empty although the service reports more rows, so reading stopped there"}, result.Warnings)
}
