package columns_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/columnstest"
	"github.com/insights/insights-reporting-datasource/schema"
)

// samples has a column of each type with a value, null and another value, and these as text.
var samples = []struct {
	column *columns.Column
	texts  [3]string
}{
	{columnstest.New("c", schema.String, `say "é"`, nil, ""), [3]string{`say "é"`, "", ""}},
	{columnstest.New("c", schema.Integer, int64(1<<53+1), nil, int64(-7)), [3]string{"9007199254740993", "", "-7"}},
	{columnstest.New("c", schema.Number, 0.1, nil, 1e21), [3]string{"0.1", "", "1000000000000000000000"}},
	{
		columnstest.New("c", schema.Time, time.Date(2026, 1, 31, 6, 0, 0, 1e6, time.FixedZone("", -3*3600)), nil, time.Unix(0, 0)),
		[3]string{"2026-01-31T09:00:00.001Z", "", "1970-01-01T00:00:00Z"},
	},
	{columnstest.New("c", schema.JSON, `{"a":[1]}`, nil, `"x"`), [3]string{`{"a":[1]}`, "", `"x"`}},
}

// Queries read what was received as numbers if all of it are numbers, and otherwise as texts.
func TestReadable(t *testing.T) {
	for _, test := range []struct {
		raw   []any
		typed schema.Type
		texts []string
	}{
		{[]any{`"x"`, nil, `"say \"é\""`}, schema.String, []string{"x", "", `say "é"`}},
		{[]any{`1`, nil, `-0.5e3`}, schema.Number, []string{"1", "", "-500"}},
		{[]any{`1`, `"x"`, `{"a": [1]}`, `true`}, schema.String, []string{"1", "x", `{"a": [1]}`, "true"}},
		{[]any{`true`, nil, `false`}, schema.String, []string{"true", "", "false"}},
		{[]any{`1`, `1e999`}, schema.String, []string{"1", "1e999"}},
		{[]any{nil, nil}, schema.String, []string{"", ""}},
		{[]any{`1`, `"NaN"`, `""`}, schema.Number, []string{"1", "", ""}},
		{[]any{`""`, `"NaN"`, nil}, schema.String, []string{"", "NaN", ""}},
	} {
		raw := columnstest.New("c", schema.JSON, test.raw...)
		known := columnstest.New("d", schema.String, test.raw...)
		table := (&columns.Table{Columns: []*columns.Column{known, raw}, Rows: len(test.raw)}).Readable()
		readable := table.Column("c")
		columnstest.RequireWhole(t, len(test.raw), readable)
		require.Equal(t, test.typed, readable.Type)
		require.Equal(t, test.texts, textsOf(readable))
		require.True(t, test.typed == schema.Number || slices.Equal(raw.Valid, readable.Valid))
		require.Same(t, known, table.Column("d"))
	}
	require.Equal(t, time.UTC, samples[3].column.Time(0).Location())
}

// Merging pages of any type preserves values and nulls.
func TestAppendRowAndResize(t *testing.T) {
	for _, s := range samples {
		t.Run(string(s.column.Type), func(t *testing.T) {
			out := columns.New("c", s.column.Type, 1)
			require.Empty(t, out.Valid)
			out = appended(out, s.column, 2)
			out.Resize(3)
			out = appended(out, s.column, 0)
			out = appended(out, out, 1)
			require.Equal(t, []bool{true, false, false, true, false}, out.Valid)
			require.Equal(t, []string{s.texts[2], "", "", s.texts[0], ""}, textsOf(out))
			out.Resize(1)
			require.Equal(t, []string{s.texts[2]}, textsOf(out))
			out.Resize(4)
			require.Equal(t, []bool{true, false, false, false}, out.Valid, "what was dropped does not come back")
			require.Equal(t, []string{s.texts[2], "", "", ""}, textsOf(out))
		})
	}
}

func appended(to, from *columns.Column, row int) *columns.Column {
	table := &columns.Table{Columns: []*columns.Column{to}, Rows: len(to.Valid)}
	table.Append(&columns.Table{Columns: []*columns.Column{from}, Rows: len(from.Valid)}, []int{row})
	return table.Columns[0]
}

func textsOf(c *columns.Column) []string {
	out := make([]string, len(c.Valid))
	for i := range out {
		out[i] = c.Text(i)
	}
	return out
}

// Only rows show which fields exist beyond the description.
func TestColumnsOfATable(t *testing.T) {
	known := columnstest.New("d", schema.Number, 1.5)
	table := &columns.Table{Rows: 1, Columns: []*columns.Column{known}}
	require.Same(t, known, table.ColumnOrNulls("d"))
	require.Nil(t, table.Column("e"))
	require.Nil(t, table.ColumnOrNulls("e"), "there are rows, and they lack it")
	table.Rows = 0
	require.Same(t, known, table.ColumnOrNulls("d"))
	require.Equal(t, columns.New("e", schema.String, 0), table.ColumnOrNulls("e"))
	require.Equal(t, []string{"d"}, table.Names(), "tables are shared and never changed")
}

// The cache limit relies on this: it must grow with the rows, at least by the size of the values.
func TestBytes(t *testing.T) {
	for kind, least := range map[schema.Type]int64{schema.String: 17, schema.Integer: 9, schema.Number: 9, schema.Time: 9, schema.JSON: 17} {
		require.Positive(t, columns.Nulls("c", kind, 0).Bytes(), "a column without rows takes memory too")
		require.GreaterOrEqual(t, columns.Nulls("c", kind, 1000).Bytes(), 1000*least, kind)
		require.Less(t, columns.Nulls("c", kind, 1000).Bytes(), 1500*least, kind)
	}
}
