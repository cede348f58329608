package reads

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/columnstest"
)

func TestUnknownFieldsBecomeColumns(t *testing.T) {
	for _, test := range []struct {
		name  string
		pages []string
		kind  datasets.Type
		want  []any
	}{
		{"string", []string{`[{"new":"a"},{"new":"b"}]`}, datasets.String, []any{"a", "b"}},
		{"number", []string{`[{"new":1},{"new":2.5}]`}, datasets.Number, []any{1.0, 2.5}},
		{"boolean", []string{`[{"new":true},{"new":false}]`}, datasets.Boolean, []any{true, false}},
		{"nested", []string{`[{"new":{"a":[1,2]}},{"new":[]}]`}, datasets.JSON, []any{`{"a":[1,2]}`, `[]`}},
		{"absent in some", []string{`[{},{"new":"a"},{}]`, `[{}]`, `[{"new":"b"}]`}, datasets.String, []any{nil, "a", nil, nil, "b"}},
		{"null at first", []string{`[{"new":null},{"new":7}]`}, datasets.Number, []any{nil, 7.0}},
		{"null on the first page", []string{`[{"new":null}]`, `[{"new":true}]`}, datasets.Boolean, []any{nil, true}},
		{"always null", []string{`[{"new":null}]`, `[{"new":null}]`}, datasets.String, []any{nil, nil}},
		{"mixed on a page", []string{`[{"new":1},{"new":"a"},{"new":null},{"new":true},{"new":{"b":2}}]`}, datasets.JSON, []any{`1`, `"a"`, nil, `true`, `{"b":2}`}},
		{"mixed over pages", []string{`[{"new":1}]`, `[{"new":"é \"x\""}]`, `[{}]`}, datasets.JSON, []any{`1`, `"é \"x\""`, nil}},
		{"scalar, then nested", []string{`[{"new":false}]`, `[{"new":[null]}]`}, datasets.JSON, []any{`false`, `[null]`}},
		{"escapes", []string{`[{"new":"\u0041\n"}]`}, datasets.String, []any{"A\n"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			result := readPages(t, tasks, test.pages...)
			requireWhole(t, result.Table)
			c := result.Table.Column("new")
			require.NotNil(t, c)
			assert.Equal(t, test.kind, c.Type)
			require.Len(t, c.Valid, len(test.want))
			for row, want := range test.want {
				if text, ok := want.(string); ok && test.kind == datasets.JSON {
					assert.JSONEq(t, text, columnstest.Value(c, row).(string))
					continue
				}
				assert.Equal(t, want, columnstest.Value(c, row), "row %d", row)
			}
			assert.Empty(t, result.Warnings)
		})
	}
}

// Numbers beyond float64 in an unknown field keep their literal.
func TestHugeUnknownNumber(t *testing.T) {
	for _, pages := range [][]string{{`[{"new":1e999},{"new":5}]`}, {`[{"new":5},{"new":1e999}]`}, {`[{"new":1e999}]`, `[{"new":5}]`}} {
		result := readPages(t, tasks, pages...)
		requireWhole(t, result.Table)
		got := columnstest.Values(result.Table.Column("new"))
		assert.Contains(t, got, any("1e999"))
		assert.Contains(t, got, any("5"))
	}
}

func TestOrderOfColumns(t *testing.T) {
	result := readPages(t, tasks, `[{"zeta":1,"state":"START","Alpha":2,"id":1}]`, `[{"beta":1,"zeta":2,"":3}]`)
	names := result.Table.Names()
	known := sentFields(tasks)
	require.Equal(t, known, names[:len(known)])
	assert.Equal(t, []string{"", "Alpha", "beta", "zeta"}, names[len(known):])
}
