package frame

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"

	"github.com/insights/insights-reporting-datasource/pkg/attention"
	"github.com/insights/insights-reporting-datasource/schema"
)

// Attention is the format with a row for each group that needs a person, the most urgent first. All rows decide, and filters choose groups.
type Attention struct {
	Grouping
	schema.Judged
	Counted bool // the frame is a number of groups, by GroupBy without its first field
	// Long is for panels. Otherwise, the frame is numeric-wide: a severity for each group and reason, or a single 0: a rule without a
	// number has no data. What it can't judge is null beside others' findings, and no number otherwise. Forgotten deadlines are null.
	Long bool
}

// Frame builds the frame. A table without rows has all its fields. Errors are inputerror.Err, or those of a context that ended.
func (r *Attention) Frame(ctx context.Context) (*data.Frame, error) {
	a := newJudge(r)
	chosen, notices := r.rows(ctx, nil)
	v := a.judge(ctx, chosen)
	var frame *data.Frame
	switch {
	case r.Counted:
		frame = a.count(&v)
	case r.Long:
		frame = a.table(&v)
	default:
		frame = a.severities(&v)
	}
	frame.AppendNotices(append(a.notices(&v), notices...)...)
	return finished(ctx, &r.Selection, frame)
}

func (a *judge) nothing(v *verdict) string {
	words := a.Language.Words()
	switch {
	case a.Unanswered != "":
		return a.Unanswered
	case len(v.notJudged) > 0:
		return a.Sprintf(words.NotJudged, len(v.notJudged))
	case v.judged > 0 && !a.Incomplete && !v.forgets:
		return words.Nothing
	case v.judged > 0:
		return words.NothingRead
	case a.Rows.Rows > 0 && (len(a.Filters) > 0 || a.Contains != ""):
		return words.NoMatch
	default:
		return words.NoTasks
	}
}

func (a *judge) notices(v *verdict) []data.Notice {
	info, warning, by := data.NoticeSeverityInfo, data.NoticeSeverityWarning, a.GroupBy[0]
	first, n := a.Rows.Earliest("dateCreation"), len(v.notJudged)
	days := max(0, a.Now.Sub(first).Hours()/24)
	return slices.Concat(
		noticeIf(len(v.concerns) == 0 && !a.Counted, info, "%s", a.nothing(v)),
		noticeIf(n > 0, warning, "%d of %d groups by %s can't be judged: their latest tasks have no dateCreation, or no finishStatus although they are finished", n, n+v.judged, by),
		a.forgotten(v.forgets),
		noticeIf(len(v.noGroups) > 0, info, "Ignore lists %s, but no task has this %s", someOf(v.noGroups), by),
		// The silence of a busy group may be judged, all the same.
		noticeIf(!first.IsZero() && days < attention.History, info, "Not every silence is judged: the tasks go back %d days, and it takes %d", int(days), attention.History),
		noticeIf(v.ahead > 0, warning, "Runners whose state is not known: %d. Dates of their last tasks are over an hour after now. Check that the service writes dates with the offset of its time zone, and its clock", v.ahead))
}

// forgotten says that tasks of a deadline may have come before the oldest task that was read, if the time of any is known.
func (r *Selection) forgotten(is bool) []data.Notice {
	if first := r.Rows.Earliest("dateCreation"); !first.IsZero() {
		return noticeIf(is, data.NoticeSeverityInfo, "What falls due for tasks that may have come before the oldest one that was read, of %s, is not judged", first.UTC().Format(time.RFC3339))
	}
	return noticeIf(is, data.NoticeSeverityInfo, "What falls due is not judged: no task that was read has a dateCreation")
}

func (a *judge) severities(v *verdict) *data.Frame {
	frame := newFrame(a.DataSet.Name, data.FrameTypeNumericWide, data.VisTypeTable)
	automations := a.automationNames(a.GroupBy)
	var all []concern // of one finding each
	for _, c := range v.concerns {
		for _, f := range c.findings {
			all = append(all, concern{group: c.group, findings: []attention.Finding{f}})
		}
	}
	slices.SortStableFunc(all, byUrgency)
	shown := all[:min(len(all), a.limit())]
	frame.AppendNotices(noticeIf(len(shown) < len(all), data.NoticeSeverityWarning, "%d of %d findings are shown, the most urgent: filter to see the rest", len(shown), len(all))...)
	add := func(g *group, reason string, severity *float64) {
		field := data.NewField("severity", a.labels(g), []*float64{severity})
		field.Labels["reason"] = reason
		field.Config = &data.FieldConfig{DisplayNameFromDS: a.groupName(g, automations) + ", " + schema.AttentionReason(reason).Called(a.Language)}
		frame.Fields = append(frame.Fields, field)
	}
	for _, c := range shown {
		add(c.group, c.findings[0].Reason, new(float64(c.findings[0].Severity)))
	}
	switch {
	case len(all) > 0: // An instance that is missing would be resolved, as if there were evidence of a repair.
		for _, g := range v.notJudged {
			for _, reason := range a.Reasons[:min(len(a.Reasons), a.limit()-len(frame.Fields))] {
				add(g, reason, nil)
			}
		}
	case v.judged > 0 && len(v.notJudged) == 0:
		frame.Fields = append(frame.Fields, data.NewField("severity", nil, []*float64{new(0.0)}))
	}
	for _, g := range v.forgotten[:min(len(v.forgotten), max(0, a.limit()-len(frame.Fields)))] { // What was late isn't repaired.
		add(g, attention.Deadline, nil)
	}
	return frame
}

