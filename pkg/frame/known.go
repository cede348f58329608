package frame

import (
	"errors"
	"math"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
)

// ErrNotYet says that the rows of a read that goes on tell nothing about what is asked for.
var ErrNotYet = errors.New("the rows that have been read so far do not tell")

// knownAfter returns the time after which no row can follow any more, in nanoseconds, where the rows are the first of a read
// that goes on, and their time falls from row to row. The error is ErrNotYet where it does not, or where a row that was
// created before may count after.
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
	if !falls(times) {
		return 0, ErrNotYet
	}
	return times.Times[len(times.Times)-1], nil
}

// falls says whether there are times, none of which is after the one before it, and not all are one.
func falls(c *columns.Column) bool {
	for row, valid := range c.Valid {
		if !valid || row > 0 && c.Times[row] > c.Times[row-1] {
			return false
		}
	}
	last := len(c.Times) - 1
	return last > 0 && c.Times[last] < c.Times[0]
}

// forget sets the values of buckets to null in which rows may be missing.
func forget(values []*float64, starts []int64, after int64) {
	for i, start := range starts {
		if start <= after {
			values[i] = nil
		}
	}
}
