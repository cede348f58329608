package frame

import (
	"github.com/grafana/grafana-plugin-sdk-go/data"

	"github.com/insights/insights-reporting-datasource/schema"
)

// needsAttention is the name of the number of groups that need attention.
const needsAttention = "needsAttention"

// Unanswered returns the row of a data source whose service did not answer, in a list of data sources: its number is null, and
// nothing else is known of it. Without the row, it would look as if there were no such data source. nil: groups are not only
// data sources.
func (r *Grouping) Unanswered(counted bool) *data.Frame {
	name, groupBy := r.Measure, r.GroupBy
	if counted {
		name, groupBy = needsAttention, groupBy[1:]
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
	number := data.NewField(name, nil, []*float64{nil})
	if counted {
		number.Config = r.fieldConfig(schema.AttentionField(name))
	} else if described := r.DataSet.Measure(name); described != nil {
		number.Config = r.measureConfig(described)
		number.Config.DisplayNameFromDS = described.Called(r.Language)
	}
	frame := newFrame(r.DataSet.Name, data.FrameTypeNumericLong, data.VisTypeTable)
	frame.Fields = append(list.labelFields([]*group{{labels: []string{r.Workspace["dataSource"]}}}), number)
	return frame
}
