package pages

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/columnstest"
	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
	"github.com/insights/insights-reporting-datasource/pkg/written"
	"github.com/insights/insights-reporting-datasource/schema"
)

// FuzzPage checks that any input yields an error, or a table that matches a reference decoding, with a notice for every value that
// is not shown. What is a page is in tables: TestEnvelope, TestEnvelopeWithoutRows, TestResponseOfAnotherShape.
func FuzzPage(f *testing.F) {
	for _, seed := range []string{
		``, `null`, `[]`, `{}`, `{"content":[]}`, `{"content":[],"content":[{"id":1}]}`, sample,
		`[` + servicetest.Task(1) + `,` + servicetest.Task(1) + `]`, servicetest.Envelope(servicetest.TaskRange(1, 3), 0, 2),
		`[{"_id":17,"tasks":1.5e3,"utilizationRate":null,"x":[[]]},{"_id":"a","x":1}]`,
		`[{"label":"\ud83d\ude00\ud800","roi":1e999,"date":"2026-11-20T10:05:00.123"}]`,
		`[{"x":1,"x":"a","x":{"y":true}}]`, "[{\"\xff\":\"\xff\"}]", `[{"x":1e999},{"x":5}]`, `[{"x":NaN,"roi":-Infinity,"state":"NaN, \"NaN"},{"x":1NaN}]`, `[1]`, `{"content":{}}`, `{"totalElements":0,"page":{"empty":true,"totalElements":1}}`,
		`{"content":[{"id":1}],"totalElements":-1,"totalPages":99999999999999999999}`, `[] []`, "\xef\xbb\xbf[]",
		`[{"id":17.0},{"id":1e15},{"id":1.5},{"id":9007199254740992.0}]`, `[` + wide(1, 0, maxUnknown+2) + `,{"f1":1,"f201":[]}]`,
		`[{"machineId":123456789012345678901234567890,"savings":1e-400,"state":"\"\\\/\b\f\n\r\t","dateCreation":{"$date":"2026-11-20T10:05:00Z"}}]`,
		`[{"id":9223372036854775808,"processedItems":"12","dateCreation":1763633100000,"state":{"name":"START"},"machineId":17,"savings":1e400,"date":"soon"}]`,
		`[{"id":1,"id":2},{"id":null,"id":2},{"state":"a","st\u0061te":"b"},{"new":"a","new":null}]`, "[{\"state\":\"\xc3\x28\",\"new\xff\":\"\xf0\x9f\"}]",
	} {
		for which := range uint8(3) {
			f.Add([]byte(seed), which, uint8(255))
			f.Add([]byte(seed), which, uint8(1))
		}
	}
	f.Fuzz(func(t *testing.T, body []byte, which, most uint8) {
		set := schema.All()[int(which)%len(schema.All())]
		p, err := Decode(bytes.NewReader(body), set, NewInterner(), int(most))
		if err != nil {
			return
		}
		records := plainRecords(t, body)
		kept := min(len(records), int(most))
		requireWhole(t, p)
		require.Equal(t, len(records)-kept, p.Left)
		requireAgrees(t, set, records[:kept], p)
	})
}

// plainRecords decodes the rows of a page with encoding/json: those of an array, or of each content of an object.
func plainRecords(t *testing.T, body []byte) (records []map[string]any) {
	body = bytes.TrimLeft(withoutNaN(body), " \t\r\n")
	require.True(t, json.Valid(body))
	if body[0] == '[' {
		return plainList(t, body)
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	_, _ = decoder.Token()
	for decoder.More() { // in order, with duplicate names
		name, _ := decoder.Token()
		var value json.RawMessage
		_ = decoder.Decode(&value)
		if name == "content" && value[0] == '[' {
			records = append(records, plainList(t, value)...)
		}
	}
	return records
}

func plainList(t *testing.T, raw []byte) (records []map[string]any) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	require.NoError(t, decoder.Decode(&records))
	require.False(t, slices.ContainsFunc(records, func(r map[string]any) bool { return r == nil }))
	return records
}

// requireAgrees compares a page with records of encoding/json, cell by cell.
func requireAgrees(t *testing.T, set *schema.DataSet, records []map[string]any, p *Page) {
	t.Helper()
	require.Equal(t, len(records), p.Table.Rows)
	require.LessOrEqual(t, len(p.Table.Columns), len(set.Fields)+maxUnknown)
	told := strings.Join(notices(p), "\n")
	for row, record := range records {
		for name := range record {
			require.True(t, p.Table.Column(name) != nil || strings.Contains(told, "other fields: "), "a field that is left out is reported")
		}
		for _, c := range p.Table.Columns {
			if !c.Valid[row] && strings.Contains(told, c.Name+": ") && strings.Contains(told, "is not in UTF-8") {
				continue // the decoder of the reference replaces these bytes
			}
			field := set.Field(c.Name)
			if field == nil {
				require.Equal(t, alike(t, record[c.Name]), unknownValue(t, c, row), c.Name)
				continue
			}
			want, got := columnstest.PlainCell(field, record[c.Name]), columnstest.Value(c, row)
			text, isText := record[c.Name].(string)
			switch {
			case want != nil: // Other forms may be read, too.
				require.Equal(t, oneMark(want), oneMark(got), "row %d, %s", row, c.Name)
			case record[c.Name] == nil:
				require.Nil(t, got, "row %d, %s", row, c.Name)
			case got == nil && !(isText && written.IsNoNumber(strings.TrimSpace(text))) && !isZeroDate(record[c.Name]):
				require.Contains(t, told, c.Name+": ", "a value that is not shown is reported")
			}
		}
	}
}

// isZeroDate reports whether a value is a date that means none.
func isZeroDate(v any) bool {
	if object, isObject := v.(map[string]any); isObject {
		return object["$date"] == "" || isZeroDate(object["$date"])
	}
	at, isDate := written.Time(strings.TrimSpace(fmt.Sprint(v)))
	return isDate && (at.UTC().Year() <= 1 || at.Equal(time.Unix(0, 0)))
}

// unknownValue returns the expected cell of an unknown field, normalized by alike.
func unknownValue(t *testing.T, c *columns.Column, row int) any {
	got := columnstest.Value(c, row)
	if c.Type != schema.JSON || got == nil {
		return alike(t, got)
	}
	decoder := json.NewDecoder(strings.NewReader(got.(string)))
	decoder.UseNumber()
	var plain any
	require.NoError(t, decoder.Decode(&plain))
	return alike(t, plain)
}

// alike parses numbers, and replaces runs of invalid UTF-8 by one mark: decoders count those differently.
func alike(t *testing.T, v any) any {
	switch v := v.(type) {
	case json.Number:
		n, _ := strconv.ParseFloat(v.String(), 64)
		return n
	case string:
		return oneMark(v)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = alike(t, v[i])
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for name := range v {
			out[oneMark(name).(string)] = alike(t, v[name])
		}
		return out
	default:
		return v
	}
}

var marks = regexp.MustCompile("\uFFFD+")

func oneMark(v any) any {
	if text, ok := v.(string); ok {
		return marks.ReplaceAllString(text, "\uFFFD")
	}
	return v
}
