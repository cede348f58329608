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
	assert.Equal(t, []string{"1", "2"}, column(t, askFrame(t, i, `{"search":" IN "}`), "id"), "contains, whatever the case")
	assert.Nil(t, column(t, askFrame(t, i, `{"search":"nothing like it"}`), "id"))
	assert.Empty(t, s.Requests(tasksPath)[0].URL.Query().Get("search"))

	askFrame(t, i, `{"queryType":"runners","search":" m-1 ","days":1}`)
	assert.Equal(t, "m-1", s.Requests(runnersPath)[0].URL.Query().Get("runner"))
}

// The service sorts if a limit is all that is read, and by supported fields; otherwise, the plugin sorts, nulls last.
func TestSort(t *testing.T) {
	s := newService()
	i := start(t, s)
	askFrame(t, i, `{"queryType":"automations","days":1,"sort":{"field":"taskCount","order":"desc"},"limit":2}`)
	assert.Equal(t, "taskCount,desc", s.Requests(automationsPath)[0].URL.Query().Get("sort"))

	for order, want := range map[string][]string{"asc": {"0.5", "0.9", "null"}, "desc": {"0.9", "0.5", "null"}} {
		f := askFrame(t, i, fmt.Sprintf(`{"queryType":"automations","days":1,"sort":{"field":"successRate","order":%q}}`, order))
		assert.Equal(t, want, column(t, f, "successRate"))
	}
	assert.Empty(t, s.Requests(automationsPath)[1].URL.Query().Get("sort"))
	assert.Equal(t, []string{"2", "1"}, column(t, askFrame(t, i, `{"days":1,"sort":{"field":"id","order":"desc"}}`), "id"))
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

// A limit reads only the needed pages if rows are shown in the service's order, and all pages otherwise.
func TestLimit(t *testing.T) {
	for _, test := range []struct {
		query string
		pages int
		first string
	}{
		{`{"queryType":"automations","days":1,"limit":30}`, 2, "a-000"},
		{`{"queryType":"automations","days":1,"limit":30,"sort":{"field":"label","order":"asc"}}`, 2, "a-000"},
		{`{"queryType":"automations","days":1,"limit":30,"sort":{"field":"savings","order":"asc"}}`, 5, "a-000"},
		{`{"queryType":"automations","days":1,"limit":30,"filters":[{"key":"taskCount","operator":">","value":"49"}]}`, 5, "a-050"},
		{`{"queryType":"automations","days":1,"limit":30,"search":"a-"}`, 2, "a-000"},
		{`{"queryType":"automations","days":1,"limit":30,"format":"numeric","measure":"taskCount","groupBy":["label"],"shape":"long","sort":{"field":"taskCount","order":"desc"}}`, 5, "a-099"},
	} {
		t.Run(test.query, func(t *testing.T) {
			s := newService().Data(automationsPath, fivePages)
			f := askFrame(t, start(t, s), test.query)
			assert.Equal(t, 30, f.Rows())
			assert.Equal(t, test.first, column(t, f, "label")[0])
			assert.Equal(t, test.pages, s.Count(automationsPath))
			assert.NotContains(t, notices(f), "maxRows")
		})
	}
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
		from     time.Duration // ago
		first    string
		shown    int
		requests int // with one or two for the oldest task, if rows are missing from the beginning
	}{
		"newest first":                 {newest, `{"limit":50}`, days * 24 * time.Hour, "200", 50, 3},
		"oldest first":                 {oldest, `{"limit":50}`, days * 24 * time.Hour, "1", 50, 3},
		"explicit days":                {oldest, `{"limit":50,"days":30}`, time.Hour, "1", 50, 3},
		"all there are":                {newest[:15], `{"limit":50}`, days * 24 * time.Hour, "200", 15, 2},
		"the first are not in range":   {oldest, `{"limit":50}`, time.Hour, "141", 50, 13},
		"a filter":                     {newest, `{"limit":50,"filters":[{"key":"id","operator":"<","value":"120"}]}`, days * 24 * time.Hour, "119", 50, 12},
		"a sort":                       {oldest, `{"limit":50,"sort":{"field":"dateCreation","order":"desc"}}`, days * 24 * time.Hour, "200", 50, 12},
		"a search":                     {newest, `{"limit":50,"search":"x"}`, days * 24 * time.Hour, "200", 50, 12},
		"a field that is not known":    {newest, `{"limit":50,"columns":["id","zone"]}`, days * 24 * time.Hour, "", 0, 12},
		"a field of other rows":        {newest, `{"limit":50,"columns":["id","slowness"]}`, days * 24 * time.Hour, "200", 50, 12},
		"more than there are in total": {newest, `{"limit":500}`, days * 24 * time.Hour, "200", 200, 12},
	} {
		t.Run(name, func(t *testing.T) {
			s := newService().Data(tasksPath, servicetest.Paged(20, servicetest.Still(test.rows)))
			i := start(t, s)
			for range 2 { // The second one shares the rows.
				q := dataQuery("A", test.query)
				q.TimeRange.From = time.Now().Add(-test.from)
				response := askAll(t, t.Context(), i, q)["A"]
				if test.first == "" {
					require.ErrorContains(t, response.Error, `unknown column "zone"`)
				} else {
					require.NoError(t, response.Error)
					f := response.Frames[0]
					require.Equal(t, test.shown, f.Rows())
					assert.Equal(t, test.first, column(t, f, "id")[0])
					assert.NotContains(t, notices(f), "Max rows")
					if test.shown < len(test.rows) && len(test.rows) > 50 && test.requests < 12 {
						assert.NotContains(t, notices(f), "no data before", "there are other rows")
					}
				}
			}
			assert.Equal(t, test.requests, s.Count(tasksPath))
		})
	}
}
