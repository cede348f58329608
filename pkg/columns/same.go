package columns

import (
	"bytes"

	"github.com/insights/insights-reporting-datasource/datasets"
)

// Same reports whether row i of a table equals row j of another one with the same columns, cell by cell.
func (t *Table) Same(i int, other *Table, j int) bool {
	for n, c := range t.Columns {
		if !c.same(i, other.Columns[n], j) {
			return false
		}
	}
	return true
}

func (c *Column) same(i int, other *Column, j int) bool {
	if !c.Valid[i] || !other.Valid[j] {
		return c.Valid[i] == other.Valid[j]
	}
	switch c.Type {
	case datasets.String:
		return c.Strings[i] == other.Strings[j]
	case datasets.Integer:
		return c.Integers[i] == other.Integers[j]
	case datasets.Number:
		return c.Numbers[i] == other.Numbers[j]
	case datasets.Boolean:
		return c.Booleans[i] == other.Booleans[j]
	case datasets.Time:
		return c.Times[i] == other.Times[j]
	default:
		return bytes.Equal(c.JSON[i], other.JSON[j])
	}
}
