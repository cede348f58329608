package frame

import (
	"slices"

	"github.com/grafana/grafana-plugin-sdk-go/data"

	"github.com/insights/insights-reporting-datasource/schema"
)

// needingAttention returns the number of groups that need attention.
func (r *Grouping) needingAttention(number *float64) *data.Field {
	described := schema.AttentionField("needsAttention")
	field := data.NewField(described.Name, nil, []*float64{number})
	field.Config = r.fieldConfig(described)
	return field
}

// Unanswered returns the row of a data source whose service did not answer, in a list of data sources: its numbers are null, and
// nothing else is known of it. Without the row, it would look as if there were no such data source. nil: groups are not only
// data sources.
func (r *Grouping) Unanswered(counted bool) *data.Frame {
	groupBy := r.GroupBy
	if counted {
		groupBy = groupBy[1:]
	}
	isOther := func(label string) bool {
		f := r.DataSet.Field(label)
		return f == nil || !f.Workspace
	}
	if !slices.Contains(groupBy, "dataSource") || slices.ContainsFunc(groupBy, isOther) {
		return nil
	}
	list := &Grouping{Selection: r.Selection, GroupBy: []string{"dataSource"}}
	frame := newFrame(r.DataSet.Name, data.FrameTypeNumericLong, data.VisTypeTable)
	frame.Fields = list.labelFields([][]string{{r.Workspace["dataSource"]}})
	if counted {
		frame.Fields = append(frame.Fields, r.needingAttention(nil))
	}
	for _, f := range r.Figures {
		number := data.NewField(f.Name, nil, []*float64{nil})
		if described := r.DataSet.Measure(f.Measure); described != nil {
			number.Config = r.figureConfig(f, described)
		}
		frame.Fields = append(frame.Fields, number)
	}
	return frame
}
