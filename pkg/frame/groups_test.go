package frame_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/schema"
)

// An unknown field may be of any type; its text is the label.
func TestGroupByFieldsThatOnlyTheServiceKnows(t *testing.T) {
	table := tasksTable(make([]task, 3))
	table.Columns = append(table.Columns,
		column("attempt", schema.Number, 1.0, 2.5, nil), column("urgent", schema.Boolean, true, true, false))
	for field, want := range map[string]instances{
		"attempt": {key(map[string]string{"attempt": "1"}): ptr(1.0), key(map[string]string{"attempt": "2.5"}): ptr(1.0), key(map[string]string{"attempt": ""}): ptr(1.0)},
		"urgent":  {key(map[string]string{"urgent": "true"}): ptr(2.0), key(map[string]string{"urgent": "false"}): ptr(1.0)},
	} {
		r := &spec{DataSet: schema.All().Get("tasks"), Rows: table, Measure: "tasks", GroupBy: []string{field}, Now: now}
		require.Equal(t, want, readNumeric(t, mustMake(t, makeNumeric, r), "tasks"))
	}
}
