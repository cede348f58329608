package frame

import (
	"fmt"
	"strings"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
)

// TimeSeries makes a frame of type timeseries-wide, version 0.1: time, ascending, then a number field for each group
// with its labels (https://grafana.com/developers/dataplane/timeseries). With no group at all it has no fields.
// Errors are ErrInput.
func TimeSeries(r *Request) (*data.Frame, error) {
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
	groups, err := r.measured(true)
	if err != nil {
		return nil, err
	}
	groups, notices := r.cut(groups, "series")
	frame.AppendNotices(notices...)
	if len(groups) == 0 {
		return frame, nil
	}
	width, widened := bucketWidth(r.From, r.To, r.Interval)
	if widened {
		frame.AppendNotices(data.Notice{Severity: data.NoticeSeverityWarning, Text: fmt.Sprintf(
			"the interval %s would make more than %d points, so %s is used: ask for a shorter range or a longer interval", r.Interval, maxPoints, width)})
	}
	starts := buckets(r.From, r.To, width, r.Location)
	timeField := data.NewField("time", nil, starts)
	timeField.Config = &data.FieldConfig{Interval: float64(width.Milliseconds())}
	frame.Fields = append(frame.Fields, timeField)
	return frame, r.series(frame, groups, starts)
}

// NoHistoryError says that a data set has no timeseries, and the way out.
func NoHistoryError(set *datasets.DataSet) error {
	return InputErrorf("data set %s has no timeseries: the service gives its sums up to now, without history. Use data set tasks, or keep the number with a Grafana recording rule",
		set.Name)
}

func (r *Request) series(frame *data.Frame, groups []*group, starts []time.Time) error {
	c, err := r.column("time field", r.TimeField)
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
	for _, of := range groups {
		values := make([]*float64, len(starts))
		for i, t := range bucketTallies(c, edges, of.rows, g, how) {
			values[i] = t.result(how, m)
		}
		field := data.NewField(r.Measure, r.labels(of), values)
		field.Config = r.seriesConfig(m, of)
		frame.Fields = append(frame.Fields, field)
	}
	return nil
}

func bucketTallies(c *columns.Column, edges []int64, rows []int, g gauge, how reduction) []tally {
	tallies := make([]tally, len(edges))
	for _, row := range rows {
		if b := bucketOf(edges, c.Times[row]); b >= 0 {
			value, weight, ok := g(row)
			tallies[b].add(how, value, weight, ok)
		}
	}
	return tallies
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
