package frame

import (
	"context"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
)

// measure is what a numeric or timeseries frame shows: how rows become values. It is created once per request, and used
// both for groups and for the buckets of a series.
type measure struct {
	described *datasets.Measure
	keeps     test // reports whether a row belongs to the time range; nil: if its time field is in it
	// values returns the value of the rows in each cell; nil for null.
	values func(ctx context.Context, rows []int, in *cells) []*float64
}

// rowValue returns what a row contributes to a measure. ok is false if it contributes nothing.
type rowValue func(row int) (value, weight float64, ok bool)

// bindColumn finds the columns that a measure reads.
type bindColumn func(r *Request) rowValue

// measureFactory creates a measure of the rows of a request.
type measureFactory func(r *Request, described *datasets.Measure) *measure

// measure creates the requested measure.
func (r *Request) measure() *measure {
	described := r.DataSet.Measure(r.Measure)
	return factoryOf(r.DataSet, described)(r, described)
}

// measureFactories are the formulas of measures that are neither a count of rows nor a field, by the name of the data
// set.
var measureFactories = map[string]map[string]measureFactory{"tasks": taskMeasures}

// factoryOf returns the measureFactory of a measure: its formula, the number of rows or, of a field of the record, the
// sum of counts and amounts, or the mean of rates.
func factoryOf(set *datasets.DataSet, described *datasets.Measure) measureFactory {
	if make := measureFactories[set.Name][described.Name]; make != nil {
		return make
	}
	switch described.Aggregate {
	case "count":
		return accumulated(one, sum)
	case "mean":
		return accumulated(field(described.Name), ratio)
	default:
		return accumulated(field(described.Name), sum)
	}
}

// field reads a number field of the record, with the weight for a mean.
func field(name string) bindColumn {
	return func(r *Request) rowValue { return values(r.Rows.Column(name)) }
}

func values(c *columns.Column) rowValue {
	return func(i int) (float64, float64, bool) { return c.Numbers[i], 1, c.Valid[i] }
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
