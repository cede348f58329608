package filter_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/columnstest"
	"github.com/insights/insights-reporting-datasource/schema"
)

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
	require.Len(t, kept(t, c, "=~", variable(names)), 1000)
	require.Equal(t, []int{1000, 1001, 1002, 1003, 1004}, kept(t, c, "!~", variable(names)))
}

// Matches are cached: without that, these would take minutes.
func TestPatternIsMatchedOncePerText(t *testing.T) {
	cells := make([]any, 90_000)
	for i := range cells {
		cells[i] = fmt.Sprintf("automation %04d", i%10)
	}
	require.Len(t, kept(t, columnstest.New("field", schema.String, cells...), "!~", "(?:.{0,30}){0,33}x"), len(cells))
}
