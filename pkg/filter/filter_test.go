package filter_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/columnstest"
	"github.com/insights/insights-reporting-datasource/pkg/filter"
	"github.com/insights/insights-reporting-datasource/pkg/inputerror"
	"github.com/insights/insights-reporting-datasource/schema"
)

var now = time.Date(2026, 11, 20, 15, 0, 0, 0, time.UTC)

func kept(t testing.TB, c *columns.Column, operator string, values ...string) []int {
	t.Helper()
	f, err := filter.New(c.Name, operator, values)
	require.NoError(t, err)
	require.NoError(t, f.Check(c.Type))
	test, err := f.Bind(c, now)
	require.NoError(t, err)
	rows := []int{}
	for row := range c.Valid {
		if test(row) {
			rows = append(rows, row)
		}
	}
	return rows
}

// Each operator over each type. The negative operators keep exactly the rows that the positive ones drop.
func TestFilter(t *testing.T) {
	negative := map[string]string{"=": "!=", "=|": "!=|", "=~": "!~"}
	for _, over := range []struct {
		column *columns.Column
		keeps  []keeping
	}{
		{columnstest.New("text", schema.String, nil, "", "a", "B", "a|b", "7"), []keeping{
			{"=", "a", []int{2}}, {"=", "", []int{0, 1}}, {"=", "7.0", nil}, {"=", " a", nil},
			{"=|", "a,B", []int{2, 3}}, {"=|", "a,", []int{0, 1, 2}}, {"=|", "a", []int{2}},
			{"<", "a", []int{1, 3, 5}}, {"<=", "a", []int{1, 2, 3, 5}}, {">", "a", []int{4}}, {">=", "a", []int{2, 4}}, {"<", "", nil}, {">=", "", []int{1, 2, 3, 4, 5}},
			{"=~", "a|b", []int{2}}, {"=~", "(?i)a|b", []int{2, 3}}, {"=~", "a.*", []int{2, 4}}, {"=~", "a|a.b", []int{2, 4}}, {"=~", ".*", []int{0, 1, 2, 3, 4, 5}}, {"=~", "", []int{0, 1}},
			{"=~", `(a\|b|B|\/\$\{\])`, []int{3, 4}}, // as Grafana writes the values of a variable
		}},
		{columnstest.New("lines", schema.String, "a\nb", "a", "a\n"), []keeping{
			{"=~", "a.*", []int{0, 1, 2}}, {"=~", "a", []int{1}}, {"=~", "a.b", []int{0}}, {"=~", "(?-s:a.*)", []int{1}},
		}},
		{columnstest.New("id", schema.Integer, nil, int64(0), int64(7), int64(9007199254740992), int64(9007199254740993), int64(-7), int64(0)), []keeping{
			{"=", " 07 ", []int{2}}, {"=", "+7", []int{2}}, {"=", "7.0", []int{2}}, {">=", "7e0", []int{2, 3, 4}}, {"=", "", []int{0}}, {"=", "9007199254740993", []int{4}}, {"=|", "0,,-7", []int{0, 1, 5, 6}}, {"=|", "0,7", []int{1, 2, 6}},
			{"<", "0", []int{5}}, {"<=", "0", []int{1, 5, 6}}, {">", "9007199254740992", []int{4}}, {">=", "9007199254740992", []int{3, 4}},
			{"=~", "0+", []int{1, 6}}, {"=~", "-?7", []int{2, 5}},
		}},
		{columnstest.New("number", schema.Number, nil, 0.0, math.Copysign(0, -1), 10.5, -1e300, 1e21), []keeping{
			{"=", "1.05e1", []int{3}}, {"=", "0", []int{1, 2}}, {"=", "", []int{0}}, {"=|", "10.5, -0 ,", []int{0, 1, 2, 3}}, {"=", "1e21", []int{5}},
			{"<", "10.5", []int{1, 2, 4}}, {"<=", "10.5", []int{1, 2, 3, 4}}, {">", "0", []int{3, 5}}, {">=", "-.5", []int{1, 2, 3, 5}},
			{"=~", "-.", []int{2}}, {"=~", "10+", []int{5}}, {"=~", "0", []int{1}},
		}},
		{columnstest.New("time", schema.Time, nil, now, now.Add(-time.Hour), now.Add(-25*time.Hour), time.Date(2026, 11, 19, 0, 0, 0, 0, time.UTC), now.Add(time.Nanosecond)), []keeping{
			{"=", "2026-11-20T15:00:00Z", []int{1}}, {"=", "2026-11-20T16:00:00+01:00", []int{1}}, {"=", "2026-11-20T15:00:00", []int{1}}, {"=", "2026-11-20 15:00:00", []int{1}},
			{"=", "1795186800000", []int{1}}, {"=", "1795186800", []int{1}}, {"=", "2026-11-19", []int{4}}, {"=", "20261119", []int{4}}, {"=", "2026-11-20T15:00Z[UTC]", []int{1}}, {"=", "1795186800000000", []int{1}}, {"=", "", []int{0}}, {"=|", "now-1h,", []int{0, 2}}, {"=", "2026-11-20T15:00:00.000000001Z", []int{5}},
			{">=", "now-1h", []int{1, 2, 5}}, {">", "now-1h", []int{1, 5}}, {"<", "now-1d", []int{3, 4}}, {"<=", "now-90m", []int{3, 4}}, {">=", " now-0s ", []int{1, 5}},
			{"<", "9999-12-31", []int{1, 2, 3, 4, 5}}, {">", "0001-01-01", []int{1, 2, 3, 4, 5}},
			{"=~", "2026-11-20T1[45]:.*Z", []int{1, 2, 5}},
		}},
		{columnstest.New("hour", schema.String, nil, "03", "09", "10", "23"), []keeping{
			{"=", "3", []int{1}}, {"=", "09", []int{2}}, {"=", "1e1", []int{3}}, {"=", "", []int{0}}, {"=|", "9,23,", []int{0, 2, 4}}, {">=", "9", []int{2, 3, 4}}, {"<", "9.5", []int{1, 2}},
			{"<", "24", []int{1, 2, 3, 4}}, {"=~", "0.", []int{1, 2}},
		}},
		{columnstest.New("flag", schema.String, nil, "true", "false"), []keeping{
			{"=", "true", []int{1}}, {"=", "", []int{0}}, {"=|", "false,true", []int{1, 2}}, {"<", "true", []int{2}}, {"=~", "t.*|", []int{0, 1}},
		}},
		{columnstest.New("nested", schema.String, nil, `{"a":1}`, `"x"`), []keeping{
			{"=", `{"a":1}`, []int{1}}, {"=", "x", nil}, {"=", "", []int{0}}, {"=~", `.*"x".*`, []int{2}},
		}},
	} {
		for _, test := range over.keeps {
			values := strings.Split(test.values, ",")
			got := kept(t, over.column, test.operator, values...)
			require.Equal(t, append([]int{}, test.want...), got, "%s %s %q", over.column.Name, test.operator, values)
			if opposite, ok := negative[test.operator]; ok {
				every := slices.Concat(got, kept(t, over.column, opposite, values...))
				slices.Sort(every)
				require.Equal(t, []int{0, 1, 2, 3, 4, 5, 6}[:len(over.column.Valid)], every, "%s %s %q", over.column.Name, opposite, values)
			}
		}
	}
}

