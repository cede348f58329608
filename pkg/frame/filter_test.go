package frame_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/filter"
	"github.com/insights/insights-reporting-datasource/schema"
)

// negative operators keep exactly the rows that their positive ones drop, so the tables below state the positive ones.
var negative = map[string]string{"=": "!=", "=~": "!~", "=|": "!=|"}

// filterCase lists the rows that a filter keeps, by number.
type filterCase struct {
	operator string
	values   []string
	keep     []int64
}

func of(values ...string) []string { return values }

var (
	none  = []int64{}
	jan31 = time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)
	ms    = time.Millisecond
)

// filterRules state, for every type of field, what every operator keeps. Row 0 is null everywhere.
var filterRules = []struct {
	name  string
	typ   schema.Type
	cells []any
	cases []filterCase
}{
	{
		name: "text is compared as it is; an empty value finds null and empty text", typ: schema.String,
		cells: []any{nil, "", "a", "ab", "B", "10", "9", "two\nlines", " a"},
		cases: []filterCase{
			{"=", of("a"), []int64{2}},
			{"=", of("A"), none},
			{"=", of("b"), none},
			{"=", of(""), []int64{0, 1}},
			{"=|", of("a", "B", "absent"), []int64{2, 4}},
			{"=|", of("", "ab"), []int64{0, 1, 3}},
			{"=~", of("a"), []int64{2}},
			{"=~", of("a.*"), []int64{2, 3}},
			{"=~", of("b|a"), []int64{2}},
			{"=~", of("(?i)b|AB"), []int64{3, 4}},
			{"=~", of(""), []int64{0, 1}},
			{"=~", of(".*"), []int64{0, 1, 2, 3, 4, 5, 6, 8}},
			{"=~", of(`[0-9]+`), []int64{5, 6}},
			{"<", of("a"), []int64{1, 4, 5, 6, 8}},
			{">", of("a"), []int64{3, 7}},
			{">", of(""), []int64{2, 3, 4, 5, 6, 7, 8}},
			{"<", of(""), none},
			{"<", of("9"), []int64{1, 5, 8}},
			{"<=", of("9"), []int64{1, 5, 6, 8}},
			{">=", of("a"), []int64{2, 3, 7}},
		},
	},
	{
		name: "ids are compared as numbers, exactly", typ: schema.Integer,
		cells: []any{nil, int64(0), int64(9), int64(10), int64(-3), int64(1<<53 + 1)},
		cases: []filterCase{
			{"=", of("10"), []int64{3}},
			{"=", of(" 10 "), []int64{3}},
			{"=", of("010"), []int64{3}},
			{"=", of("1e1"), []int64{3}},
			{"=", of("10.5"), none},
			{"=", of("9007199254740993"), []int64{5}},
			{"=", of("9007199254740992"), none},
			{"=", of("9007199254740992.0"), none},
			{"=|", of("0", "9007199254740992.0"), []int64{1}},
			{"=|", of("10.5", "9007199254740993"), []int64{5}},
			{">", of("9007199254740992.0"), []int64{5}},
			{"<=", of("9007199254740992.0"), []int64{1, 2, 3, 4}},
			{"<", of("9223372036854775808"), []int64{1, 2, 3, 4, 5}},
			{">=", of("-1e300"), []int64{1, 2, 3, 4, 5}},
			{"<", of("-2.5"), []int64{4}},
			{"=", of(""), []int64{0}},
			{"=|", of("0", "-3", ""), []int64{0, 1, 4}},
			{"=~", of("10?"), []int64{3}},
			{"=~", of("-.*"), []int64{4}},
			{"=~", of(""), []int64{0}},
			{"<", of("9"), []int64{1, 4}},
			{">", of("9"), []int64{3, 5}},
			{">", of("9.5"), []int64{3, 5}},
			{"<", of("99999999999999999999"), []int64{1, 2, 3, 4, 5}},
			{"<=", of("9"), []int64{1, 2, 4}},
			{">=", of("9"), []int64{2, 3, 5}},
			{"<=", of("9.5"), []int64{1, 2, 4}},
		},
	},
	{
		name: "numbers are compared as numbers; a pattern sees them without exponent", typ: schema.Number,
		cells: []any{nil, 0.0, 9.0, 10.0, -2.5, 0.25, 1e21},
		cases: []filterCase{
			{"=", of("10"), []int64{3}},
			{"=", of("10.0"), []int64{3}},
			{"=", of("1e1"), []int64{3}},
			{"=", of("-0"), []int64{1}},
			{"=", of(""), []int64{0}},
			{"=|", of("0.25", "-2.5", "7"), []int64{4, 5}},
			{"=~", of(`0\.25|9`), []int64{2, 5}},
			{"=~", of("10+"), []int64{3, 6}},
			{"=~", of(""), []int64{0}},
			{"<", of("9"), []int64{1, 4, 5}},
			{">", of("9"), []int64{3, 6}},
			{">", of("-2.5"), []int64{1, 2, 3, 5, 6}},
			{"<=", of("9"), []int64{1, 2, 4, 5}},
			{">=", of("9"), []int64{2, 3, 6}},
		},
	},
	{
		name: "times are points in time, in whatever zone they are written; a pattern sees UTC", typ: schema.Time,
		cells: []any{nil, jan31, jan31.Add(ms), jan31.Add(-ms), time.Date(1969, 7, 20, 0, 0, 0, 0, time.UTC)},
		cases: []filterCase{
			{"=", of("2026-01-31T09:00:00Z"), []int64{1}},
			{"=", of("2026-01-31T06:00:00-03:00"), []int64{1}},
			{"=", of("2026-01-31T09:00:00"), []int64{1}},
			{"=", of("2026-01-31 09:00:00"), []int64{1}},
			{"=", of("2026-01-31T09:00:00.001Z"), []int64{2}},
			{"=", of("1769850000000"), []int64{1}},
			{"=", of("1969-07-20"), []int64{4}},
			{"=", of(""), []int64{0}},
			{"=|", of("1969-07-20", "1769850000001"), []int64{2, 4}},
			{"=~", of("2026-01-31T.*"), []int64{1, 2, 3}},
			{"=~", of(""), []int64{0}},
			{"<", of("2026-01-31T09:00:00Z"), []int64{3, 4}},
			{">", of("2026-01-31T09:00:00Z"), []int64{2}},
			{"<", of("9999-12-31T23:59:59Z"), []int64{1, 2, 3, 4}},
			{">", of("0001-01-01"), []int64{1, 2, 3, 4}},
			{"<", of("253402300799000"), []int64{1, 2, 3, 4}},
			{">", of("-9223372036854775808"), []int64{1, 2, 3, 4}},
			{"<=", of("2026-01-31T09:00:00Z"), []int64{1, 3, 4}},
			{">=", of("2026-01-31T09:00:00Z"), []int64{1, 2}},
		},
	},
	{
		name: "yes and no are the texts true and false", typ: schema.Boolean,
		cells: []any{nil, true, false},
		cases: []filterCase{
			{"=", of("true"), []int64{1}},
			{"=", of("false"), []int64{2}},
			{"=", of("1"), none},
			{"=", of(""), []int64{0}},
			{"=|", of("true", "false"), []int64{1, 2}},
			{"=~", of("t.*"), []int64{1}},
			{"<", of("true"), []int64{2}},
			{">", of("false"), []int64{1}},
			{"<=", of("false"), []int64{2}},
			{">=", of("false"), []int64{1, 2}},
		},
	},
	{
		name: "a nested value is its JSON text", typ: schema.JSON,
		cells: []any{nil, json.RawMessage(`{"a":1}`), json.RawMessage(`[]`), json.RawMessage(`"x"`)},
		cases: []filterCase{
			{"=", of(`{"a":1}`), []int64{1}},
			{"=", of(""), []int64{0}},
			{"=|", of(`[]`, `"x"`), []int64{2, 3}},
			{"=~", of(`.*"a".*`), []int64{1}},
			{"<", of("["), []int64{3}},
			{">", of("["), []int64{1, 2}},
			{"<=", of("[]"), []int64{2, 3}},
			{">=", of("[]"), []int64{1, 2}},
		},
	},
}

