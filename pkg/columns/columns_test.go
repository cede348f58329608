package columns_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/schema"
)

// samples has a column of each type with two different values, and these as text and JSON.
var samples = []struct {
	column *columns.Column
	texts  [2]string
	json   [2]string
}{
	{
		&columns.Column{Name: "c", Type: schema.String, Valid: []bool{true, true}, Strings: []string{`say "é"`, ""}},
		[2]string{`say "é"`, ""}, [2]string{`"say \"é\""`, `""`},
	},
	{
		&columns.Column{Name: "c", Type: schema.Integer, Valid: []bool{true, true}, Integers: []int64{1<<53 + 1, -7}},
		[2]string{"9007199254740993", "-7"}, [2]string{"9007199254740993", "-7"},
	},
	{
		&columns.Column{Name: "c", Type: schema.Number, Valid: []bool{true, true}, Numbers: []float64{0.1, 1e21}},
		[2]string{"0.1", "1000000000000000000000"}, [2]string{"0.1", "1000000000000000000000"},
	},
	{
		&columns.Column{Name: "c", Type: schema.Boolean, Valid: []bool{true, true}, Booleans: []bool{true, false}},
		[2]string{"true", "false"}, [2]string{"true", "false"},
	},
	{
		&columns.Column{Name: "c", Type: schema.Time, Valid: []bool{true, true}, Times: []int64{1769850000001 * 1e6, 0}},
		[2]string{"2026-01-31T09:00:00.001Z", "1970-01-01T00:00:00Z"}, [2]string{`"2026-01-31T09:00:00.001Z"`, `"1970-01-01T00:00:00Z"`},
	},
	{
		&columns.Column{Name: "c", Type: schema.JSON, Valid: []bool{true, true}, JSON: []json.RawMessage{json.RawMessage(`{"a":[1]}`), json.RawMessage(`"x"`)}},
		[2]string{`{"a":[1]}`, `"x"`}, [2]string{`{"a":[1]}`, `"x"`},
	},
}

func TestText(t *testing.T) {
	for _, s := range samples {
		t.Run(string(s.column.Type), func(t *testing.T) {
			for i := range 2 {
				require.Equal(t, s.texts[i], s.column.Text(i))
			}
			null := columns.New("c", s.column.Type, 0)
			null.Resize(1)
			require.Empty(t, null.Text(0))
		})
	}
}

func TestTimeIsUTC(t *testing.T) {
	c := &columns.Column{Type: schema.Time, Valid: []bool{true}, Times: []int64{time.Date(2026, 1, 31, 6, 0, 0, 5, time.FixedZone("", -3*3600)).UnixNano()}}
	require.Equal(t, time.Date(2026, 1, 31, 9, 0, 0, 5, time.UTC), c.Time(0))
}

// Merging pages of any type preserves values and nulls.
func TestAppendRowAndResize(t *testing.T) {
	for _, s := range samples {
		t.Run(string(s.column.Type), func(t *testing.T) {
			out := columns.New("c", s.column.Type, 1)
			require.Empty(t, out.Valid)
			out = appended(out, s.column, 1)
			out.Resize(3)
			out = appended(out, s.column, 0)
			out = appended(out, out, 1)
			require.Equal(t, []bool{true, false, false, true, false}, out.Valid)
			require.Equal(t, []string{s.texts[1], "", "", s.texts[0], ""}, textsOf(out))
			out.Resize(1)
			require.Equal(t, []string{s.texts[1]}, textsOf(out))
			out.Resize(4)
			require.Equal(t, []bool{true, false, false, false}, out.Valid, "what was dropped does not come back")
			require.Equal(t, []string{s.texts[1], "", "", ""}, textsOf(out))
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

// JSON represents values of several types: each remains readable, null remains null.
func TestToJSON(t *testing.T) {
	for _, s := range samples {
		t.Run(string(s.column.Type), func(t *testing.T) {
			from := columns.New("c", s.column.Type, 3)
			from = appended(from, s.column, 0)
			from.Resize(2)
			from = appended(from, s.column, 1)
			out := from.ToJSON()
			require.Equal(t, "c", out.Name)
			require.Equal(t, schema.JSON, out.Type)
			require.Equal(t, []bool{true, false, true}, out.Valid)
			for i, want := range map[int]string{0: s.json[0], 2: s.json[1]} {
				require.True(t, json.Valid(out.JSON[i]), "%s", out.JSON[i])
				require.Equal(t, want, string(out.JSON[i]))
			}
		})
	}
}

func TestTable(t *testing.T) {
	table := &columns.Table{Rows: 2, Columns: []*columns.Column{samples[0].column, {Name: "d", Type: schema.Number, Valid: make([]bool, 2), Numbers: make([]float64, 2)}}}
	require.Equal(t, []string{"c", "d"}, table.Names())
	require.Same(t, table.Columns[1], table.Column("d"))
	require.Nil(t, table.Column("e"))
	require.Same(t, table.Columns[1], table.ColumnOrNulls("d"))
	require.Nil(t, table.ColumnOrNulls("e"), "there are rows, and they lack it")
}

// Only rows show which fields exist beyond the description.
func TestColumnsOfNoRows(t *testing.T) {
	known := columns.New("d", schema.Number, 0)
	table := &columns.Table{Columns: []*columns.Column{known}}
	require.Same(t, known, table.ColumnOrNulls("d"))
	require.Nil(t, table.Column("e"))
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
	nested := &columns.Column{Type: schema.JSON, Valid: []bool{true}, JSON: []json.RawMessage{make(json.RawMessage, 5000)}}
	require.Greater(t, (&columns.Table{Columns: []*columns.Column{nested}, Rows: 1}).Bytes(), int64(5000))
}
