package frame_test

import (
	"context"
	"testing"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/frame"
	"github.com/insights/insights-reporting-datasource/schema"
)

// builder builds a frame from a request.
type builder = func(context.Context, *frame.Request) (*data.Frame, error)

// formats are the builders by format of the saved query.
var formats = map[string]builder{
	"table": frame.Table, "numeric": frame.Numeric, "timeseries": frame.TimeSeries,
}

// request returns a request that is valid in any format: the first measure, over the six hours up to now.
func request(set string, rows *columns.Table) *frame.Request {
	d := schema.All().Get(set)
	r := &frame.Request{
		DataSet: d, Rows: rows, Measure: d.Measures()[0].Name, Scale: frame.ScaleAuto, Now: now,
		Interval: time.Hour,
	}
	if d.HasTimes() {
		r.From, r.To, r.TimeField = now.Add(-6*time.Hour), now, "dateCreation"
	}
	return r
}

// long builds numeric-long.
func long(ctx context.Context, r *frame.Request) (*data.Frame, error) {
	r.Long = true
	return frame.Numeric(ctx, r)
}

// timeline builds the first lane of a timeline.
func timeline(ctx context.Context, r *frame.Request) (*data.Frame, error) {
	r.State = "activityLabel"
	frames, err := frame.Timeline(ctx, r)
	if err != nil {
		return nil, err
	}
	return frames[0], nil
}

// mustMake builds a frame from a valid request.
func mustMake(t testing.TB, make builder, r *frame.Request) *data.Frame {
	t.Helper()
	f, err := make(t.Context(), r)
	require.NoError(t, err)
	return f
}

// filter returns a valid filter.
func filter(t testing.TB, key, operator string, values ...string) *frame.Filter {
	t.Helper()
	f, err := frame.NewFilter(key, operator, values)
	require.NoError(t, err)
	return f
}