// count returns how many groups need attention; null if there are none to judge. Where some can't be judged, or rows are missing,
// a panel shows how many there are at least, but never 0, or why there is no number; a rule has no data, or fails.
func (a *judge) count(v *verdict) *data.Frame {
	isKnown := len(v.notJudged) == 0
	if a.Long {
		isKnown = len(v.concerns) > 0 || isKnown && !a.Incomplete && !v.forgets
	}
	number := nullOr(v.judged == 0 || !isKnown, float64(len(v.concerns)))
	workspace := &Grouping{Selection: a.Selection, GroupBy: a.GroupBy[1:]}
	of := &group{}
	for _, name := range workspace.GroupBy {
		of.labels = append(of.labels, a.Workspace[name])
	}
	described := schema.AttentionField("needsAttention")
	field := newField(described.Name, a.fieldConfig(described), []*float64{number}, func(n *float64) *float64 { return n })
	if number == nil {
		field.Config.NoValue = a.nothing(v)
	}
	frame := newFrame(a.DataSet.Name, data.FrameTypeNumericLong, data.VisTypeTable)
	if a.Long {
		frame.Fields = append(workspace.labelFields([]*result{{group: of}}), field)
		if a.Unanswered != "" {
			frame.Fields = append(frame.Fields, noAnswer(&a.Selection, &a.Unanswered))
		}
		return frame
	}
	frame.Meta.Type = data.FrameTypeNumericWide
	field.Labels, field.Config.DisplayNameFromDS = workspace.labels(of), workspace.groupName(of, nil)
	frame.Fields = append(frame.Fields, field)
	return frame
}

// table returns a frame for panels: a row for each group, about its most urgent finding or, of All runners, about the last task.
func (a *judge) table(v *verdict) *data.Frame {
	rows := v.concerns
	if a.All {
		rows = slices.Concat(rows, v.well)
	}
	rows = cutRows(&a.Selection, rows)
	about := make([]int, len(rows))
	for i, c := range rows {
		about[i], _ = c.about()
	}
	task := func(name string) *data.Field { return a.tableField(a.Rows.Column(name), about) }
	since := fieldOf(a, schema.AttentionField("since"), rows, func(c *concern) *time.Time { _, at := c.about(); return nullOr(at == 0, time.Unix(0, at).UTC()) })
	why := fieldOf(a, schema.AttentionField("why"), rows, func(c *concern) *string { return nullOr(len(c.findings) == 0, a.why(c.findings)) })
	if first := a.Rows.Earliest("dateCreation"); !first.IsZero() {
		why.Config.Description += fmt.Sprintf(". Judged by the tasks since %s: what has lasted for most of that time looks usual", first.In(a.Zone).Format(time.DateOnly))
	}
	frame := newFrame(a.DataSet.Name, data.FrameTypeTable, data.VisTypeTable)
	for _, name := range a.GroupBy[1:] {
		frame.Fields = append(frame.Fields, a.tableField(a.column("groupBy field", name), about))
	}
	frame.Fields = append(frame.Fields, task(a.GroupBy[0]))
	other := task("machineId")
	if a.isOfRunners() {
		other = task(a.DataSet.AutomationField)
	}
	if a.All {
		frame.Fields = append(frame.Fields, stateField(a, schema.AttentionField("state"), schema.Attention.RobotStates, rows, func(c *concern) string { return c.robot.State }))
		other.Config.DisplayNameFromDS = schema.AttentionField("lastTask").Called(a.Language)
	}
	if len(rows) == 0 { // A table without rows shows nothing but its header.
		why.Config.DisplayNameFromDS = a.nothing(v)
		if a.All {
			other.Config.DisplayNameFromDS = why.Config.DisplayNameFromDS
		}
	}
	frame.Fields = append(frame.Fields, why, a.severity(rows), since, other, task(a.DataSet.Key), a.reason(rows))
	for _, name := range []string{"count", "seconds", "usual", "rate", "usualRate", "usualCount"} {
		frame.Fields = append(frame.Fields, said(a, name, rows, func(f *attention.Finding) *float64 { return behind(f)[name] }))
	}
	frame.Fields = append(frame.Fields, fieldOf(a, schema.AttentionField("tasks"), rows, func(c *concern) *string { return new(a.linkOf(c)) }))
	return frame
}

