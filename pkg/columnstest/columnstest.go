// Package columnstest reads columns for the tests of the packages that fill them.
package columnstest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/schema"
)

// Value returns a cell as a plain Go value: nil for null, one of a JSON column as received.
func Value(c *columns.Column, row int) any {
	if !c.Valid[row] {
		return nil
	}
	switch c.Type {
	case schema.Integer:
		return c.Integers[row]
	case schema.Number:
		return c.Numbers[row]
	case schema.Time:
		return c.Time(row)
	default:
		return c.Strings[row]
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
	held := map[schema.Type]int{
		schema.String: len(c.Strings), schema.Integer: len(c.Integers), schema.Number: len(c.Numbers), schema.Time: len(c.Times),
	}
	stored := c.Type
	if stored == schema.JSON {
		stored = schema.String
	}
	for kind, n := range held {
		if kind == stored {
			require.Equal(t, rows, n, c.Name)
		} else {
			require.Zero(t, n, "%s is of type %s, but holds %s", c.Name, c.Type, kind)
		}
	}
}
