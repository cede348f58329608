package columns_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/columnstest"
	"github.com/insights/insights-reporting-datasource/schema"
)

// samples has a column of each type with a value, null and another value, and these as text and JSON.
var samples = []struct {
	column      *columns.Column
	texts, json [3]string
}{
	{columnstest.New("c", schema.String, `say "é"`, nil, ""), [3]string{`say "é"`, "", ""}, [3]string{`"say \"é\""`, "", `""`}},
	{columnstest.New("c", schema.Integer, int64(1<<53+1), nil, int64(-7)), [3]string{"9007199254740993", "", "-7"}, [3]string{"9007199254740993", "", "-7"}},
	{columnstest.New("c", schema.Number, 0.1, nil, 1e21), [3]string{"0.1", "", "1000000000000000000000"}, [3]string{"0.1", "", "1000000000000000000000"}},
	{columnstest.New("c", schema.Boolean, true, nil, false), [3]string{"true", "", "false"}, [3]string{"true", "", "false"}},
	{
		columnstest.New("c", schema.Time, time.Date(2026, 1, 31, 6, 0, 0, 1e6, time.FixedZone("", -3*3600)), nil, time.Unix(0, 0)),
		[3]string{"2026-01-31T09:00:00.001Z", "", "1970-01-01T00:00:00Z"}, [3]string{`"2026-01-31T09:00:00.001Z"`, "", `"1970-01-01T00:00:00Z"`},
	},
	{columnstest.New("c", schema.JSON, json.RawMessage(`{"a":[1]}`), nil, json.RawMessage(`"x"`)), [3]string{`{"a":[1]}`, "", `"x"`}, [3]string{`{"a":[1]}`, "", `"x"`}},
}

// JSON represents values of several types: each remains readable, null remains null.
func TestTextAndJSON(t *testing.T) {
	for _, s := range samples {
		require.Equal(t, s.texts[:], textsOf(s.column))
		out := s.column.ToJSON()
		require.Equal(t, "c", out.Name)
		require.Equal(t, schema.JSON, out.Type)
		require.Equal(t, []bool{true, false, true}, out.Valid)
		require.Equal(t, s.json[:], textsOf(out))
		if s.column.Type == schema.Time {
			require.Equal(t, time.UTC, s.column.Time(0).Location())
		}
	}
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

// appended appends a row of a column to those of another, as when tables of pages are merged.
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

// Reserved capacity is not allocated again: a million rows must not be copied as they arrive.
func TestReserve(t *testing.T) {
	for _, s := range samples {
		c := columns.New("c", s.column.Type, 100)
		room := cap(c.Valid)
		for range 100 {
			c = appended(c, s.column, 0)
		}
		require.Equal(t, room, cap(c.Valid), s.column.Type)
	}
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
	least := map[schema.Type]int64{schema.String: 17, schema.Integer: 9, schema.Number: 9, schema.Time: 9, schema.Boolean: 2, schema.JSON: 25}
	for _, s := range samples {
		bytes := func(n int) int64 {
			c := columns.New("c", s.column.Type, n)
			c.Resize(n)
			return (&columns.Table{Columns: []*columns.Column{c}, Rows: n}).Bytes()
		}
		require.Positive(t, bytes(0), "a table without rows takes memory too")
		require.GreaterOrEqual(t, bytes(1000), 1000*least[s.column.Type], s.column.Type)
		require.Less(t, bytes(1000), 1500*least[s.column.Type], s.column.Type)
	}
	nested := columnstest.New("c", schema.JSON, make(json.RawMessage, 5000))
	require.Greater(t, (&columns.Table{Columns: []*columns.Column{nested}, Rows: 1}).Bytes(), int64(5000))
}
