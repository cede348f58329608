package frame_test

import (
	"testing"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
)

const day = 24 * time.Hour

// created returns tasks of which only the creation dates matter.
func created(dates ...time.Time) *columns.Table {
	rows := make([]task, len(dates))
	for i, at := range dates {
		rows[i].dateCreation = ptr(at)
	}
	return tasksTable(rows)
}

// overTime requests the number of tasks created in each bucket of a range.
func overTime(rows *columns.Table, from, to time.Time, interval time.Duration) *spec {
	r := request("tasks", rows)
	r.From, r.To, r.Interval = from, to, interval
	return r
}

// begins returns the starts of the buckets as sent to Grafana.
func begins(t testing.TB, f *data.Frame) []time.Time {
	t.Helper()
	field := sent(t, f).Fields[0]
	out := make([]time.Time, field.Len())
	for i := range out {
		out[i] = field.At(i).(time.Time).UTC()
	}
	return out
}

// only returns the single series of a frame without groups.
func only(t testing.TB, f *data.Frame, measure string) line {
	t.Helper()
	lines := readTimeSeries(t, f, measure)
	require.Len(t, lines, 1)
	return lines[key(nil)]
}

func total(points line) float64 {
	n := 0.0
	for _, v := range points {
		n += *v
	}
	return n
}
