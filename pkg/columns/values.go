package columns

import (
	"encoding/json"
	"slices"

	"github.com/insights/insights-reporting-datasource/schema"
)

// values is the value slice of a column, whatever its type. Methods with two of them require the same type.
type values interface {
	resize(n int)
	appendRows(from values, keep []int)
	view(of values, begin, end int)
}

// values returns the value slice of the column's type.
func (c *Column) values() values {
	switch c.Type {
	case schema.String:
		return (*slice[string])(&c.Strings)
	case schema.Integer:
		return (*slice[int64])(&c.Integers)
	case schema.Number:
		return (*slice[float64])(&c.Numbers)
	case schema.Boolean:
		return (*slice[bool])(&c.Booleans)
	case schema.Time:
		return (*slice[int64])(&c.Times)
	case schema.JSON:
		return (*slice[json.RawMessage])(&c.JSON)
	default:
		return new(slice[struct{}]) // not kept: without a type, there is no value yet
	}
}

// slice holds values of one type.
type slice[T any] []T

func (s *slice[T]) resize(n int) { *s = resize(*s, n) }

func (s *slice[T]) appendRows(from values, keep []int) {
	*s = appendPicked(*s, *from.(*slice[T]), keep)
}

func (s *slice[T]) view(of values, begin, end int) { *s = slices.Clip((*of.(*slice[T]))[begin:end]) }

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

// ToJSON returns the column with every value as JSON, which can represent values of several types.
func (c *Column) ToJSON() *Column {
	out := New(c.Name, schema.JSON, 0)
	out.Resize(len(c.Valid))
	for i, valid := range c.Valid {
		if valid {
			out.Valid[i], out.JSON[i] = true, c.RawJSON(i)
		}
	}
	return out
}

// RawJSON returns row i, which must be valid, as JSON.
func (c *Column) RawJSON(i int) json.RawMessage {
	switch c.Type {
	case schema.JSON:
		return c.JSON[i]
	case schema.String, schema.Time:
		// A string always marshals.
		raw, _ := json.Marshal(c.Text(i))
		return raw
	default:
		return json.RawMessage(c.Text(i))
	}
}

// Narrow gives a JSON column the type that all of its values have, if they are texts, numbers, or booleans: the rows with
// values of another type may be gone.
func (c *Column) Narrow() {
	if c.Type != schema.JSON {
		return
	}
	for _, t := range []schema.Type{schema.String, schema.Number, schema.Boolean} {
		if narrow := c.as(t); narrow != nil {
			*c = *narrow
			return
		}
	}
}

// as returns a JSON column as one of another type; nil if a value has not this type, or if there is no value.
func (c *Column) as(t schema.Type) *Column {
	out, valued := Nulls(c.Name, t, len(c.Valid)), false
	for i, valid := range c.Valid {
		if !valid {
			continue
		}
		var into any
		switch t {
		case schema.String:
			into = &out.Strings[i]
		case schema.Number:
			into = &out.Numbers[i]
		default:
			into = &out.Booleans[i]
		}
		if json.Unmarshal(c.JSON[i], into) != nil {
			return nil
		}
		out.Valid[i], valued = true, true
	}
	if !valued {
		return nil
	}
	return out
}
