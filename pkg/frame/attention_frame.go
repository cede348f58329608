package frame

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"

	"github.com/insights/insights-reporting-datasource/schema"
)

// numbers returns a frame for rules.
func (a *attention) numbers(found []*concern) *data.Frame {
	frame := newFrame(a.DataSet.Name, data.FrameTypeNumericWide, data.VisTypeTable)
	severity := schema.AttentionField("severity")
	automations := a.automationNames(a.GroupBy)
	for _, c := range found {
		field := data.NewField(severity.Name, a.labels(c.group), []*float64{new(c.findings[0].severity())})
		field.Labels["reason"] = c.findings[0].reason.Name
		field.Config = &data.FieldConfig{DisplayNameFromDS: a.groupName(c.group, automations)}
		frame.Fields = append(frame.Fields, field)
	}
	if len(found) == 0 {
		frame.Fields = append(frame.Fields, data.NewField(severity.Name, nil, []*float64{new(0.0)}))
	}
	return frame
}

// table returns a frame for panels.
func (a *attention) table(found []*concern) *data.Frame {
	frame := newFrame(a.DataSet.Name, data.FrameTypeTable, data.VisTypeTable)
	about := make([]int, len(found))
	for i, c := range found {
		about[i] = c.findings[0].about
	}
	task := func(name string) *data.Field { return a.tableField(a.Rows.Column(name), about) }
	other := "machineId"
	if a.GroupBy[0] == other {
		other = a.DataSet.AutomationField
	}
	frame.Fields = []*data.Field{
		task(a.GroupBy[0]),
		attentionField(a, "why", found, func(c *concern) *string { return new(a.why(c)) }),
		attentionField(a, "severity", found, func(c *concern) *float64 { return new(c.findings[0].severity()) }),
		attentionField(a, "since", found, func(c *concern) *time.Time { return new(time.Unix(0, c.findings[0].since).UTC()) }),
		task(other),
		task(a.DataSet.Key),
		attentionField(a, "reason", found, func(c *concern) *string { return &c.findings[0].reason.Name }),
	}
	for _, name := range []string{"count", "seconds", "usual", "rate"} {
		frame.Fields = append(frame.Fields, attentionField(a, name, found, func(c *concern) *float64 {
			if value, ok := c.findings[0].behind[name]; ok {
				return &value
			}
			return nil
		}))
	}
	a.configure(frame)
	return frame
}

func attentionField[T any](a *attention, name string, found []*concern, of func(*concern) *T) *data.Field {
	values := make([]*T, len(found))
	for i, c := range found {
		values[i] = of(c)
	}
	field := data.NewField(name, nil, values)
	field.Config = a.fieldConfig(schema.AttentionField(name))
	return field
}

// severityColors are the colors of severities, as in Grafana's thresholds.
var severityColors = []string{"yellow", "orange", "red"}

// configure colors severities, names reasons, and says that nothing needs attention.
func (a *attention) configure(frame *data.Frame) {
	why, _ := frame.FieldByName("why")
	severity, _ := frame.FieldByName("severity")
	reason, _ := frame.FieldByName("reason")
	steps := []data.Threshold{data.NewThreshold(0, "green", "")}
	for i, color := range severityColors {
		steps = append(steps, data.NewThreshold(float64(i+1), color, ""))
	}
	severity.Config.Thresholds = &data.ThresholdsConfig{Mode: data.ThresholdsModeAbsolute, Steps: steps}
	severity.Config.Color = map[string]any{"mode": "thresholds"}
	names := map[string]string{}
	for _, r := range schema.Attention.Reasons {
		names[r.Name] = r.Called(a.Language)
	}
	reason.Config.Mappings = data.ValueMappings{mapping(nil, slices.Sorted(maps.Keys(names)), func(name string) string { return cmp.Or(names[name], name) })}
	if frame.Rows() == 0 {
		// A table without rows shows nothing but its header.
		nothing := a.Language.Words().Nothing
		why.Config.DisplayNameFromDS = nothing
		frame.AppendNotices(data.Notice{Severity: data.NoticeSeverityInfo, Text: nothing})
	}
}
