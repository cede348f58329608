package columns

import (
	"bytes"
	"cmp"

	"github.com/insights/insights-reporting-datasource/datasets"
)

// Same reports whether row i of a table equals row j of another one with the same columns, cell by cell.
func (t *Table) Same(i int, other *Table, j int) bool {
	for n, c := range t.Columns {
		o := other.Columns[n]
		if c.Valid[i] != o.Valid[j] || c.Valid[i] && c.compare(i, o, j) != 0 {
			return false
		}
	}
	return true
}

// Compare returns -1, 0 or 1 if the value of row i is less than, equal to or greater than that of row j. Both must be
// valid.
func (c *Column) Compare(i, j int) int { return c.compare(i, c, j) }

func (c *Column) compare(i int, other *Column, j int) int {
	switch c.Type {
	case datasets.String:
		return cmp.Compare(c.Strings[i], other.Strings[j])
	case datasets.Integer:
		return cmp.Compare(c.Integers[i], other.Integers[j])
	case datasets.Number:
		return cmp.Compare(c.Numbers[i], other.Numbers[j])
	case datasets.Boolean:
		return cmp.Compare(c.Text(i), other.Text(j)) // false is before true
	case datasets.Time:
		return cmp.Compare(c.Times[i], other.Times[j])
	default:
		return bytes.Compare(c.JSON[i], other.JSON[j])
	}
}
