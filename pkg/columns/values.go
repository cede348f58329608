package columns

import (
	"encoding/json"
	"slices"

	"github.com/insights/insights-reporting-datasource/datasets"
)

// values is the value slice of a column, whatever its type. Methods with two of them require the same type.
type values interface {
	resize(n int)
	appendRows(from values, keep []int)
	viewHead(of values, rows int)
}

// values returns the value slice of the column's type.
func (c *Column) values() values {
	switch c.Type {
	case datasets.String:
		return (*slice[string])(&c.Strings)
	case datasets.Integer:
		return (*slice[int64])(&c.Integers)
	case datasets.Number:
		return (*slice[float64])(&c.Numbers)
	case datasets.Boolean:
		return (*slice[bool])(&c.Booleans)
	case datasets.Time:
		return (*slice[int64])(&c.Times)
	default:
		return (*slice[json.RawMessage])(&c.JSON)
	}
}

// slice holds values of one type.
type slice[T any] []T

func (s *slice[T]) resize(n int) { *s = resize(*s, n) }

func (s *slice[T]) appendRows(from values, keep []int) {
	*s = appendPicked(*s, *from.(*slice[T]), keep)
}

func (s *slice[T]) viewHead(of values, rows int) { *s = slices.Clip((*of.(*slice[T]))[:rows]) }

// New returns an empty column with capacity for n rows.
func New(name string, t datasets.Type, n int) *Column {
	c := &Column{Name: name, Type: t}
	c.Resize(n)
	c.Resize(0)
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
	for i, c := range from.Columns {
		to := t.Columns[i]
		to.Valid = appendPicked(to.Valid, c.Valid, keep)
		to.values().appendRows(c.values(), keep)
	}
	t.Rows = len(t.Columns[0].Valid)
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
