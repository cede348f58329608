package frame

import (
	"context"
	"fmt"
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

// TimeSeries is the format of type timeseries-wide, version 0.1: ascending times, then a number field for each group with
// its labels (https://grafana.com/developers/dataplane/timeseries). Without any group it has no fields.
type TimeSeries struct {
	Grouping
	Interval time.Duration // width of a bucket, positive
	Per      period.Unit   // calendar unit of a bucket; empty: Interval
}

// Frame builds the frame. Errors are inputerror.Err, or the cause of a context that ended.
func (r *TimeSeries) Frame(ctx context.Context) (*data.Frame, error) {
	if r.Differences != nil {
		return r.Differences.line(ctx, r)
	}
	r.resolveRates()
	m, err := r.measured(ctx)
	if err != nil {
		return nil, err
	}
	frame, groups := r.lines(m)
	if len(groups) == 0 {
		return finished(ctx, frame)
	}
	starts, width, notices := r.buckets(len(groups))
	frame.AppendNotices(notices...)
	frame.Fields = append(frame.Fields, timeField(starts, width))
	r.series(ctx, frame, m, groups, starts)
	return finished(ctx, frame)
}

// lines returns a frame of type timeseries-wide without fields, and the groups that it has lines for.
func (r *TimeSeries) lines(m *measured) (*data.Frame, []*group) {
	frame := newFrame(r.DataSet.Name, data.FrameTypeTimeSeriesWide, data.VisTypeGraph)
	groups, notices := r.cut(m.groups, "series")
	frame.AppendNotices(append(m.notices, notices...)...)
	return frame, groups
}

// buckets returns the starts of the buckets that this number of groups can have, with a notice if they differ from the
// requested ones.
func (r *TimeSeries) buckets(groups int) (starts []time.Time, width time.Duration, notices []data.Notice) {
	if r.Earlier != nil {
		groups *= 2
	}
	most := int64(min(maxPoints, maxCells/groups))
	var requested, used string
	if r.Per == "" {
		width = period.Width(r.From, r.To, r.Interval, most)
		starts = period.Buckets(r.From, r.To, width, r.Zone)
		requested, used = "the interval "+r.Interval.String(), "the interval "+width.String()
	} else {
		unit := r.Per.Fitting(r.From, r.To, most)
		starts, width = unit.Starts(r.From, r.To, r.Zone), unit.Shortest()
		requested, used = "per "+string(r.Per), "per "+string(unit)
	}
	if used == requested {
		return starts, width, nil
	}
	text := fmt.Sprintf("%s would produce more than %d points in each series, so %s is used: select a shorter time range, a longer interval, or fewer series (groupBy, limit)",
		requested, most, used)
	return starts, width, []data.Notice{{Severity: data.NoticeSeverityWarning, Text: text}}
}

// series adds the lines of the groups and, dashed, the lines of the earlier period in the buckets of the time range.
func (r *TimeSeries) series(ctx context.Context, frame *data.Frame, m *measured, groups []*group, starts []time.Time) {
	valuesOf := r.bucketed(m, starts)
	for _, g := range groups {
		if ctx.Err() != nil {
			return
		}
		frame.Fields = append(frame.Fields, r.seriesField(m, g, valuesOf(g)))
	}
	if m.before == nil {
		return
	}
	cells := align(r.Earlier, starts, r.To)
	known := knownBuckets(r.Earlier, cells, m.knownSince)
	if !slices.Contains(known, true) {
		return // In a legend, the total of a line of nulls would be 0.
	}
	valuesOf = r.bucketed(m.before, cells)
	for _, g := range groups {
		frame.Fields = append(frame.Fields, r.beforeField(m, g, pick(valuesOf(g), known)))
	}
}

// bucketed computes the values of each group in the buckets with these starts.
func (r *Grouping) bucketed(m *measured, starts []time.Time) func(*group) []*float64 {
	rows := partition(m.rows, m.parts, len(m.groups))
	in := bucketCells(r.Rows.Column(r.TimeField), starts)
	return func(g *group) []*float64 { return m.measure.values(rows[g.number], in) }
}

// timeField holds the starts of buckets. Grafana treats anything longer than its interval as a gap in a line.
func timeField(starts []time.Time, width time.Duration) *data.Field {
	field := data.NewField("time", nil, starts)
	field.Config = &data.FieldConfig{Interval: float64(spacing(starts, width).Milliseconds())}
	return field
}

func (r *Grouping) seriesField(m *measured, of *group, values []*float64) *data.Field {
	field := data.NewField(r.Measure, r.labels(of), values)
	field.Config = r.seriesConfig(m, of)
	return field
}

func (r *Grouping) labels(of *group) data.Labels {
	if len(r.GroupBy) == 0 {
		return nil
	}
	labels := data.Labels{}
	for i, name := range r.GroupBy {
		labels[name] = of.labels[i]
	}
	return labels
}

// seriesConfig names the series in the legend after its labels, and colors states. Without a display name, Grafana
// would number the first of two lines.
func (r *Grouping) seriesConfig(m *measured, of *group) *data.FieldConfig {
	config := r.measureConfig(m.measure.described)
	config.DisplayNameFromDS, config.Links = r.nameWithPeriod(m, of), r.groupLinks(of)
	if len(of.labels) != 1 {
		return config
	}
	if f := r.DataSet.Field(r.GroupBy[0]); f != nil && f.Colors[of.labels[0]] != "" {
		config.Color = map[string]any{"mode": "fixed", "fixedColor": f.Colors[of.labels[0]]}
	}
	return config
}

// spacing returns the longest time between two starts.
func spacing(starts []time.Time, otherwise time.Duration) time.Duration {
	if len(starts) < 2 {
		return otherwise
	}
	var longest time.Duration
	for i, t := range starts[1:] {
		longest = max(longest, t.Sub(starts[i]))
	}
	return longest
}
