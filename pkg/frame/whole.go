package frame

import (
	"cmp"
	"math"
	"strconv"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
)

// bound is a number that ids are compared with. Whole numbers are compared exactly: as 64-bit floats, those beyond 2^53
// would equal their neighbors.
type bound struct {
	isWhole bool
	whole   int64
	other   float64 // not whole, or beyond 64-bit integers
}

func (b bound) compare(n int64) int {
	if b.isWhole {
		return cmp.Compare(n, b.whole)
	}
	return cmp.Compare(float64(n), b.other)
}

// parseBound parses any number: 12.5 is not an id, but ids can be below it.
func parseBound(s string) (bound, error) {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return bound{isWhole: true, whole: n}, nil
	}
	n, err := parseNumber(s)
	switch {
	case n >= math.MaxInt64: // as a float, the highest ids would equal it
		return bound{other: math.Inf(1)}, err
	case n == math.Trunc(n) && n >= math.MinInt64:
		return bound{isWhole: true, whole: int64(n)}, err
	default:
		return bound{other: n}, err
	}
}

// wholeNumbers compares an integer column with numbers of any kind.
func wholeNumbers(f *Filter, c *columns.Column) (test, error) {
	bounds, err := parseValues(f, "a number", parseBound)
	if err != nil {
		return nil, err
	}
	if f.isOrdered() {
		return valueTest(f, c, []int{0}, func(i int) int { return bounds[0].compare(c.Integers[i]) }), nil
	}
	var wholes []int64
	for _, b := range bounds {
		if b.isWhole {
			wholes = append(wholes, b.whole)
		}
	}
	return valueTest(f, c, wholes, func(i int) int64 { return c.Integers[i] }), nil
}
