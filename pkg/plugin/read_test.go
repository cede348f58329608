package plugin

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// What is shown does not depend on which list is kept: a task that was created long before the range does not count although
// it ran in it, and a task that was created three days before does.
func TestMoreDaysChangeNothing(t *testing.T) {
	at := func(ago time.Duration) string { return time.Now().Add(-ago).UTC().Format(time.RFC3339) }
	listed := func(w http.ResponseWriter, r *http.Request) {
		days, _ := strconv.Atoi(r.URL.Query().Get("days"))
		var rows []string
		for id, ago := range []time.Duration{20 * time.Hour, 80 * time.Hour, 110 * time.Hour, 20 * day} {
			if ago < time.Duration(days)*day {
				rows = append(rows, fmt.Sprintf(`{"id":%d,"state":"FINISHED","finishStatus":"SUCCESS","machineId":"m%d","dateCreation":%q,"dateStartRunning":%q,"dateLastModified":%q}`,
					9-id, id, at(ago), at(time.Hour), at(time.Minute)))
			}
		}
		servicetest.OK(page(rows...))(w, r)
	}
	for query, want := range map[string]int{
		`{"format":"timeline"}`:                                                               2, // lanes of a bar
		`{"columns":["id"],"timeField":"dateStartRunning"}`:                                   2,
		`{"format":"numeric","measure":"concurrency","groupBy":["machineId"],"shape":"long"}`: 2,
	} {
		for _, first := range []string{query, `{"format":"attention"}`} {
			s := newService().Data(tasksPath, listed)
			i := start(t, s)
			askOf(t, i, nil, over(first, day, 0))
			rows := 0
			for _, f := range askOf(t, i, nil, over(query, day, 0)).Frames {
				rows += f.Rows()
			}
			assert.Equal(t, want, rows, "%s after %s", query, first)
			assert.Equal(t, 1, s.Count(tasksPath), "the rows of 30 days answer %s", query)
		}
	}
}

// A task whose creation is not known may be in any range of another time.
func TestRowsWithoutCreation(t *testing.T) {
	ended := time.Now().Add(-10 * time.Minute).UTC().Format(time.RFC3339)
	row := `{"id":%d,"state":"FINISHED","finishStatus":"FAILED","activityLabel":"orders","dateCreation":%s,"dateLastModified":%q}`
	rows := []string{fmt.Sprintf(row, 2, "null", ended), fmt.Sprintf(row, 1, strconv.Quote(ended), ended)}
	i := start(t, newService().Data(tasksPath, servicetest.OK(page(rows...))))
	number := askOf(t, i, nil, over(`{"format":"numeric","measure":"failedTasks","timeField":"dateLastModified"}`, time.Hour, 0))
	require.Equal(t, []string{"2"}, column(t, number.Frames[0], "failedTasks"))
}

// today returns a task that was created so long ago.
func today(id int, ago time.Duration, label string) string {
	return fmt.Sprintf(`{"id":%d,"activityLabel":%q,"state":"START","dateCreation":%q,"dateStartRunning":null}`,
		id, label, time.Now().Add(-ago).UTC().Format("2006-01-02T15:04:05.000+00:00"))
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

// endedTasks returns tasks of the last hours, the newest first.
func endedTasks(n int) []string {
	rows := make([]string, n)
	for i := range rows {
		rows[i] = strings.Replace(today(i, time.Duration(i+1)*time.Minute, "x"), `"START"`, `"FINISHED","finishStatus":"SUCCESS"`, 1)
	}
	return rows
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
		requests int
	}{
		"newest first":               {newest, `{"limit":50}`, days * day, "200", 50, 3},
		"oldest first":               {oldest, `{"limit":50}`, days * day, "1", 50, 3},
		"all there are":              {newest[:15], `{"limit":50}`, days * day, "200", 15, 1},
		"the first are not in range": {oldest, `{"limit":50}`, time.Hour, "141", 50, 15},
		"a sort":                     {oldest, `{"limit":50,"sort":{"field":"dateCreation","order":"desc"}}`, days * day, "200", 50, 12},
		"a field of other rows":      {newest, `{"limit":50,"columns":["id","slowness"]}`, days * day, "200", 50, 11},
	} {
		t.Run(name, func(t *testing.T) {
			s := newService().Data(tasksPath, servicetest.Paged(20, servicetest.Still(test.rows)))
			i := start(t, s)
			for range 2 { // The second one shares the rows.
				response := askOf(t, i, nil, over(test.query, test.from, 0))
				require.NoError(t, response.Error)
				require.Equal(t, test.shown, response.Frames[0].Rows())
				assert.Equal(t, test.first, column(t, response.Frames[0], "id")[0])
			}
			assert.Equal(t, test.requests, s.Count(tasksPath))
		})
	}
}

