package frame

import (
	"context"
	"slices"

	"github.com/insights/insights-reporting-datasource/datasets"
)

// fold combines the values of rows one after the other.
type fold struct {
	add    func(a *accumulator, value, weight float64)
	result func(a *accumulator) (value float64, ok bool)
}

var (
	sum     = fold{addUp, total}    // Σ value
	ratio   = fold{addUp, quotient} // Σ value ÷ Σ weight: a mean, where each weight is 1
	largest = fold{keepLargest, total}
	least   = fold{keepLeast, total}
)

// accumulator is the folded value of a cell.
type accumulator struct {
	rows, given   int
	value, weight float64
}

func addUp(a *accumulator, value, weight float64) {
	a.value += value
	a.weight += weight
}

func keepLargest(a *accumulator, value, _ float64) {
	if a.given == 1 || value > a.value {
		a.value = value
	}
}

func keepLeast(a *accumulator, value, _ float64) {
	if a.given == 1 || value < a.value {
		a.value = value
	}
}

func total(a *accumulator) (float64, bool) { return a.value, true }

func quotient(a *accumulator) (float64, bool) { return a.value / a.weight, a.weight != 0 }

// result returns the value; ok is false for null. Without rows, counts and sums are 0. If no row has a value, the
// result is null, because unreported items are not 0 items.
func (a *accumulator) result(f fold, m *datasets.Measure) (value float64, ok bool) {
	switch {
	case a.rows == 0 && m.Empty == "zero":
		return 0, true
	case a.given == 0:
		return 0, false
	default:
		return f.result(a)
	}
}

// accumulated returns measures of rows that count in one cell each and are folded there.
func accumulated(of bindColumn, f fold) measureFactory {
	return func(r *Request, described *datasets.Measure) *measure {
		valueOf := of(r)
		var accumulators []accumulator // reused for each group
		return &measure{described: described, values: func(ctx context.Context, rows []int, in *cells) []*float64 {
			accumulators = slices.Grow(accumulators[:0], in.number)[:in.number]
			clear(accumulators)
			for n, row := range each(ctx, rows) {
				a := &accumulators[in.of(n, row)]
				a.rows++
				if value, weight, ok := valueOf(row); ok {
					a.given++
					f.add(a, value, weight)
				}
			}
			return nullable(in.number, func(i int) (float64, bool) { return accumulators[i].result(f, described) })
		}}
	}
}

// nullable returns n numbers, computed in order, nil where ok is false. They are in one backing array, because a million
// single ones take twice the memory.
func nullable(n int, of func(i int) (value float64, ok bool)) []*float64 {
	values, out := make([]float64, n), make([]*float64, n)
	for i := range out {
		var ok bool
		if values[i], ok = of(i); ok {
			out[i] = &values[i]
		}
	}
	return out
}
