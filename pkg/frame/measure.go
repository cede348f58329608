package frame

import (
	"cmp"
	"math"
	"slices"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/filter"
	"github.com/insights/insights-reporting-datasource/pkg/inputerror"
	"github.com/insights/insights-reporting-datasource/schema"
)

// measure is what a numeric or timeseries frame shows: how rows become values. It is created once per request, and used
// both for groups and for the buckets of a series.
type measure struct {
	described *schema.Measure
	counts    string      // names the rows that keeps keeps: measures that count the same share them
	keeps     filter.Test // reports whether a row belongs to the time range; nil: if its time field is in it
	shows     filter.Test // reports whether a group with this row is shown; nil: each is
	when      intervals   // when rows count, in every hour that they touch; nil: at their time field
	// values returns the value of the rows in each cell, nil for null.
	values func(rows []int, in *cells) []*float64
	// says returns what a reader of the values has to know that were returned so far; nil: nothing.
	says func() []string
}

// rowValue returns what a row contributes to a measure, and its weight in a ratio. ok is false if it contributes nothing.
type rowValue func(row int) (value, weight float64, ok bool)

// bindColumn finds the columns that a measure reads.
type bindColumn func(r *Selection) rowValue

// formula creates a measure of some rows.
type formula func(r *Selection, described *schema.Measure) *measure

// newMeasure creates a measure of the rows.
func newMeasure(name string, r *Selection) *measure {
	if described := r.DataSet.Measure(name); described != nil {
		return formulaOf(r.DataSet, described)(r, described)
	}
	// How the rows of a group would be combined is unknown. The query groups by the key, so there is one in each, except for
	// rows without a key.
	c := r.Rows.ColumnOrNulls(name)
	if c == nil || c.Type != schema.Number && slices.Contains(c.Valid, true) {
		r.fail(inputerror.Errorf("unknown measure %q of data set %s: use one of %s", name, r.DataSet.Name, schema.List(r.numberNames())))
	}
	if c == nil || c.Type != schema.Number {
		c = columns.Nulls(name, schema.Number, r.Rows.Rows)
	}
	single := func(rows []int) (float64, bool) {
		if len(rows) != 1 {
			return 0, false
		}
		return c.Numbers[rows[0]], c.Valid[rows[0]]
	}
	return &measure{described: &schema.Measure{Named: schema.Named{Name: name, Label: name}}, values: r.perRow(single)}
}

// numberNames returns the fields of the rows that are numbers.
func (r *Selection) numberNames() (names []string) {
	for _, c := range r.Rows.Columns {
		if c.Type == schema.Number {
			names = append(names, c.Name)
		}
	}
	return names
}

// formulas are those of measures that are neither a count of rows nor a field, by the name of the data set.
var formulas = map[string]map[string]formula{"tasks": taskMeasures}

// formulaOf returns the formula of a measure: its own, the number of rows or, of a field of the record, the sum of
// counts and amounts, or the mean of rates.
func formulaOf(set *schema.DataSet, described *schema.Measure) formula {
	if own := formulas[set.Name][described.Name]; own != nil {
		return own
	}
	switch described.Aggregate {
	case "count":
		return folded(one, sum)
	case "mean":
		return folded(field(described.Name), ratio)
	default:
		return folded(field(described.Name), sum)
	}
}

func one(*Selection) rowValue {
	return func(int) (float64, float64, bool) { return 1, 1, true }
}

// field reads a number field of the record, with the weight for a mean.
func field(name string) bindColumn {
	return func(r *Selection) rowValue { return values(r.Rows.Column(name)) }
}

func values(c *columns.Column) rowValue {
	return func(i int) (float64, float64, bool) { return c.Numbers[i], 1, c.Valid[i] }
}