// A field, a column and a measure may be unknown to the plugin: whether it exists is known only from the rows.
func TestUnknownNamesAreCheckedAgainstTheRows(t *testing.T) {
	s := newService().Data(tasksPath, servicetest.OK(page(`{"id":1,"brandNew":"x"}`)))
	i := start(t, s)
	assert.Equal(t, []string{"x"}, column(t, askFrame(t, i, `{"days":1,"columns":["brandNew"],"sort":{"field":"brandNew"},"filters":[{"key":"brandNew","operator":"=","value":"x"}]}`), "brandNew"))
	empty := start(t, newService().Data(tasksPath, servicetest.OK(page())))
	for query, what := range map[string]string{
		`{"days":1,"columns":["colour"]}`:                                      "column",
		`{"days":1,"sort":{"field":"colour"}}`:                                 "sort",
		`{"days":1,"filters":[{"key":"colour","operator":"=","value":"red"}]}`: "field",
		`{"days":1,"format":"numeric","measure":"tasks","groupBy":["colour"]}`: "field",
		`{"format":"timeseries","measure":"tasks","groupBy":["colour"]}`:       "field",
	} {
		assert.Zero(t, askFrame(t, empty, query).Rows(), "a rule has no data without rows, and no error")
		response := ask(t, i, query)
		assert.Equal(t, backend.StatusBadRequest, response.Status, query)
		require.ErrorContains(t, response.Error, "colour")
		require.ErrorContains(t, response.Error, what)
		require.ErrorContains(t, response.Error, "activityLabel", "what is allowed")
		require.ErrorContains(t, response.Error, "brandNew", "what is allowed")
	}
}

// Numbers that the specification does not know are measures if each row is a group.
func TestUnknownNumbersAreMeasures(t *testing.T) {
	s := newService().Data(automationsPath, servicetest.OK(page(`{"label":"a","p95":4.5,"empty":null},{"label":"b","p95":null,"unit":"ms"},{"p95":1},{"label":null,"p95":2}`)))
	i := start(t, s)
	ask := func(measure string) backend.DataResponse {
		return ask(t, i, `{"queryType":"automations","format":"numeric","groupBy":["label"],"days":1,"shape":"long","measure":"`+measure+`"}`)
	}
	assert.Equal(t, []string{"4.5", "null", "null"}, column(t, ask("p95").Frames[0], "p95"), "rows without a label are not added")
	assert.Equal(t, []string{"null", "null", "null"}, column(t, ask("empty").Frames[0], "empty"))
	for _, wrong := range []string{"colour", "unit"} {
		answer := ask(wrong)
		assert.Equal(t, backend.StatusBadRequest, answer.Status)
		require.ErrorContains(t, answer.Error, `unknown measure "`+wrong+`" of data set automations: use one of taskCount`)
		assert.NotContains(t, answer.Error.Error(), "repositoryLabel", "is not a number")
	}
}

// listing answers with tasks that were created some days ago, as far as the look-back goes, in pages of one.
func listing(longest int, daysAgo ...float64) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		days, _ := strconv.Atoi(r.URL.Query().Get("days"))
		var rows []string
		for id, ago := range daysAgo {
			if ago < float64(min(days, longest)) {
				at := time.Now().Add(-time.Duration(ago * float64(24*time.Hour)))
				rows = append(rows, fmt.Sprintf(`{"id":%d,"state":"FINISHED","dateCreation":%q}`, id, at.UTC().Format(time.RFC3339)))
			}
		}
		number, _ := strconv.Atoi(r.URL.Query().Get("page"))
		servicetest.OK(servicetest.Envelope(rows, number, 1))(w, r)
	}
}

