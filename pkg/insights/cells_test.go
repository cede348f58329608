package insights

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
)

// value is a cell as a plain Go value: nil for null, nested values as their JSON.
func value(c *columns.Column, row int) any {
	if !c.Valid[row] {
		return nil
	}
	switch c.Type {
	case datasets.String:
		return c.Strings[row]
	case datasets.Integer:
		return c.Integers[row]
	case datasets.Number:
		return c.Numbers[row]
	case datasets.Boolean:
		return c.Booleans[row]
	case datasets.Time:
		return c.Time(row)
	default:
		return string(c.JSON[row])
	}
}

func values(c *columns.Column) []any {
	out := make([]any, len(c.Valid))
	for row := range c.Valid {
		out[row] = value(c, row)
	}
	return out
}

func requireEqualTables(t *testing.T, want, got *columns.Table) {
	t.Helper()
	require.Equal(t, want.Names(), got.Names())
	require.Equal(t, want.Rows, got.Rows)
	for i, c := range want.Columns {
		require.Equal(t, c.Type, got.Columns[i].Type, c.Name)
		require.Equal(t, values(c), values(got.Columns[i]), c.Name)
	}
}

// requireWhole checks what every table has to hold, whatever the answer was.
func requireWhole(t *testing.T, table *columns.Table) {
	t.Helper()
	for _, c := range table.Columns {
		require.Len(t, c.Valid, table.Rows, c.Name)
		held := map[datasets.Type]int{
			datasets.String: len(c.Strings), datasets.Integer: len(c.Integers), datasets.Number: len(c.Numbers),
			datasets.Boolean: len(c.Booleans), datasets.Time: len(c.Times), datasets.JSON: len(c.JSON),
		}
		for kind, n := range held {
			if kind == c.Type {
				require.Equal(t, table.Rows, n, c.Name)
			} else {
				require.Zero(t, n, "%s is of type %s, but holds %s", c.Name, c.Type, kind)
			}
		}
	}
}

func TestCells(t *testing.T) {
	for _, test := range []struct {
		set   *datasets.DataSet
		field string
		json  string
		want  any    // nil: null
		says  string // in the notice; empty: no notice
	}{
		{tasks, "id", `1`, int64(1), ""},
		{tasks, "id", `-5`, int64(-5), ""},
		{tasks, "id", `9223372036854775807`, int64(9223372036854775807), ""},
		{tasks, "id", `9223372036854775808`, nil, "9223372036854775808"},
		{tasks, "id", `1.5`, nil, "1.5"},
		{tasks, "id", `"1"`, nil, `"1"`},
		{tasks, "id", `null`, nil, ""},
		{tasks, "id", `true`, nil, "true"},

		{tasks, "state", `"START"`, "START", ""},
		{tasks, "state", `""`, "", ""},
		{tasks, "state", `"a state of the future"`, "a state of the future", ""},
		{tasks, "state", `"\"\\\/\b\f\n\r\t"`, "\"\\/\b\f\n\r\t", ""},
		{tasks, "state", `"\u00e9 \ud83d\ude00 é 😀"`, "é 😀 é 😀", ""},
		{tasks, "state", `"\ud800"`, "\uFFFD", ""},
		{tasks, "state", "\"a\xffb\"", "a\uFFFDb", ""},
		{tasks, "state", `null`, nil, ""},
		{tasks, "state", `5`, nil, "5"},
		{tasks, "state", `{"name":"START"}`, nil, "START"},
		{tasks, "state", `["START"]`, nil, "START"},
		{tasks, "finishStatus", `null`, nil, ""},
		{tasks, "finishStatus", `"PARTIALLY_COMPLETED"`, "PARTIALLY_COMPLETED", ""},

		// The facts say: string, number or null.
		{tasks, "machineId", `"m-1"`, "m-1", ""},
		{tasks, "machineId", `17`, "17", ""},
		{tasks, "machineId", `123456789012345678901234567890`, "123456789012345678901234567890", ""},
		{tasks, "machineId", `null`, nil, ""},
		{tasks, "machineId", `true`, nil, "true"},
		{automations, "machineId", `17`, "17", ""},
		{runners, "_id", `17`, "17", ""},

		{tasks, "processedItems", `0`, 0.0, ""},
		{tasks, "processedItems", `12`, 12.0, ""},
		{tasks, "processedItems", `null`, nil, ""},
		{tasks, "processedItems", `"12"`, nil, `"12"`},
		{tasks, "processedItems", `false`, nil, "false"},
		{tasks, "processedItems", `[12]`, nil, "[12]"},
		{automations, "successRate", `0.925`, 0.925, ""},
		{automations, "roi", `-1.5E+2`, -150.0, ""},
		{automations, "savings", `1e400`, nil, "1e400"},
		{automations, "savings", `-1e400`, nil, "-1e400"},
		{automations, "savings", `1e-400`, 0.0, ""},
		{automations, "savings", `12345678901234567890`, 12345678901234567890.0, ""},
		{automations, "savings", `0.1`, 0.1, ""},

		{automations, "date", `"2026-11-20T10:05:00.123"`, time.Date(2026, 11, 20, 10, 5, 0, 123e6, time.UTC), ""},
		{tasks, "dateCreation", `null`, nil, ""},
		{tasks, "dateCreation", `1763633100000`, nil, "1763633100000"},
		{tasks, "dateCreation", `"soon"`, nil, "soon"},
		{tasks, "dateCreation", `{"$date":"2026-11-20T10:05:00Z"}`, nil, "$date"},
	} {
		t.Run(test.set.Name+" "+test.field+" "+test.json, func(t *testing.T) {
			result := readPages(t, test.set, fmt.Sprintf(`[{%q:%s}]`, test.field, test.json))
			requireWhole(t, result.Table)
			require.Equal(t, 1, result.Table.Rows)
			assert.Equal(t, test.want, value(result.Table.Column(test.field), 0))
			if test.says == "" {
				assert.Empty(t, result.Warnings)
				return
			}
			require.Len(t, result.Warnings, 1)
			assert.Contains(t, result.Warnings[0], test.field)
			assert.Contains(t, result.Warnings[0], test.says)
		})
	}
}