// orZero lets rows without a value contribute 0.
func orZero(of bindColumn) bindColumn {
	return func(r *Selection) rowValue {
		valueOf := of(r)
		return func(i int) (float64, float64, bool) {
			value, weight, ok := valueOf(i)
			return value * truth(ok), weight, true
		}
	}
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// weighted is the value of a row in a measure.
type weighted struct{ value, weight float64 }

// fold makes one value of those of some rows. ok is false for null.
type fold func(of []weighted) (value float64, ok bool)

// folded returns measures of rows that count in the cell of their time, and are folded there. Without rows, counts and
// sums are 0. If no row has a value, the result is null, because unreported items are not 0 items.
func folded(of bindColumn, f fold) formula {
	return func(r *Selection, described *schema.Measure) *measure {
		valueOf := of(r)
		var given []weighted // reused
		value := func(rows []int) (float64, bool) {
			given = appendValues(given[:0], rows, valueOf)
			if len(rows) == 0 && described.Empty == "zero" {
				return 0, true
			}
			return f(given)
		}
		return &measure{described: described, values: r.perRow(value)}
	}
}

func appendValues(to []weighted, rows []int, valueOf rowValue) []weighted {
	for _, row := range rows {
		if value, weight, ok := valueOf(row); ok {
			to = append(to, weighted{value, weight})
		}
	}
	return to
}

// perRow applies a formula to the rows whose time is in each cell.
func (r *Selection) perRow(of func(rows []int) (float64, bool)) func(rows []int, in *cells) []*float64 {
	c := r.Rows.Column(r.TimeField)
	at := func(row int) int64 { return c.Times[row] }
	return func(rows []int, in *cells) []*float64 { return perCell(in, rows, at, of) }
}

// perCell applies a formula to what happened in each cell.
func perCell[T any](in *cells, all []T, at func(T) int64, of func([]T) (float64, bool)) []*float64 {
	if in.isTotal {
		return nullable(1, func(int) (float64, bool) { return of(all) })
	}
	byCell := make([][]T, in.n)
	for _, each := range all {
		if n := in.of[pieceAt(in.starts, at(each))]; n != outside {
			byCell[n] = append(byCell[n], each)
		}
	}
	return nullable(in.n, func(n int) (float64, bool) { return of(byCell[n]) })
}

// nullable returns n numbers, nil where ok is false. They are in one backing array, because a million single ones take
// twice the memory.
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

func sum(of []weighted) (total float64, ok bool) {
	for _, v := range of {
		total += v.value
	}
	return total, len(of) > 0
}

// ratio is Σ value ÷ Σ weight: a mean, where each weight is 1.
func ratio(of []weighted) (float64, bool) {
	var total, weight float64
	for _, v := range of {
		total, weight = total+v.value, weight+v.weight
	}
	return total / weight, weight != 0
}

func largest(of []weighted) (float64, bool) {
	if len(of) == 0 {
		return 0, false
	}
	return slices.MaxFunc(of, byValue).value, true
}

func least(of []weighted) (float64, bool) {
	if len(of) == 0 {
		return 0, false
	}
	return slices.MinFunc(of, byValue).value, true
}

// percentile95 computes the 95th percentile like Prometheus, by linear interpolation between the two nearest values.
func percentile95(of []weighted) (value float64, ok bool) {
	if len(of) == 0 {
		return 0, false
	}
	ascending(of)
	below, rest := math.Modf(0.95 * float64(len(of)-1))
	low := of[int(below)].value
	high := of[min(int(below)+1, len(of)-1)].value
	return low + rest*(high-low), true
}

// minTasks is how many tasks tell what is usual.
const minTasks = 5

// longestGap is the largest difference of two consecutive values, if there are enough to tell what is usual.
func longestGap(of []weighted) (longest float64, ok bool) {
	ascending(of)
	for n := 1; n < len(of); n++ {
		longest = max(longest, of[n].value-of[n-1].value)
	}
	return longest, len(of) >= minTasks
}

func ascending(of []weighted) { slices.SortFunc(of, byValue) }

func byValue(a, b weighted) int { return cmp.Compare(a.value, b.value) }
