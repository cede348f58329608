package columns_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/columnstest"
)

// every has a row of each type, and a field whose type is still unknown.
func every(n int64) *columns.Table {
	yes := []bool{true}
	return &columns.Table{Rows: 1, Columns: []*columns.Column{
		{Name: "text", Type: datasets.String, Valid: yes, Strings: []string{"a"}},
		{Name: "whole", Type: datasets.Integer, Valid: yes, Integers: []int64{n}},
		{Name: "number", Type: datasets.Number, Valid: yes, Numbers: []float64{0.5}},
		{Name: "truth", Type: datasets.Boolean, Valid: yes, Booleans: []bool{true}},
		{Name: "time", Type: datasets.Time, Valid: yes, Times: []int64{n}},
		{Name: "nested", Type: datasets.JSON, Valid: yes, JSON: []json.RawMessage{json.RawMessage(`{}`)}},
		{Name: "unknown", Valid: []bool{false}},
	}}
}

func TestFrontIsUnchanged(t *testing.T) {
	table := &columns.Table{}
	for n := range int64(3) {
		table.Append(every(n), nil)
	}
	front := table.Front(2)
	before := make([][]any, len(front.Columns))
	for i, c := range front.Columns {
		columnstest.RequireWhole(t, 2, c)
		before[i] = columnstest.Values(c)
	}
	assert.Equal(t, []any{int64(0), int64(1)}, before[1])

	// Later rows, one of them with a text in the column of numbers, which becomes JSON.
	odd := every(9)
	odd.Columns[2] = &columns.Column{Name: "number", Type: datasets.String, Valid: []bool{true}, Strings: []string{"many"}}
	table.Append(odd, nil)
	for n := range int64(100) {
		table.Append(every(n), nil)
	}
	assert.Equal(t, 2, front.Rows)
	for i, c := range front.Columns {
		columnstest.RequireWhole(t, 2, c)
		assert.Equal(t, before[i], columnstest.Values(c), c.Name)
	}
}
