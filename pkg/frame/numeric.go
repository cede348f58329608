package frame

import (
	"context"
	"slices"

	"github.com/grafana/grafana-plugin-sdk-go/data"
)

// Numeric is the format of type numeric-wide, version 0.1: a number field for each group, with its labels, named after
// the measure (https://grafana.com/developers/dataplane/numeric). If it is Long, it is numeric-long: the groupBy fields as
// strings and the number. With nothing to show it has no fields. With a comparison, see twoPoints and changes.
type Numeric struct {
	Grouping
	Long bool // a row for each group instead of a field
}

// Frame builds the frame. Errors are inputerror.Err, or the cause of a context that ended.
func (r *Numeric) Frame(ctx context.Context) (*data.Frame, error) {
	n := r.numbers(ctx)
	if r.Differences != nil {
		r.Differences.compare(n, &r.Range)
	}
	frame := newFrame(withWords(r.DataSet.Name, r.Covers), data.FrameTypeNumericWide, data.VisTypeTable)
	groups, notices := r.cut(n.groups, "groups")
	frame.AppendNotices(slices.Concat(n.notices, notices, n.said())...)
	switch {
	case r.Earlier != nil && !r.Long:
		r.twoPoints(frame, n, groups)
	case r.Long:
		frame.Meta.Type = data.FrameTypeNumericLong
		frame.Fields = r.longFields(n, groups)
	case len(r.GroupBy) > 0 || len(groups) > 0 && groups[0].value != nil:
		for _, g := range groups {
			frame.Fields = append(frame.Fields, r.seriesField(n, g, []*float64{g.value}))
		}
	}
	return finished(ctx, &r.Selection, frame)
}

// longFields returns the labels of the groups, and their values. With a comparison, it adds the value of the earlier
// period, and by which fraction of that the current value has changed; null where there is nothing to compare with.
func (r *Numeric) longFields(n *numbers, groups []*group) []*data.Field {
	if len(groups) == 0 || len(r.GroupBy) == 0 && groups[0].value == nil && r.Earlier == nil {
		return nil
	}
	fields := r.labelFields(groups)
	called := n.described.Called(r.Language)
	value := numberField(r.Measure, groups, func(g *group) *float64 { return g.value })
	value.Config = r.measureConfig(n.described)
	value.Config.DisplayNameFromDS = called
	if len(r.GroupBy) == 0 {
		value.Config.DisplayNameFromDS = r.seriesField(n, groups[0], nil).Config.DisplayNameFromDS
	}
	if fields = append(fields, value); r.Earlier == nil {
		return fields
	}
	before := numberField("before", groups, func(g *group) *float64 { return g.before })
	before.Config = r.measureConfig(n.described)
	before.Config.DisplayNameFromDS = withWords(called, r.Language.Words().Before[r.Earlier.Name])
	change := numberField("change", groups, func(g *group) *float64 {
		if g.value == nil || g.before == nil || *g.before == 0 {
			return nil
		}
		return new(*g.value / *g.before - 1)
	})
	change.Config = &data.FieldConfig{Unit: "percentunit", DisplayNameFromDS: r.Language.Words().Change}
	return append(fields, before, change)
}

// labelFields returns the labels of the groups.
func (r *Grouping) labelFields(groups []*group) (fields []*data.Field) {
	for i, name := range r.GroupBy {
		labels := make([]string, len(groups))
		for row, g := range groups {
			labels[row] = g.labels[i]
		}
		field := data.NewField(name, nil, labels)
		field.Config = r.fieldConfig(r.DataSet.Field(name))
		fields = append(fields, field)
	}
	return fields
}

// numberField returns a number of each group.
func numberField(name string, groups []*group, of func(*group) *float64) *data.Field {
	values := make([]*float64, len(groups))
	for row, g := range groups {
		values[row] = of(g)
	}
	return data.NewField(name, nil, values)
}

// twoPoints makes a frame of type timeseries-wide, version 0.1, from numbers: for each group a series of two points,
// the earlier and the current value. Stat shows its change, and rules can reduce it. A group without a current value is
// omitted, because the last non-null value of its series would be the old one. The points are at the starts of the two
// periods.
func (r *Numeric) twoPoints(frame *data.Frame, n *numbers, groups []*group) {
	frame.Meta.Type, frame.Meta.PreferredVisualization = data.FrameTypeTimeSeriesWide, data.VisTypeGraph
	groups = slices.DeleteFunc(slices.Clone(groups), func(g *group) bool { return g.value == nil })
	if len(groups) == 0 {
		return
	}
	frame.Fields = append(frame.Fields, data.NewField("time", nil, n.starts))
	for _, g := range groups {
		frame.Fields = append(frame.Fields, r.seriesField(n, g, []*float64{g.before, g.value}))
	}
}
