package pages

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/columnstest"
	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
	"github.com/insights/insights-reporting-datasource/pkg/written"
	"github.com/insights/insights-reporting-datasource/schema"
)

func requireWhole(t *testing.T, p *Page) {
	t.Helper()
	for _, c := range p.Table.Columns {
		columnstest.RequireWhole(t, p.Table.Rows, c)
	}
}

func notices(p *Page) []string {
	var problems Problems
	problems.Add(p.Problems...)
	var texts []string
	for _, notice := range problems.Unread(func(text string) string { return text }) {
		texts = append(texts, notice.Text)
	}
	return texts
}

// A column has one notice, with the number of cells, and the first value as an example, which is truncated. Each problem
// says in which row it is, because rows of other pages may replace it.
func TestProblems(t *testing.T) {
	p := readPage(t, tasks, `[{"state":["`+strings.Repeat("x", 1_000)+`"]},{"id":"a","state":5},{"id":"b"}]`)
	require.Len(t, notices(p), 2)
	assert.Contains(t, notices(p)[0], `state: 2 values are shown as null, because the service's value is an array, not a string, for example ["xxx`)
	assert.Less(t, len(notices(p)[0]), 200)
	assert.Contains(t, notices(p)[1], `id: 2 values are shown as null, because the service's value is a string, not a number, for example "a"`)
	var rows []int
	for _, problem := range p.Problems {
		rows = append(rows, problem.Row)
	}
	assert.Equal(t, []int{0, 1, 1, 2}, rows)
}

func wide(id, from, to int) string {
	record := fmt.Sprintf(`{"id":%d`, id)
	for n := from; n < to; n++ {
		record += fmt.Sprintf(`,"f%d":{"n":%d}`, n, n)
	}
	return record + "}"
}

// Fields beyond a bound are left out of the pages of a read, and reported once for each row.
func TestTooManyUnknownFields(t *testing.T) {
	texts := NewInterner("f0", "gone")
	of := func(records string) *Page {
		p, err := Decode(strings.NewReader(records), tasks, texts, 1000)
		require.NoError(t, err)
		requireWhole(t, p)
		return p
	}
	first := of(`[` + wide(1, 0, maxUnknown-2) + `,` + wide(2, 0, 2) + `]`)
	assert.Empty(t, notices(first))
	second := of(`[` + wide(3, 2, maxUnknown+3) + `,` + wide(4, maxUnknown, maxUnknown+2) + `]`)
	assert.Equal(t, []string{"other fields: 2 values are shown as null, because the service's value is of a field beyond the first 200 that are not in the specification, or whose name contains a secret"}, notices(second))
	first.Table.Append(second.Table, nil)
	assert.Len(t, first.Table.Columns, len(tasks.Fields)+maxUnknown-1, "one of them is known from earlier pages")
	assert.NotNil(t, first.Table.Column("f198"))
	assert.Nil(t, first.Table.Column("f199"))
	assert.Equal(t, `{"n":7}`, columnstest.Value(first.Table.Column("f7"), 2))
}

// Numbers and booleans that some services write as text are read, and what they write for none is null.
func TestNumbersAsText(t *testing.T) {
	for value, want := range map[string]any{
		`"12"`: 12.0, `" 12 "`: 12.0, `"1234.50"`: 1234.5, `"-1e3"`: -1000.0, `"NaN"`: nil, `"Infinity"`: nil, `"-Infinity"`: nil, `""`: nil, `null`: nil,
	} {
		p := readPage(t, automations, `[{"label":"a","savings":`+value+`}]`)
		assert.Equal(t, want, columnstest.Value(p.Table.Column("savings"), 0), value)
		assert.Empty(t, notices(p), value)
	}
	for _, value := range []string{`"1.234,56"`, `"0x10"`, `"1_000"`, `"inf"`, `"ten"`, `true`} {
		assert.Len(t, notices(readPage(t, automations, `[{"savings":`+value+`}]`)), 1, value)
	}
	p := readPage(t, tasks, `[{"id":"9007199254740993","machineId":"","finishStatus":""}]`)
	assert.Equal(t, []int64{9007199254740993}, p.Table.Column("id").Integers)
	assert.False(t, p.Table.Column("finishStatus").Valid[0])
	assert.Empty(t, notices(p))
}

// Two automations with accents, in bytes that are no UTF-8, would have the same name if something stood for these bytes.
func TestBytesInNoCharset(t *testing.T) {
	p := readPage(t, tasks, `[{"id":1,"activityLabel":"c`+"\xe2"+`mbio"},{"id":2,"activityLabel":"c`+"\xea"+`mbio","new":["`+"\xe7"+`"]},{"id":3,"activityLabel":"câmbio"}]`)
	assert.Equal(t, []bool{false, false, true}, p.Table.Column("activityLabel").Valid)
	assert.Equal(t, []int64{1, 2, 3}, p.Table.Column("id").Integers)
	const why = " values are shown as null, because the service's value is not in UTF-8, and the response names no charset, for example "
	assert.Equal(t, []string{"activityLabel: 2" + why + "\"c\xe2mbio\"", "new: 1" + why + "[\"\xe7\"]"}, notices(p))
}

