package frame

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/schema"
)

const (
	// leastTasks is how many tasks a group must have before anything is claimed of it, and finished ones for a rate.
	leastTasks = 10
	// urgent is how many times its threshold makes a reason a degree more severe.
	urgent = 2
	// mostReasons is how many reasons a sentence has.
	mostReasons = 2
)

// Attention is the format with a row for each group that a person should look at, the most urgent first. What is usual is
// the group's own history in the rows.
type Attention struct {
	Grouping
	Thresholds map[string]float64 // of the reasons, by their names; 0: not a reason
	// Long is for panels. Otherwise, the frame is numeric-wide: the severity of each group, labeled with the group and its
	// reason, or a single 0 without labels, because a rule without a number has no data.
	Long bool
}

// Frame builds the frame. A table without rows has all its fields. Errors are inputerror.Err, or those of a context that
// ended.
func (r *Attention) Frame(ctx context.Context) (*data.Frame, error) {
	r.resolveRates()
	rows, unmatched := r.rows(ctx, nil)
	a := newAttention(r)
	var found []concern
	for _, g := range r.groups(rows, nil) {
		if c := a.concern(g); len(c) > 0 {
			found = append(found, c)
		}
	}
	slices.SortFunc(found, func(a, b concern) int {
		return cmp.Or(byUrgency(a[0], b[0]), slices.Compare(a[0].group.labels, b[0].group.labels))
	})
	if r.Limit > 0 && len(found) > r.Limit {
		found = found[:r.Limit]
	}
	frame := a.numbers(found)
	if r.Long {
		frame = a.table(found)
	}
	frame.AppendNotices(unmatched...)
	return finished(ctx, &r.Selection, frame)
}

// attention is the format with what the reasons are found in.
type attention struct {
	*Attention
	*message.Printer
	state, status, created, started, ended *columns.Column
	took, usualDuration                    rowValue
}

func newAttention(r *Attention) *attention {
	column := r.Rows.Column
	return &attention{
		Attention: r, Printer: message.NewPrinter(language.Make(string(r.Language))),
		state: column("state"), status: column("finishStatus"),
		created: column("dateCreation"), started: column("dateStartRunning"), ended: column("dateLastModified"),
		took: ran(&r.Selection), usualDuration: values(r.derived(usualDuration)),
	}
}

// concern is why a person should look at a group, the most urgent finding first.
type concern []*finding

// finding is a reason that applies to a group.
type finding struct {
	group  *group
	reason *schema.Reason
	size   float64 // in the unit of the threshold
	degree float64 // size ÷ threshold
	about  int     // the row of the task that it is about
	since  int64
	says   []any              // what the sentence says
	behind map[string]float64 // the numbers behind the sentence, by their fields
}

func (f *finding) severity() float64 {
	return min(3, float64(f.reason.Severity)+truth(f.degree >= urgent))
}

func byUrgency(a, b *finding) int {
	return cmp.Or(cmp.Compare(b.severity(), a.severity()), cmp.Compare(b.degree, a.degree))
}

// concern returns what there is to say about a group. Tasks without an automation, or without a runner, are no group.
func (a *attention) concern(g *group) (found concern) {
	if len(g.rows) < leastTasks || g.labels[0] == "" {
		return nil
	}
	h := &history{
		rows:     g.rows,
		created:  ordered(g.rows, a.created, a.created),
		finished: ordered(g.rows, a.ended, a.status),
	}
	for i := range schema.Attention.Reasons {
		reason := &schema.Attention.Reasons[i]
		threshold := a.Thresholds[reason.Name]
		if threshold == 0 {
			continue
		}
		if f := reasons[reason.Name](a, h); f != nil && f.size >= threshold {
			f.group, f.reason, f.degree = g, reason, f.size/threshold
			found = append(found, f)
		}
	}
	slices.SortStableFunc(found, byUrgency)
	return found
}

// ordered returns the rows with a date and another value, in the order of the date.
func ordered(rows []int, date, other *columns.Column) []int {
	with := slices.DeleteFunc(slices.Clone(rows), func(row int) bool { return !date.Valid[row] || !other.Valid[row] })
	slices.SortStableFunc(with, func(x, y int) int { return cmp.Compare(date.Times[x], date.Times[y]) })
	return with
}