// Whether a beginning was quiet, or the service has forgotten it, follows from the oldest task that it lists at all.
func TestCompareWithAQuietBeginning(t *testing.T) {
	for name, test := range map[string]struct {
		answer http.HandlerFunc
		before string
	}{
		"older tasks":                   {listing(3650, 1, 3, 9, 60), "1"},
		"nothing in the whole period":   {listing(3650, 1, 3, 60), "0"},
		"a service with a shorter past": {listing(30, 1, 3, 9, 60), "null"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newService().Data(tasksPath, test.answer)
			i := start(t, s)
			f := askFrame(t, i, `{"format":"numeric","measure":"tasks","compare":"previous","shape":"long"}`)
			assert.Equal(t, []string{test.before}, column(t, f, "before"))
			assert.Equal(t, []string{"2"}, column(t, f, "tasks"))
			assert.Equal(t, test.before == "null", strings.Contains(notices(f), "the service is known to have data only since "))
		})
	}
}

// Whoever asks what there is now gets an answer, even if nobody knows what there was: of an empty service, and of one that
// does not list tasks.
func TestNothingKnownButNow(t *testing.T) {
	for name, tasks := range map[string]http.HandlerFunc{
		"empty": servicetest.OK(page()), "no permission": servicetest.Status(http.StatusForbidden, `{"message":"no"}`),
	} {
		t.Run(name, func(t *testing.T) {
			i := start(t, newService().Data(tasksPath, tasks).Data(automationsPath, savings(each(0), each(0))))
			if name == "empty" {
				count := askFrame(t, i, `{"format":"numeric","measure":"tasks"}`)
				assert.Equal(t, []string{"0"}, column(t, count, "tasks"))
				assert.Empty(t, notices(count))
				line := column(t, askFrame(t, i, `{"format":"timeseries","measure":"tasks"}`), "tasks")
				assert.Equal(t, "0", line[len(line)-1])
				assert.Equal(t, "null", line[len(line)-2])
			}
			number := askFrame(t, i, savingsNumber)
			assert.Equal(t, []string{"0"}, column(t, number, "savings"))
			assert.Empty(t, notices(number))
			line := askFrame(t, i, savingsLine)
			assert.Equal(t, append(slices.Repeat([]string{"null"}, 6), "0"), column(t, line, "savings"))
			assert.Contains(t, notices(line), "does not tell since when it has data: a time without data is null, not 0")
			assert.Empty(t, askOver(t, i, savingsNumber, 30, 10).Fields)
		})
	}
	saving := newService().Data(tasksPath, servicetest.Status(http.StatusForbidden, "")).Data(automationsPath, savings(each(3)))
	assert.Equal(t, slices.Repeat([]string{"3"}, 7), column(t, askFrame(t, start(t, saving), savingsLine), "savings"), "differences show it")
}

const (
	savingsLine   = `{"queryType":"automations","format":"timeseries","measure":"savings"}`
	savingsNumber = `{"queryType":"automations","format":"numeric","measure":"savings"}`
)

// An hour that clocks skip has nothing to compare with, and the hour after it has its own: a task every quarter of an hour
// is four in each hour that there was.
func TestComparisonWithADayOf23Hours(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Berlin")
	require.NoError(t, err)
	from := time.Date(2026, time.March, 30, 0, 0, 0, 0, zone)
	to := from.AddDate(0, 0, 1).Add(-time.Millisecond)
	var rows []string
	for at := to; at.After(from.AddDate(0, 0, -3)); at = at.Add(-15 * time.Minute) {
		rows = append(rows, fmt.Sprintf(`{"id":%d,"dateCreation":%q}`, at.Unix(), at.UTC().Format(time.RFC3339)))
	}
	q := dataQuery("A", `{"format":"timeseries","per":"hour","measure":"tasks","compare":"day","timezone":"Europe/Berlin"}`)
	q.TimeRange = backend.TimeRange{From: from, To: to}
	before := askOf(t, start(t, newService().Data(tasksPath, servicetest.OK(page(rows...)))), nil, q).Frames[0].Fields[2]
	require.Equal(t, "day", before.Labels["compare"])
	for hour := range 24 {
		count, known := before.ConcreteAt(hour)
		assert.Equal(t, hour != 2, known, "%d:00", hour)
		assert.True(t, !known || count == 4.0, "%d:00", hour)
	}
}

// The last answer, in milliseconds, is that which is reused, even of no task.
func TestLastAnswer(t *testing.T) {
	i := start(t, newService().Data(tasksPath, servicetest.OK(page())))
	answer := func() string {
		return column(t, askFrame(t, i, `{"format":"numeric","measure":"lastAnswer"}`), "lastAnswer")[0]
	}
	asked, first := time.Now().UnixMilli(), answer()
	at, err := strconv.ParseFloat(first, 64)
	require.NoError(t, err)
	require.Equal(t, first, answer())
	require.GreaterOrEqual(t, int64(at), asked)
	require.LessOrEqual(t, int64(at), time.Now().UnixMilli())
}

