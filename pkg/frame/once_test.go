package frame_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/frame"
)

// A fact of all rows is computed once. Rows are immutable; here they change, to detect a second computation.
func TestFactsOfAllRowsAreComputedOnce(t *testing.T) {
	pairs := make([][2]float64, 100)
	for i := range pairs {
		pairs[i] = [2]float64{0.9, 0.1}
	}
	table := tableOf("automations", rates(pairs...))
	unit := func() string {
		field, _ := mustMake(t, frame.Table, request("automations", table)).FieldByName("successRate")
		return field.Config.Unit
	}
	require.Equal(t, "percentunit", unit())
	table.Column("uptimeRate").Numbers[7] = 90
	require.Equal(t, "percentunit", unit())

	tasks := manyTasks(100)
	label := tasks.Column("activityLabel")
	for i := range label.Strings {
		label.Strings[i] = "Invoices"
	}
	found := func(text string) int {
		r := request("tasks", tasks)
		r.Contains = text
		return mustMake(t, frame.Table, r).Rows()
	}
	require.Equal(t, 100, found("iNV"))
	label.Strings[7] = "Orders"
	require.Equal(t, 100, found("voices"))
	require.Zero(t, found("orders"))
}

// Texts that are large compared with their rows are not cached twice.
func TestLargeTextsAreNotKept(t *testing.T) {
	tasks := manyTasks(100)
	r := request("tasks", tasks)
	r.Contains = "automation 7"
	require.Equal(t, 11, mustMake(t, frame.Table, r).Rows())
	tasks.Column("activityLabel").Strings[0] = "Automation 7 again"
	require.Equal(t, 12, mustMake(t, frame.Table, r).Rows())
}
