package frame_test

import (
	"testing"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/schema"
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

func TestBucketsAreAlignedToTheEpochAndCoverTheRange(t *testing.T) {
	from := time.Date(2026, 11, 16, 3, 7, 41, 123e6, time.UTC)
	tests := []struct {
		interval time.Duration
		to       time.Time
	}{
		{time.Millisecond, from.Add(time.Second)},
		{7 * time.Second, from.Add(time.Hour)},
		{37 * time.Minute, from.Add(4 * day)},
		{time.Hour, from.Truncate(time.Hour).Add(6 * time.Hour)},
		{36 * time.Hour, from.Add(30 * day)},
		{7 * day, from.Add(90 * day)},
		{1000 * day, from.Add(90 * day)},
	}
	for _, test := range tests {
		t.Run(test.interval.String(), func(t *testing.T) {
			f := mustMake(t, makeTimeSeries, overTime(created(), from, test.to, test.interval))
			at := begins(t, f)
			require.NotEmpty(t, at)
			for i, begin := range at {
				require.Zero(t, begin.UnixNano()%int64(test.interval), "aligned to the epoch")
				require.Equal(t, at[0].Add(time.Duration(i)*test.interval), begin, "no gap")
			}
			require.False(t, at[0].After(from), "the first bucket holds the start of the range")
			require.True(t, at[0].Add(test.interval).After(from), "no bucket lies before the range")
			require.False(t, at[len(at)-1].After(test.to), "no bucket lies after the range")
			require.True(t, at[len(at)-1].Add(test.interval).After(test.to), "the last bucket holds the end of the range")
			require.Empty(t, f.Meta.Notices)
		})
	}
}

func TestRowsOnTheEdgesOfRangeAndBuckets(t *testing.T) {
	from := time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC)
	to := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	at := func(hour, minute int, ms time.Duration) time.Time {
		return time.Date(2026, 11, 20, hour, minute, 0, 0, time.UTC).Add(ms * time.Millisecond)
	}
	rows := created(
		at(9, 30, -1),  // before the range, although in its first bucket
		at(9, 30, 0),   // the start of the range is inclusive
		at(10, 0, -1),  // the end of a bucket
		at(10, 0, 0),   // the start of the next
		at(11, 59, 59), // inside
		at(12, 0, 0),   // the end of the range is inclusive, and starts a bucket
		at(12, 0, 1),   // after the range, although in its last bucket
	)
	points := only(t, mustMake(t, makeTimeSeries, overTime(rows, from, to, time.Hour)), "tasks")
	require.Equal(t, line{at(9, 0, 0): ptr(2.0), at(10, 0, 0): ptr(1.0), at(11, 0, 0): ptr(1.0), at(12, 0, 0): ptr(1.0)}, points)
}

// Counts and sums are 0 in an empty bucket; a share, a mean or an age has no value there.
func TestEmptyBuckets(t *testing.T) {
	rows := tasksTable([]task{{activityLabel: ptr("a"), state: ptr("RUNNING"), dateCreation: ptr(now), dateStart: ptr(now)}})
	for _, measure := range schema.All().Get("tasks").Measures() {
		want := map[string]*float64{"zero": ptr(0.0), "null": nil}[measure.Empty]
		for _, groupBy := range [][]string{nil, {"activityLabel"}} {
			r := overTime(rows, now.Add(-3*time.Hour), now, time.Hour)
			r.Measure, r.GroupBy = measure.Name, groupBy
			for _, points := range readTimeSeries(t, mustMake(t, makeTimeSeries, r), measure.Name) {
				require.Len(t, points, 4)
				require.Equal(t, want, points[now.Add(-2*time.Hour).Truncate(time.Hour)], measure.Name)
			}
		}
	}
}

// Without groups there is a line even without tasks, so that their count is 0; with groups there is no label to name a
// line with.
func TestTimeSeriesOfNoRows(t *testing.T) {
	r := overTime(created(), now.Add(-3*time.Hour), now, time.Hour)
	require.Zero(t, total(only(t, mustMake(t, makeTimeSeries, r), "tasks")))
	r.GroupBy = []string{"state"}
	f := mustMake(t, makeTimeSeries, r)
	require.Empty(t, readTimeSeries(t, f, "tasks"))
	require.Empty(t, f.Fields)
	require.Equal(t, data.FrameTypeTimeSeriesWide, f.Meta.Type)
}
