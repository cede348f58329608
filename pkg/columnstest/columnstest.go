// Package columnstest reads columns for the tests of the packages that fill them.
package columnstest

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"testing"
	"time"

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

// New returns a column with cells, as Value returns them.
func New(name string, t schema.Type, cells ...any) *columns.Column {
	c := &columns.Column{Name: name, Type: t}
	for _, cell := range cells {
		c.Valid = append(c.Valid, cell != nil)
		switch t {
		case schema.String, schema.JSON:
			c.Strings = append(c.Strings, orZero[string](cell))
		case schema.Integer:
			c.Integers = append(c.Integers, orZero[int64](cell))
		case schema.Number:
			c.Numbers = append(c.Numbers, orZero[float64](cell))
		case schema.Time:
			at := int64(0)
			if cell != nil {
				at = cell.(time.Time).UnixNano()
			}
			c.Times = append(c.Times, at)
		default:
			panic(fmt.Sprintf("no such type: %s", t))
		}
	}
	return c
}

func orZero[T any](cell any) (zero T) {
	if cell == nil {
		return zero
	}
	return cell.(T)
}

// PlainCell returns the expected cell for a value decoded by encoding/json, with numbers as written.
func PlainCell(field *schema.Field, v any) any {
	switch v := v.(type) {
	case string:
		if field.Type == schema.String && v != "" {
			return v
		}
		if at := PlainTime(v); field.Type == schema.Time && at != any(time.Unix(0, 0).UTC()) {
			return at
		}
	case json.Number:
		if field.Type == schema.String && field.AcceptsNumber {
			return v.String()
		}
		if n, err := strconv.ParseInt(v.String(), 10, 64); field.Type == schema.Integer && err == nil {
			return n
		}
		n, err := v.Float64()
		switch {
		case err != nil:
		case field.Type == schema.Number:
			return n
		case field.Type == schema.Integer && n == math.Trunc(n) && math.Abs(n) < 1<<53:
			return int64(n) // 17.0
		}
	}
	return nil
}

// PlainTime parses a date in one of the formats that services use. It returns nil if there is none, or if it exceeds 64
// bits of nanoseconds.
func PlainTime(text string) any {
	for _, layout := range []string{"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05-0700", "2006-01-02T15:04:05"} {
		at, err := time.Parse(layout, text)
		if err == nil && at.After(time.Unix(0, math.MinInt64)) && at.Before(time.Unix(0, math.MaxInt64)) {
			return at.UTC()
		}
	}
	return nil
}
