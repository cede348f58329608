package frame

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"

	"github.com/insights/insights-reporting-datasource/pkg/period"
	"github.com/insights/insights-reporting-datasource/schema"
)

// Numeric is the format of type numeric-wide, version 0.1: a number field for each group and figure, with its labels, named after
// the figure (https://grafana.com/developers/dataplane/numeric). If it is Long, it is numeric-long: the groupBy fields as
// strings and the figures. With nothing to show it has no fields. With a comparison, see twoPoints.
type Numeric struct {
	Grouping
	Long      bool // a row for each group instead of a field
	Total     bool // if it is Long: a last row with the numbers of all groups together, each by its formula
	TwoPoints bool // unless it is Long: an earlier and a current number instead of the aspects of a comparison
}

// Frame builds the frame. Errors are inputerror.Err, or the cause of a context that ended.
func (r *Numeric) Frame(ctx context.Context) (*data.Frame, error) {
	r.resolve()
	n, all := r.whole(ctx)
	groups, notices := r.cut(all, "groups")
	if r.Total && r.Long && len(r.GroupBy) > 0 {
		groups = append(groups, r.total(ctx, n))
	}
	frame := newFrame(withWords(r.DataSet.Name, r.Covers), data.FrameTypeNumericWide, data.VisTypeTable)
	frame.AppendNotices(slices.Concat(n.notices, notices, n.said())...)
	switch {
	case r.TwoPoints && !r.Long:
		r.twoPoints(frame, n, groups)
	case r.Long:
		frame.Meta.Type = data.FrameTypeNumericLong
		frame.Fields = r.longFields(groups)
	default:
		frame.Fields = r.series(n, groups, r.Figures, func(g *result, at int) []*float64 {
			if len(r.GroupBy) == 0 && g.figures[at] == nil {
				return nil
			}
			return g.figures[at:][:1]
		})
	}
	return finished(ctx, &r.Selection, frame)
}

func (r *Grouping) whole(ctx context.Context) (*numbers, []*result) {
	n := r.numbers(ctx)
	if r.Differences != nil {
		r.Differences.compare(n, &r.Range)
	}
	return n, n.ordered(r)
}

// total returns the numbers of all groups together, as a group of that name whose further labels are empty, and what is said of them.
func (r *Numeric) total(ctx context.Context, n *numbers) *result {
	together := r.Grouping
	together.GroupBy = nil
	of, all := together.whole(ctx)
	r.fail(together.err)
	n.measures = of.measures // What is left out of a group is left out of all, too.
	all[0].labels = make([]string, len(r.GroupBy))
	all[0].labels[0] = r.Language.Words().Total
	return all[0]
}

// twoPoints makes a frame of type timeseries-wide, version 0.1: for each group an earlier and a current value, at the starts of the
// periods. Stat shows the change. A group without a current value is omitted: the last value of its series would be the old one.
func (r *Numeric) twoPoints(frame *data.Frame, n *numbers, groups []*result) {
	frame.Meta.Type, frame.Meta.PreferredVisualization = data.FrameTypeTimeSeriesWide, data.VisTypeGraph
	frame.Fields = r.series(n, groups, r.measures(), func(g *result, at int) []*float64 {
		if g.readings[at].value == nil {
			return nil
		}
		return []*float64{g.readings[at].before, g.readings[at].value}
	})
	if len(frame.Fields) > 0 {
		frame.Fields = slices.Insert(frame.Fields, 0, data.NewField("time", nil, n.starts))
	}
}

// maxCells bounds series × points of a timeseries: about 20 MB here, and as much again on the way, for more than a screen can show.
const maxCells = 1_000_000

// maxPoints is also Prometheus's limit of points per series.
const maxPoints = 11_000

// TimeSeries is the format of type timeseries-wide, version 0.1: ascending times, then a number field for each group with its
// labels (https://grafana.com/developers/dataplane/timeseries). Without any group, or any row with totals, it has no fields.
type TimeSeries struct {
	Grouping
	Interval time.Duration // width of a bucket, positive
	Per      period.Unit   // calendar unit of a bucket; empty: Interval
}