func TestFilterRules(t *testing.T) {
	for _, rule := range filterRules {
		t.Run(rule.name, func(t *testing.T) {
			c := column("field", rule.typ, rule.cells...)
			tried := map[string]bool{}
			for _, f := range rule.cases {
				require.Equal(t, f.keep, kept(t, c, f.operator, f.values), "%s %q", f.operator, f.values)
				tried[f.operator] = true
				if not := negative[f.operator]; not != "" {
					require.Equal(t, without(len(rule.cells), f.keep), kept(t, c, not, f.values), "%s %q", not, f.values)
					tried[not] = true
				}
			}
			require.Len(t, tried, len(filter.Operators), "every operator has a rule")
		})
	}
}

// Only nulls are in an unfilled field, and in an unknown field that is null everywhere.
func TestFiltersOnOnlyNulls(t *testing.T) {
	for _, typ := range []schema.Type{schema.String, schema.Integer, schema.Number, schema.Time, schema.Boolean, schema.JSON} {
		c := column("field", typ, nil, nil)
		both := []int64{0, 1}
		require.Equal(t, none, kept(t, c, "=", of("0")), typ)
		require.Equal(t, both, kept(t, c, "!=", of("0")), typ)
		require.Equal(t, both, kept(t, c, "=", of("")), typ)
		require.Equal(t, none, kept(t, c, "!=", of("")), typ)
		require.Equal(t, none, kept(t, c, "<", of("0")), typ)
		require.Equal(t, none, kept(t, c, ">", of("0")), typ)
		require.Equal(t, none, kept(t, c, "<=", of("0")), typ)
		require.Equal(t, none, kept(t, c, ">=", of("0")), typ)
		require.Equal(t, none, kept(t, c, "=~", of("0")), typ)
		require.Equal(t, both, kept(t, c, "!~", of("0")), typ)
		require.Equal(t, both, kept(t, c, "=|", of("0", "")), typ)
		require.Equal(t, none, kept(t, c, "!=|", of("0", "")), typ)
	}
}

