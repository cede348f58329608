package frame

import (
	"cmp"
	"math"
	"strconv"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
)

// integerBound is the position of a number among 64-bit integers. Ids are compared with it exactly: as 64-bit floats,
// those beyond 2^53 would equal their neighbors.
type integerBound struct {
	at   int64
	side int // 0: equal; 1: between at and the next integer; -1: below at, only for the lowest integer
}

// compare returns whether n is below (-1), at (0) or above (1) the bound.
func (b integerBound) compare(n int64) int { return cmp.Or(cmp.Compare(n, b.at), -b.side) }

// parseBound parses any number: 12.5 is not an id, but ids can be below it.
func parseBound(s string) (integerBound, error) {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return integerBound{at: n}, nil
	}
	n, err := parseNumber(s)
	floor := math.Floor(n)
	switch {
	case err != nil:
		return integerBound{}, err
	case n >= math.MaxInt64:
		return integerBound{at: math.MaxInt64, side: 1}, nil
	case n < math.MinInt64:
		return integerBound{at: math.MinInt64, side: -1}, nil
	case floor < n:
		return integerBound{at: int64(floor), side: 1}, nil
	default:
		return integerBound{at: int64(floor)}, nil
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
		if b.side == 0 {
			wholes = append(wholes, b.at)
		}
	}
	return valueTest(f, c, wholes, func(i int) int64 { return c.Integers[i] }), nil
}