// span formats seconds. Days begin at two, and hours have minutes while these matter.
func (a *attention) span(seconds float64) string {
	d := time.Duration(seconds * float64(time.Second))
	hours, minutes := int(d.Hours()), int(d.Minutes())%60
	switch {
	case d < time.Minute:
		return a.Sprintf("%d s", int(d.Seconds()))
	case d < time.Hour:
		return a.Sprintf("%d min", minutes)
	case hours < 10 && minutes > 0:
		return a.Sprintf("%d h %d min", hours, minutes)
	case hours < 48:
		return a.Sprintf("%d h", hours)
	default:
		return a.Sprintf(a.Language.Words().Days, hours/24)
	}
}

// why returns the sentence of a concern.
func (a *attention) why(c concern) string {
	var sentences []string
	for _, f := range c[:min(mostReasons, len(c))] {
		sentences = append(sentences, a.Sprintf(cmp.Or(f.reason.Why[a.Language], f.reason.Why[schema.English]), f.says...))
	}
	return strings.Join(sentences, "; ")
}

// numbers returns a frame for rules.
func (a *attention) numbers(found []concern) *data.Frame {
	frame := newFrame(a.DataSet.Name, data.FrameTypeNumericWide, data.VisTypeTable)
	automations := a.automationNames(a.GroupBy)
	for _, c := range found {
		field := data.NewField("severity", a.labels(c[0].group), []*float64{new(c[0].severity())})
		field.Labels["reason"] = c[0].reason.Name
		field.Config = &data.FieldConfig{DisplayNameFromDS: a.groupName(c[0].group, automations)}
		frame.Fields = append(frame.Fields, field)
	}
	if len(found) == 0 {
		frame.Fields = append(frame.Fields, data.NewField("severity", nil, []*float64{new(0.0)}))
	}
	return frame
}

// table returns a frame for panels.
func (a *attention) table(found []concern) *data.Frame {
	frame := newFrame(a.DataSet.Name, data.FrameTypeTable, data.VisTypeTable)
	about := make([]int, len(found))
	for i, c := range found {
		about[i] = c[0].about
	}
	task := func(name string) *data.Field { return a.tableField(a.Rows.Column(name), about) }
	other := "machineId"
	if a.GroupBy[0] == other {
		other = a.DataSet.AutomationField
	}
	why := attentionField(a, "why", found, func(c concern) *string { return new(a.why(c)) })
	if len(found) == 0 {
		// A table without rows shows nothing but its header.
		why.Config.DisplayNameFromDS = a.Language.Words().Nothing
		frame.AppendNotices(notice(data.NoticeSeverityInfo, "%s", why.Config.DisplayNameFromDS)...)
	}
	severity := attentionField(a, "severity", found, func(c concern) *float64 { return new(c[0].severity()) })
	severity.Config.Color = map[string]any{"mode": "thresholds"}
	severity.Config.Thresholds = &data.ThresholdsConfig{Mode: data.ThresholdsModeAbsolute, Steps: []data.Threshold{
		data.NewThreshold(0, "green", ""), data.NewThreshold(1, "yellow", ""), data.NewThreshold(2, "orange", ""), data.NewThreshold(3, "red", ""),
	}}
	since := attentionField(a, "since", found, func(c concern) *time.Time { return new(time.Unix(0, c[0].since).UTC()) })
	reason := attentionField(a, "reason", found, func(c concern) *string { return &c[0].reason.Name })
	names := map[string]string{}
	for _, r := range schema.Attention.Reasons {
		names[r.Name] = r.Called(a.Language)
	}
	reason.Config.Mappings = data.ValueMappings{mapping(nil, slices.Sorted(maps.Keys(names)), func(name string) string { return names[name] })}
	frame.Fields = []*data.Field{task(a.GroupBy[0]), why, severity, since, task(other), task(a.DataSet.Key), reason}
	for _, name := range []string{"count", "seconds", "usual", "rate"} {
		frame.Fields = append(frame.Fields, attentionField(a, name, found, func(c concern) *float64 {
			if value, ok := c[0].behind[name]; ok {
				return &value
			}
			return nil
		}))
	}
	return frame
}

func attentionField[T any](a *attention, name string, found []concern, of func(concern) *T) *data.Field {
	values := make([]*T, len(found))
	for i, c := range found {
		values[i] = of(c)
	}
	field := data.NewField(name, nil, values)
	field.Config = a.fieldConfig(schema.AttentionField(name))
	return field
}
