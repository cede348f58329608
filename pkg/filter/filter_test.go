package filter_test

import (
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

// kept returns the numbers of the rows that a filter keeps.
func kept(t testing.TB, c *columns.Column, operator string, values []string) []int64 {
	t.Helper()
	f, err := filter.New(c.Name, operator, values)
	require.NoError(t, err)
	require.NoError(t, f.Check(c.Type))
	test, err := f.Bind(c, now)
	require.NoError(t, err)
	rows := []int64{}
	for row := range c.Valid {
		if test(row) {
			rows = append(rows, int64(row))
		}
	}
	return rows
}

// The times of a filter can be relative to the moment of the request.
func TestTimeBeforeNow(t *testing.T) {
	var times []any
	for _, age := range []time.Duration{0, 59 * time.Minute, time.Hour, 61 * time.Minute, 47 * time.Hour, 49 * time.Hour} {
		times = append(times, now.Add(-age))
	}
	c := columnstest.New("dateCreation", schema.Time, times...)
	for value, want := range map[string]int{"now-1h": 3, "now-2d": 5, "now-90m": 4, "now-0s": 1} {
		require.Len(t, kept(t, c, ">=", []string{value}), want, value)
	}
}

// Errors of filters name the value and what is expected.
func TestBadInput(t *testing.T) {
	tests := []struct {
		name     string
		operator string
		values   []string
		says     []string
	}{
		{"unknown operator", "==", []string{"a"}, []string{`"=="`, "state", "=~", "!=|"}},
		{"no value", "=|", []string{}, []string{"state", "no value"}},
		{"open group", "=~", []string{"a(b"}, []string{`"a(b"`, "missing closing )"}},
		{"nothing to repeat", "=~", []string{"*"}, []string{`"*"`, "missing argument to repetition operator"}},
		{"lookahead, which RE2 does not support", "=~", []string{"(?=a)"}, []string{`"(?=a)"`, "RE2"}},
		// Between anchors and parentheses these would be valid patterns, although they are not.
		{"closes what it did not open", "=~", []string{"a)|(b"}, []string{`"a)|(b"`, "unexpected )"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := filter.New("state", test.operator, test.values)
			require.ErrorIs(t, err, inputerror.Err)
			for _, text := range test.says {
				require.ErrorContains(t, err, text)
			}
			require.NotContains(t, err.Error(), "^(?:", "anchors that are not in the pattern")
		})
	}
}

func TestValueThatDoesNotFitTheType(t *testing.T) {
	tests := []struct {
		typ      schema.Type
		operator string
		values   []string
		says     []string
	}{
		{schema.Integer, "=", []string{"ten"}, []string{"ten", "a whole number"}},
		{schema.Integer, "<", []string{""}, []string{"a whole number"}},
		{schema.Integer, ">", []string{"1.5"}, []string{"1.5", "a whole number"}},
		{schema.Number, "=", []string{"ten"}, []string{"ten", "a number"}},
		{schema.Number, ">", []string{""}, []string{"a number"}},
		{schema.Number, "=|", []string{"1", "two"}, []string{"two", "a number"}},
		{schema.Number, "<", []string{"1,5"}, []string{"1,5", "a number"}},
		{schema.Time, "=", []string{"yesterday"}, []string{"yesterday", "2026-01-31T09:00:00Z"}},
		{schema.Time, "<", []string{"31/01/2026"}, []string{"31/01/2026", "2026-01-31T09:00:00Z"}},
		{schema.Time, ">=", []string{"now-soon"}, []string{"now-soon", "now-1h"}},
		{schema.Time, ">=", []string{"now-300y"}, []string{"now-300y", "now-1h"}},
	}
	for _, test := range tests {
		t.Run(string(test.typ)+" "+test.operator+" "+test.values[len(test.values)-1], func(t *testing.T) {
			f, err := filter.New("duration", test.operator, test.values)
			require.NoError(t, err)
			err = f.Check(test.typ)
			require.ErrorIs(t, err, inputerror.Err)
			for _, text := range append(test.says, "duration", test.operator) {
				require.ErrorContains(t, err, text)
			}
		})
	}
}
