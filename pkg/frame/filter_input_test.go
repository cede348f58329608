package frame_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/filter"
	"github.com/insights/insights-reporting-datasource/pkg/inputerror"
	"github.com/insights/insights-reporting-datasource/schema"
)

// Errors of filters name the value and what is expected.
func TestFilterBadInput(t *testing.T) {
	tests := []struct {
		name     string
		operator string
		values   []string
		says     []string
	}{
		{"unknown operator", "==", of("a"), []string{`"=="`, "state", "=~", "!=|"}},
		{"no value", "=|", of(), []string{"state", "no value"}},
		{"open group", "=~", of("a(b"), []string{`"a(b"`, "missing closing )"}},
		{"nothing to repeat", "=~", of("*"), []string{`"*"`, "missing argument to repetition operator"}},
		{"lookahead, which RE2 does not support", "=~", of("(?=a)"), []string{`"(?=a)"`, "RE2"}},
		// Between anchors and parentheses these would be valid patterns, although they are not.
		{"closes what it did not open", "=~", of("a)|(b"), []string{`"a)|(b"`, "unexpected )"}},
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

func TestFilterValueThatDoesNotFitTheType(t *testing.T) {
	tests := []struct {
		typ      schema.Type
		operator string
		values   []string
		says     []string
	}{
		{schema.Integer, "=", of("ten"), []string{"ten", "a whole number"}},
		{schema.Integer, "<", of(""), []string{"a whole number"}},
		{schema.Integer, ">", of("1.5"), []string{"1.5", "a whole number"}},
		{schema.Number, "=", of("ten"), []string{"ten", "a number"}},
		{schema.Number, ">", of(""), []string{"a number"}},
		{schema.Number, "=|", of("1", "two"), []string{"two", "a number"}},
		{schema.Number, "<", of("1,5"), []string{"1,5", "a number"}},
		{schema.Time, "=", of("yesterday"), []string{"yesterday", "2026-01-31T09:00:00Z"}},
		{schema.Time, "<", of("31/01/2026"), []string{"31/01/2026", "2026-01-31T09:00:00Z"}},
		{schema.Time, ">=", of("now-soon"), []string{"now-soon", "now-1h"}},
		{schema.Time, ">=", of("now-300y"), []string{"now-300y", "now-1h"}},
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

// An unknown field is validated if there are rows, which determine its type.
func TestFilterValueThatDoesNotFitAnUnknownField(t *testing.T) {
	f, err := filter.New("priority", "<", of("high"))
	require.NoError(t, err)
	table := tasksTable([]task{{}})
	table.Columns = append(table.Columns, column("priority", schema.Number, 1.0))
	r := request("tasks", table)
	r.Filters = []*filter.Filter{f}
	_, err = makeTable(t.Context(), r)
	require.ErrorIs(t, err, inputerror.Err)
	require.ErrorContains(t, err, `"high"`)
}
