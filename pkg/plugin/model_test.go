package plugin

import (
	"fmt"
	"testing"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/inputerror"
	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

func TestQueryDefaults(t *testing.T) {
	for name, raw := range map[string]string{
		"nothing saved":     `{}`,
		"what Grafana adds": `{"refId":"A","datasource":{"type":"x","uid":"y"},"hide":false,"intervalMs":1000,"maxDataPoints":43,"key":"Q-1","datasourceId":1}`,
		"nulls":             `{"queryType":null,"days":null,"search":null,"sort":null,"filters":null,"format":null,"columns":null,"limit":null,"groupBy":null,"timeField":null}`,
		"empty":             `{"queryType":"","search":"","sort":{"field":"","order":"asc"},"filters":[],"format":"","columns":[],"groupBy":[],"timeField":""}`,
	} {
		t.Run(name, func(t *testing.T) {
			q, err := parseQuery(dataQuery("A", raw))
			require.NoError(t, err)
			assert.Equal(t, "tasks", q.set.Name)
			assert.Equal(t, "table", q.format)
			assert.Zero(t, q.days, "follow the time range")
			assert.Empty(t, q.search)
			assert.Nil(t, q.sort)
			assert.Empty(t, q.filters)
			assert.Empty(t, q.columns)
			assert.Zero(t, q.limit)
			assert.Equal(t, "dateCreation", q.time)
		})
	}
}

func TestQueryGiven(t *testing.T) {
	q, err := parseQuery(dataQuery("A", `{"queryType":"automations","days":7,"search":"inv","sort":{"field":"taskCount","order":"desc"},
		"filters":[{"key":"repositoryLabel","operator":"=|","values":["a","b"]}],"format":"numeric","limit":10,"measure":"successRate","groupBy":["label","name"]}`))
	require.NoError(t, err)
	assert.Equal(t, "automations", q.set.Name)
	assert.Equal(t, 7, q.days)
	assert.Equal(t, "inv", q.search)
	assert.Equal(t, &datasets.Sort{Field: "taskCount", Order: "desc"}, q.sort)
	require.Len(t, q.filters, 1)
	assert.Equal(t, []string{"a", "b"}, q.filters[0].Values)
	assert.Equal(t, "numeric", q.format)
	assert.Equal(t, 10, q.limit)
	assert.Equal(t, "successRate", q.measure)
	assert.Equal(t, []string{"label", "name"}, q.groupBy)
}

// Grafana also has the query type outside the JSON: alert rules from a file may have it only there.
func TestQueryTypeOutsideTheJSON(t *testing.T) {
	dq := dataQuery("A", `{}`)
	dq.QueryType = "runners"
	q, err := parseQuery(dq)
	require.NoError(t, err)
	assert.Equal(t, "runners", q.set.Name)
}

// Invalid queries are a 400 that names the value and the allowed values.
func TestBadQueries(t *testing.T) {
	for _, test := range []struct {
		query string
		says  []string
	}{
		{`{"queryType":"robots"}`, []string{"robots", "tasks", "automations", "runners"}},
		{`{"queryType":"Tasks"}`, []string{"Tasks", "tasks"}},
		{`{"queryType":5}`, []string{"queryType", "number", "string"}},
		{`{"format":"graph"}`, []string{"graph", "table", "timeseries", "numeric"}},

		{`{"days":0}`, []string{"days", "0", "at least 1"}},
		{`{"days":-3}`, []string{"days", "-3", "at least 1"}},
		{`{"days":1.5}`, []string{"days", "1.5", "whole"}},
		{`{"days":"7"}`, []string{"days", `"7"`, "whole number"}},
		{`{"days":"$days"}`, []string{"days", "$days"}},
		{`{"days":true}`, []string{"days", "true"}},
		{`{"days":[7]}`, []string{"days", "7"}},
		{`{"days":1e30}`, []string{"days", "e+30"}},
		{`{"limit":0}`, []string{"limit", "0", "at least 1"}},
		{`{"limit":-1}`, []string{"limit", "-1"}},
		{`{"limit":2.5}`, []string{"limit", "2.5"}},
		{`{"limit":"ten"}`, []string{"limit", "ten"}},

		{`{"sort":{"field":"state","order":"up"}}`, []string{"up", "asc", "desc"}},
		{`{"sort":{"field":"state","order":"ASC"}}`, []string{"ASC", "asc", "desc"}},
		{`{"sort":"state"}`, []string{"sort"}},
		{`{"search":5}`, []string{"search", "number", "string"}},
		{`{"columns":"state"}`, []string{"columns"}},
		{`{"columns":["state","id","state"]}`, []string{"state", "twice"}},

		{`{"filters":[{"key":"state","operator":"~","value":"x"}]}`, []string{"~", "=~", "!=|"}},
		{`{"filters":[{"key":"state","value":"x"}]}`, []string{"operator", "=~"}},
		{`{"filters":[{"operator":"=","value":"x"}]}`, []string{"field", "state"}},
		{`{"filters":[{"key":"state","operator":"=~","value":"(a"}]}`, []string{"(a", "state"}},
		{`{"filters":[{"key":"state","operator":"=|","values":[]}]}`, []string{"state", "value"}},
		{`{"filters":[{"key":"dateCreation","operator":">","value":"soon"}]}`, []string{"soon", "dateCreation"}},

		{`{"format":"numeric"}`, []string{"measure", "successRate", "oldestQueued"}},
		{`{"format":"numeric","measure":"roi"}`, []string{"roi", "tasks", "duration"}},
		{`{"format":"numeric","queryType":"runners","measure":"successRate"}`, []string{"successRate", "runners", "utilizationRate"}},
		{`{"format":"numeric","queryType":"automations","measure":"name"}`, []string{"name", "taskCount"}},
		{`{"format":"timeseries","measure":"tasks","groupBy":["id"]}`, []string{"id", "state"}},
		{`{"format":"timeseries","measure":"tasks","groupBy":["dateCreation"]}`, []string{"dateCreation", "state"}},
		{`{"format":"numeric","measure":"tasks","groupBy":["totalItems"]}`, []string{"totalItems", "activityLabel"}},
		{`{"format":"numeric","measure":"tasks","groupBy":["state","state"]}`, []string{"state", "twice"}},
		{`{"format":"timeseries","queryType":"automations","measure":"successRate"}`, []string{"successRate", "automations", "time series", "savings", "tasks", "recording rule"}},
		{`{"format":"timeseries","queryType":"automations","measure":"fte"}`, []string{"fte", "taskCount, sumItems, sumItemsError, sumItemsProcessed, savings, use data set tasks"}},
		{`{"format":"timeseries","queryType":"runners","measure":"utilizationRate"}`, []string{"utilizationRate", "runners", "tasks, items, itemsErrorCount", "recording rule"}},
		{`{"format":"timeseries","queryType":"runners","measure":"savings"}`, []string{"savings", "runners", "tasks, items, itemsErrorCount"}},

		{`{"timeField":"date"}`, []string{"date", "dateCreation", "dateStartRunning", "dateLastModified"}},
		{`{"timezone":"Mars/Olympus"}`, []string{"Mars/Olympus"}},

		{`[]`, []string{"query"}},
		{`"tasks"`, []string{"query"}},
		{`{"days":`, []string{"query"}},
		{``, []string{"query"}},
	} {
		t.Run(test.query, func(t *testing.T) {
			_, err := parseQuery(dataQuery("A", test.query))
			require.ErrorIs(t, err, inputerror.Err)
			for _, word := range test.says {
				assert.ErrorContains(t, err, word)
			}
			status, source := classify(err)
			assert.Equal(t, backend.StatusBadRequest, status)
			assert.Equal(t, backend.ErrorSourceDownstream, source)
		})
	}
}

// Bad input fails before anything is sent.
func TestBadQuerySendsNothing(t *testing.T) {
	s := newService()
	response := ask(t, start(t, s), `{"days":0}`)
	assert.Equal(t, backend.StatusBadRequest, response.Status)
	assert.Zero(t, s.Count(""))
}

func TestTimeRangeWithoutLength(t *testing.T) {
	now := time.Now()
	for _, to := range []time.Time{now, now.Add(-time.Hour)} {
		dq := dataQuery("A", `{}`)
		dq.TimeRange = backend.TimeRange{From: now, To: to}
		_, err := parseQuery(dq)
		require.ErrorIs(t, err, inputerror.Err)
		assert.ErrorContains(t, err, "time range")
	}
}

// A field, a column and a measure may be unknown to the plugin: whether it exists is known only from the rows.
func TestUnknownNamesAreCheckedAgainstTheRows(t *testing.T) {
	s := newService().Data(tasksPath, servicetest.OK(page(`{"id":1,"brandNew":"x"}`)))
	i := start(t, s)
	assert.Equal(t, []string{"x"}, column(t, askFrame(t, i, `{"days":1,"columns":["brandNew"],"sort":{"field":"brandNew"},"filters":[{"key":"brandNew","operator":"=","value":"x"}]}`), "brandNew"))
	for query, what := range map[string]string{
		`{"days":1,"columns":["colour"]}`:                                      "column",
		`{"days":1,"sort":{"field":"colour"}}`:                                 "sort",
		`{"days":1,"filters":[{"key":"colour","operator":"=","value":"red"}]}`: "field",
	} {
		response := ask(t, i, query)
		assert.Equal(t, backend.StatusBadRequest, response.Status, query)
		require.ErrorContains(t, response.Error, "colour")
		require.ErrorContains(t, response.Error, what)
		require.ErrorContains(t, response.Error, "activityLabel", "what is allowed")
		require.ErrorContains(t, response.Error, "brandNew", "what is allowed")
	}
}

// The days from now back to the start of the range, rounded up, at least 1.
func TestDaysBack(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	const day = 24 * time.Hour
	for _, test := range []struct {
		back time.Duration
		days int
	}{
		{0, 1}, {-day, 1}, {time.Minute, 1}, {6 * time.Hour, 1}, {day, 1},
		// "Last 24 hours" is slightly longer on arrival.
		{day + 3*time.Second, 1}, {day + time.Minute, 1},
		{day + time.Hour, 2}, {2 * day, 2}, {6*day + time.Hour, 7}, {7 * day, 7}, {90 * day, 90}, {90*day + 12*time.Hour, 91},
	} {
		assert.Equal(t, test.days, daysBack(now.Add(-test.back), now), fmt.Sprint(test.back))
	}
	assert.Equal(t, 20778, daysBack(time.Unix(0, 0), now), "the start of time of a dashboard")
	assert.Greater(t, daysBack(time.Date(1500, 1, 1, 0, 0, 0, 0, time.UTC), now), 100_000, "further back than a duration can say")
	assert.Greater(t, daysBack(time.Time{}, now), 100_000)
}

// Given days are used unchanged; otherwise the range decides.
func TestDaysThatAreSent(t *testing.T) {
	s := newService()
	i := start(t, s)
	askFrame(t, i, `{}`)
	askFrame(t, i, `{"days":3}`)
	sent := s.Requests(tasksPath)
	require.Len(t, sent, 2)
	assert.Equal(t, "7", sent[0].URL.Query().Get("days"))
	assert.Equal(t, "3", sent[1].URL.Query().Get("days"))
}
