package frame

import (
	"context"
	"slices"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"

	"github.com/insights/insights-reporting-datasource/pkg/period"
)

// maxCells bounds series × points of a timeseries: about 20 MB here, as much again on the way to Grafana, and more
// values than a screen has pixels across for a thousand lines.
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

// lines are what the lines of groups are made of.
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
	valuesOf := func(lines []line, unknown int) func(*result, int) []*float64 {
		return func(g *result, at int) []*float64 {
			if ctx.Err() != nil || lines[at] == nil {
				return nil
			}
			values := lines[at](g.labels)
			clear(values[:unknown])
			return values
		}
	}
	now, before := r.series(n, groups, r.measures(), valuesOf(l.values, unknown)), r.series(n, groups, r.measures(), valuesOf(l.before, 0))
	for _, field := range before {
		r.markBefore(field)
	}
	frame.Fields = slices.Concat([]*data.Field{l.timeField()}, now, before)
	frame.AppendNotices(n.said()...)
	return finished(ctx, &r.Selection, frame)
}

// lines have a point for each bucket.
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
	var requested, used string
	if r.Per == "" {
		l.width = period.Width(r.From, r.To, r.Interval, most)
		l.starts = period.Buckets(r.From, r.To, l.width, r.Zone)
		requested, used = "the interval "+r.Interval.String(), "the interval "+l.width.String()
	} else {
		unit := r.Per.Fitting(r.From, r.To, most)
		l.starts, l.width = unit.Starts(r.From, r.To, r.Zone), unit.Shortest()
		requested, used = "per "+string(r.Per), "per "+string(unit)
	}
	if used != requested {
		l.notices = notice(data.NoticeSeverityWarning, "%s would produce more than %d points in each series, so %s is used: select a shorter time range, a longer interval, or fewer series (groupBy, limit)",
			requested, most, used)
	}
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

// markBefore makes a line the second, dashed one of its group. Grafana distinguishes series by labels alone.
func (r *Grouping) markBefore(field *data.Field) {
	field.Labels = field.Labels.Copy()
	field.Labels["compare"] = r.Earlier.Name
	field.Config.DisplayNameFromDS = withWords(field.Config.DisplayNameFromDS, r.Language.Words().Before[r.Earlier.Name])
	field.Config.Custom = map[string]any{"lineStyle": map[string]any{"fill": "dash", "dash": []int{10, 10}}}
}