// Rows are dated by the service's clock, which its responses show: the last five minutes are those of that clock.
func TestRangeOfAnotherClock(t *testing.T) {
	for _, ahead := range []time.Duration{-10 * time.Minute, 0, 10 * time.Minute} {
		i := start(t, newService().Data(tasksPath, func(w http.ResponseWriter, r *http.Request) {
			now := time.Now().Add(ahead).UTC()
			w.Header().Set("Date", now.Format(http.TimeFormat))
			var rows []string
			for n := range 5 { // every two minutes, none of them where the range begins
				rows = append(rows, fmt.Sprintf(`{"id":%d,"state":"FINISHED","finishStatus":"FAILED","dateCreation":%q}`, n, now.Add(-time.Duration(2*n+2)*time.Minute).Format(time.RFC3339)))
			}
			servicetest.OK(page(rows...))(w, r)
		}))
		answer := askOf(t, i, asRule, over(`{"format":"numeric","measure":"failedTasks"}`, 5*time.Minute, 0))
		require.NoError(t, answer.Error)
		assert.Equal(t, []string{"2"}, column(t, answer.Frames[0], "failedTasks"), "of a clock that is %s ahead", ahead)
	}
}

const (
	tasksByAutomation = `{"days":1,"format":"numeric","measure":"tasks","groupBy":["activityLabel"]}`
	called            = `{"label":"refunds","name":"Customer refunds"}`
)

func refunds() *servicetest.Fake {
	return newService().
		Data(tasksPath, servicetest.OK(page(`{"id":1,"activityLabel":"refunds"}`))).
		Data(automationsPath, servicetest.OK(page(called)))
}

func nameOf(t *testing.T, i *Instance, query string) string {
	t.Helper()
	return askFrame(t, i, query).Fields[0].Config.DisplayNameFromDS
}

// Tasks know only labels: the names are read once, beside the tasks, for panels and rules alike.
func TestTasksShowNamesOfAutomations(t *testing.T) {
	s := refunds()
	i := start(t, s)
	for range 3 {
		assert.Equal(t, "Customer refunds", nameOf(t, i, tasksByAutomation))
	}
	assert.Equal(t, 1, s.Count(automationsPath))
	const byName = `{"queryType":"automations","days":7,"format":"numeric","measure":"taskCount","groupBy":["label"],"search":"ref"}`
	assert.Equal(t, "Customer refunds", nameOf(t, i, byName))

	s = refunds()
	assert.Equal(t, "refunds", nameOf(t, start(t, s, "names", "api"), tasksByAutomation))
	i = start(t, s)
	for _, query := range []string{`{"days":1}`, `{"days":1,"format":"numeric","measure":"tasks"}`, with(tasksByAutomation, `"shape":"long"`)} {
		askFrame(t, i, query)
	}
	assert.Zero(t, s.Count(automationsPath), "no name is shown")

	i = start(t, newService().Data(automationsPath, func(w http.ResponseWriter, r *http.Request) {
		rows := []string{called}
		if r.URL.Query().Get("automation") == "" {
			rows = append(rows, `{"label":"other","name":"Customer refunds"}`)
		}
		servicetest.OK(page(rows...))(w, r)
	}))
	assert.Equal(t, "refunds", nameOf(t, i, byName), "a search does not show that another automation has the same name")
}

// Names never fail a query: it shows labels, and does not ask again at once.
func TestTasksWithoutNamesOfAutomations(t *testing.T) {
	s := refunds().On(automationsPath, servicetest.Status(403, `{"message":"not for you"}`))
	i := start(t, s)
	askFrame(t, i, `{"days":2}`) // A token that tasks have accepted is not replaced because of a 403.
	for range 3 {
		f := askFrame(t, i, tasksByAutomation)
		assert.Equal(t, "refunds", f.Fields[0].Config.DisplayNameFromDS)
		assert.NotContains(t, notices(f), "utomation")
	}
	assert.Equal(t, 1, s.Count(automationsPath))
	earlier := map[string]string{"refunds": "Customer refunds"}
	names, _ := i.readNames(t.Context(), earlier)
	assert.Equal(t, earlier, names)
}
