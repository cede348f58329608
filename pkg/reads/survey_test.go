package reads

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/service"
	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

func TestSurveyOfPages(t *testing.T) {
	for name, test := range map[string]struct {
		size, largest, rows int
		paging              Paging
		found               int
		asked               string
	}{
		"not asked":             {largest: 1000, rows: 60, paging: SizeNotAsked, found: 20, asked: "- -"},
		"honored":               {size: 50, largest: 1000, rows: 60, paging: SizeHonored, found: 50, asked: "50 50"},
		"honored, on one page":  {size: 500, largest: 1000, rows: 60, paging: SizeHonored, found: 500, asked: "500"},
		"bounded":               {size: 500, largest: 40, rows: 60, paging: SizeHonored, found: 40, asked: "500 1 40"},
		"bounded, on one page":  {size: 500, largest: 100, rows: 60, paging: SizeHonored, found: 100, asked: "500 1"},
		"ignored":               {size: 500, rows: 60, paging: SizeIgnored, found: 20, asked: "500 1 20"},
		"ignored, on one page":  {size: 500, rows: 10, paging: SizeIgnored, found: 20, asked: "500 1"},
		"refused":               {size: 500, largest: -1, rows: 60, paging: SizeRefused, found: 20, asked: "500 - -"},
		"one row tells nothing": {size: 500, largest: 1000, rows: 1, asked: "500"},
		"nor does none":         {size: 500, largest: 1000, asked: "500"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newRobots(1, test.rows, 20)
			w.largest = test.largest
			f := servicetest.New().Data(tasksPath, w.ServeHTTP)
			got, err := start(t, f, withPageSize(test.size)).Survey(t.Context(), tasks, 30, &service.Usage{})
			require.NoError(t, err)
			assert.Equal(t, test.rows, got.Total)
			assert.True(t, got.Counted)
			assert.Equal(t, test.paging, got.Paging)
			assert.Equal(t, test.found, got.Size)
			assert.Equal(t, test.asked, sizesAsked(f))
		})
	}
}

func TestSurveyOfOrder(t *testing.T) {
	newest := servicetest.TaskRange(1, 60)
	oldest := slices.Clone(newest)
	slices.Reverse(oldest)
	lastIsNew := append(slices.Clone(newest[1:]), newest[0])
	for name, test := range map[string]struct {
		rows []string
		want Order
		by   string
	}{
		"newest first":             {rows: newest, want: NewestFirst, by: "dateCreation"},
		"oldest first":             {rows: oldest, want: OtherOrder},
		"the last page shows it":   {rows: lastIsNew, want: OtherOrder},
		"one task":                 {rows: newest[:1], want: OrderUnknown},
		"no task":                  {want: OrderUnknown},
		"all of the same time":     {rows: []string{`{"id":1,"dateCreation":"2026-11-20T10:00:00Z"}`, `{"id":2,"dateCreation":"2026-11-20T10:00:00Z"}`}, want: OrderUnknown},
		"no times":                 {rows: []string{`{"id":1}`, `{"id":2}`}, want: OrderUnknown},
		"newest by another time":   {rows: []string{`{"id":1,"dateLastModified":"2026-11-20T11:00:00Z"}`, `{"id":2,"dateLastModified":"2026-11-20T10:00:00Z"}`}, want: NewestFirst, by: "dateLastModified"},
		"a page past the first 20": {rows: newest[:21], want: NewestFirst, by: "dateCreation"},
	} {
		t.Run(name, func(t *testing.T) {
			f := servicetest.New().Data(tasksPath, servicetest.Paged(20, servicetest.Still(test.rows)))
			got, err := start(t, f, withPageSize(0)).Survey(t.Context(), tasks, 30, &service.Usage{})
			require.NoError(t, err)
			assert.Equal(t, test.want, got.Order)
			assert.Equal(t, test.by, got.By)
		})
	}
}

// Without a total, there are at least the rows of the first page.
func TestSurveyWithoutTotal(t *testing.T) {
	rows := servicetest.TaskRange(1, 60)
	f := servicetest.New().Data(tasksPath, func(w http.ResponseWriter, r *http.Request) {
		size := 20
		_, _ = fmt.Sscan(r.URL.Query().Get("size"), &size)
		servicetest.OK(fmt.Sprintf(`{"content":[%s],"last":false}`, strings.Join(rows[:min(size, len(rows))], ",")))(w, r)
	})
	got, err := start(t, f, withPageSize(50)).Survey(t.Context(), tasks, 30, &service.Usage{})
	require.NoError(t, err)
	assert.Equal(t, 50, got.Total)
	assert.False(t, got.Counted)
	assert.Equal(t, SizeHonored, got.Paging)
}

// Page 0 decides: failures of the other requests are ignored.
func TestSurveyWhereOnlyPageZeroAnswers(t *testing.T) {
	answer := servicetest.Paged(20, servicetest.Still(servicetest.TaskRange(1, 60)))
	f := servicetest.New().Data(tasksPath, servicetest.InTurn(answer, servicetest.Status(500, `{"message":"broken"}`)))
	got, err := start(t, f, withPageSize(500)).Survey(t.Context(), tasks, 30, &service.Usage{})
	require.NoError(t, err)
	assert.Equal(t, 60, got.Total)
	assert.Equal(t, SizeUnknown, got.Paging)
	assert.Equal(t, NewestFirst, got.Order, "as far as page 0 shows")

	f = servicetest.New().Data(tasksPath, servicetest.Status(500, `{"message":"broken"}`))
	_, err = start(t, f).Survey(t.Context(), tasks, 30, &service.Usage{})
	require.ErrorContains(t, err, "broken")
}

// Rows without times are one page.
func TestSurveyOfSums(t *testing.T) {
	f := servicetest.New().Data(servicetest.AutomationsPath, servicetest.OK(`{"content":[{"label":"a"}],"size":1,"totalElements":40,"totalPages":40}`))
	got, err := start(t, f, withPageSize(500)).Survey(t.Context(), automations, 30, &service.Usage{})
	require.NoError(t, err)
	assert.Equal(t, 40, got.Total)
	assert.Equal(t, 1, got.Table.Rows)
	assert.Equal(t, OrderUnknown, got.Order)
	assert.Equal(t, 1, f.Count(servicetest.AutomationsPath))
}
