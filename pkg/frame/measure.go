package frame

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/filter"
	"github.com/insights/insights-reporting-datasource/pkg/inputerror"
	"github.com/insights/insights-reporting-datasource/schema"
)

// measure is what a numeric or timeseries frame shows: how rows become values. It is created once per request, and used
// both for groups and for the buckets of a series.
type measure struct {
	described *schema.Measure
	keeps     filter.Test // reports whether a row belongs to the time range; nil: if its time field is in it
	// values returns the value of the rows in each cell; nil for null.
	values func(rows []int, in *cells) []*float64
}

// rowValue returns what a row contributes to a measure. ok is false if it contributes nothing.
type rowValue func(row int) (value, weight float64, ok bool)

// bindColumn finds the columns that a measure reads.
type bindColumn func(r *Selection) rowValue

// measureFactory creates a measure of some rows.
type measureFactory func(r *Selection, described *schema.Measure) *measure

// newMeasure creates a measure of the rows. Errors are inputerror.Err.
func newMeasure(name string, r *Selection) (*measure, error) {
	described := r.DataSet.Measure(name)
	if described == nil {
		// How the rows of a group would be combined is unknown. The query groups by the key, so there is one in each, except
		// for rows without a key.
		c, err := r.column("measure", name)
		if err != nil {
			return nil, err
		}
		if c.Type != schema.Number && slices.Contains(c.Valid, true) {
			return nil, inputerror.Errorf("measure %q of data set %s is not a number: use a number field", name, r.DataSet.Name)
		}
		described = &schema.Measure{Named: schema.Named{Name: name, Label: name}, Empty: "null", Aggregate: "single"}
	}
	return factoryOf(r.DataSet, described)(r, described), nil
}

// measureFactories are the formulas of measures that are neither a count of rows nor a field, by the name of the data
// set.
var measureFactories = map[string]map[string]measureFactory{"tasks": taskMeasures}

// factoryOf returns the measureFactory of a measure: its formula, the number of rows or, of a field of the record, the
// sum of counts and amounts, the mean of rates, or the value of a single row.
func factoryOf(set *schema.DataSet, described *schema.Measure) measureFactory {
	if make := measureFactories[set.Name][described.Name]; make != nil {
		return make
	}
	switch described.Aggregate {
	case "count":
		return accumulated(one, sum)
	case "mean":
		return accumulated(field(described.Name), ratio)
	case "single":
		return accumulated(field(described.Name), single)
	default:
		return accumulated(field(described.Name), sum)
	}
}

// field reads a number field of the record, with the weight for a mean.
func field(name string) bindColumn {
	return func(r *Selection) rowValue { return values(r.Rows.Column(name)) }
}

func values(c *columns.Column) rowValue {
	return func(i int) (float64, float64, bool) {
		if !c.Valid[i] {
			return 0, 0, false // A field that is not in the description may be null in all rows, and its column no numbers.
		}
		return c.Numbers[i], 1, true
	}
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

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

func single(a *accumulator) (float64, bool) { return a.value, a.rows == 1 }

func largest(a *accumulator) (float64, bool) { return a.most, true }

func least(a *accumulator) (float64, bool) { return a.least, true }

// ratio is Σ value ÷ Σ weight: a mean, where each weight is 1.
func ratio(a *accumulator) (float64, bool) { return a.value / a.weight, a.weight != 0 }

// result returns the value; ok is false for null. Without rows, counts and sums are 0. If no row has a value, the
// result is null, because unreported items are not 0 items.
func (a *accumulator) result(f fold, m *schema.Measure) (value float64, ok bool) {
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
	return func(r *Selection, described *schema.Measure) *measure {
		valueOf := of(r)
		var accumulators []accumulator // reused for each group
		return &measure{described: described, values: func(rows []int, in *cells) []*float64 {
			accumulators = slices.Grow(accumulators[:0], in.number)[:in.number]
			clear(accumulators)
			for n, row := range rows {
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

// cellValue is the value of a row in a cell.
type cellValue struct {
	cell          int
	value, weight float64
}

// ofSorted returns measures that follow from the values in a cell, in ascending order, of equal ones the largest weight
// first. ok is false for null.
func ofSorted(of bindColumn, result func(sorted []cellValue) (value float64, ok bool)) measureFactory {
	return func(r *Selection, described *schema.Measure) *measure {
		valueOf := of(r)
		return &measure{described: described, values: func(rows []int, in *cells) []*float64 {
			given := cellValues(rows, valueOf, in)
			slices.SortFunc(given, func(a, b cellValue) int {
				return cmp.Or(cmp.Compare(a.cell, b.cell), cmp.Compare(a.value, b.value), cmp.Compare(b.weight, a.weight))
			})
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

func cellValues(rows []int, valueOf rowValue, in *cells) []cellValue {
	given := make([]cellValue, 0, len(rows))
	for n, row := range rows {
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
	return longest, len(sorted) >= minTasks
}

// failuresSince returns how many tasks failed since the last success. The values are the ends of tasks, and each failure
// has a weight.
func failuresSince(sorted []cellValue) (failures float64, ok bool) {
	for _, task := range slices.Backward(sorted) {
		if task.weight == 0 {
			break
		}
		failures++
	}
	return failures, true
}

// cells are the units that a measure has a value for: groups, each over the whole range, or the buckets of one group.
type cells struct {
	number int
	parts  []int32         // groups: the cell of each row
	at     *columns.Column // buckets: the time that determines the bucket of a row
	starts []int64         // buckets: nanoseconds, ascending
}

// bucketCells returns the buckets of a series. The first one contains the start of the time range and every row before
// the second.
func bucketCells(at *columns.Column, starts []time.Time) *cells {
	c := &cells{number: len(starts), at: at, starts: make([]int64, len(starts))}
	for i, t := range starts {
		c.starts[i] = t.UnixNano()
	}
	return c
}

// of returns the cell of a row, which is the n-th of its rows.
func (c *cells) of(n, row int) int {
	if c.parts != nil {
		return int(c.parts[n])
	}
	// Of cells that start at the same time, all but the last are empty.
	after, _ := slices.BinarySearch(c.starts, c.at.Times[row]+1)
	return max(0, after-1)
}

// partition returns the rows of each part, in one shared backing array.
func partition(rows []int, parts []int32, number int) [][]int {
	sizes := make([]int, number)
	for _, part := range parts {
		sizes[part]++
	}
	left := make([]int, len(rows))
	out := make([][]int, number)
	for part, size := range sizes {
		out[part], left = left[:0:size], left[size:]
	}
	for n, row := range rows {
		out[parts[n]] = append(out[parts[n]], row)
	}
	return out
}
