package frame_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/filter"
	"github.com/insights/insights-reporting-datasource/schema"
)

// benchRows is the default of Max rows.
const benchRows = 100_000

// BenchmarkFilter measures filters over a read of maximum size: with distinct labels, and with a hundred.
func BenchmarkFilter(b *testing.B) {
	distinct, few := manyTasks(benchRows), labelledTasks(100, benchRows, time.Hour)
	var values []string
	for i := range 5000 {
		values = append(values, fmt.Sprintf("Automation %d", i*3))
	}
	ids := make([]string, 5000)
	for i := range ids {
		ids[i] = fmt.Sprint(i * 7)
	}
	for _, test := range []struct {
		name      string
		few       bool
		key       string
		operator  string
		values    []string
		wantsRows int
	}{
		{"one of 5000 texts", false, "activityLabel", "=|", values, 5000},
		{"one of 5000 ids", false, "id", "=|", ids, 5000},
		{"one text", false, "activityLabel", "=", values[:1], 1},
		{"pattern, distinct texts", false, "activityLabel", "=~", of("Automation [0-9]*7"), 10_000},
		{"pattern, few texts", true, "activityLabel", "=~", of("automation 00[0-9]*7"), 10_000},
		{"list of 500, distinct texts", false, "activityLabel", "=~", of(variable(values[:500])), 500},
	} {
		b.Run(test.name, func(b *testing.B) {
			r := request("tasks", distinct)
			if test.few {
				r.Rows = few
			}
			r.From, r.To, r.Columns = time.Time{}, time.Time{}, []string{"id"}
			r.Filters = []*filter.Filter{where(b, test.key, test.operator, test.values...)}
			b.ReportAllocs()
			for b.Loop() {
				f, err := makeTable(b.Context(), r)
				require.NoError(b, err)
				require.Equal(b, test.wantsRows, f.Rows())
			}
		})
	}
}

// BenchmarkSearch measures a search as in every panel of a dashboard.
func BenchmarkSearch(b *testing.B) {
	r := request("tasks", labelledTasks(100, benchRows, time.Hour))
	r.From, r.To, r.Columns, r.Contains = time.Time{}, time.Time{}, []string{"id"}, "ION 007"
	b.ReportAllocs()
	for b.Loop() {
		f, err := makeTable(b.Context(), r)
		require.NoError(b, err)
		require.Equal(b, 10_000, f.Rows())
	}
}

// BenchmarkThousandSeries requests ten million points.
func BenchmarkThousandSeries(b *testing.B) {
	r := overTime(labelledTasks(1000, benchRows, 10_000*time.Minute), now.Add(-10_000*time.Minute), now, time.Minute)
	r.GroupBy = []string{"activityLabel"}
	b.ReportAllocs()
	for b.Loop() {
		_, err := makeTimeSeries(b.Context(), r)
		require.NoError(b, err)
	}
}

// BenchmarkNumber measures a stat panel: over all rows, by a hundred labels, and by distinct labels.
func BenchmarkNumber(b *testing.B) {
	few := labelledTasks(100, benchRows, time.Hour)
	for _, test := range []struct {
		name, measure string
		distinct      bool
		groupBy       []string
	}{
		{"tasks", "tasks", false, nil},
		{"success rate of 100 groups", "successRate", false, []string{"activityLabel"}},
		{"tasks of 100 groups by two labels", "tasks", false, []string{"activityLabel", "state"}},
		{"tasks of 100000 groups", "tasks", true, []string{"activityLabel"}},
	} {
		b.Run(test.name, func(b *testing.B) {
			r := request("tasks", few)
			if test.distinct {
				r.Rows = manyTasks(benchRows)
			}
			r.From, r.To, r.Measure, r.GroupBy = time.Time{}, time.Time{}, test.measure, test.groupBy
			b.ReportAllocs()
			for b.Loop() {
				_, err := makeNumeric(b.Context(), r)
				require.NoError(b, err)
			}
		})
	}
}

// BenchmarkMeasures measures the more expensive measures, each over two hundred thousand cells.
func BenchmarkMeasures(b *testing.B) {
	rows := waitingTasks(benchRows)
	label := rows.Column("activityLabel")
	for i := range label.Strings {
		label.Strings[i], label.Valid[i] = fmt.Sprint(i%200), true
	}
	for _, measure := range []string{"queueTime", "queueTimeP95", "concurrency", "occupancy"} {
		b.Run(measure, func(b *testing.B) {
			r := overTime(rows, now.Add(-1000*time.Minute), now, time.Minute)
			r.Measure, r.TimeField, r.GroupBy = measure, "dateStartRunning", []string{"activityLabel"}
			b.ReportAllocs()
			for b.Loop() {
				_, err := makeTimeSeries(b.Context(), r)
				require.NoError(b, err)
			}
		})
	}
}

// BenchmarkSlowTasks measures the table of a dashboard that filters and sorts by a derived field, and shows it.
func BenchmarkSlowTasks(b *testing.B) {
	r := request("tasks", labelledTasks(100, benchRows, time.Hour))
	r.From, r.To, r.Columns = time.Time{}, time.Time{}, []string{"id", "usualDuration", "slowness"}
	r.Filters = []*filter.Filter{where(b, "slowness", ">", "1")}
	r.Sort = &schema.Sort{Field: "slowness", Order: "desc"}
	b.ReportAllocs()
	for b.Loop() {
		_, err := makeTable(b.Context(), r)
		require.NoError(b, err)
	}
}
