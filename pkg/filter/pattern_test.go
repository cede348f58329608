package filter_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/columnstest"
	"github.com/insights/insights-reporting-datasource/pkg/filter"
	"github.com/insights/insights-reporting-datasource/pkg/inputerror"
	"github.com/insights/insights-reporting-datasource/schema"
)

// An expression that is too large is rejected with what is wrong and advice, and not repeated at length.
func TestPatternThatIsTooLarge(t *testing.T) {
	for pattern, says := range map[string][]string{
		strings.Repeat("é", 100_001):                    {"100001 characters", "100000", "=|"},
		"(?:" + strings.Repeat(".?", 9_000) + "){1000}": {"expression too large", ".?.?"},
	} {
		for _, operator := range []string{"=~", "!~"} {
			_, err := filter.New("activityLabel", operator, []string{pattern})
			require.ErrorIs(t, err, inputerror.Err)
			for _, text := range append(says, "activityLabel") {
				require.ErrorContains(t, err, text)
			}
			require.Less(t, len(err.Error()), 600)
		}
	}
}

// variable returns the pattern that Grafana creates for a multi-value variable.
func variable(values []string) string {
	escaped := make([]string, len(values))
	for i, value := range values {
		// @grafana/data, escapeRegex
		escaped[i] = regexp.MustCompile(`[\\^$*+?.()|[\]{}\/]`).ReplaceAllString(value, `\$0`)
	}
	return "(" + strings.Join(escaped, "|") + ")"
}

// A multi-value variable may have many values.
func TestPatternOfAVariableWithManyValues(t *testing.T) {
	var names []string
	var cells []any
	for i := range 1000 {
		names = append(names, fmt.Sprintf("invoice.intake (%d) [C:\\robots/%d] a|b*", i, i))
		cells = append(cells, names[i])
	}
	cells = append(cells, nil, "", "invoice", names[0]+" ", strings.Join(names[:2], "|"))
	c := columnstest.New("field", schema.String, cells...)
	require.Len(t, kept(t, c, "=~", []string{variable(names)}), 1000)
	require.Equal(t, []int64{1000, 1001, 1002, 1003, 1004}, kept(t, c, "!~", []string{variable(names)}))
}

// Cached values are distinguished from similar ones: -0 from 0, null from empty.
func TestPatternMatchesEveryValueSeparately(t *testing.T) {
	negative := 0.0
	negative *= -1
	require.Equal(t, []int64{1, 3}, kept(t, columnstest.New("field", schema.Number, 0.0, negative, nil, negative, 0.0), "=~", []string{"-.+"}))
	require.Equal(t, []int64{0, 4}, kept(t, columnstest.New("field", schema.Integer, int64(0), nil, int64(1), nil, int64(0)), "=~", []string{"0+"}))
	require.Equal(t, []int64{1, 3}, kept(t, columnstest.New("field", schema.Time, now, nil, now, nil), "!~", []string{"2026.*"}))
}

// Matches are cached: without that, these would take minutes.
func TestPatternIsMatchedOncePerText(t *testing.T) {
	cells := make([]any, 90_000)
	for i := range cells {
		cells[i] = fmt.Sprintf("automation %04d", i%10)
	}
	require.Len(t, kept(t, columnstest.New("field", schema.String, cells...), "!~", []string{"(?:.{0,30}){0,33}x"}), len(cells))
}
