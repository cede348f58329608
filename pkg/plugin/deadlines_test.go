package plugin

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/grafana/grafana-plugin-sdk-go/data"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// What is wrong with a line concerns the queries that need deadlines: they say so and use the others. In a rule, attention has
// an instance for it, and a share, which can't say what it leaves out, is an error. Everything else works.
func TestDeadlineProblems(t *testing.T) {
	s := servicetest.New().
		Data(servicetest.TasksPath, servicetest.Paged(20, servicetest.Still(servicetest.TaskRange(1, 60)))).
		Data(servicetest.AutomationsPath, servicetest.OK(servicetest.Envelope([]string{`{"label":"payroll"}`}, 0, 20))).
		Data(servicetest.RunnersPath, servicetest.OK(`[]`)).Start(t)
	lines := []any{map[string]any{"automation": "pay*", "by": "07:00"}, map[string]any{"automation": "orders", "by": "7"}, map[string]any{"automation": "pyroll", "within": "1h"}}
	i := create(t, source(s.URL, "deadlines", lines))

	const problem = `Deadlines (jsonData.deadlines), line 2: by is "7": enter a time from 00:01 to 24:00`
	for query, needs := range map[string]bool{
		`{"format":"attention"}`: true, `{"format":"attention","attention":{"deadline":0}}`: false, `{"format":"attention","groupBy":["machineId"]}`: false,
		`{"format":"numeric","measure":"deadlinesMet"}`: true, `{"format":"numeric","measure":"tasks"}`: false,
	} {
		panel := ask(t, i, query)
		require.NoError(t, panel.Error, query)
		said := false
		for _, n := range panel.Frames[0].Meta.Notices {
			said = said || assert.ObjectsAreEqual(n.Text[:min(len(n.Text), len(problem))], problem)
		}
		assert.Equal(t, needs, said, query)

		request := &backend.QueryDataRequest{
			Headers: map[string]string{backend.FromAlertHeaderName: "true"},
			Queries: []backend.DataQuery{{RefID: "A", JSON: []byte(query), Interval: time.Minute, TimeRange: backend.TimeRange{From: time.Now().Add(-time.Hour), To: time.Now()}}},
		}
		response, err := i.QueryData(t.Context(), request)
		require.NoError(t, err)
		rule := response.Responses["A"]
		isShare := strings.Contains(query, "deadlinesMet")
		assert.Equal(t, isShare, rule.Error != nil, "%s: %v", query, rule.Error)
		if needs && !isShare {
			labels := data.Labels{"activityLabel": "orders", "reason": "deadline"}
			isInstance := func(f *data.Field) bool { return labels.Equals(f.Labels) && *f.At(0).(*float64) == 3 }
			assert.True(t, slices.ContainsFunc(rule.Frames[0].Fields, isInstance), query)
			assert.Greater(t, len(rule.Frames[0].Fields), 1, "others")
		}
		if isShare {
			assert.ErrorContains(t, rule.Error, problem)
			assert.Equal(t, backend.StatusBadRequest, rule.Status)
		}
	}
	due := ask(t, i, `{"format":"deadlines"}`)
	require.NoError(t, due.Error)
	assert.Contains(t, due.Frames[0].Meta.Notices[0].Text, problem)

	health, err := i.CheckHealth(t.Context(), &backend.CheckHealthRequest{})
	require.NoError(t, err)
	assert.Equal(t, backend.HealthStatusOk, health.Status)
	report := string(health.JSONDetails)
	assert.Contains(t, report, "line 2 can't be judged, and needs attention until it is corrected: by is")
	assert.Contains(t, report, "line 3: no automation of the last 30 days has the label pyroll")
	assert.NotContains(t, report, "line 1")

	assert.JSONEq(t, `[{"value":"pay*","text":"pay*"},{"value":"pyroll","text":"pyroll"}]`, string(get(t, i, "values?queryType=tasks&field=deadlines").Body))
	none := create(t, source(s.URL))
	assert.JSONEq(t, `[]`, string(get(t, none, "values?queryType=tasks&field=deadlines").Body), "a dashboard can hide what is about deadlines")
}

func TestDeadlinesOfARule(t *testing.T) {
	i := create(t, source(someURL))
	response, err := i.QueryData(t.Context(), &backend.QueryDataRequest{
		Headers: map[string]string{backend.FromAlertHeaderName: "true"},
		Queries: []backend.DataQuery{{RefID: "A", JSON: []byte(`{"format":"deadlines"}`), TimeRange: backend.TimeRange{From: time.Now().Add(-time.Hour), To: time.Now()}}},
	})
	require.NoError(t, err)
	rule := response.Responses["A"]
	require.ErrorContains(t, rule.Error, `format "deadlines": a rule needs numbers. Use format attention, whose reason deadline`)
	assert.ErrorContains(t, rule.Error, "measure deadlinesMet")
	assert.Equal(t, backend.StatusBadRequest, rule.Status)
}