type lines struct {
	starts  []time.Time   // of the points
	end     time.Time     // of the last one
	width   time.Duration // of a single one
	values  []line        // by measure
	before  []line        // in the compared period; nil: no line
	notices []data.Notice
}

// Frame builds the frame. Errors are inputerror.Err, or the cause of a context that ended.
func (r *TimeSeries) Frame(ctx context.Context) (*data.Frame, error) {
	r.resolve()
	n := r.numbers(ctx)
	frame := newFrame(r.DataSet.Name, data.FrameTypeTimeSeriesWide, data.VisTypeGraph)
	groups, notices := r.cut(n.ordered(&r.Grouping), "series")
	l := &lines{}
	if r.Differences != nil {
		l = r.Differences.lines(n, &r.Range, r.Differences.steps)
	} else if len(groups) > 0 {
		l = r.lines(n, len(groups)*len(n.measures))
	}
	frame.AppendNotices(slices.Concat(n.notices, notices, l.notices)...)
	unknown := l.unknown(r.Known)
	// In a legend, the total of a line of nulls would be 0.
	if len(groups) == 0 || unknown == len(l.starts) || r.Differences != nil && len(n.measures[0].rowsOf(groups[0].labels)) == 0 {
		return finished(ctx, &r.Selection, frame)
	}
	fieldsOf := func(lines []line) []*data.Field {
		return r.series(n, groups, r.measures(), func(g *result, at int) []*float64 {
			if ctx.Err() != nil || lines[at] == nil {
				return nil
			}
			values := lines[at](g.labels)
			clear(values[:unknown])
			return values
		})
	}
	before := fieldsOf(l.before)
	for _, field := range before { // The second, dashed line of its group. Grafana distinguishes series by labels alone.
		field.Labels = field.Labels.Copy()
		field.Labels["compare"] = r.Earlier.Name
		field.Config.DisplayNameFromDS = withWords(field.Config.DisplayNameFromDS, r.Language.Words().Before[r.Earlier.Name])
		field.Config.Custom = map[string]any{"lineStyle": map[string]any{"fill": "dash", "dash": []int{10, 10}}}
	}
	frame.Fields = slices.Concat([]*data.Field{l.timeField()}, fieldsOf(l.values), before)
	frame.AppendNotices(n.said()...)
	return finished(ctx, &r.Selection, frame)
}

func (r *TimeSeries) lines(n *numbers, groups int) *lines {
	l := r.buckets(groups)
	starts := make([]int64, len(l.starts))
	for i, t := range l.starts {
		starts[i] = t.UnixNano()
	}
	for _, m := range n.measures {
		l.values = append(l.values, m.line(&r.Grouping, starts))
		l.before = append(l.before, n.before(&r.Grouping, m, l.starts))
	}
	return l
}

// unknown returns how many of the first points end before the service has data.
func (l *lines) unknown(known time.Time) int {
	ends := append(slices.Clone(l.starts), l.end)[1:]
	n, _ := slices.BinarySearchFunc(ends, known, time.Time.Compare)
	return n
}

// buckets returns the buckets that this number of groups can have, with a notice if they differ from the requested ones.
func (r *TimeSeries) buckets(groups int) *lines {
	if r.Earlier != nil {
		groups *= 2
	}
	most := int64(min(maxPoints, maxCells/groups))
	l := &lines{end: r.End()}
	l.width = period.Width(r.From, r.To, r.Interval, most)
	requested, used := "the interval "+r.Interval.String(), "the interval "+l.width.String()
	if r.Per == "" {
		l.starts = period.Buckets(r.From, r.To, l.width, r.Zone)
	} else {
		unit := r.Per.Fitting(r.From, r.To, most)
		l.starts, l.width = unit.Starts(r.From, r.To, r.Zone), unit.Shortest()
		requested, used = "per "+string(r.Per), "per "+string(unit)
	}
	l.notices = noticeIf(used != requested, data.NoticeSeverityWarning, "%s would produce more than %d points in each series, so %s is used: select a shorter time range, a longer interval, or fewer series (groupBy, limit)",
		requested, most, used)
	return l
}

