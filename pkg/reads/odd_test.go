package reads

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/paging"
	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// odd serves rows in pages of 20, with a custom envelope.
func odd(rows []string, envelope func(number, from, to int) string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		number, _ := strconv.Atoi(r.URL.Query().Get("page"))
		from := min(20*number, len(rows))
		to := min(from+20, len(rows))
		servicetest.OK(fmt.Sprintf(`{"content":[%s]%s}`, strings.Join(rows[from:to], ","), envelope(number, from, to)))(w, r)
	}
}

// Totals with another meaning differ from page to page in the same way each time, although nothing changed.
func TestTotalsWithAnotherMeaning(t *testing.T) {
	const rows = 70
	for name, envelope := range map[string]func(number, from, to int) string{
		"rows of this page, and last": func(_, from, to int) string {
			return fmt.Sprintf(`,"totalElements":%d,"last":%t`, to-from, to == rows)
		},
		"rows so far, and last": func(_, _, to int) string { return fmt.Sprintf(`,"totalElements":%d,"last":%t`, to, to == rows) },
		"rows that are left":    func(_, from, _ int) string { return fmt.Sprintf(`,"totalElements":%d`, rows-from) },
		"none beyond page 0": func(number, _, _ int) string {
			if number > 0 {
				return ``
			}
			return `,"totalElements":70`
		},
		"zero": func(int, int, int) string { return `,"totalElements":0` },
	} {
		t.Run(name, func(t *testing.T) {
			f := servicetest.New().Data(tasksPath, odd(servicetest.TaskRange(1, rows), envelope))
			result, err := start(t, f).Read(t.Context(), lastDays(1))
			require.NoError(t, err)
			assert.Equal(t, numbers(1, rows), ids(result))
			assert.NotEqual(t, paging.Moved, result.incomplete, "%v", result.Warnings)
			assert.Empty(t, result.Warnings)
			assert.LessOrEqual(t, f.Count(tasksPath), 12)
		})
	}
}

// Some services reject a page past the end instead of returning an empty one. Without a total, this cannot be
// distinguished from a failure.
func TestPagePastTheEndIsRefused(t *testing.T) {
	for _, totals := range []string{``, `,"last":false`, `,"totalElements":60,"totalPages":4`} {
		for _, code := range []int{http.StatusNotFound, http.StatusBadRequest} {
			good := odd(servicetest.TaskRange(1, 60), func(int, int, int) string { return totals })
			f := servicetest.New().Data(tasksPath, func(w http.ResponseWriter, r *http.Request) {
				if number, _ := strconv.Atoi(r.URL.Query().Get("page")); number >= 3 {
					servicetest.Status(code, `{"message":"no such page"}`)(w, r)
					return
				}
				good(w, r)
			})
			result, err := start(t, f).Read(t.Context(), lastDays(1))
			if !strings.Contains(totals, "totalElements") {
				require.ErrorContains(t, err, "no such page", "a page that is refused may be one that is missing")
				continue
			}
			require.NoError(t, err)
			assert.Equal(t, numbers(1, 60), ids(result))
			assert.Empty(t, result.Warnings)
		}
	}
}

// A record may lack the key of the description. Its rows must not be counted once per page.
func TestRowsWithoutKeysAreNotCountedForEveryPage(t *testing.T) {
	rows := make([]string, 20)
	for i := range rows {
		rows[i] = fmt.Sprintf(`{"id":"m-%d","tasks":5}`, i)
	}
	f := servicetest.New().Data(runnersPath, servicetest.OK(`{"content":[`+strings.Join(rows, ",")+`],"size":20,"totalElements":100,"totalPages":5}`))
	result, err := start(t, f).Read(t.Context(), Read{Question: pages.Question{DataSet: runners, Days: 1}})
	require.NoError(t, err)
	assert.Equal(t, 20, result.Table.Rows)
	require.Len(t, result.Warnings, 1)
	assert.Contains(t, result.Warnings[0], "20 of 100")
}
