package columns

import (
	"encoding/json"
	"slices"

	"github.com/insights/insights-reporting-datasource/datasets"
)

// values is the value slice of a column, whatever its type. Methods with two of them require the same type.
type values interface {
	reserve(n int)
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

func (s *slice[T]) reserve(n int) { *s = slices.Grow(*s, n) }

func (s *slice[T]) resize(n int) { *s = resize(*s, n) }

func (s *slice[T]) appendRows(from values, keep []int) {
	*s = appendPicked(*s, *from.(*slice[T]), keep)
}

func (s *slice[T]) viewHead(of values, rows int) { *s = slices.Clip((*of.(*slice[T]))[:rows]) }
