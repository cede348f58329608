package columnstest

import (
	"fmt"
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/schema"
)

// New returns a column with cells, as Value returns them.
func New(name string, t schema.Type, cells ...any) *columns.Column {
	c := &columns.Column{Name: name, Type: t}
	for _, cell := range cells {
		c.Valid = append(c.Valid, cell != nil)
		switch t {
		case schema.String, schema.JSON:
			c.Strings = append(c.Strings, orZero[string](cell))
		case schema.Integer:
			c.Integers = append(c.Integers, orZero[int64](cell))
		case schema.Number:
			c.Numbers = append(c.Numbers, orZero[float64](cell))
		case schema.Time:
			at := int64(0)
			if cell != nil {
				at = cell.(time.Time).UnixNano()
			}
			c.Times = append(c.Times, at)
		default:
			panic(fmt.Sprintf("no such type: %s", t))
		}
	}
	return c
}

func orZero[T any](cell any) (zero T) {
	if cell == nil {
		return zero
	}
	return cell.(T)
}
