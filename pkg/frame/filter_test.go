package frame_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/filter"
	"github.com/insights/insights-reporting-datasource/schema"
)

func of(values ...string) []string { return values }

var jan31 = time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)

// kept returns the numbers of the rows that a filter keeps.
func kept(t testing.TB, c *columns.Column, operator string, values []string) []int64 {
	t.Helper()
	f, err := filter.New(c.Name, operator, values)
	require.NoError(t, err)
	require.NoError(t, f.Check(c.Type))
	numbers := columns.New("row", schema.Integer, len(c.Valid))
	for i := range c.Valid {
		numbers.Valid = append(numbers.Valid, true)
		numbers.Integers = append(numbers.Integers, int64(i))
	}
	out, err := makeTable(t.Context(), &spec{
		DataSet: schema.All().Get("tasks"), Filters: []*filter.Filter{f}, Columns: []string{"row"},
		Rows: &columns.Table{Columns: []*columns.Column{numbers, c}, Rows: len(c.Valid)},
	})
	require.NoError(t, err)
	rows := []int64{}
	for i := range out.Fields[0].Len() {
		row, ok := out.Fields[0].ConcreteAt(i)
		require.True(t, ok)
		rows = append(rows, row.(int64))
	}
	return rows
}

// The times of a filter can be relative to the moment of the request.
func TestFilterByTheTimeBeforeNow(t *testing.T) {
	ages := []time.Duration{0, 59 * time.Minute, time.Hour, 61 * time.Minute, 47 * time.Hour, 49 * time.Hour}
	rows := make([]task, len(ages))
	for i, age := range ages {
		rows[i] = task{dateCreation: ptr(now.Add(-age))}
	}
	for value, want := range map[string]float64{"now-1h": 3, "now-2d": 5, "now-90m": 4, "now-0s": 1} {
		f, err := filter.New("dateCreation", ">=", of(value))
		require.NoError(t, err)
		r := request("tasks", tasksTable(rows))
		r.Measure, r.From, r.Filters = "tasks", now.AddDate(0, 0, -30), []*filter.Filter{f}
		require.Equal(t, instances{key(nil): &want}, readNumeric(t, mustMake(t, makeNumeric, r), r.Measure), value)
	}
}