// However many cells of a column do not fit, over however many pages: one notice, with their number and one example.
func TestOneNoticeForEachColumn(t *testing.T) {
	first := `[{"id":1,"state":5,"dateCreation":"soon"},{"id":2,"state":6},{"id":3,"state":"START"}]`
	second := `[{"id":4,"state":true,"dateCreation":"later"},{"id":5,"state":{},"failedItems":"many"}]`
	result := readPages(t, tasks, first, second)
	assert.Equal(t, 5, result.Table.Rows)
	about := func(field string) string {
		var found []string
		for _, w := range result.Warnings {
			if strings.Contains(w, field) {
				found = append(found, w)
			}
		}
		require.Len(t, found, 1, field)
		return found[0]
	}
	assert.Len(t, result.Warnings, 3)
	assert.Contains(t, about("state"), "4")
	assert.Contains(t, about("state"), "5")
	assert.Contains(t, about("dateCreation"), "2")
	assert.Contains(t, about("dateCreation"), "soon")
	assert.Contains(t, about("failedItems"), `"many"`)
	assert.Equal(t, []any{nil, nil, "START", nil, nil}, values(result.Table.Column("state")))
}

// The example of a notice is a part of it, not a page of text.
func TestExampleOfANoticeIsShort(t *testing.T) {
	result := readPages(t, tasks, `[{"state":["`+strings.Repeat("x", 10_000)+`"]}]`)
	require.Len(t, result.Warnings, 1)
	assert.Less(t, len(result.Warnings[0]), 300)
}

func TestAbsentFieldsAreNull(t *testing.T) {
	result := readPages(t, tasks, `[{"id":1},{},{"id":3,"state":"START","totalItems":5},{"id":4}]`, `[{}]`)
	requireWhole(t, result.Table)
	assert.Equal(t, []any{int64(1), nil, int64(3), int64(4), nil}, values(result.Table.Column("id")))
	assert.Equal(t, []any{nil, nil, "START", nil, nil}, values(result.Table.Column("state")))
	assert.Equal(t, []any{nil, nil, 5.0, nil, nil}, values(result.Table.Column("totalItems")))
	assert.Equal(t, []any{nil, nil, nil, nil, nil}, values(result.Table.Column("dateCreation")))
	assert.Empty(t, result.Warnings)
}

// Of two equal names the last counts, as in encoding/json and in browsers.
func TestDuplicateNames(t *testing.T) {
	for body, want := range map[string]map[string]any{
		`[{"id":1,"id":2}]`:                                             {"id": int64(2)},
		`[{"id":1,"id":null}]`:                                          {"id": nil},
		`[{"id":null,"id":2}]`:                                          {"id": int64(2)},
		`[{"state":"a","state":"b","state":"c"}]`:                       {"state": "c"},
		`[{"st\u0061te":"a","state":"b"}]`:                              {"state": "b"},
		`[{"dateCreation":null,"dateCreation":"2026-11-20T10:05:00Z"}]`: {"dateCreation": minuteFive},
		`[{"new":1,"new":2}]`:                                           {"new": 2.0},
		`[{"new":"a","new":null}]`:                                      {"new": nil},
	} {
		result, err := decode(tasks, []byte(body))
		require.NoError(t, err, body)
		requireWhole(t, result.Table)
		for field, value1 := range want {
			assert.Equal(t, []any{value1}, values(result.Table.Column(field)), body)
		}
	}
}

// A string that Grafana gets is valid UTF-8, whatever the service sent, or its frame could not be sent on.
func TestTextIsValidUTF8(t *testing.T) {
	result, err := decode(tasks, []byte("[{\"state\":\"\xc3\x28\",\"new\xff\":\"\xf0\x9f\",\"nested\":{\"a\":\"\xff\"}}]"))
	require.NoError(t, err)
	for _, c := range result.Table.Columns {
		assert.True(t, json.Valid(fmt.Appendf(nil, "%q", c.Name)) && strings.ToValidUTF8(c.Name, "") == c.Name, "%q", c.Name)
		for row := range c.Valid {
			if text, ok := value(c, row).(string); ok {
				assert.Equal(t, strings.ToValidUTF8(text, "?"), text, c.Name)
			}
		}
	}
}
