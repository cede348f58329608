// Package columns holds rows as typed columns. A column is immutable once a read has returned it, so queries may share it.
package columns

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/written"
	"github.com/insights/insights-reporting-datasource/schema"
)

// Column holds the values of one field for all rows, in the slice of its Type. An entry whose Valid is false means null.
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

const columnBytes = 256 // the size of an empty column: the struct, its slices and its entry in the table

const sampledTexts = 1000 // show how many texts of a column are different

// Bytes estimates the memory of the column. Rows share equal texts: one that a sample has once stands for others that are all different.
func (c *Column) Bytes() int64 {
	bytes := columnBytes + int64(len(c.Name)+cap(c.Valid)+16*cap(c.Strings)+8*(cap(c.Integers)+cap(c.Numbers)+cap(c.Times)))
	step, times := 1+len(c.Strings)/sampledTexts, map[string]int{}
	for row := 0; row < len(c.Strings); row += step {
		times[c.Strings[row]]++
	}
	for text, n := range times {
		if each := 16 + len(text); n == 1 {
			bytes += int64(each * step)
		} else {
			bytes += int64(each)
		}
	}
	return bytes
}

// Nanoseconds returns a time as in Times. What 64 bits can't hold is clamped, so that 9999-12-31 is after every row.
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
	for _, c := range from.Columns {
		to := t.Column(c.Name)
		if to == nil {
			to = New(c.Name, c.Type, 0)
			t.Columns = append(t.Columns, to)
		}
		to.Resize(t.Rows)
		to.Valid, to.Strings, to.Times = appendPicked(to.Valid, c.Valid, keep), appendPicked(to.Strings, c.Strings, keep), appendPicked(to.Times, c.Times, keep)
		to.Integers, to.Numbers = appendPicked(to.Integers, c.Integers, keep), appendPicked(to.Numbers, c.Numbers, keep)
	}
	t.Rows = rows
	for _, c := range t.Columns {
		c.Resize(rows)
	}
}

// Between returns a view of neighboring rows, which shares their values, and does not change while rows are appended to the table.
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

// New returns an empty column with capacity for n rows.
func New(name string, t schema.Type, n int) *Column {
	c := Nulls(name, t, n)
	c.Resize(0)
	return c
}

// Nulls returns a column of n nulls.
func Nulls(name string, t schema.Type, n int) *Column {
	c := &Column{Name: name, Type: t}
	c.Resize(n)
	return c
}

// Same returns a text column of n equal rows; null if the text is empty.
func Same(name, text string, n int) *Column {
	c := Nulls(name, schema.String, n)
	for i := range n {
		c.Valid[i], c.Strings[i] = text != "", text
	}
	return c
}

// Resize makes the column n rows long: new rows are null, rows past n are dropped.
func (c *Column) Resize(n int) {
	c.Valid = resize(c.Valid, n)
	switch c.Type {
	case schema.Integer:
		c.Integers = resize(c.Integers, n)
	case schema.Number:
		c.Numbers = resize(c.Numbers, n)
	case schema.Time:
		c.Times = resize(c.Times, n)
	default:
		c.Strings = resize(c.Strings, n)
	}
}

func resize[T any](s []T, n int) []T {
	if n <= len(s) {
		clear(s[n:])
		return s[:n]
	}
	return append(s, make([]T, n-len(s))...)
}

func appendPicked[T any](to, from []T, keep []int) []T {
	if keep == nil || len(from) == 0 { // A column has only the values of its type.
		return append(to, from...)
	}
	to = slices.Grow(to, len(keep))
	for _, row := range keep {
		to = append(to, from[row])
	}
	return to
}

// Memo returns a function that keeps what it returns of each text: those of a column repeat.
func Memo[T any](of func(text string) T) func(text string) T {
	known := map[string]T{}
	return func(text string) T {
		value, isKnown := known[text]
		if !isKnown {
			value = of(text)
			known[text] = value
		}
		return value
	}
}

// Readable returns a JSON column as numbers or, if not all of its values are numbers, as texts.
func (c *Column) Readable() *Column {
	if c.Type != schema.JSON {
		return c
	}
	if numbers, others := c.Numeric(); len(others) == 0 && slices.Contains(numbers.Valid, true) {
		return numbers
	}
	texts := &Column{Name: c.Name, Type: schema.String, Valid: slices.Clone(c.Valid), Strings: slices.Clone(c.Strings)}
	unquoted := Memo(func(text string) string {
		_ = json.Unmarshal([]byte(text), &text) // It remains as it is if it is no string.
		return text
	})
	for i, raw := range texts.Strings {
		texts.Strings[i] = unquoted(raw)
	}
	return texts
}

// Numeric returns a text or JSON column as numbers, and the rows whose texts are none. A text that means "no number" is null.
func (c *Column) Numeric() (numbers *Column, others []int) {
	numbers = Nulls(c.Name, schema.Number, len(c.Valid))
	for row, text := range c.Strings {
		n, isNumber := written.Number(text)
		switch {
		case isNumber:
			numbers.Numbers[row], numbers.Valid[row] = n, true
		case !written.IsNoNumber(strings.Trim(text, `"`)):
			others = append(others, row)
		}
	}
	return numbers, others
}

// Comparison compares rows of two tables. A column is null in a table without it.
type Comparison [][2]*Column

// Compare prepares the comparison of rows of a with rows of b, for their current columns.
func Compare(a, b *Table) Comparison {
	var c Comparison
	for _, column := range a.Columns {
		c = append(c, [2]*Column{column, b.Column(column.Name)})
	}
	for _, column := range b.Columns {
		if a.Column(column.Name) == nil {
			c = append(c, [2]*Column{nil, column})
		}
	}
	return c
}

// Same reports whether row i of one table equals row j of the other, cell by cell.
func (c Comparison) Same(i, j int) bool {
	for _, p := range c {
		if has := p[0].has(i); has != p[1].has(j) || has && p[0].compare(i, p[1], j) != 0 {
			return false
		}
	}
	return true
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

func (c *Column) has(i int) bool { return c != nil && c.Valid[i] }
