package frame

import (
	"context"
	"slices"
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
)

// cells are the units that a measure has a value for: groups, each over the whole range, or the buckets of one group.
type cells struct {
	number int
	parts  []int32         // groups: the cell of each row
	at     *columns.Column // buckets: the time that determines the bucket of a row
	starts []int64         // buckets: nanoseconds, ascending
}

// bucketCells returns the buckets of a series. The first one contains the start of the time range and every row before
// the second.
func bucketCells(at *columns.Column, starts []time.Time) *cells {
	c := &cells{number: len(starts), at: at, starts: make([]int64, len(starts))}
	for i, t := range starts {
		c.starts[i] = t.UnixNano()
	}
	return c
}

// of returns the cell of a row, which is the n-th of its rows.
func (c *cells) of(n, row int) int {
	if c.parts != nil {
		return int(c.parts[n])
	}
	i, exact := slices.BinarySearch(c.starts, c.at.Times[row])
	if exact {
		return i
	}
	return max(0, i-1)
}

// partition returns the rows of each part, in one shared backing array.
func partition(ctx context.Context, rows []int, parts []int32, number int) [][]int {
	sizes := make([]int, number)
	for _, part := range parts {
		sizes[part]++
	}
	left := make([]int, len(rows))
	out := make([][]int, number)
	for part, size := range sizes {
		out[part], left = left[:0:size], left[size:]
	}
	for n, row := range each(ctx, rows) {
		out[parts[n]] = append(out[parts[n]], row)
	}
	return out
}
