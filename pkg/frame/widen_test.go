package frame_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"
	"github.com/stretchr/testify/require"
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
			f := mustMake(t, makeTimeSeries, overTime(created(from, now, now.Add(-test.span/3)), from, now, test.interval))
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
