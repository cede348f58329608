package columns

import (
	"cmp"

	"github.com/insights/insights-reporting-datasource/schema"
)

// Comparison compares rows of two tables. A column is null in a table without it.
type Comparison []pair

// pair holds the columns of one name; one of them may be nil.
type pair struct{ a, b *Column }

// Compare prepares the comparison of rows of a with rows of b, for their current columns.
func Compare(a, b *Table) Comparison {
	var c Comparison
	for _, column := range a.Columns {
		c = append(c, pair{column, b.Column(column.Name)})
	}
	for _, column := range b.Columns {
		if a.Column(column.Name) == nil {
			c = append(c, pair{nil, column})
		}
	}
	return c
}

// Same reports whether row i of one table equals row j of the other, cell by cell.
func (c Comparison) Same(i, j int) bool {
	for _, p := range c {
		if !p.same(i, j) {
			return false
		}
	}
	return true
}

func (p pair) same(i, j int) bool {
	has, had := p.a.has(i), p.b.has(j)
	switch {
	case !has || !had:
		return has == had
	default:
		return p.a.compare(i, p.b, j) == 0
	}
}

// Compare returns -1, 0 or 1 if the value of row i is less than, equal to or greater than the value of row j. Both must be valid.
func (c *Column) Compare(i, j int) int { return c.compare(i, c, j) }

func (c *Column) compare(i int, other *Column, j int) int {
	switch c.Type {
	case schema.Integer:
		return cmp.Compare(c.Integers[i], other.Integers[j])
	case schema.Number:
		return cmp.Compare(c.Numbers[i], other.Numbers[j])
	case schema.Time:
		return cmp.Compare(c.Times[i], other.Times[j])
	default:
		return cmp.Compare(c.Strings[i], other.Strings[j])
	}
}

// has reports whether row i has a value. A missing column has none.
func (c *Column) has(i int) bool { return c != nil && c.Valid[i] }
