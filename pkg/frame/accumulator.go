package frame

import (
	"context"
	"slices"

	"github.com/insights/insights-reporting-datasource/datasets"
)

// accumulator combines the values of the rows in a cell, one after the other.
type accumulator struct {
	rows, given   int
	value, weight float64
	least, most   float64
}

func (a *accumulator) add(value, weight float64) {
	if a.given == 0 {
		a.least, a.most = value, value
	}
	a.given++
	a.value += value
	a.weight += weight
	a.least, a.most = min(a.least, value), max(a.most, value)
}

// fold is what a measure takes of the values. ok is false for null.
type fold func(a *accumulator) (value float64, ok bool)

func sum(a *accumulator) (float64, bool) { return a.value, true }

func largest(a *accumulator) (float64, bool) { return a.most, true }

func least(a *accumulator) (float64, bool) { return a.least, true }

// ratio is Σ value ÷ Σ weight: a mean, where each weight is 1.
func ratio(a *accumulator) (float64, bool) { return a.value / a.weight, a.weight != 0 }

// result returns the value; ok is false for null. Without rows, counts and sums are 0. If no row has a value, the
// result is null, because unreported items are not 0 items.
func (a *accumulator) result(f fold, m *datasets.Measure) (value float64, ok bool) {
	switch {
	case a.rows == 0 && m.Empty == "zero":
		return 0, true
	case a.given == 0:
		return 0, false
	default:
		return f(a)
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
					a.add(value, weight)
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
