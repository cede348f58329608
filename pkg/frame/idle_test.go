package frame_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/schema"
)

// An automation or runner that did not run has no rates: 0 % would look like a failure, and fire a rule.
func TestRatesOfIdleRowsAreNull(t *testing.T) {
	rows := tableOf("automations", []record{
		{texts: map[string]string{"label": "busy"}, numbers: map[string]float64{"taskCount": 4, "successRate": 0, "roi": 1}},
		{texts: map[string]string{"label": "idle"}, numbers: map[string]float64{"taskCount": 0, "successRate": 0, "roi": 1}},
		{texts: map[string]string{"label": "unknown"}, numbers: map[string]float64{"successRate": 0.5, "roi": 1}},
	})
	r := request("automations", rows)
	r.Measure, r.GroupBy = "successRate", []string{"label"}
	numbers := readNumeric(t, mustMake(t, makeNumeric, r), "successRate")
	assert.Equal(t, ptr(0.0), numbers[key(map[string]string{"label": "busy"})], "everything failed")
	assert.Nil(t, numbers[key(map[string]string{"label": "idle"})])
	assert.Equal(t, ptr(0.5), numbers[key(map[string]string{"label": "unknown"})], "the service does not say how many tasks")

	table := mustMake(t, makeTable, r)
	for name, want := range map[string][]any{"successRate": {0.0, nil, 0.5}, "taskCount": {4.0, 0.0, nil}, "roi": {1.0, 1.0, 1.0}} {
		field, _ := table.FieldByName(name)
		assert.Equal(t, want, valuesOf(field), name)
	}

	runners := request("runners", tableOf("runners", []record{{numbers: map[string]float64{"tasks": 0, "utilizationRate": 0}}}))
	runners.Measure = "utilizationRate"
	assert.Empty(t, mustMake(t, makeNumeric, runners).Fields)
}

// Of a field of the service, only its own values are known.
func TestServiceFieldNamedLikeAPartOfTheCalendar(t *testing.T) {
	table := labelledTasks(3, 12, 5*day)
	weekday := columns.New("weekday", schema.String, 0)
	weekday.Resize(table.Rows)
	for i := range table.Rows {
		weekday.Valid[i], weekday.Strings[i] = true, []string{"seg", "ter"}[i%2]
	}
	table.Columns = append(table.Columns, weekday)
	r := request("tasks", table)
	r.Measure, r.GroupBy, r.From, r.To = "tasks", []string{"weekday"}, now.Add(-10*day), now
	var found []string
	for _, f := range mustMake(t, makeNumeric, r).Fields {
		found = append(found, f.Labels["weekday"])
	}
	require.ElementsMatch(t, []string{"seg", "ter"}, found)
}
