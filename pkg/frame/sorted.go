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
	cell  int
	value float64
}

// ofSorted returns measures that follow from the values in a cell, in ascending order. ok is false for null.
func ofSorted(of bindColumn, result func(sorted []cellValue) (value float64, ok bool)) measureFactory {
	return func(r *Request, described *datasets.Measure) *measure {
		valueOf := of(r)
		return &measure{described: described, values: func(ctx context.Context, rows []int, in *cells) []*float64 {
			given := cellValues(ctx, rows, valueOf, in)
			slices.SortFunc(given, orEqual(ctx, func(a, b cellValue) int {
				return cmp.Or(cmp.Compare(a.cell, b.cell), cmp.Compare(a.value, b.value))
			}))
			return nullable(in.number, func(cell int) (float64, bool) {
				n := 0
				for n < len(given) && given[n].cell == cell {
					n++
				}
				if n == 0 {
					return 0, false
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
		if value, _, ok := valueOf(row); ok {
			given = append(given, cellValue{in.of(n, row), value})
		}
	}
	return given
}

// quantile returns measures that compute a quantile, from 0 to 1, of the values in a cell.
func quantile(of bindColumn, q float64) measureFactory {
	return ofSorted(of, func(sorted []cellValue) (float64, bool) { return interpolated(sorted, q), true })
}

// interpolated computes the quantile like Prometheus, by linear interpolation between the two nearest values.
func interpolated(sorted []cellValue, q float64) float64 {
	below, rest := math.Modf(q * float64(len(sorted)-1))
	low := sorted[int(below)].value
	high := sorted[min(int(below)+1, len(sorted)-1)].value
	return low + rest*(high-low)
}

// longestGap returns the largest difference of two consecutive values, if there are enough to tell what is usual.
func longestGap(sorted []cellValue) (longest float64, ok bool) {
	for n := 1; n < len(sorted); n++ {
		longest = max(longest, sorted[n].value-sorted[n-1].value)
	}
	return longest, len(sorted) >= fewest
}
