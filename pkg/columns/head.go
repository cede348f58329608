package columns

import "slices"

// Head returns a view of the first rows, which does not change while rows are appended to the table: appending writes
// behind the rows of the view, or reallocates. It copies no values. Rows must not exceed those of the table, and existing
// rows must not be modified.
func (t *Table) Head(rows int) *Table {
	head := &Table{Rows: rows}
	for _, c := range t.Columns {
		view := &Column{Name: c.Name, Type: c.Type, Valid: slices.Clip(c.Valid[:rows])}
		view.values().viewHead(c.values(), rows)
		head.Columns = append(head.Columns, view)
	}
	return head
}
