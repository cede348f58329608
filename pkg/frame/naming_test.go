package frame_test

import (
	"testing"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/period"
	"github.com/insights/insights-reporting-datasource/schema"
)

// displayed returns the display names of the fields of a frame.
func displayed(f *data.Frame) []string {
	var names []string
	for _, field := range f.Fields {
		if field.Config != nil {
			names = append(names, field.Config.DisplayNameFromDS)
		}
	}
	return names
}

// automationsCalled returns automations with these labels and names, alternating.
func automationsCalled(labelsAndNames ...string) *columns.Table {
	var records []record
	for i := 0; i < len(labelsAndNames); i += 2 {
		called := record{"label": labelsAndNames[i], "repositoryLabel": "main", "savings": 1.0}
		if labelsAndNames[i+1] != "" {
			called["name"] = labelsAndNames[i+1]
		}
		records = append(records, called)
	}
	return tableOf("automations", records)
}

func TestNamesOfAutomations(t *testing.T) {
	for name, test := range map[string]struct {
		rows    *columns.Table
		groupBy []string
		want    []string // sorted by label
	}{
		"by label and another field":   {automationsCalled("refunds", "Customer refunds"), []string{"repositoryLabel", "label"}, []string{"main, Customer refunds"}},
		"a row without a name":         {automationsCalled("orders", "", "refunds", "Customer refunds"), []string{"label"}, []string{"orders", "Customer refunds"}},
		"a name that two have":         {automationsCalled("a", "Same", "b", "Same"), []string{"label"}, []string{"a", "b"}},
		"a name of spaces":             {automationsCalled("a", "  "), []string{"label"}, []string{"a"}},
		"names that differ in spaces":  {automationsCalled("a", "Same", "b", "Same ", "refunds", " Customer refunds"), []string{"label"}, []string{"a", "b", "Customer refunds"}},
		"a name that is another label": {automationsCalled("a", "b", "b", ""), []string{"label"}, []string{"a", "b"}},
		"the name of an absent one":    {automationsCalled("a", "Orders"), []string{"label"}, []string{"a"}},
		"names in the groups already":  {automationsCalled("refunds", "Customer refunds"), []string{"label", "name"}, []string{"refunds, Customer refunds"}},
		"grouped by something else":    {automationsCalled("refunds", "Customer refunds"), []string{"repositoryLabel"}, []string{"main"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := request("automations", test.rows)
			r.Measure, r.GroupBy, r.Automations = "savings", test.groupBy, map[string]string{"elsewhere": "Orders"}
			f := mustMake(t, makeNumeric, r)
			assert.Equal(t, test.want, displayed(f))
			assert.Equal(t, "savings", f.Fields[0].Name)

			r.Language = "api"
			for _, field := range mustMake(t, makeNumeric, r).Fields {
				assert.Contains(t, field.Config.DisplayNameFromDS, field.Labels[test.groupBy[0]], "the API's names")
			}
		})
	}
}

// Tasks of a deleted automation have its label only, which may be the name of another one.
func TestAutomationNamedLikeADeletedOne(t *testing.T) {
	r := request("tasks", tasksTable([]task{{activityLabel: ptr("Orders"), dateCreation: &now}, {activityLabel: ptr("orders-2"), dateCreation: &now}}))
	r.Measure, r.GroupBy, r.Automations = "tasks", []string{"activityLabel"}, map[string]string{"orders-2": "Orders", "refunds": "Refunds"}
	assert.Equal(t, []string{"Orders", "orders-2"}, displayed(mustMake(t, makeNumeric, r)))
}

func TestLanguages(t *testing.T) {
	for language, want := range map[schema.Language]struct{ column, measure, compared, change, none, weekday string }{
		"en-US": {"Finish status", "Mean duration", "Mean duration (previous week)", "Change", "(none)", "Friday"},
		"pt-BR": {"Status de conclusão", "Duração média", "Duração média (semana anterior)", "Variação", "(nenhum)", "sexta-feira"},
		"es-ES": {"Estado de finalización", "Duración media", "Duración media (semana anterior)", "Variación", "(ninguno)", "viernes"},
		"api":   {"finishStatus", "duration", "duration (previous week)", "Change", "(none)", "Friday"},
	} {
		t.Run(string(language), func(t *testing.T) {
			r := request("tasks", olderTasks())
			r.Language, r.Measure, r.Columns = language, "duration", []string{"finishStatus"}
			assert.Equal(t, []string{want.column}, displayed(mustMake(t, makeTable, r)))
			assert.Equal(t, []string{want.measure}, displayed(mustMake(t, makeNumeric, r)))

			r.Compare = &period.Comparison{Name: "week", From: now.Add(-8 * time.Hour), To: now.Add(-4 * time.Hour), Shift: func(t time.Time) time.Time { return t.Add(-4 * time.Hour) }}
			assert.Contains(t, displayed(mustMake(t, makeTimeSeries, r)), want.compared)
			r.Long = true
			assert.Equal(t, []string{want.measure, want.compared, want.change}, displayed(mustMake(t, makeNumeric, r)))

			r.Long, r.Compare, r.GroupBy = false, nil, []string{"machineId"}
			assert.Contains(t, displayed(mustMake(t, makeNumeric, r)), "7")
			r.Measure, r.GroupBy = "tasks", []string{"machineId", "weekday"}
			assert.Contains(t, displayed(mustMake(t, makeNumeric, r)), want.none+", "+want.weekday)
		})
	}
}

// Only a number without labels shows the period that it covers: series of groups keep their names.
func TestPeriodInNames(t *testing.T) {
	r := request("tasks", goldenTasks())
	r.Covers = "last 30 days"
	number := mustMake(t, makeNumeric, r)
	assert.Equal(t, []string{"Tasks (last 30 days)"}, displayed(number))
	assert.Equal(t, "tasks (last 30 days)", number.Name)
	assert.Equal(t, []string{"Tasks (last 30 days)"}, displayed(mustMake(t, long, r)))
	r.Long, r.Language = false, schema.API
	assert.Equal(t, []string{"tasks"}, displayed(mustMake(t, makeNumeric, r)), "panels refer to the whole name")
	r.Language = schema.English
	r.GroupBy = []string{"machineId"}
	assert.Equal(t, []string{"Runner", "Tasks"}, displayed(mustMake(t, long, r)))
	r.Long = false
	groups := mustMake(t, makeNumeric, r)
	assert.ElementsMatch(t, []string{"(none)", "7", "8"}, displayed(groups))
	assert.Equal(t, "tasks (last 30 days)", groups.Name)
	assert.Equal(t, "tasks", mustMake(t, makeTable, r).Name, "rows show their times")

	sums := request("automations", goldenAutomations())
	assert.Equal(t, "automations", mustMake(t, makeTable, sums).Name)
	sums.Covers = "last 24 h"
	table := mustMake(t, makeTable, sums)
	assert.Equal(t, "automations (last 24 h)", table.Name)
	require.Contains(t, displayed(table), "Failed items")
}