// Of numbers and texts, a filter with a number compares the numbers.
func TestNumbersAndTexts(t *testing.T) {
	mixed, texts := columnstest.New("mixed", schema.String, "10", "high", nil, "5", "0.5", "", "NaN"), columnstest.New("texts", schema.String, "v10", "v5")
	for _, test := range []struct {
		column          *columns.Column
		operator, value string
		unread          []int
		want            []int
	}{
		{mixed, ">=", "5", []int{1}, []int{0, 3}},
		{mixed, "<", " 10 ", []int{1}, []int{3, 4}},
		{mixed, ">", "five", nil, []int{1}},
		{mixed, "=", "5", nil, []int{3}},
		{texts, ">", "5", nil, []int{0, 1}},
	} {
		f, err := filter.New(test.column.Name, test.operator, []string{test.value})
		require.NoError(t, err)
		compared, unread := f.Numeric(test.column)
		require.Equal(t, test.unread, unread, "%s", f)
		require.Equal(t, test.want, kept(t, compared, test.operator, test.value), "%s", f)
	}
}

// The only value of "one of" may be several, as a variable writes them, unless a label has these commas, or may have had them.
func TestListsInOneValue(t *testing.T) {
	labels := columnstest.New("label", schema.String, "a", "b", "c", nil, "Smith, John")
	for value, want := range map[string][]int{
		"a": {0}, "a,b": {0, 1}, "a,c,x": {0, 2}, "a,": {0, 3}, "Smith, John": {4}, "Smith,John": {}, "b, c": {}, "b ,c": {}, " b,c": {}, "b,c ": {},
	} {
		require.Equal(t, want, kept(t, labels, "=|", value), value)
		require.Len(t, kept(t, labels, "!=|", value), 5-len(want), value)
	}
	require.Equal(t, []int{4}, kept(t, labels, "=", "Smith, John"))
	require.Empty(t, kept(t, labels, "=", "a,b"))
	require.Equal(t, []int{0, 2}, kept(t, columnstest.New("id", schema.Integer, int64(7), int64(8), int64(9)), "=|", "7, 9"))
	require.Equal(t, []int{0, 2}, kept(t, columnstest.New("hour", schema.String, "07", "08", "09"), "=|", "7, 9"))
	require.Equal(t, []int{1}, kept(t, columnstest.New("time", schema.Time, nil, now), "=|", "now-1h,now-0s"))
}

