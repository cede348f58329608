package frame

import (
	"cmp"
	"context"

	"github.com/insights/insights-reporting-datasource/datasets"
)

// leastForGap is the number of tasks from which a longest gap says what is usual.
const leastForGap = 5

// gapMax measures the longest time, in seconds, between the creations of two consecutive tasks of each cell.
func gapMax(r *Request, described *datasets.Measure) *measure {
	created := age("dateCreation")(r)
	return &measure{described: described, values: func(ctx context.Context, rows []int, in *cells) ([]*float64, error) {
		ages, err := cellValues(ctx, rows, created, in)
		if err != nil {
			return nil, err
		}
		err = sortAnyUntil(ctx, ages, func(a, b cellValue) int {
			return cmp.Or(cmp.Compare(a.cell, b.cell), cmp.Compare(a.value, b.value))
		})
		return longestGaps(ages, in.number), err
	}}
}

func longestGaps(sorted []cellValue, cells int) []*float64 {
	out := make([]*float64, cells)
	for len(sorted) > 0 {
		cell, n, longest := sorted[0].cell, 1, 0.0
		for ; n < len(sorted) && sorted[n].cell == cell; n++ {
			longest = max(longest, sorted[n].value-sorted[n-1].value)
		}
		if n >= leastForGap {
			out[cell] = &longest
		}
		sorted = sorted[n:]
	}
	return out
}
