package pages

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/columnstest"
)

// requireWhole checks the invariants of every page.
func requireWhole(t *testing.T, p *Page) {
	t.Helper()
	for _, c := range p.Table.Columns {
		columnstest.RequireWhole(t, p.Table.Rows, c)
	}
}

// notices returns the notices of a page.
func notices(p *Page) []string {
	var texts []string
	for _, problem := range p.Problems {
		texts = append(texts, problem.Notice(func(text string) string { return text }))
	}
	return texts
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

		// Public clients show: string, number or null.
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
			p := readPage(t, test.set, fmt.Sprintf(`[{%q:%s}]`, test.field, test.json))
			requireWhole(t, p)
			require.Equal(t, 1, p.Table.Rows)
			assert.Equal(t, test.want, columnstest.Value(p.Table.Column(test.field), 0))
			if test.says == "" {
				assert.Empty(t, notices(p))
				return
			}
			require.Len(t, notices(p), 1)
			assert.Contains(t, notices(p)[0], test.field)
			assert.Contains(t, notices(p)[0], test.says)
		})
	}
}

// The example of a notice is truncated.
func TestExampleOfANoticeIsShort(t *testing.T) {
	p := readPage(t, tasks, `[{"state":["`+strings.Repeat("x", 10_000)+`"]}]`)
	require.Len(t, notices(p), 1)
	assert.Less(t, len(notices(p)[0]), 300)
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
		p, err := decode(tasks, []byte(body))
		require.NoError(t, err, body)
		requireWhole(t, p)
		for field, value1 := range want {
			assert.Equal(t, []any{value1}, columnstest.Values(p.Table.Column(field)), body)
		}
	}
}

// Strings sent to Grafana are valid UTF-8, whatever the service sent, or the frame could not be encoded.
func TestTextIsValidUTF8(t *testing.T) {
	p, err := decode(tasks, []byte("[{\"state\":\"\xc3\x28\",\"new\xff\":\"\xf0\x9f\",\"nested\":{\"a\":\"\xff\"}}]"))
	require.NoError(t, err)
	for _, c := range p.Table.Columns {
		assert.True(t, json.Valid(fmt.Appendf(nil, "%q", c.Name)) && strings.ToValidUTF8(c.Name, "") == c.Name, "%q", c.Name)
		for row := range c.Valid {
			if text, ok := columnstest.Value(c, row).(string); ok {
				assert.Equal(t, strings.ToValidUTF8(text, "?"), text, c.Name)
			}
		}
	}
}
