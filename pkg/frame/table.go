package frame

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/schema"
)

// maxTableCells bounds rows × columns of a table. A cell takes 8 bytes here, 32 for a time, and as much again on the
// way to Grafana; browsers fail far below that.
const maxTableCells = 5_000_000

// Table is the format of rows: one field per column, in the order of the specification or as requested. Without rows it
// has all its fields.
type Table struct {
	Selection
	Columns []string // empty: all
}

// Frame builds the frame. Errors are inputerror.Err, or the cause of a context that ended.
func (r *Table) Frame(ctx context.Context) (*data.Frame, error) {
	r.resolveRates()
	selected, err := r.selectedColumns()
	if err != nil {
		return nil, err
	}
	rows, unmatched, err := r.rows(ctx, nil)
	if err != nil {
		return nil, err
	}
	if r.Sort != nil {
		if err := r.sortRows(rows); err != nil {
			return nil, err
		}
	}
	if r.Limit > 0 && len(rows) > r.Limit {
		rows = rows[:r.Limit]
	}
	name := r.DataSet.Name
	if !r.DataSet.HasTimes() {
		name = withWords(name, r.Covers) // rows of tasks show their times
	}
	frame := newFrame(name, data.FrameTypeTable, data.VisTypeTable)
	rows, notices := cutCells(rows, len(selected))
	frame.AppendNotices(append(unmatched, notices...)...)
	for _, c := range selected {
		frame.Fields = append(frame.Fields, r.tableField(c, rows))
	}
	return finished(ctx, frame)
}

// cutCells limits the rows of a frame by its number of columns.
func cutCells(rows []int, columns int) ([]int, []data.Notice) {
	limit := maxTableCells / max(1, columns)
	if len(rows) <= limit {
		return rows, nil
	}
	text := fmt.Sprintf("%d of %d rows are shown: with %d columns, the first that fit into %d cells. Select columns, set a limit, or filter",
		limit, len(rows), columns, maxTableCells)
	return rows[:limit], []data.Notice{{Severity: data.NoticeSeverityWarning, Text: text}}
}

func (r *Table) selectedColumns() ([]*columns.Column, error) {
	if len(r.Columns) == 0 {
		return r.Rows.Columns, nil
	}
	selected := make([]*columns.Column, len(r.Columns))
	for i, name := range r.Columns {
		c, err := r.column("column", name)
		if err != nil {
			return nil, err
		}
		selected[i] = c
	}
	return selected, nil
}

// tableField builds a field of the rows, and offers "filter for value" if such a filter would find the value.
func (r *Selection) tableField(c *columns.Column, rows []int) *data.Field {
	field := newField(c, rows)
	field.Config = cmp.Or(r.fieldConfig(r.DataSet.Field(c.Name)), &data.FieldConfig{})
	if c.Type != schema.JSON {
		field.Config.Filterable = new(true)
	}
	return field
}

// newField builds a nullable field of the rows. Its values point into the column, which is immutable.
func newField(c *columns.Column, rows []int) *data.Field {
	switch c.Type {
	case schema.Integer:
		return pointers(c, c.Integers, rows)
	case schema.Number:
		return pointers(c, c.Numbers, rows)
	case schema.Boolean:
		return pointers(c, c.Booleans, rows)
	case schema.JSON:
		return pointers(c, c.JSON, rows)
	case schema.Time:
		return times(c, rows)
	default:
		return pointers(c, c.Strings, rows)
	}
}

// emptyField builds a field of nulls to fill in. data.NewField would copy its input, which temporarily doubles the
// pointers.
func emptyField[T any](c *columns.Column, rows int) *data.Field {
	field := data.NewFieldFromFieldType(data.FieldTypeFor((*T)(nil)), rows)
	field.Name = c.Name
	return field
}

func pointers[T any](c *columns.Column, values []T, rows []int) *data.Field {
	field := emptyField[T](c, len(rows))
	for i, row := range rows {
		if c.Valid[row] {
			field.Set(i, &values[row])
		}
	}
	return field
}

func times(c *columns.Column, rows []int) *data.Field {
	field := emptyField[time.Time](c, len(rows))
	values := make([]time.Time, len(rows))
	for i, row := range rows {
		if c.Valid[row] {
			values[i] = c.Time(row)
			field.Set(i, &values[i])
		}
	}
	return field
}