func (a *judge) severity(rows []concern) *data.Field {
	field := said(a, "severity", rows, func(f *attention.Finding) *float64 { return new(float64(f.Severity)) })
	field.Config.Color = map[string]any{"mode": "thresholds"}
	nameOf := func(severity string) string { return a.Language.Words().Severities[severity[0]-'1'] }
	field.Config.Mappings = data.ValueMappings{mapping(nil, []string{"1", "2", "3"}, nameOf)}
	field.Config.Thresholds = &data.ThresholdsConfig{Mode: data.ThresholdsModeAbsolute, Steps: []data.Threshold{
		data.NewThreshold(0, "green", ""), data.NewThreshold(1, "yellow", ""), data.NewThreshold(2, "orange", ""), data.NewThreshold(3, "red", ""),
	}}
	return field
}

func (a *judge) reason(rows []concern) *data.Field {
	field := said(a, "reason", rows, func(f *attention.Finding) *string { return &f.Reason })
	names := slices.Sorted(slices.Values(schema.Names(schema.Attention.Reasons)))
	field.Config.Mappings = data.ValueMappings{mapping(nil, names, func(name string) string { return schema.AttentionReason(name).Called(a.Language) })}
	return field
}

func nullOr[T any](isNull bool, value T) *T {
	if isNull {
		return nil
	}
	return &value
}

var numbersBehind = map[string][2]string{ // the fields of the value of a finding, and of what is usual instead
	attention.Failing: {"rate", "usualRate"}, attention.Empty: {"", "usualCount"}, attention.Silent: {"seconds", "usualCount"},
	attention.Waiting: {"seconds", "usual"}, attention.Slow: {"seconds", "usual"}, attention.Deadline: {"seconds", "usual"},
}

func behind(f *attention.Finding) map[string]*float64 {
	names := numbersBehind[f.Reason]
	return map[string]*float64{"count": new(float64(f.Count)), names[0]: nullOr(math.IsNaN(f.Value), f.Value), names[1]: nullOr(math.IsNaN(f.Usual), f.Usual)}
}

func fieldOf[E, T any](a *judge, described *schema.Field, of []E, value func(*E) *T) *data.Field {
	return newField(described.Name, a.fieldConfig(described), of, func(each E) *T { return value(&each) })
}

func said[T any](a *judge, name string, rows []concern, value func(*attention.Finding) *T) *data.Field {
	return fieldOf(a, schema.AttentionField(name), rows, func(c *concern) *T {
		if len(c.findings) == 0 {
			return nil
		}
		return value(&c.findings[0])
	})
}

func stateField[E any](a *judge, described *schema.Field, states []schema.State, of []E, state func(*E) string) *data.Field {
	field := fieldOf(a, described, of, func(each *E) *string { return nullOr(state(each) == "", state(each)) })
	names, colors := map[string]string{}, map[string]string{}
	for _, s := range states {
		names[s.Name], colors[s.Name] = s.Called(a.Language), s.Color
	}
	field.Config.Mappings = data.ValueMappings{mapping(colors, schema.Names(states), func(name string) string { return names[name] })}
	return field
}

// byUrgency orders groups by their most urgent findings, and then robots without any by how likely somebody looks for them, and since when.
func byUrgency(x, y concern) (c int) {
	order := []string{attention.Hung, attention.Quiet, attention.Idle, attention.Working, ""}
	rank := func(c concern) int { return slices.Index(order, c.robot.State) }
	switch {
	case len(x.findings) > 0 && len(y.findings) > 0:
		c = attention.ByUrgency(x.findings[0], y.findings[0])
	case len(x.findings) > 0 || len(y.findings) > 0:
		c = cmp.Compare(len(y.findings), len(x.findings))
	case x.robot != nil:
		c = cmp.Or(cmp.Compare(rank(x), rank(y)), cmp.Compare(x.robot.Since, y.robot.Since))
	}
	return cmp.Or(c, slices.Compare(x.group.labels, y.group.labels))
}
