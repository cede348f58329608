package frame

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/insights/insights-reporting-datasource/datasets"
)

// cellValue is the value of a row in a cell.
type cellValue struct {
	cell          int
	value, weight float64
}

// ofSorted returns measures that follow from the values in a cell, in ascending order, of equal ones the largest weight
// first. ok is false for null.
func ofSorted(of bindColumn, result func(sorted []cellValue) (value float64, ok bool)) measureFactory {
	return func(r *Request, described *datasets.Measure) *measure {
		valueOf := of(r)
		return &measure{described: described, values: func(ctx context.Context, rows []int, in *cells) []*float64 {
			given := cellValues(ctx, rows, valueOf, in)
			slices.SortFunc(given, orEqual(ctx, func(a, b cellValue) int {
				return cmp.Or(cmp.Compare(a.cell, b.cell), cmp.Compare(a.value, b.value), cmp.Compare(b.weight, a.weight))
			}))
			return nullable(in.number, func(cell int) (float64, bool) {
				n := 0
				for n < len(given) && given[n].cell == cell {
					n++
				}
				of := given[:n]
				given = given[n:]
				return result(of)
			})
		}}
	}
}

func cellValues(ctx context.Context, rows []int, valueOf rowValue, in *cells) []cellValue {
	given := make([]cellValue, 0, len(rows))
	for n, row := range each(ctx, rows) {
		if value, weight, ok := valueOf(row); ok {
			given = append(given, cellValue{in.of(n, row), value, weight})
		}
	}
	return given
}

// quantile returns measures that compute a quantile, from 0 to 1, of the values in a cell.
func quantile(of bindColumn, q float64) measureFactory {
	return ofSorted(of, func(sorted []cellValue) (float64, bool) { return interpolated(sorted, q) })
}

// interpolated computes the quantile like Prometheus, by linear interpolation between the two nearest values.
func interpolated(sorted []cellValue, q float64) (value float64, ok bool) {
	if len(sorted) == 0 {
		return 0, false
	}
	below, rest := math.Modf(q * float64(len(sorted)-1))
	low := sorted[int(below)].value
	high := sorted[min(int(below)+1, len(sorted)-1)].value
	return low + rest*(high-low), true
}

// longestGap returns the largest difference of two consecutive values, if there are enough to tell what is usual.
func longestGap(sorted []cellValue) (longest float64, ok bool) {
	for n := 1; n < len(sorted); n++ {
		longest = max(longest, sorted[n].value-sorted[n-1].value)
	}
	return longest, len(sorted) >= fewest
}

// failuresSince returns how many tasks failed since the last one that succeeded. The values are their ends, and each
// failure has a weight.
func failuresSince(sorted []cellValue) (failures float64, ok bool) {
	for _, task := range slices.Backward(sorted) {
		if task.weight == 0 {
			break
		}
		failures++
	}
	return failures, true
}
