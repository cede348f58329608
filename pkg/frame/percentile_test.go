package frame_test

import (
	"testing"
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/frame"
)

// The percentile is Prometheus' own: quantile(0.95, …) of the same values.
func TestPercentileIsInterpolated(t *testing.T) {
	hundred := make([]float64, 101)
	for i := range hundred {
		hundred[i] = float64(100 - i)
	}
	tests := []struct {
		name    string
		seconds []float64
		want    *float64
	}{
		{"none", nil, nil},
		{"one", []float64{7}, ptr(7.0)},
		{"two", []float64{100, 0}, ptr(95.0)},
		{"three", []float64{30, 10, 20}, ptr(29.0)},
		{"on a value", hundred, ptr(95.0)},
		{"between the last two of twenty", []float64{20, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19}, ptr(19.05)},
		{"equal ones", []float64{5, 5, 5}, ptr(5.0)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			rows := make([]task, len(test.seconds))
			for i, seconds := range test.seconds {
				started := now.Add(time.Duration(seconds * float64(time.Second)))
				rows[i] = task{dateCreation: &now, dateStart: &started}
			}
			r := overTime(tasksTable(rows), now.Add(-time.Hour), now, 2*day)
			r.Measure = "queueTimeP95"
			points := only(t, mustMake(t, frame.TimeSeries, r), "queueTimeP95")
			requireSame(t, line{now.Truncate(2 * day): test.want}, points, test.name)
		})
	}
}