// kept returns the numbers of the rows that a filter keeps.
func kept(t testing.TB, c *columns.Column, operator string, values []string) []int64 {
	t.Helper()
	f, err := filter.New(c.Name, operator, values)
	require.NoError(t, err)
	require.NoError(t, f.Check(c.Type))
	numbers := columns.New("row", schema.Integer, len(c.Valid))
	for i := range c.Valid {
		numbers.Valid = append(numbers.Valid, true)
		numbers.Integers = append(numbers.Integers, int64(i))
	}
	out, err := makeTable(t.Context(), &spec{
		DataSet: schema.All().Get("tasks"), Filters: []*filter.Filter{f}, Columns: []string{"row"},
		Rows: &columns.Table{Columns: []*columns.Column{numbers, c}, Rows: len(c.Valid)},
	})
	require.NoError(t, err)
	rows := []int64{}
	for i := range out.Fields[0].Len() {
		row, ok := out.Fields[0].ConcreteAt(i)
		require.True(t, ok)
		rows = append(rows, row.(int64))
	}
	return rows
}

func without(n int, rows []int64) []int64 {
	rest := []int64{}
	for i := range int64(n) {
		if !slices.Contains(rows, i) {
			rest = append(rest, i)
		}
	}
	return rest
}

// The times of a filter can be relative to the moment of the request.
func TestFilterByTheTimeBeforeNow(t *testing.T) {
	ages := []time.Duration{0, 59 * time.Minute, time.Hour, 61 * time.Minute, 47 * time.Hour, 49 * time.Hour}
	rows := make([]task, len(ages))
	for i, age := range ages {
		rows[i] = task{dateCreation: ptr(now.Add(-age))}
	}
	for value, want := range map[string]float64{"now-1h": 3, "now-2d": 5, "now-90m": 4, "now-0s": 1} {
		f, err := filter.New("dateCreation", ">=", of(value))
		require.NoError(t, err)
		r := request("tasks", tasksTable(rows))
		r.Measure, r.From, r.Filters = "tasks", now.AddDate(0, 0, -30), []*filter.Filter{f}
		require.Equal(t, instances{key(nil): &want}, readNumeric(t, mustMake(t, makeNumeric, r), r.Measure), value)
	}
}
