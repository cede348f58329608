package frame

import (
	"github.com/grafana/grafana-plugin-sdk-go/data"

	"github.com/insights/insights-reporting-datasource/schema"
)

// needsAttention is the name of the number of groups that need attention.
const needsAttention = "needsAttention"

// Unanswered returns the row of a data source whose service did not answer, in a list of data sources: its numbers are null, and
// nothing else is known of it. Without the row, it would look as if there were no such data source. nil: groups are not only
// data sources.
func (r *Grouping) Unanswered(counted bool) *data.Frame {
	groupBy := r.GroupBy
	if counted {
		groupBy = groupBy[1:]
	}
	isListed := false
	for _, label := range groupBy {
		f := r.DataSet.Field(label)
		if f == nil || !f.Workspace {
			return nil
		}
		isListed = isListed || label == "dataSource"
	}
	if !isListed {
		return nil
	}
	list := &Grouping{Selection: r.Selection, GroupBy: []string{"dataSource"}}
	frame := newFrame(r.DataSet.Name, data.FrameTypeNumericLong, data.VisTypeTable)
	frame.Fields = list.labelFields([][]string{{r.Workspace["dataSource"]}})
	if counted {
		number := data.NewField(needsAttention, nil, []*float64{nil})
		number.Config = r.fieldConfig(schema.AttentionField(needsAttention))
		frame.Fields = append(frame.Fields, number)
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
