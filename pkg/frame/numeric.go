package frame

import (
	"context"

	"github.com/grafana/grafana-plugin-sdk-go/data"
)

// Numeric makes a frame of type numeric-long, version 0.1: the groupBy fields as strings and one number, named after
// the measure (https://grafana.com/developers/dataplane/numeric). With nothing to show it has no fields. Errors are
// ErrInput, or why the context ended.
func Numeric(ctx context.Context, r *Request) (*data.Frame, error) {
	frame := data.NewFrame(r.DataSet.Name)
	frame.Meta = &data.FrameMeta{
		Type: data.FrameTypeNumericLong, TypeVersion: data.FrameTypeVersion{0, 1}, PreferredVisualization: data.VisTypeTable,
	}
	groups, err := r.measured(ctx, false)
	if err != nil {
		return nil, err
	}
	groups, notices := r.cut(groups, "groups")
	frame.AppendNotices(notices...)
	if len(groups) == 0 || len(r.GroupBy) == 0 && groups[0].value == nil {
		return frame, nil
	}
	for i, name := range r.GroupBy {
		labels := make([]string, len(groups))
		for row, g := range groups {
			labels[row] = g.labels[i]
		}
		field := data.NewField(name, nil, labels)
		field.Config = fieldConfig(r.DataSet.Field(name), ScaleAuto)
		frame.Fields = append(frame.Fields, field)
	}
	values := make([]*float64, len(groups))
	for row, g := range groups {
		values[row] = g.value
	}
	field := data.NewField(r.Measure, nil, values)
	scale, err := r.scale(ctx)
	if err != nil {
		return nil, err
	}
	field.Config = measureConfig(r.DataSet.Measure(r.Measure), scale)
	frame.Fields = append(frame.Fields, field)
	return frame, nil
}

// measured returns the groups of the kept rows with their values, in order.
func (r *Request) measured(ctx context.Context, keepRows bool) ([]*group, error) {
	rows, err := r.rows(ctx)
	if err != nil {
		return nil, err
	}
	g, how, err := r.gauge()
	if err != nil {
		return nil, err
	}
	if r.sortsRows() {
		if err := r.sortRows(ctx, rows); err != nil {
			return nil, err
		}
	}
	groups, err := r.groups(ctx, rows, g, how, keepRows)
	if err != nil || r.sortsRows() {
		return groups, err
	}
	return groups, r.order(ctx, groups)
}