// timeField holds the starts of points. Grafana treats anything longer than its interval as a gap in a line.
func (l *lines) timeField() *data.Field {
	longest := l.width
	for i, t := range l.starts[1:] {
		longest = max(longest, t.Sub(l.starts[i]))
	}
	field := data.NewField("time", nil, l.starts)
	field.Config = &data.FieldConfig{Interval: float64(longest.Milliseconds())}
	return field
}

func (r *Grouping) longFields(groups []*result) []*data.Field {
	isKnown := func(value *float64) bool { return value != nil }
	if len(groups) == 0 || len(r.GroupBy) == 0 && r.Earlier == nil && !slices.ContainsFunc(groups[0].figures, isKnown) {
		return nil
	}
	fields := r.labelFields(groups)
	for at, f := range r.Figures {
		config := r.figureConfig(f)
		if len(r.GroupBy) == 0 {
			config.DisplayNameFromDS = r.covering(config.DisplayNameFromDS, f)
		}
		fields = append(fields, newField(f.Name, config, groups, func(g *result) *float64 { return g.figures[at] }))
	}
	return fields
}

func (r *Grouping) labelFields(groups []*result) (fields []*data.Field) {
	for i, name := range r.GroupBy {
		fields = append(fields, newField(name, r.fieldConfig(r.DataSet.Field(name)), groups, func(g *result) string { return g.labels[i] }))
	}
	return fields
}

// Missed returns what stands for the numbers of a service that did not answer; nil if these are not of its workspace as a whole. In a list
// of data sources, it is a row without numbers. Otherwise, its field has another name: what a panel says of no number is not true.
func (r *Numeric) Missed() *data.Frame {
	isOfSource, of := slices.Contains(r.GroupBy, "dataSource"), &result{group: &group{}, figures: make([]*float64, len(r.Figures))}
	if !r.isOfWorkspace() || r.Long && !isOfSource {
		return nil
	}
	own, frame := &Grouping{Selection: r.Selection, Figures: r.Figures}, newFrame(r.DataSet.Name, data.FrameTypeNumericWide, data.VisTypeTable)
	field := noAnswer[float64](&r.Selection, nil)
	field.Config.NoValue, field.Config.DisplayNameFromDS = r.Unanswered, own.figureConfig(r.Figures[0]).DisplayNameFromDS
	if isOfSource {
		own.GroupBy, of.labels = []string{"dataSource"}, []string{r.Workspace["dataSource"]}
		field.Labels, field.Config.DisplayNameFromDS = own.labels(of.group), of.labels[0]
	}
	if frame.Fields = append(frame.Fields, field); r.Long {
		frame.Meta.Type, frame.Fields = data.FrameTypeNumericLong, own.longFields([]*result{of})
	}
	return frame
}

func noAnswer[T any](r *Selection, value *T) *data.Field {
	config := &data.FieldConfig{DisplayNameFromDS: r.Language.Words().NoAnswer}
	return newField("noAnswer", config, []*T{value}, func(value *T) *T { return value })
}

// Silence says since when a service does not answer, on the viewer's clock, and the day unless it is today; zero: it is not known.
func (r *Selection) Silence(since time.Time) string {
	switch at := since.In(r.Zone); {
	case since.IsZero():
		return r.Language.Words().NoAnswer
	case at.Format(time.DateOnly) == r.Now.In(r.Zone).Format(time.DateOnly):
		return fmt.Sprintf(r.Language.Words().NoAnswerSince, at.Format("15:04"))
	default:
		return fmt.Sprintf(r.Language.Words().NoAnswerSince, r.moment(r.Zone, since.UnixNano()))
	}
}

