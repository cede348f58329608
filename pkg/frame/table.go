package frame

import (
	"cmp"
	"context"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/schema"
)

// maxTableCells bounds rows × columns of a table. A cell takes 8 bytes here, 32 for a time, and as much again on the
// way to Grafana; browsers fail far below that.
const maxTableCells = 5_000_000

// Table is the format of rows: a field per column, in the order of the specification or as requested, also without rows.
type Table struct {
	Selection
	Columns []string // empty: all
}

// Frame builds the frame. Errors are inputerror.Err, or the cause of a context that ended.
func (r *Table) Frame(ctx context.Context) (*data.Frame, error) {
	r.resolve()
	selected := r.Rows.Columns
	if len(r.Columns) > 0 {
		selected = nil
		for _, name := range r.Columns {
			selected = append(selected, r.column("column", name))
		}
	}
	rows, unmatched := r.rows(ctx, nil)
	if r.Sort != nil {
		r.sortRows(rows)
	}
	if r.Limit > 0 && len(rows) > r.Limit {
		rows = rows[:r.Limit]
	}
	name := r.DataSet.Name
	if !r.DataSet.HasTimes() {
		name = withWords(name, r.Covers) // rows of tasks show their times
	}
	frame := newFrame(name, data.FrameTypeTable, data.VisTypeTable)
	frame.AppendNotices(unmatched...)
	if upToNow := r.upToNow(selected...); upToNow != nil {
		frame.AppendNotices(notice(data.NoticeSeverityInfo, upToNowText, schema.List(upToNow))...)
	}
	if r.Differences != nil && !r.isUnknown() {
		frame.AppendNotices(r.Differences.lostNotice(selected, rows)...)
	}
	if limit := maxTableCells / max(1, len(selected)); len(rows) > limit {
		frame.AppendNotices(notice(data.NoticeSeverityWarning, "%d of %d rows are shown: with %d columns, the first that fit into %d cells. Select columns, set a limit, or filter",
			limit, len(rows), len(selected), maxTableCells)...)
		rows = rows[:limit]
	}
	for _, c := range selected {
		frame.Fields = append(frame.Fields, r.tableField(c, rows))
	}
	return finished(ctx, &r.Selection, frame)
}

// tableField builds a field of the rows, and offers "filter for value".
func (r *Selection) tableField(c *columns.Column, rows []int) *data.Field {
	var field *data.Field // nullable; its values point into the column, which is immutable
	switch c.Type {
	case schema.Integer:
		field = pointers(c, rows, func(row int) *int64 { return &c.Integers[row] })
	case schema.Number:
		field = pointers(c, rows, func(row int) *float64 { return &c.Numbers[row] })
	case schema.Time:
		field = pointers(c, rows, func(row int) *time.Time { return new(c.Time(row)) })
	default:
		field = pointers(c, rows, func(row int) *string { return &c.Strings[row] })
	}
	field.Config = cmp.Or(r.fieldConfig(r.DataSet.Field(c.Name)), &data.FieldConfig{})
	field.Config.Filterable = new(true)
	return field
}

// pointers fills in an empty field: data.NewField would copy its input, which temporarily doubles the pointers.
func pointers[T any](c *columns.Column, rows []int, of func(row int) *T) *data.Field {
	field := data.NewFieldFromFieldType(data.FieldTypeFor((*T)(nil)), len(rows))
	field.Name = c.Name
	for i, row := range rows {
		if c.Valid[row] {
			field.Set(i, of(row))
		}
	}
	return field
}
