package columns

import (
	"bytes"

	"github.com/insights/insights-reporting-datasource/datasets"
)

// Comparison compares rows of two tables. A column that one of them lacks is null there.
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
	case p.a.Type != p.b.Type:
		return bytes.Equal(p.a.RawJSON(i), p.b.RawJSON(j))
	}
	switch p.a.Type {
	case datasets.String:
		return p.a.Strings[i] == p.b.Strings[j]
	case datasets.Integer:
		return p.a.Integers[i] == p.b.Integers[j]
	case datasets.Number:
		return p.a.Numbers[i] == p.b.Numbers[j]
	case datasets.Boolean:
		return p.a.Booleans[i] == p.b.Booleans[j]
	case datasets.Time:
		return p.a.Times[i] == p.b.Times[j]
	default:
		return bytes.Equal(p.a.JSON[i], p.b.JSON[j])
	}
}

// has reports whether row i has a value. A missing column has none.
func (c *Column) has(i int) bool { return c != nil && c.Valid[i] }
