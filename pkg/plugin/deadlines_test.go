package plugin

import (
	"testing"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// A line that is wrong is a setting that is wrong, which is said everywhere. One that no automation matches is not.
func TestDeadlineProblems(t *testing.T) {
	s := servicetest.New().
		Data(servicetest.TasksPath, servicetest.Paged(20, servicetest.Still(servicetest.TaskRange(1, 60)))).
		Data(servicetest.AutomationsPath, servicetest.OK(servicetest.Envelope([]string{`{"label":"payroll"}`}, 0, 20))).
		Data(servicetest.RunnersPath, servicetest.OK(`[]`)).Start(t)
	lines := []any{map[string]any{"automation": "pay*", "by": "07:00"}, map[string]any{"automation": "pyroll", "within": "1h"}}
	i := create(t, source(s.URL, "deadlines", lines))
	health, err := i.CheckHealth(t.Context(), &backend.CheckHealthRequest{})
	require.NoError(t, err)
	assert.Equal(t, backend.HealthStatusOk, health.Status)
	report := string(health.JSONDetails)
	assert.Contains(t, report, "line 2: no automation of the last 30 days has the label pyroll")
	assert.NotContains(t, report, "line 1")
	assert.JSONEq(t, `[{"value":"pay*","text":"pay*"},{"value":"pyroll","text":"pyroll"}]`, string(get(t, i, "values?queryType=tasks&field=deadlines").Body))
	assert.Zero(t, askFrame(t, i, `{"format":"attention","groupBy":["machineId"],"attention":{"silent":0,"waiting":0,"slow":0,"failing":0,"empty":0}}`).Rows(), "runners have no deadlines")
	none := create(t, source(s.URL))
	assert.JSONEq(t, `[]`, string(get(t, none, "values?queryType=tasks&field=deadlines").Body), "a dashboard can hide what is about deadlines")

	wrong := create(t, source(s.URL, "deadlines", append(lines, map[string]any{"automation": "orders", "by": "7"})))
	assert.ErrorContains(t, ask(t, wrong, `{"format":"attention"}`).Error, `Deadlines (jsonData.deadlines), line 3: by is "7": enter a time from 00:01 to 24:00`)
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
