package frame

import (
	"errors"
	"math"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
)

// ErrNotYet reports that the rows of an unfinished read are not sufficient for the request.
var ErrNotYet = errors.New("the rows that have been read so far do not tell")

// knownAfter returns the time in nanoseconds after which no further row can follow, for the first rows of an unfinished
// read whose time is descending. It returns ErrNotYet if it is not, or if a row that was created earlier may count
// later.
func (r *Request) knownAfter() (int64, error) {
	if !r.Partial {
		return math.MinInt64, nil
	}
	if r.TimeField != r.DataSet.TimeFields[0] || FollowsRuns(r.Measure) {
		return 0, ErrNotYet
	}
	times, err := r.timeColumn()
	if err != nil {
		return 0, err
	}
	if !descends(times) {
		return 0, ErrNotYet
	}
	return times.Times[len(times.Times)-1], nil
}

// descends reports whether the times of a column are descending, without nulls, and not all equal.
func descends(c *columns.Column) bool {
	for row, valid := range c.Valid {
		if !valid || row > 0 && c.Times[row] > c.Times[row-1] {
			return false
		}
	}
	last := len(c.Times) - 1
	return last > 0 && c.Times[last] < c.Times[0]
}

// forget sets the values of buckets that may lack rows to null.
func forget(values []*float64, starts []int64, after int64) {
	for i, start := range starts {
		if start <= after {
			values[i] = nil
		}
	}
}
