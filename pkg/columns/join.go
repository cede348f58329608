package columns

import "github.com/insights/insights-reporting-datasource/datasets"

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
		to.adopt(c)
		if c.Type != to.Type {
			c = c.as(to.Type)
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

// adopt changes the type of a column to one that can hold the values of another.
func (c *Column) adopt(other *Column) {
	switch {
	case other.Type == "" || other.Type == c.Type:
	case c.Type == "":
		n := len(c.Valid)
		c.Type = other.Type
		c.Valid = nil
		c.Resize(n)
	case c.Type != datasets.JSON:
		*c = *c.ToJSON()
	}
}

// as returns the column with another type: JSON, or any type if it has no value.
func (c *Column) as(t datasets.Type) *Column {
	if c.Type != "" {
		return c.ToJSON()
	}
	out := New(c.Name, t, 0)
	out.Resize(len(c.Valid))
	return out
}
