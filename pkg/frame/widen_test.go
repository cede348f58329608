package frame_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/frame"
	"github.com/insights/insights-reporting-datasource/pkg/inputerror"
)

const mostPoints = 11_000

func TestIntervalIsWidenedWhereItMakesTooManyPoints(t *testing.T) {
	tests := []struct {
		span, interval time.Duration
		widened        bool
	}{
		{time.Hour, time.Second, false},
		{3 * time.Hour, time.Second, false},
		{10_998 * time.Second, time.Second, false},
		{11_001 * time.Second, time.Second, true},
		{4 * time.Hour, time.Second, true},
		{time.Second, time.Nanosecond, true},
		{time.Hour, time.Millisecond, true},
		{30 * day, time.Minute, true},
		{365 * day, time.Minute, true},
		{365 * day, time.Hour, false},
		{30 * 365 * day, time.Hour, true},
		{56 * 365 * day, day, true},
	}
	for _, test := range tests {
		t.Run(fmt.Sprintf("%s by %s", test.span, test.interval), func(t *testing.T) {
			from := now.Add(-test.span)
			f := mustMake(t, frame.TimeSeries, overTime(created(from, now, now.Add(-test.span/3)), from, now, test.interval))
			at := begins(t, f)
			require.LessOrEqual(t, len(at), mostPoints)
			require.Equal(t, 3.0, total(only(t, f, "tasks")), "nothing is lost")
			width := at[1].Sub(at[0])
			require.Equal(t, float64(width.Milliseconds()), f.Fields[0].Config.Interval)
			if !test.widened {
				require.Empty(t, f.Meta.Notices)
				require.Equal(t, test.interval, width)
				return
			}
			require.Greater(t, width, test.interval)
			require.Greater(t, len(at), mostPoints/11, "not much wider than it has to be")
			require.Len(t, f.Meta.Notices, 1)
			require.Equal(t, data.NoticeSeverityWarning, f.Meta.Notices[0].Severity)
			for _, says := range []string{test.interval.String(), "11000", width.String()} {
				require.Contains(t, f.Meta.Notices[0].Text, says)
			}
		})
	}
}

// Such dates are typing errors, and would produce more points than a frame can hold, at times that it cannot represent.
func TestTimeSeriesOverCenturies(t *testing.T) {
	tests := map[string][2]time.Time{
		"all of Grafana's calendar": {time.Date(1, 1, 2, 0, 0, 0, 0, time.UTC), time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)},
		"from long ago":             {time.Date(1492, 1, 1, 0, 0, 0, 0, time.UTC), now},
		"to far away":               {now, time.Date(2300, 1, 1, 0, 0, 0, 0, time.UTC)},
	}
	for name, span := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := frame.TimeSeries(t.Context(), overTime(created(now), span[0], span[1], time.Hour))
			require.ErrorIs(t, err, inputerror.Err)
			require.ErrorContains(t, err, span[0].Format(time.RFC3339))
			require.ErrorContains(t, err, span[1].Format(time.RFC3339))
		})
	}
	f := mustMake(t, frame.TimeSeries, overTime(created(now), time.Unix(0, 0), now.AddDate(100, 0, 0), time.Hour))
	require.LessOrEqual(t, len(begins(t, f)), mostPoints)
	require.Equal(t, 1.0, total(only(t, f, "tasks")))
}

// A table or a number has no buckets: such a range just means all rows.
func TestTableAndNumericOverCenturies(t *testing.T) {
	r := overTime(created(now, now), time.Date(1, 1, 2, 0, 0, 0, 0, time.UTC), time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC), time.Hour)
	require.Equal(t, 2, mustMake(t, frame.Table, r).Rows())
	require.Equal(t, instances{key(nil): ptr(2.0)}, readNumeric(t, mustMake(t, frame.Numeric, r), "tasks"))
}
