package frame

import (
	"context"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/inputerror"
)

// measure is what a numeric or timeseries frame shows: how rows become values. It is created once per request, and used
// both for groups and for the buckets of a series.
type measure struct {
	described *datasets.Measure
	keeps     test // reports whether a row belongs to the time range; nil: if its time field is in it
	// values returns the value of the rows in each cell; nil for null.
	values func(ctx context.Context, rows []int, in *cells) ([]*float64, error)
}

// give returns what a row contributes to a measure. ok is false if it contributes nothing.
type give func(row int) (value, weight float64, ok bool)

// bind finds the columns that a measure reads.
type bind func(r *Request) give

// maker creates a measure of the rows of a request.
type maker func(r *Request, described *datasets.Measure) *measure

// measure creates the requested measure. Errors are inputerror.Err.
func (r *Request) measure() (*measure, error) {
	described := r.DataSet.Measure(r.Measure)
	if described == nil {
		return nil, r.unknownMeasure()
	}
	if make := makerOf(r.DataSet, described); make != nil {
		return make(r, described), nil
	}
	if r.Rows.Column(r.Measure) == nil {
		return nil, r.unknownMeasure()
	}
	return recordMeasure(r, described), nil
}

// makers are the formulas of measures that are neither a count of rows nor a field, by the name of the data set.
var makers = map[string][]map[string]maker{"tasks": {taskMeasures, runMeasures}}

// makerOf returns the maker of a measure, or nil if the measure is a field of the record.
func makerOf(set *datasets.DataSet, described *datasets.Measure) maker {
	for _, byName := range makers[set.Name] {
		if make := byName[described.Name]; make != nil {
			return make
		}
	}
	if described.Aggregate == "count" {
		return tallied(one, sum)
	}
	return nil
}

func (r *Request) unknownMeasure() error {
	return inputerror.Errorf("unknown measure %q of data set %s", r.Measure, r.DataSet.Name)
}

// recordMeasure creates the measure of a data set whose measures are its fields: sums of counts and amounts, means of
// rates.
func recordMeasure(r *Request, described *datasets.Measure) *measure {
	fold := sum
	if described.Aggregate == "mean" {
		fold = ratio
	}
	return tallied(field(described.Name), fold)(r, described)
}

// field reads a number field of the record, with the weight for a mean.
func field(name string) bind {
	return func(r *Request) give { return values(r.Rows.Column(name)) }
}

func values(c *columns.Column) give {
	return func(i int) (float64, float64, bool) { return c.Numbers[i], 1, c.Valid[i] }
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
