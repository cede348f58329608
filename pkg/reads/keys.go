package reads

import (
	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
)

// key identifies a row: the id of a task, the label of an automation. A row without one is never a duplicate.
type key struct {
	text   string
	number int64
}

// keyOf returns the key of a row, and whether it has one.
func keyOf(c *columns.Column, row int) (key, bool) {
	switch {
	case !c.Valid[row]:
		return key{}, false
	case c.Type == datasets.Integer:
		return key{number: c.Integers[row]}, true
	default:
		return key{text: c.Strings[row]}, true
	}
}
