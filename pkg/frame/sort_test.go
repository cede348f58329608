package frame_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/schema"
)

// Nulls come last in either direction, and equal rows keep their order.
func TestSort(t *testing.T) {
	at := func(hours int) any { return now.Add(time.Duration(hours) * time.Hour) }
	tests := []struct {
		typ       schema.Type
		cells     []any
		asc, desc []int64
	}{
		{schema.String, []any{nil, "b", "a", "", "b", nil, "B", "ä"}, []int64{3, 6, 2, 1, 4, 7, 0, 5}, []int64{7, 1, 4, 2, 6, 3, 0, 5}},
		{schema.Integer, []any{int64(10), nil, int64(9), int64(-1), int64(9)}, []int64{3, 2, 4, 0, 1}, []int64{0, 2, 4, 3, 1}},
		{schema.Number, []any{2.5, nil, -1.0, 2.5, 10.0}, []int64{2, 0, 3, 4, 1}, []int64{4, 0, 3, 2, 1}},
		{schema.Time, []any{at(0), nil, at(-1), at(2), at(-1)}, []int64{2, 4, 0, 3, 1}, []int64{3, 0, 2, 4, 1}},
		{schema.String, []any{nil, nil, nil}, []int64{0, 1, 2}, []int64{0, 1, 2}},
		{schema.Number, []any{}, []int64{}, []int64{}},
	}
	for _, test := range tests {
		t.Run(string(test.typ), func(t *testing.T) {
			id := column("id", schema.Integer)
			for i := range test.cells {
				id.Valid, id.Integers = append(id.Valid, true), append(id.Integers, int64(i))
			}
			rows := &columns.Table{Columns: []*columns.Column{id, column("field", test.typ, test.cells...)}, Rows: len(test.cells)}
			for order, want := range map[string][]int64{"asc": test.asc, "desc": test.desc} {
				r := &spec{DataSet: schema.All().Get("tasks"), Rows: rows, Sort: &schema.Sort{Field: "field", Order: order}}
				require.Equal(t, want, ids(t, r), order)
				r.Limit = 2
				require.Equal(t, want[:min(2, len(want))], ids(t, r), "the limit comes after the sort")
			}
		})
	}
}
