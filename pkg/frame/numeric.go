package frame

import (
	"context"
	"slices"

	"github.com/grafana/grafana-plugin-sdk-go/data"
)

// Numeric is the format of type numeric-wide, version 0.1: a number field for each group and figure, with its labels, named after
// the figure (https://grafana.com/developers/dataplane/numeric). If it is Long, it is numeric-long: the groupBy fields as
// strings and the figures. With nothing to show it has no fields. With a comparison, see twoPoints.
type Numeric struct {
	Grouping
	Long      bool // a row for each group instead of a field
	TwoPoints bool // unless it is Long: an earlier and a current number instead of the aspects of a comparison
}

// Frame builds the frame. Errors are inputerror.Err, or the cause of a context that ended.
func (r *Numeric) Frame(ctx context.Context) (*data.Frame, error) {
	n := r.numbers(ctx)
	if r.Differences != nil {
		r.Differences.compare(n, &r.Range)
	}
	frame := newFrame(withWords(r.DataSet.Name, r.Covers), data.FrameTypeNumericWide, data.VisTypeTable)
	groups, notices := r.cut(n.ordered(&r.Grouping), "groups")
	frame.AppendNotices(slices.Concat(n.notices, notices, n.said())...)
	switch {
	case r.TwoPoints && !r.Long:
		r.twoPoints(frame, n, groups)
	case r.Long:
		frame.Meta.Type = data.FrameTypeNumericLong
		frame.Fields = r.longFields(n, groups)
	default:
		for _, g := range groups {
			for at, f := range r.Figures {
				if len(r.GroupBy) > 0 || g.figures[at] != nil {
					frame.Fields = append(frame.Fields, r.seriesField(n, g.group, f, len(r.Figures) == 1, []*float64{g.figures[at]}))
				}
			}
		}
	}
	return finished(ctx, &r.Selection, frame)
}

// longFields returns the labels of the groups, and their figures.
func (r *Numeric) longFields(n *numbers, groups []*result) []*data.Field {
	isKnown := func(value *float64) bool { return value != nil }
	if len(groups) == 0 || len(r.GroupBy) == 0 && r.Earlier == nil && !slices.ContainsFunc(groups[0].figures, isKnown) {
		return nil
	}
	labels := make([][]string, len(groups))
	for row, g := range groups {
		labels[row] = g.labels
	}
	fields := r.labelFields(labels)
	for at, f := range r.Figures {
		values := make([]*float64, len(groups))
		for row, g := range groups {
			values[row] = g.figures[at]
		}
		field := data.NewField(f.Name, nil, values)
		described := n.measure(f.Measure).described
		if field.Config = r.figureConfig(f, described); len(r.GroupBy) == 0 && f.Aspect == "" {
			field.Config.DisplayNameFromDS = r.covering(field.Config.DisplayNameFromDS, described)
		}
		fields = append(fields, field)
	}
	return fields
}

// labelFields returns the labels of the groups.
func (r *Grouping) labelFields(groups [][]string) (fields []*data.Field) {
	for i, name := range r.GroupBy {
		labels := make([]string, len(groups))
		for row, of := range groups {
			labels[row] = of[i]
		}
		field := data.NewField(name, nil, labels)
		field.Config = r.fieldConfig(r.DataSet.Field(name))
		fields = append(fields, field)
	}
	return fields
}

// twoPoints makes a frame of type timeseries-wide, version 0.1, from numbers: for each group a series of two points,
// the earlier and the current value. Stat shows its change, and rules can reduce it. A group without a current value is
// omitted, because the last non-null value of its series would be the old one. The points are at the starts of the two
// periods.
func (r *Numeric) twoPoints(frame *data.Frame, n *numbers, groups []*result) {
	frame.Meta.Type, frame.Meta.PreferredVisualization = data.FrameTypeTimeSeriesWide, data.VisTypeGraph
	measures := r.measures()
	for _, g := range groups {
		for _, f := range measures {
			if at := n.index[f.Measure]; g.values[at] != nil {
				frame.Fields = append(frame.Fields, r.seriesField(n, g.group, f, len(measures) == 1, []*float64{g.before[at], g.values[at]}))
			}
		}
	}
	if len(frame.Fields) > 0 {
		frame.Fields = slices.Insert(frame.Fields, 0, data.NewField("time", nil, n.starts))
	}
}
