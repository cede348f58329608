// Package columns holds the rows of a read as typed columns, which the pages and reads packages fill and the frame
// package reads. A column is immutable once a read has returned it, so queries may share it. The package depends
// neither on the source nor on the use of the rows.
package columns

import (
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/insights/insights-reporting-datasource/schema"
)

// Column holds the values of one field for all rows. Valid has one entry per row. Only the value slice of the column's
// Type is used, and an entry whose Valid is false means null.
type Column struct {
	Name     string
	Type     schema.Type
	Valid    []bool
	Strings  []string // of a JSON column, the values as received
	Integers []int64
	Numbers  []float64
	Times    []int64 // nanoseconds since the epoch, UTC
}

// Table is a set of columns of equal length.
type Table struct {
	Columns []*Column
	Rows    int
}

// Column returns the column of a name, or nil.
func (t *Table) Column(name string) *Column {
	for _, c := range t.Columns {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// ColumnOrNulls returns the column of a name. Only rows show which fields exist beyond the description: a table without
// rows has every field, as an empty text column. It returns nil if there are rows without the field.
func (t *Table) ColumnOrNulls(name string) *Column {
	if c := t.Column(name); c != nil || t.Rows > 0 {
		return c
	}
	return New(name, schema.String, 0)
}

// Names returns the names of all columns, in order.
func (t *Table) Names() []string {
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i] = c.Name
	}
	return names
}

// Time returns the time in row i, in UTC. The row must be valid.
func (c *Column) Time(i int) time.Time { return time.Unix(0, c.Times[i]).UTC() }

// Text returns row i as text, for labels, filters and suggestions. Null is "".
func (c *Column) Text(i int) string {
	if !c.Valid[i] {
		return ""
	}
	switch c.Type {
	case schema.Integer:
		return strconv.FormatInt(c.Integers[i], 10)
	case schema.Number:
		return strconv.FormatFloat(c.Numbers[i], 'f', -1, 64)
	case schema.Time:
		return c.Time(i).Format(time.RFC3339Nano)
	default:
		return c.Strings[i]
	}
}

// columnBytes is the size of an empty column: the struct, its slices and its entry in the table.
const columnBytes = 256

// Bytes estimates the memory of the column, without the contents of strings, which are shared.
func (c *Column) Bytes() int64 {
	return columnBytes + int64(len(c.Name)+cap(c.Valid)+16*cap(c.Strings)+8*(cap(c.Integers)+cap(c.Numbers)+cap(c.Times)))
}

// Nanoseconds returns a time as in Times. UnixNano is undefined before 1678 and after 2262: times outside that range are
// clamped to it, so that 9999-12-31 is after every row.
func Nanoseconds(t time.Time) int64 {
	switch n := t.UnixNano(); {
	case t.Equal(time.Unix(0, n)):
		return n
	case t.Unix() < 0:
		return math.MinInt64
	default:
		return math.MaxInt64
	}
}

// Earliest returns the earliest time of a column; zero if no row has one.
func (t *Table) Earliest(name string) (first time.Time) {
	c := t.Column(name)
	for i, valid := range c.Valid {
		if valid && (first.IsZero() || c.Times[i] < first.UnixNano()) {
			first = c.Time(i)
		}
	}
	return first
}

// Latest returns the latest time of some columns in a row, and whether there is one.
func (t *Table) Latest(names []string) func(row int) (at int64, known bool) {
	var times []*Column
	for _, name := range names {
		times = append(times, t.Column(name))
	}
	return func(row int) (at int64, known bool) {
		for _, c := range times {
			if c.Valid[row] && (!known || c.Times[row] > at) {
				at, known = c.Times[row], true
			}
		}
		return at, known
	}
}

// Earlier returns the earlier of two times, the other one if one is zero.
func Earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

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
		view.Columns = append(view.Columns, &Column{
			Name: c.Name, Type: c.Type, Valid: part(c.Valid, begin, end), Strings: part(c.Strings, begin, end),
			Integers: part(c.Integers, begin, end), Numbers: part(c.Numbers, begin, end), Times: part(c.Times, begin, end),
		})
	}
	return view
}

func part[T any](values []T, begin, end int) []T {
	return slices.Clip(values[min(begin, len(values)):min(end, len(values))])
}

// Readable returns the table with columns that queries can read.
func (t *Table) Readable() *Table {
	readable := &Table{Rows: t.Rows}
	for _, c := range t.Columns {
		readable.Columns = append(readable.Columns, c.Readable())
	}
	return readable
}
