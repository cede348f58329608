package frame

import (
	"context"
	"slices"

	"github.com/insights/insights-reporting-datasource/datasets"
)

// fold combines the values of rows one after the other.
type fold struct {
	add    func(t *tally, value, weight float64)
	result func(t *tally) (value float64, ok bool)
}

var (
	sum     = fold{addUp, total}    // Σ value
	ratio   = fold{addUp, quotient} // Σ value ÷ Σ weight: a mean, where each weight is 1
	largest = fold{keepLargest, total}
	least   = fold{keepLeast, total}
)

// tally is the folded value of a cell.
type tally struct {
	rows, given   int
	value, weight float64
}

func addUp(t *tally, value, weight float64) {
	t.value += value
	t.weight += weight
}

func keepLargest(t *tally, value, _ float64) {
	if t.given == 1 {
		t.value = value
	}
	t.value = max(t.value, value)
}

func keepLeast(t *tally, value, _ float64) {
	if t.given == 1 {
		t.value = value
	}
	t.value = min(t.value, value)
}

func total(t *tally) (float64, bool) { return t.value, true }

func quotient(t *tally) (float64, bool) { return t.value / t.weight, t.weight != 0 }

// result returns the value; ok is false for null. Without rows, counts and sums are 0. If no row has a value, the
// result is null, because unreported items are not 0 items.
func (t *tally) result(f fold, m *datasets.Measure) (value float64, ok bool) {
	switch {
	case t.rows == 0 && m.Empty == "zero":
		return 0, true
	case t.given == 0:
		return 0, false
	default:
		return f.result(t)
	}
}

// tallied returns measures of rows that count in one cell each and are folded there.
func tallied(of bind, f fold) maker {
	return func(r *Request, described *datasets.Measure) *measure {
		give := of(r)
		var tallies []tally // reused for each group
		return &measure{described: described, values: func(ctx context.Context, rows []int, in *cells) ([]*float64, error) {
			tallies = slices.Grow(tallies[:0], in.number)[:in.number]
			clear(tallies)
			if err := addRows(ctx, rows, give, f, in, tallies); err != nil {
				return nil, err
			}
			return results(tallies, f, described), nil
		}}
	}
}

func addRows(ctx context.Context, rows []int, give give, f fold, in *cells, tallies []tally) error {
	add := f.add
	for n, row := range rows {
		if err := checkCanceled(ctx, n); err != nil {
			return err
		}
		t := &tallies[in.of(n, row)]
		t.rows++
		if value, weight, ok := give(row); ok {
			t.given++
			add(t, value, weight)
		}
	}
	return nil
}

// results returns the values of a series in one backing array, because a million single ones take twice the memory.
func results(tallies []tally, f fold, m *datasets.Measure) []*float64 {
	values := make([]float64, len(tallies))
	out := make([]*float64, len(tallies))
	for i := range tallies {
		var ok bool
		if values[i], ok = tallies[i].result(f, m); ok {
			out[i] = &values[i]
		}
	}
	return out
}