func (r *Grouping) aspect(f schema.Figure, of reading) *float64 {
	switch {
	case f.Aspect == "":
		return of.value
	case f.Aspect == schema.Margin:
		return of.margin
	case f.Aspect == schema.Before:
		return of.before
	case of.value == nil || of.before == nil:
		return nil
	case f.Aspect == schema.Difference && r.figureConfig(schema.Figure{Measure: f.Measure}).Unit == "percentunit":
		return new((*of.value - *of.before) * 100) // percentage points
	case f.Aspect == schema.Difference:
		return new(*of.value - *of.before)
	default:
		return nullOr(*of.before == 0, *of.value / *of.before - 1)
	}
}

func (r *Grouping) measures() []schema.Figure {
	return slices.DeleteFunc(slices.Clone(r.Figures), func(f schema.Figure) bool { return f.Aspect != "" })
}

// figureConfig is fieldConfig for a figure. Axes of counts start at 0.
func (r *Grouping) figureConfig(f schema.Figure) *data.FieldConfig {
	m := r.described(f.Measure)
	called := m.Called(r.Language)
	config := &data.FieldConfig{Description: m.Description, Unit: r.unit(m.Unit, m.Rate, m.Money), Decimals: m.Decimals}
	if bound(config); m.Unit == "locale" && !m.Money && m.Aggregate != "mean" && m.Gain == "" { // A ROI may be negative.
		config.Min = new(data.ConfFloat64(0))
	}
	switch f.Aspect {
	case schema.Before:
		called = withWords(called, r.Language.Words().Before[r.Earlier.Name])
	case schema.Margin:
		called = withWords(called, r.Language.Words().Margin)
		config.Description = r.Language.Words().MarginIs
	case schema.Difference:
		called += " ±"
		config.Min, config.Max = nil, nil
		if config.Unit == "percentunit" || config.Unit == "percent" {
			config.Unit, config.Decimals = "", nil
		}
	case schema.Change:
		config = &data.FieldConfig{Unit: "percentunit"}
		if called += " ± %"; f.Name == schema.Change {
			called = r.Language.Words().Change
		}
	}
	config.DisplayNameFromDS = called
	return config
}

func (r *Grouping) series(n *numbers, groups []*result, of []schema.Figure, values func(g *result, at int) []*float64) (fields []*data.Field) {
	for _, g := range groups {
		for at, f := range of {
			if v := values(g, at); v != nil {
				fields = append(fields, r.seriesField(n, g.group, f, len(of) == 1, v))
			}
		}
	}
	return fields
}

// seriesField is called by the labels of its group, or the figure and the period that it covers; of several figures, by both. Groups of
// rows and API names have no period, which changes: overrides and a Stat's option Fields contain these names.
func (r *Grouping) seriesField(n *numbers, of *group, f schema.Figure, isOnly bool, values []*float64) *data.Field {
	field := data.NewField(f.Name, r.labels(of), values)
	field.Config = r.figureConfig(f)
	field.Config.Links = r.groupLinks(of)
	called := &field.Config.DisplayNameFromDS
	if r.isOfWorkspace() {
		*called = r.covering(*called, f)
	}
	switch group := r.groupName(of, n.automations); {
	case len(of.labels) > 0 && isOnly:
		*called = group
	case len(of.labels) > 0:
		*called = group + ": " + *called
	}
	if len(of.labels) == 1 && isOnly {
		if f := r.DataSet.Field(r.GroupBy[0]); f != nil && f.Colors[of.labels[0]] != "" {
			field.Config.Color = map[string]any{"mode": "fixed", "fixedColor": f.Colors[of.labels[0]]}
		}
	}
	return field
}

func (r *Grouping) isOfWorkspace() bool {
	return !slices.ContainsFunc(r.GroupBy, func(label string) bool { return r.DataSet.Field(label) == nil || !r.DataSet.Field(label).Workspace })
}

func (r *Grouping) covering(called string, f schema.Figure) string {
	if r.Language == schema.API || f.Aspect != "" || r.described(f.Measure).IsAboutNow() {
		return called
	}
	return withWords(called, r.Covers)
}
