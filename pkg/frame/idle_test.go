package frame_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/insights/insights-reporting-datasource/pkg/frame"
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
	numbers := readNumeric(t, mustMake(t, frame.Numeric, r), "successRate")
	assert.Equal(t, ptr(0.0), numbers[key(map[string]string{"label": "busy"})], "everything failed")
	assert.Nil(t, numbers[key(map[string]string{"label": "idle"})])
	assert.Equal(t, ptr(0.5), numbers[key(map[string]string{"label": "unknown"})], "the service does not say how many tasks")

	table := mustMake(t, frame.Table, r)
	for name, want := range map[string][]any{"successRate": {0.0, nil, 0.5}, "taskCount": {4.0, 0.0, nil}, "roi": {1.0, 1.0, 1.0}} {
		field, _ := table.FieldByName(name)
		assert.Equal(t, want, valuesOf(field), name)
	}

	runners := request("runners", tableOf("runners", []record{{numbers: map[string]float64{"tasks": 0, "utilizationRate": 0}}}))
	runners.Measure = "utilizationRate"
	assert.Empty(t, mustMake(t, frame.Numeric, runners).Fields)
}
