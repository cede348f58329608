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

// Head returns a view of the first rows, which does not change while rows are appended to the table: appending writes
// behind the rows of the view, or reallocates. It copies no values. A column without any value yet is text. Rows must
// not exceed the rows of the table, and existing rows must not be modified.
func (t *Table) Head(rows int) *Table {
	head := &Table{Rows: rows}
	for _, c := range t.Columns {
		view := &Column{Name: c.Name, Type: c.Type, Valid: slices.Clip(c.Valid[:rows])}
		if c.Type == "" {
			view.Type, view.Strings = schema.String, make([]string, rows)
		} else {
			view.values().viewHead(c.values(), rows)
		}
		head.Columns = append(head.Columns, view)
	}
	return head
}
