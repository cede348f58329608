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
	if a.given == 1 {
		a.value = value
	}
	a.value = max(a.value, value)
}

func keepLeast(a *accumulator, value, _ float64) {
	if a.given == 1 {
		a.value = value
	}
	a.value = min(a.value, value)
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
		return &measure{described: described, values: func(ctx context.Context, rows []int, in *cells) ([]*float64, error) {
			accumulators = slices.Grow(accumulators[:0], in.number)[:in.number]
			clear(accumulators)
			if err := addRows(ctx, rows, valueOf, f, in, accumulators); err != nil {
				return nil, err
			}
			return results(accumulators, f, described), nil
		}}
	}
}

func addRows(ctx context.Context, rows []int, valueOf rowValue, f fold, in *cells, accumulators []accumulator) error {
	add := f.add
	for n, row := range rows {
		if err := checkCanceled(ctx, n); err != nil {
			return err
		}
		a := &accumulators[in.of(n, row)]
		a.rows++
		if value, weight, ok := valueOf(row); ok {
			a.given++
			add(a, value, weight)
		}
	}
	return nil
}

// results returns the values of a series in one backing array, because a million single ones take twice the memory.
func results(accumulators []accumulator, f fold, m *datasets.Measure) []*float64 {
	values := make([]float64, len(accumulators))
	out := make([]*float64, len(accumulators))
	for i := range accumulators {
		var ok bool
		if values[i], ok = accumulators[i].result(f, m); ok {
			out[i] = &values[i]
		}
	}
	return out
}
