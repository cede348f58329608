package frame

import (
	"cmp"
	"math"
	"slices"

	"github.com/insights/insights-reporting-datasource/pkg/attention"
	"github.com/insights/insights-reporting-datasource/pkg/filter"
	"github.com/insights/insights-reporting-datasource/pkg/inputerror"
	"github.com/insights/insights-reporting-datasource/schema"
)

// formula is a row of a table of measures: when rows count, what each contributes, and how that becomes a number in each cell
// of time.
type formula struct {
	when   counting   // nil: at the time field
	value  bindColumn // nil: 1, or as the counting says
	weight bindColumn // in a ratio; nil: 1
	fold   fold
}

// bindColumn finds the columns that a measure reads.
type bindColumn func(r *Selection) rowValue

// rowValue returns a number of a row, NaN for null.
type rowValue func(row int) float64

// counting says which rows count, and when.
type counting func(r *Selection) *counted

// counted are the rows that a measure counts.
type counted struct {
	name    string              // measures that count the same share the rows and their groups
	keeps   filter.Test         // reports whether a row belongs to the time range; nil: if its time field is in it
	touches intervals           // rows count in every hour that they touch; nil: in that of their time field
	tallies func([]int) []tally // what counts of some rows
	says    func() []string     // what a reader has to know of what counted so far; nil: nothing
}

// tally is what counts: at the time Began or, of a measure of when tasks ran or waited, throughout.
type tally struct {
	attention.Span
	row           int
	value, weight float64 // NaN: null
}

// measure is what a numeric or timeseries frame shows: how rows of a selection become values. It is created once per request,
// and used both for groups and for the buckets of a series.
type measure struct {
	*Selection
	*counted
	described     *schema.Measure
	value, weight rowValue
	fold          fold
}

// newMeasure creates a measure of the rows, to which it may add some.
func newMeasure(name string, r *Selection) *measure {
	described, f := r.DataSet.Measure(name), formula{}
	if described != nil {
		f = formulaOf(r.DataSet, described)
	} else {
		// How the rows of a group would be combined is unknown. The query groups by the key, so there is one in each, except for rows
		// without a key.
		described, f = &schema.Measure{Named: schema.Named{Name: name, Label: name}}, formula{value: field(name), fold: inCell(single)}
		if c := r.Rows.ColumnOrNulls(name); c == nil || c.Type != schema.Number && slices.Contains(c.Valid, true) {
			r.fail(inputerror.Errorf("unknown measure %q of data set %s: use one of %s", name, r.DataSet.Name, schema.List(schema.Names(r.DataSet.Measures()))))
		}
	}
	if f.when == nil {
		f.when = atTimeField
	}
	m := &measure{Selection: r, described: described, counted: f.when(r), fold: f.fold}
	if f.value != nil {
		m.value = f.value(r)
	}
	if f.weight != nil {
		m.weight = f.weight(r)
	}
	return m
}

// values returns the value of the rows in each cell, nil for null.
func (m *measure) values(rows []int, in *cells) []*float64 {
	all := m.tallies(rows)
	for i := range all {
		t := &all[i]
		if m.value != nil {
			t.value = m.value(t.row)
		}
		if m.weight != nil {
			t.weight = m.weight(t.row)
		}
	}
	return nullable(m.fold(m, all, in))
}

// nullable returns numbers in which NaN is nil. They are in one backing array, because a million single ones take twice the
// memory.
func nullable(values []float64) []*float64 {
	out := make([]*float64, len(values))
	for i := range values {
		if !math.IsNaN(values[i]) {
			out[i] = &values[i]
		}
	}
	return out
}

// formulaOf returns the formula of a measure: its own, the number of rows or, of a field of the record, the sum of
// counts and amounts, or the mean of rates.
func formulaOf(set *schema.DataSet, described *schema.Measure) formula {
	if own, ok := taskMeasures[described.Name]; ok && set.HasTimes() {
		return own
	}
	switch described.Aggregate {
	case "count":
		return formula{fold: inCell(sum)}
	case "mean":
		return formula{value: field(described.Name), fold: inCell(ratio)}
	default:
		return formula{value: field(described.Name), fold: inCell(sum)}
	}
}

// field reads a number field of the record; nulls, if it has none of that name.
func field(name string) bindColumn {
	return func(r *Selection) rowValue {
		c := r.Rows.Column(name)
		return func(row int) float64 {
			if c == nil || c.Type != schema.Number || !c.Valid[row] {
				return math.NaN()
			}
			return c.Numbers[row]
		}
	}
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// fold makes a number of what counts in each cell, NaN for null.
type fold func(m *measure, of []tally, in *cells) []float64

// inCell folds what counts at times in each cell. Where nothing does, counts and sums are 0. If nothing of it has a value, the
// result is null, because unreported items are not 0 items.
func inCell(f func(r *Selection, of []tally) float64) fold {
	return func(m *measure, of []tally, in *cells) []float64 {
		byCell := [][]tally{of}
		if len(in.starts) > 1 {
			byCell = make([][]tally, in.n)
			for _, t := range of {
				if n := in.of[pieceAt(in.starts, t.Began)]; n != outside {
					byCell[n] = append(byCell[n], t)
				}
			}
		}
		numbers := make([]float64, len(byCell))
		for n, of := range byCell {
			if len(of) == 0 && m.described.Empty == "zero" {
				continue
			}
			numbers[n] = math.NaN()
			of = slices.DeleteFunc(of, func(t tally) bool { return math.IsNaN(t.value) || math.IsNaN(t.weight) })
			if len(of) > 0 {
				numbers[n] = f(m.Selection, of)
			}
		}
		return numbers
	}
}

func sum(_ *Selection, of []tally) (total float64) {
	for _, t := range of {
		total += t.value
	}
	return total
}

func single(_ *Selection, of []tally) float64 { return unless(len(of) != 1, of[0].value) }

func count(_ *Selection, of []tally) float64 { return float64(len(of)) }

// ratio is Σ value ÷ Σ weight: a mean, where each weight is 1.
func ratio(_ *Selection, of []tally) float64 {
	var total, weight float64
	for _, t := range of {
		total, weight = total+t.value, weight+t.weight
	}
	return unless(weight == 0, total/weight)
}

func largest(_ *Selection, of []tally) float64 { return slices.MaxFunc(of, byValue).value }

func least(_ *Selection, of []tally) float64 { return slices.MinFunc(of, byValue).value }

func byValue(a, b tally) int { return cmp.Compare(a.value, b.value) }

// ascending returns the values in order.
func ascending(of []tally) []float64 {
	sorted := make([]float64, len(of))
	for i, t := range of {
		sorted[i] = t.value
	}
	slices.Sort(sorted)
	return sorted
}

// percentile95 computes the 95th percentile like Prometheus, by linear interpolation between the two nearest values.
func percentile95(_ *Selection, of []tally) float64 {
	sorted := ascending(of)
	below, rest := math.Modf(0.95 * float64(len(sorted)-1))
	low, high := sorted[int(below)], sorted[min(int(below)+1, len(sorted)-1)]
	return low + rest*(high-low)
}

// minTasks is how many tasks tell what is usual.
const minTasks = 5

// longestGap is the largest difference of two consecutive values, in whole milliseconds as dates are, if there are enough to tell
// what is usual. Equal gaps would differ by what floating point loses.
func longestGap(_ *Selection, of []tally) (longest float64) {
	if len(of) < minTasks {
		return math.NaN()
	}
	sorted := ascending(of)
	for n := 1; n < len(sorted); n++ {
		longest = max(longest, sorted[n]-sorted[n-1])
	}
	return math.Round(longest*1e3) / 1e3
}
