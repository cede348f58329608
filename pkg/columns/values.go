package columns

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/insights/insights-reporting-datasource/pkg/written"
	"github.com/insights/insights-reporting-datasource/schema"
)

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

// appendRows appends the rows of a column of the same type that keep lists; nil keeps all.
func (c *Column) appendRows(from *Column, keep []int) {
	c.Valid, c.Strings = appendPicked(c.Valid, from.Valid, keep), appendPicked(c.Strings, from.Strings, keep)
	c.Integers, c.Numbers = appendPicked(c.Integers, from.Integers, keep), appendPicked(c.Numbers, from.Numbers, keep)
	c.Times = appendPicked(c.Times, from.Times, keep)
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

// Readable returns a JSON column as numbers or, if not all of its values are numbers, as texts.
func (c *Column) Readable() *Column {
	if c.Type != schema.JSON {
		return c
	}
	if numbers, others := c.Numeric(); len(others) == 0 && slices.Contains(numbers.Valid, true) {
		return numbers
	}
	texts := &Column{Name: c.Name, Type: schema.String, Valid: slices.Clone(c.Valid), Strings: slices.Clone(c.Strings)}
	unquoted := map[string]string{} // Texts repeat.
	for i, raw := range texts.Strings {
		text, known := unquoted[raw]
		if !known {
			text = raw
			_ = json.Unmarshal([]byte(raw), &text) // It remains as it is if it is no string.
			unquoted[raw] = text
		}
		texts.Strings[i] = text
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
		if has := p.a.has(i); has != p.b.has(j) || has && p.a.compare(i, p.b, j) != 0 {
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

// has reports whether row i has a value. A missing column has none.
func (c *Column) has(i int) bool { return c != nil && c.Valid[i] }
