package frame_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/frame"
)

// The time since the last task is no gap yet, and a few tasks say nothing about what is usual.
func TestLongestGapBetweenTasks(t *testing.T) {
	for name, test := range map[string]struct {
		hoursAgo []int
		want     *float64
	}{
		"in any order":             {[]int{40, 9, 30, 31, 10, 12}, ptr(18 * 3600.0)},
		"not up to now":            {[]int{104, 103, 102, 101, 100}, ptr(3600.0)},
		"all at once":              {[]int{1, 1, 1, 1, 1}, ptr(0.0)},
		"four tasks are too few":   {[]int{1, 2, 3, 9}, nil},
		"one task has no gap":      {[]int{1}, nil},
		"five are enough for one":  {[]int{1, 2, 3, 4, 9}, ptr(5 * 3600.0)},
		"two at once are no gap":   {[]int{1, 1, 3, 4, 9}, ptr(5 * 3600.0)},
		"the first one has no gap": {[]int{500, 499, 498, 497, 496}, ptr(3600.0)},
	} {
		t.Run(name, func(t *testing.T) {
			rows := make([]task, len(test.hoursAgo))
			for i, hours := range test.hoursAgo {
				rows[i] = task{dateCreation: ptr(now.Add(-time.Duration(hours) * time.Hour))}
			}
			r := request("tasks", tasksTable(rows))
			r.Measure, r.From = "gapMax", now.AddDate(0, 0, -30)
			want := instances{}
			if test.want != nil {
				want[key(nil)] = test.want
			}
			require.Equal(t, want, readNumeric(t, mustMake(t, frame.Numeric, r), r.Measure))
		})
	}
}
