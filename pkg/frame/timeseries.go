package frame

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"

	"github.com/insights/insights-reporting-datasource/datasets"
)

// maxCells bounds series × points of a timeseries: about 20 MB here, as much again on its way to Grafana, and more
// values than a screen has pixels across for a thousand lines.
const maxCells = 1_000_000

// TimeSeries makes a frame of type timeseries-wide, version 0.1: time, ascending, then a number field for each group
// with its labels (https://grafana.com/developers/dataplane/timeseries). With no group at all it has no fields.
// Errors are ErrInput, or why the context ended.
func TimeSeries(ctx context.Context, r *Request) (*data.Frame, error) {
	if !r.DataSet.HasHistory() {
		return nil, NoHistoryError(r.DataSet)
	}
	if r.From.Before(earliest) || r.To.After(latest) {
		return nil, InputErrorf("the time range from %s to %s is too long for a timeseries: choose one between %s and %s",
			r.From.UTC().Format(time.RFC3339), r.To.UTC().Format(time.RFC3339), earliest.Format(time.DateOnly), latest.Format(time.DateOnly))
	}
	frame := data.NewFrame(r.DataSet.Name)
	frame.Meta = &data.FrameMeta{
		Type: data.FrameTypeTimeSeriesWide, TypeVersion: data.FrameTypeVersion{0, 1}, PreferredVisualization: data.VisTypeGraph,
	}
	groups, err := r.measured(ctx, true)
	if err != nil {
		return nil, err
	}
	groups, notices := r.cut(groups, "series")
	frame.AppendNotices(notices...)
	if len(groups) == 0 {
		return frame, nil
	}
	width, notices := r.width(len(groups))
	frame.AppendNotices(notices...)
	starts := buckets(r.From, r.To, width, r.Location)
	timeField := data.NewField("time", nil, starts)
	timeField.Config = &data.FieldConfig{Interval: float64(width.Milliseconds())}
	frame.Fields = append(frame.Fields, timeField)
	if err := r.series(ctx, frame, groups, starts); err != nil {
		return nil, err
	}
	return frame, nil
}

// width returns the width of the buckets that so many series can have, with a notice where it is not the interval.
func (r *Request) width(series int) (time.Duration, []data.Notice) {
	most := int64(min(maxPoints, maxCells/series))
	width, widened := bucketWidth(r.From, r.To, r.Interval, most)
	if !widened {
		return width, nil
	}
	text := fmt.Sprintf("the interval %s would make more than %d points, so %s is used: ask for a shorter range or a longer interval",
		r.Interval, maxPoints, width)
	if most < maxPoints {
		text = fmt.Sprintf("%d series by the interval %s are more than %d cells, so %s is used: ask for a shorter range, longer interval or fewer series (groupBy, limit)",
			series, r.Interval, maxCells, width)
	}
	return width, []data.Notice{{Severity: data.NoticeSeverityWarning, Text: text}}
}

// NoHistoryError says that a data set has no timeseries, and the way out.
func NoHistoryError(set *datasets.DataSet) error {
	return InputErrorf("data set %s has no timeseries: the service gives its sums up to now, without history. Use data set tasks, or keep the number with a Grafana recording rule",
		set.Name)
}

func (r *Request) series(ctx context.Context, frame *data.Frame, groups []*group, starts []time.Time) error {
	c, err := r.timeColumn()
	if err != nil {
		return err
	}
	g, how, err := r.gauge()
	if err != nil {
		return err
	}
	edges := make([]int64, len(starts))
	for i, t := range starts {
		edges[i] = t.UnixNano()
	}
	m := r.DataSet.Measure(r.Measure)
	tallies := make([]tally, len(starts))
	for _, of := range groups {
		clear(tallies)
		for n, row := range of.rows {
			if err := look(ctx, n); err != nil {
				return err
			}
			if b := bucketOf(edges, c.Times[row]); b >= 0 {
				value, weight, ok := g(row)
				tallies[b].add(how, value, weight, ok)
			}
		}
		field := data.NewField(r.Measure, r.labels(of), results(tallies, how, m))
		field.Config = r.seriesConfig(m, of)
		frame.Fields = append(frame.Fields, field)
	}
	return look(ctx, 0)
}

// results are the values of a series. They lie side by side, since a million single ones take twice the memory.
func results(tallies []tally, how reduction, m *datasets.Measure) []*float64 {
	values := make([]float64, len(tallies))
	out := make([]*float64, len(tallies))
	for i := range tallies {
		var ok bool
		if values[i], ok = tallies[i].result(how, m); ok {
			out[i] = &values[i]
		}
	}
	return out
}

func (r *Request) labels(of *group) data.Labels {
	if len(r.GroupBy) == 0 {
		return nil
	}
	labels := data.Labels{}
	for i, name := range r.GroupBy {
		labels[name] = of.labels[i]
	}
	return labels
}

// seriesConfig names the series in the legend after its values, and colours a state as states are.
func (r *Request) seriesConfig(m *datasets.Measure, of *group) *data.FieldConfig {
	config := measureConfig(m, ScaleAuto)
	if len(of.labels) == 0 {
		return config
	}
	names := make([]string, len(of.labels))
	for i, label := range of.labels {
		names[i] = label
		if label == "" {
			names[i] = "(none)"
		}
	}
	config.DisplayNameFromDS = strings.Join(names, ", ")
	if f := r.DataSet.Field(r.GroupBy[0]); len(of.labels) == 1 && f != nil && f.Colors[of.labels[0]] != "" {
		config.Color = map[string]any{"mode": "fixed", "fixedColor": f.Colors[of.labels[0]]}
	}
	return config
}
