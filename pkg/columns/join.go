package columns

import (
	"slices"

	"github.com/insights/insights-reporting-datasource/schema"
)

// Append adds the rows of another table that keep lists, in its order; nil keeps all. A column that only one of the two
// has is null for the rows of the other. Columns of one name have one type.
func (t *Table) Append(from *Table, keep []int) {
	rows := t.Rows + from.Rows
	if keep != nil {
		rows = t.Rows + len(keep)
	}
	for i, c := range from.Columns {
		to := t.columnFor(i, c)
		to.Resize(t.Rows)
		to.appendRows(c, keep)
	}
	t.Rows = rows
	for _, c := range t.Columns {
		c.Resize(rows)
	}
}

// columnFor finds the column of a name, which is usually at the same index in tables of the same data set, or adds it.
func (t *Table) columnFor(index int, like *Column) *Column {
	if index < len(t.Columns) && t.Columns[index].Name == like.Name {
		return t.Columns[index]
	}
	if c := t.Column(like.Name); c != nil {
		return c
	}
	c := New(like.Name, like.Type, 0)
	t.Columns = append(t.Columns, c)
	return c
}

// Between returns a view of neighboring rows, which does not change while rows are appended to the table. It copies no values.
// Existing rows must not be modified.
func (t *Table) Between(begin, end int) *Table {
	view := &Table{Rows: end - begin}
	for _, c := range t.Columns {
		v := &Column{Name: c.Name, Type: c.Type, Valid: slices.Clip(c.Valid[begin:end])}
		v.values().view(c.values(), begin, end)
		view.Columns = append(view.Columns, v)
	}
	return view
}

// Readable returns the table with columns that queries can read.
func (t *Table) Readable() *Table {
	isRaw := func(c *Column) bool { return c.Type == schema.JSON }
	if !slices.ContainsFunc(t.Columns, isRaw) {
		return t
	}
	readable := &Table{Rows: t.Rows}
	for _, c := range t.Columns {
		readable.Columns = append(readable.Columns, c.Readable())
	}
	return readable
}