// Numbers that JSON does not have are null. A text that looks like one, or that is behind one, is as it was sent.
func TestNaN(t *testing.T) {
	p := readPage(t, tasks, `[{"id":1,"processedItems": NaN ,"totalItems":Infinity,"dateCreation":-Infinity,"x":[NaN,1],"y":NaN},`+
		strings.Repeat(" ", 100_000)+`{"id":2,"activityLabel":"NaN, \"NaN","machineId":"-Infinity","totalItems":7,"y":1}]`)
	requireWhole(t, p)
	assert.Empty(t, notices(p))
	for name, want := range map[string][]any{
		"id": {int64(1), int64(2)}, "processedItems": {nil, nil}, "totalItems": {nil, 7.0}, "dateCreation": {nil, nil},
		"activityLabel": {nil, `NaN, "NaN`}, "machineId": {nil, "-Infinity"}, "x": {"[null,1]", nil}, "y": {nil, "1"},
	} {
		assert.Equal(t, want, columnstest.Values(p.Table.Column(name)), name)
	}
	// A response may arrive in pieces of any length. Of one that is no JSON, no more is read.
	p, err := Decode(iotest.OneByteReader(strings.NewReader(`[{"id":1,"totalItems":NaN,"failedItems":-Infinity}]`)), tasks, NewInterner(), 1)
	require.NoError(t, err)
	assert.Empty(t, notices(p))
	more := strings.NewReader(" and more")
	_, err = Decode(io.MultiReader(strings.NewReader("<html>"), more), tasks, NewInterner(), 1)
	require.Error(t, err)
	assert.Equal(t, len(" and more"), more.Len())
}

// Dates in the forms of JSON. A zero date means that there is none.
func TestDates(t *testing.T) {
	at := time.Date(2026, 11, 26, 3, 4, 0, 0, time.UTC)
	for value, want := range map[string]time.Time{
		`"2026-11-26T03:04Z"`: at, `" 2026-11-26T03:04:00 "`: at, `20261126`: at.Truncate(24 * time.Hour), `1795662240`: at, `"1795662240000"`: at,
		`[2026,11,26,3,4]`: at, `[2026, 11, 26, 3, 4, 0, 5000000]`: at.Add(5 * time.Millisecond), `{"$date":"2026-11-26T03:04:00Z"}`: at, `{"$date":1795662240000}`: at,
		`""`: {}, `0`: {}, `"0"`: {}, `0.0`: {}, `"1970-01-01T00:00:00.000+00:00"`: {}, `"0001-01-01T00:00:00Z"`: {}, `"0001-01-01T00:00:00"`: {}, `{"$date":0}`: {}, `null`: {},
	} {
		p, err := decode(tasks, []byte(`[{"dateCreation":`+value+`}]`))
		require.NoError(t, err)
		require.Empty(t, notices(p), value)
		c := p.Table.Column("dateCreation")
		require.Equal(t, !want.IsZero(), c.Valid[0], value)
		require.True(t, want.IsZero() || want.Equal(c.Time(0)), "%s: %s", value, c.Time(0))
	}
	for _, value := range []string{
		`"soon"`, `12`, `1e300`, `true`, `[]`, `[2026,11]`, `[2026,13,1]`, `[2026,2,30]`, `[2026,1,1,25]`, `["2026",1,1]`, `{}`, `{"$date":{}}`, `{"date":5}`, `"9999-12-31T23:59:59Z"`,
	} {
		p, err := decode(tasks, []byte(`[{"dateCreation":`+value+`}]`))
		require.NoError(t, err)
		require.Len(t, notices(p), 1, value)
	}
}

// What a service repeats of the key and the token is in no frame: neither in a value nor in a name.
func TestNoSecretInRows(t *testing.T) {
	secret, other := servicetest.Key, servicetest.Token(1)
	p := readPage(t, tasks, fmt.Sprintf(`[{"id":1,"activityLabel":%q,"machineId":"of %s","new":{"a":%q},%q:1},{"id":2,"activityLabel":"a","state":%q}]`, secret, other, other, other, secret))
	requireWhole(t, p)
	for name, want := range map[string][]any{
		"activityLabel": {"[secret]", "a"}, "machineId": {"of [secret]", nil}, "new": {`{"a":"[secret]"}`, nil}, "state": {nil, "[secret]"},
	} {
		assert.Equal(t, want, columnstest.Values(p.Table.Column(name)), name)
	}
	assert.Len(t, p.Table.Columns, len(tasks.Fields)+1)
	assert.Len(t, notices(p), 1, "a field is left out")
}

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
		if utf8.Valid(body) { // Decoders put different marks in the place of other bytes.
			requireAgrees(t, set, records[:kept], p)
		}
	})
}

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
			field := set.Field(c.Name)
			if field == nil {
				require.Equal(t, record[c.Name], unknownValue(t, c, row), c.Name)
				continue
			}
			want, got := columnstest.PlainCell(field, record[c.Name]), columnstest.Value(c, row)
			text, isText := record[c.Name].(string)
			switch {
			case want != nil: // Other forms may be read, too.
				require.Equal(t, want, got, "row %d, %s", row, c.Name)
			case record[c.Name] == nil:
				require.Nil(t, got, "row %d, %s", row, c.Name)
			case got == nil && !(isText && written.IsNoNumber(strings.TrimSpace(text))) && !isZeroDate(record[c.Name]):
				require.Contains(t, told, c.Name+": ", "a value that is not shown is reported")
			}
		}
	}
}

func isZeroDate(v any) bool {
	if object, isObject := v.(map[string]any); isObject {
		return object["$date"] == "" || isZeroDate(object["$date"])
	}
	at, isDate := written.Time(strings.TrimSpace(fmt.Sprint(v)))
	return isDate && (at.UTC().Year() <= 1 || at.Equal(time.Unix(0, 0)))
}

func unknownValue(t *testing.T, c *columns.Column, row int) (plain any) {
	if c.Valid[row] {
		decoder := json.NewDecoder(strings.NewReader(c.Strings[row]))
		decoder.UseNumber()
		require.NoError(t, decoder.Decode(&plain))
	}
	return plain
}
