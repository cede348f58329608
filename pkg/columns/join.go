package columns

import (
	"slices"

	"github.com/insights/insights-reporting-datasource/schema"
)

// Append adds the rows of another table that keep lists, in its order; nil keeps all. A column that only one of the two
// has is null for the rows of the other, and columns of different types become JSON. A column without a type, because
// it has no value yet, takes the type of the other.
func (t *Table) Append(from *Table, keep []int) {
	rows := t.Rows + from.Rows
	if keep != nil {
		rows = t.Rows + len(keep)
	}
	for i, c := range from.Columns {
		to := t.columnFor(i, c.Name)
		if c.Type == "" {
			continue // only nulls
		}
		to.adopt(c)
		if c.Type != to.Type {
			c = c.ToJSON()
		}
		to.Resize(t.Rows)
		to.appendRows(c, keep)
	}
	t.Rows = rows
	for _, c := range t.Columns {
		c.Resize(rows)
	}
}

// columnFor finds the column of a name, which is usually at the same index in tables of the same data set, or adds it.
func (t *Table) columnFor(index int, name string) *Column {
	if index < len(t.Columns) && t.Columns[index].Name == name {
		return t.Columns[index]
	}
	if c := t.Column(name); c != nil {
		return c
	}
	c := New(name, "", 0)
	t.Columns = append(t.Columns, c)
	return c
}

// adopt changes the type of a column so that it can hold the values of another.
func (c *Column) adopt(other *Column) {
	switch {
	case other.Type == c.Type:
	case c.Type == "":
		c.Type = other.Type
		c.Resize(len(c.Valid))
	case c.Type != schema.JSON:
		*c = *c.ToJSON()
	}
}

// Between returns a view of neighboring rows, which does not change while rows are appended to the table. It copies no values.
// Existing rows must not be modified.
func (t *Table) Between(begin, end int) *Table {
	view := &Table{Rows: end - begin}
	for _, c := range t.Columns {
		v := &Column{Name: c.Name, Type: c.Type, Valid: slices.Clip(c.Valid[begin:end])}
		if c.Type != "" {
			v.values().view(c.values(), begin, end)
		}
		view.Columns = append(view.Columns, v)
	}
	return view
}

// WithTypes makes columns without any value text.
func (t *Table) WithTypes() *Table {
	for _, c := range t.Columns {
		if c.Type == "" {
			c.Type = schema.String
			c.Resize(t.Rows)
		}
	}
	return t
}
