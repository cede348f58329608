package columns

import (
	"slices"

	"github.com/insights/insights-reporting-datasource/datasets"
)

// New returns an empty column with capacity for n rows.
func New(name string, t datasets.Type, n int) *Column {
	c := &Column{Name: name, Type: t, Valid: make([]bool, 0, n)}
	c.values().reserve(n)
	return c
}

// Resize makes the column n rows long: new rows are null, rows past n are dropped.
func (c *Column) Resize(n int) {
	c.Valid = resize(c.Valid, n)
	c.values().resize(n)
}

func resize[T any](s []T, n int) []T {
	if n <= len(s) {
		clear(s[n:])
		return s[:n]
	}
	return append(s, make([]T, n-len(s))...)
}

// Append adds the rows of a table with the same columns that keep lists, in its order; nil keeps all.
func (t *Table) Append(from *Table, keep []int) {
	rows := from.Rows
	if keep != nil {
		rows = len(keep)
	}
	for i, c := range from.Columns {
		t.Columns[i].appendRows(c, keep)
	}
	t.Rows += rows
}

// appendRows appends the rows of a column of the same type that keep lists; nil keeps all.
func (c *Column) appendRows(from *Column, keep []int) {
	c.Valid = appendPicked(c.Valid, from.Valid, keep)
	c.values().appendRows(from.values(), keep)
}

func appendPicked[T any](to, from []T, keep []int) []T {
	if keep == nil {
		return append(to, from...)
	}
	to = slices.Grow(to, len(keep))
	for _, row := range keep {
		to = append(to, from[row])
	}
	return to
}
