package plugin

import (
	"testing"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// A line that no automation matches is a finding, and deadlines are suggested for dashboards that hide what is about them.
func TestDeadlinesOfTheSetting(t *testing.T) {
	s := newService().Data(automationsPath, servicetest.OK(page(`{"label":"payroll"}`))).Start(t)
	i := create(t, source(s.URL, "deadlines", []any{map[string]any{"automation": "pay*", "by": "07:00"}, map[string]any{"automation": "pyroll", "within": "1h"}}))
	health := check(t, i)
	assert.Equal(t, backend.HealthStatusOk, health.result.Status)
	report := string(health.result.JSONDetails)
	assert.Contains(t, report, "line 2: no automation of the last 30 days has the label pyroll")
	assert.NotContains(t, report, "line 1")
	assert.JSONEq(t, `[{"value":"pay*","text":"pay*"},{"value":"pyroll","text":"pyroll"}]`, string(get(t, i, "values?queryType=tasks&field=deadlines").Body))
	assert.Zero(t, askFrame(t, i, `{"format":"attention","groupBy":["machineId"],"attention":{"silent":0,"waiting":0,"slow":0,"failing":0,"empty":0}}`).Rows(), "runners have no deadlines")
	assert.JSONEq(t, `[]`, string(get(t, create(t, source(s.URL)), "values?queryType=tasks&field=deadlines").Body))
}

// Teams are labels of rules, also of automations without tasks, and suggested, without a request, for filters and variables.
func TestTeamsOfTheSetting(t *testing.T) {
	s := newService().Data(automationsPath, servicetest.OK(page(`{"label":"payroll"}`)))
	teams := []any{map[string]any{"automation": "pay*", "team": "HR"}, map[string]any{"automation": "*", "team": "Ops"}}
	i := create(t, source(s.Start(t).URL, "teams", teams, "deadlines", []any{map[string]any{"automation": "payroll", "by": "00:01"}}))
	assert.JSONEq(t, `[{"value":"HR","text":"HR"},{"value":"Ops","text":"Ops"}]`, string(get(t, i, "values?queryType=automations&field=team").Body))
	assert.Equal(t, 400, get(t, i, "values?queryType=runners&field=team").Status)
	response := askOf(t, i, asRule, dataQuery("A", `{"format":"numeric","measure":"deadlinesMet","groupBy":["team"],"days":7}`))
	require.NoError(t, response.Error)
	assert.Equal(t, "HR", response.Frames[0].Fields[0].Labels["team"])
}

// A team that is wrong is an error of what is about teams, and of Save & test, beside what is wrong with deadlines.
func TestATeamThatIsWrong(t *testing.T) {
	s := newService()
	i := create(t, source(s.Start(t).URL, "teams", []any{map[string]any{"automation": servicetest.Key, "team": 7}}, "deadlines", "daily"))
	const says = `Teams (jsonData.teams), line 1: team is 7: must be a text, in quotes`
	for _, query := range []string{
		`{"columns":["team"]}`, `{"filters":[{"key":"team","operator":"=","value":"HR"}]}`, `{"sort":"team"}`, `{"format":"timeline","state":"team"}`,
		`{"format":"numeric","measure":"tasks","groupBy":["team"]}`, `{"queryType":"automations","columns":["team"]}`, `{"format":"attention","attention":{"deadline":0},"groupBy":["activityLabel","team"]}`,
	} {
		require.EqualError(t, ask(t, i, query).Error, says, query)
	}
	assert.Equal(t, 400, get(t, i, "values?field=team").Status)
	health := check(t, i)
	assert.Contains(t, health.result.Message, "Deadlines (jsonData.deadlines): daily must be a list")
	assert.Contains(t, health.result.Message, says)
	assert.Zero(t, s.Count(""))
	for _, query := range []string{`{}`, `{"format":"numeric","measure":"tasks","groupBy":["activityLabel"]}`, `{"queryType":"runners"}`} {
		assert.NoError(t, ask(t, i, query).Error, query)
	}
}

// A line that is wrong, or the calendar, is an error, which names it, of Save & test and of what is about deadlines. Everything else
// works.
func TestADeadlineThatIsWrong(t *testing.T) {
	s := newService()
	i := create(t, source(s.Start(t).URL, "calendar", map[string]any{"holidays": []any{"25"}},
		"deadlines", []any{map[string]any{"automation": "pay*", "by": "07:00"}, map[string]any{"automation": "orders", "by": servicetest.Key}}))
	const says = `Calendar (jsonData.calendar): holidays has 25: use dates such as 2026-04-03, or 12-25 for each year; ` +
		`Deadlines (jsonData.deadlines), line 2: by is "[secret]": enter a time from 00:01 to 24:00`
	for _, query := range []string{`{"format":"attention"}`, `{"format":"deadlines"}`, `{"format":"numeric","measure":"deadlinesMet"}`, `{"format":"timeseries","measures":["tasks","deadlinesMet"]}`} {
		response := ask(t, i, query)
		require.ErrorContains(t, response.Error, says, query)
		assert.Equal(t, backend.StatusBadRequest, response.Status)
		assert.Empty(t, response.Frames)
	}
	assert.Error(t, askOf(t, i, asRule, dataQuery("A", `{"format":"attention"}`)).Error)
	health := check(t, i)
	assert.Equal(t, backend.HealthStatusError, health.result.Status)
	assert.Contains(t, health.result.Message, says)
	assert.Equal(t, "settings", health.Step)
	assert.Equal(t, 400, get(t, i, "values?field=deadlines").Status)
	assert.Zero(t, s.Count(""))

	for _, query := range []string{`{}`, `{"format":"numeric","measure":"tasks"}`, `{"format":"timeline"}`, `{"queryType":"automations"}`, `{"format":"attention","groupBy":["machineId"]}`, `{"format":"attention","attention":{"deadline":0}}`} {
		assert.NoError(t, ask(t, i, query).Error, query)
	}
	assert.Equal(t, 200, get(t, i, "values?field=state").Status)
}