// keeping is a filter whose values are separated by commas, and the rows that it keeps.
type keeping struct {
	operator, values string
	want             []int
}

// Errors of filters name the field, the value and what is expected.
func TestBadInput(t *testing.T) {
	for _, test := range []struct {
		typ      schema.Type
		operator string
		values   []string
		says     string
	}{
		{schema.String, "==", []string{"a"}, `unknown operator "==" in the filter on field: use one of = != =~ !~ =| !=|`},
		{schema.String, "=|", []string{}, "the filter field =| has no value"},
		{schema.String, "=~", []string{"a(b"}, `the filter on field has the regular expression "a(b", which is not valid RE2: missing closing )`},
		{schema.String, "!~", []string{"*"}, `"*", which is not valid RE2: missing argument to repetition operator`},
		{schema.String, "=~", []string{"(?=a)"}, `"(?=a)", which is not valid RE2`},
		// Between anchors and parentheses this would be a valid pattern, although it is not.
		{schema.String, "=~", []string{"a)|(b"}, `"a)|(b", which is not valid RE2: unexpected )`},
		{schema.String, "=~", []string{strings.Repeat("é", 100_001)}, "on field has a regular expression of 100001 characters, and the maximum is 100000: select fewer values, or use =|"},
		{schema.String, "!~", []string{"(?:" + strings.Repeat(".?", 9_000) + "){1000}"}, ".?.?"},
		{schema.Integer, "=", []string{"ten"}, `the filter field = "ten" needs a whole number`},
		{schema.Integer, "<", []string{""}, `the filter field < "" needs a whole number`},
		{schema.Integer, ">", []string{"1.5"}, `the filter field > "1.5" needs a whole number`},
		{schema.Number, "=|", []string{"1", "two"}, `the filter field =| "two" needs a number`},
		{schema.Number, ">=", []string{""}, `the filter field >= "" needs a number`},
		{schema.Number, "<", []string{"1,5"}, `the filter field < "1,5" needs a number`},
		{schema.Number, "=", []string{"NaN"}, `the filter field = "NaN" needs a number`},
		{schema.Number, "=|", []string{"1,two"}, `the filter field =| "two" needs a number`},
		{schema.Integer, "=", []string{" "}, `the filter field = " " needs a whole number`},
		{schema.Time, ">", []string{"2026"}, `the filter field > "2026" needs a time such as 2026-01-31, 2026-01-31T09:00:00Z or now-1h, or seconds or milliseconds since 1970`},
		{schema.Time, "!=", []string{"yesterday"}, `the filter field != "yesterday" needs a time such as 2026-01-31, `},
		{schema.Time, ">=", []string{"now-soon"}, `the filter field >= "now-soon" needs a time`},
		{schema.Time, ">=", []string{"now-300y"}, `the filter field >= "now-300y" needs a time`},
	} {
		f, err := filter.New("field", test.operator, test.values)
		if err == nil {
			err = f.Check(test.typ)
		}
		require.ErrorIs(t, err, inputerror.Err, test.says)
		require.ErrorContains(t, err, test.says)
		require.Less(t, len(err.Error()), 600, "a pattern is not repeated at length")
		require.NotContains(t, err.Error(), "^(?:", "anchors that are not in the pattern")
	}
}

// Matches are cached: without that, these would take minutes.
func TestPatternIsMatchedOncePerText(t *testing.T) {
	cells := make([]any, 90_000)
	for i := range cells {
		cells[i] = fmt.Sprintf("automation %04d", i%10)
	}
	require.Len(t, kept(t, columnstest.New("field", schema.String, cells...), "!~", "(?:.{0,30}){0,33}x"), len(cells))
}
