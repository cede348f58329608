package query

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/schema"
)

func figureNames(q *Plan) (names []string) {
	for _, f := range q.Figures {
		names = append(names, f.Name)
	}
	return names
}

// One measure is several of which there is one.
func TestFigures(t *testing.T) {
	for saved, want := range map[string][]string{
		`"measure":"tasks"`:                                   {"tasks"},
		`"measures":["tasks"]`:                                {"tasks"},
		`"measure":"ignored","measures":["tasks"]`:            {"tasks"},
		`"measure":"tasks","compare":"week"`:                  {"tasks", "before", "change"},
		`"measures":["tasks"],"compare":"week"`:               {"tasks", "before", "change"},
		`"measures":["tasks","successRate"]`:                  {"tasks", "successRate"},
		`"measures":["tasks","oldestQueued"],"compare":"day"`: {"tasks", "tasks.before", "tasks.change", "oldestQueued"},
		`"measures":["tasks","tasks.change","successRate.difference","oldestQueued"],"compare":"day"`: {"tasks", "tasks.change", "successRate.difference", "oldestQueued"},
		`"measure":"tasks.difference","compare":"day"`:                                                {"tasks.difference"},
	} {
		q, err := parse(`{"format":"numeric",`+saved+`}`, daysAgo(7), noon, time.Hour)
		require.NoError(t, err, saved)
		assert.Equal(t, want, figureNames(q), saved)
	}
	q, err := parse(`{"format":"numeric","measures":["tasks","successRate.difference"],"compare":"day","sort":{"field":"successRate.difference"}}`, daysAgo(7), noon, time.Hour)
	require.NoError(t, err)
	assert.False(t, q.TwoPoints)
	assert.Equal(t, schema.Figure{Name: "successRate.difference", Measure: "successRate", Aspect: schema.Difference}, q.Figures[1])
}

func TestFiguresThatAreWrong(t *testing.T) {
	for saved, want := range map[string]string{
		`"measures":["tasks","nonsense"]`:                                `unknown measure "nonsense"`,
		`"measures":["tasks","tasks"]`:                                   `listed twice`,
		`"measures":["tasks","tasks.change"]`:                            `there is nothing to compare with`,
		`"measures":["oldestQueued.change"],"compare":"day"`:             `oldestQueued describes the current state`,
		`"measures":["oldestQueued","oldestRunning"],"compare":"day"`:    `oldestQueued describes the current state`,
		`"measures":["tasks","successRate"],"sort":{"field":"duration"}`: `sort by "duration"`,
	} {
		_, err := parse(`{"format":"numeric",`+saved+`}`, daysAgo(7), noon, time.Hour)
		assert.ErrorContains(t, err, want, saved)
	}
	_, err := parse(`{"format":"timeseries","measures":["tasks","tasks.change"],"compare":"day"}`, daysAgo(7), noon, time.Hour)
	assert.ErrorContains(t, err, "a time series with compare has a line of the earlier period")
}
