// Package columnstest reads columns for the tests of the packages that fill them.
package columnstest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
)

// Value returns a cell as a plain Go value: nil for null, nested values as their JSON.
func Value(c *columns.Column, row int) any {
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

// Values returns the cells of a column, as Value does.
func Values(c *columns.Column) []any {
	out := make([]any, len(c.Valid))
	for row := range c.Valid {
		out[row] = Value(c, row)
	}
	return out
}

// RequireWhole checks the invariants of a column with the given number of rows.
func RequireWhole(t testing.TB, rows int, c *columns.Column) {
	t.Helper()
	require.Len(t, c.Valid, rows, c.Name)
	held := map[datasets.Type]int{
		datasets.String: len(c.Strings), datasets.Integer: len(c.Integers), datasets.Number: len(c.Numbers),
		datasets.Boolean: len(c.Booleans), datasets.Time: len(c.Times), datasets.JSON: len(c.JSON),
	}
	for kind, n := range held {
		if kind == c.Type {
			require.Equal(t, rows, n, c.Name)
		} else {
			require.Zero(t, n, "%s is of type %s, but holds %s", c.Name, c.Type, kind)
		}
	}
}
