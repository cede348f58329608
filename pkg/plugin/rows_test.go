package plugin

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// today returns a task that was created so long ago.
func today(id int, ago time.Duration, label string) string {
	return fmt.Sprintf(`{"id":%d,"activityLabel":%q,"state":"START","dateCreation":%q,"dateStartRunning":null}`,
		id, label, time.Now().Add(-ago).UTC().Format("2006-01-02T15:04:05.000+00:00"))
}

// The service supports only whole days: without days, a query of tasks is limited to the range.
func TestTasksAreCutToTheRange(t *testing.T) {
	i := start(t, newService().Data(tasksPath, servicetest.OK(page(
		today(1, time.Hour, "a"), today(2, 25*time.Hour, "a"), today(3, 8*24*time.Hour, "a"), `{"id":4}`))))
	for query, want := range map[string][]string{
		`{}`:                               {"1", "2"},
		`{"days":9}`:                       {"1", "2", "3", "4"},
		`{"timeField":"dateStartRunning"}`: nil,
	} {
		assert.Equal(t, want, column(t, askFrame(t, i, query), "id"), query)
	}
}

func TestSearch(t *testing.T) {
	s := newService().Data(tasksPath, servicetest.OK(page(today(1, time.Hour, "intake-EU"), today(2, time.Hour, "Invoices"), today(3, time.Hour, "rest"))))
	i := start(t, s)
	assert.Equal(t, []string{"1", "2"}, column(t, askFrame(t, i, `{"search":"IN"}`), "id"), "contains, whatever the case")
	assert.Nil(t, column(t, askFrame(t, i, `{"search":" IN"}`), "id"), "as written")
	assert.Empty(t, s.Requests(tasksPath)[0].URL.Query().Get("search"))

	askFrame(t, i, `{"queryType":"runners","search":" m-1 ","days":1}`)
	assert.Equal(t, " m-1 ", s.Requests(runnersPath)[0].URL.Query().Get("runner"))
}

// The service sorts what a limit reads. All rows are sorted here, nulls last: a service may order rows with the same value anew
// for each page.
func TestSort(t *testing.T) {
	s := newService()
	i := start(t, s)
	for n, test := range []struct{ query, sort, first string }{
		{`{"queryType":"automations","days":1,"limit":2,"sort":{"field":"taskCount","order":"desc"}}`, "taskCount,desc", "b-intake"},
		{`{"queryType":"automations","days":1,"sort":{"field":"taskCount","order":"asc"}}`, "", "c-nameless"},
	} {
		assert.Equal(t, test.first, column(t, askFrame(t, i, test.query), "label")[0], test.query)
		assert.Equal(t, test.sort, s.Requests(automationsPath)[n].URL.Query().Get("sort"), test.query)
	}
	for order, want := range map[string][]string{"asc": {"0.5", "0.9", "null"}, "desc": {"0.9", "0.5", "null"}} {
		f := askFrame(t, i, fmt.Sprintf(`{"queryType":"automations","days":1,"sort":{"field":"successRate","order":%q}}`, order))
		assert.Equal(t, want, column(t, f, "successRate"))
	}
	assert.Equal(t, []string{"2", "1"}, column(t, askFrame(t, i, `{"days":1,"sort":{"field":"id","order":"desc"}}`), "id"))
}

// endedTasks returns tasks of the last hours, the newest first.
func endedTasks(n int) []string {
	rows := make([]string, n)
	for i := range rows {
		rows[i] = strings.Replace(today(i, time.Duration(i+1)*time.Minute, "x"), `"START"`, `"FINISHED","finishStatus":"SUCCESS"`, 1)
	}
	return rows
}

// fivePages serves 100 automations on five pages.
func fivePages(w http.ResponseWriter, r *http.Request) {
	number := 0
	_, _ = fmt.Sscan(r.URL.Query().Get("page"), &number)
	var rows []string
	for n := range 20 {
		rows = append(rows, fmt.Sprintf(`{"label":"a-%03d","taskCount":%d}`, number*20+n, number*20+n))
	}
	servicetest.OK(fmt.Sprintf(`{"content":[%s],"size":20,"totalElements":100,"totalPages":5}`, strings.Join(rows, ",")))(w, r)
}

// The first tasks in the service's order, of those in the range: their pages are enough, in whatever order they come.
func TestFirstTasks(t *testing.T) {
	const days = 30
	newest := make([]string, 200)
	for i := range newest {
		newest[i] = today(200-i, time.Duration(i)*time.Minute+time.Second, "x")
	}
	oldest := slices.Clone(newest)
	slices.Reverse(oldest)
	for name, test := range map[string]struct {
		rows     []string
		query    string
		from, to time.Duration // ago
		first    string
		shown    int
		requests int
	}{
		"newest first":               {newest, `{"limit":50}`, days * 24 * time.Hour, 0, "200", 50, 3},
		"oldest first":               {oldest, `{"limit":50}`, days * 24 * time.Hour, 0, "1", 50, 3},
		"all there are":              {newest[:15], `{"limit":50}`, days * 24 * time.Hour, 0, "200", 15, 1},
		"the first are not in range": {oldest, `{"limit":50}`, time.Hour, 0, "141", 50, 15},
		"a sort":                     {oldest, `{"limit":50,"sort":{"field":"dateCreation","order":"desc"}}`, days * 24 * time.Hour, 0, "200", 50, 12},
		"a field of other rows":      {newest, `{"limit":50,"columns":["id","slowness"]}`, days * 24 * time.Hour, 0, "200", 50, 11},
	} {
		t.Run(name, func(t *testing.T) {
			s := newService().Data(tasksPath, servicetest.Paged(20, servicetest.Still(test.rows)))
			i := start(t, s)
			for range 2 { // The second one shares the rows.
				q := dataQuery("A", test.query)
				q.TimeRange.From, q.TimeRange.To = time.Now().Add(-test.from), time.Now().Add(-test.to)
				response := askAll(t, t.Context(), i, q)["A"]
				require.NoError(t, response.Error)
				require.Equal(t, test.shown, response.Frames[0].Rows())
				assert.Equal(t, test.first, column(t, response.Frames[0], "id")[0])
			}
			assert.Equal(t, test.requests, s.Count(tasksPath))
		})
	}
}
