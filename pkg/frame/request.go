// Package frame turns columns into Grafana frames: it filters, sorts and groups rows, and adds units, stats and
// notices. It knows nothing of HTTP or the service's JSON.
package frame

import (
	"errors"
	"fmt"
	"time"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
)

// RateScale is the scale of the service's rates. A rate is never rescaled: the scale only determines its unit.
type RateScale string

// The scales. The setting rateScale has all but ScaleUnknown.
const (
	ScaleAuto     RateScale = "auto"     // detect the scale from the rows
	ScaleUnknown  RateScale = ""         // the rows do not show one scale: rates have no unit
	ScaleFraction RateScale = "fraction" // 0..1
	ScalePercent  RateScale = "percent"  // 0..100
)

// Request says what to make of the rows of a read.
type Request struct {
	DataSet *datasets.DataSet
	Rows    *columns.Table
	// Partial says that Rows are the first of a read that goes on: they come newest first, and a timeseries is null where
	// others may follow.
	Partial bool

	// Contains keeps rows whose search field contains the text, whatever its case; empty: all.
	Contains string
	Filters  []*Filter
	// From and To keep rows whose TimeField lies in between, both included; zero: all.
	From, To  time.Time
	TimeField string
	// Since is how far back the rows reach. Where From is zero, the time range is from here to Now.
	Since time.Time

	// Sort orders rows; groups by measure, by label, or by the first of their rows. nil: rows as they come, the largest
	// groups first.
	Sort    *datasets.Sort
	Columns []string // table; empty: all
	Limit   int      // rows, groups or series; 0: all

	Measure  string
	GroupBy  []string
	Wide     bool           // numeric: a field for each group, for panels that show one value of each field
	Interval time.Duration  // timeseries: width of a bucket, above 0
	Per      Unit           // timeseries: buckets are these parts of the calendar; empty: as wide as Interval
	Location *time.Location // the calendar, and buckets of whole days, are those of this zone; nil: UTC

	// Covers says in words what time the numbers are of, such as "last 7 days"; empty: the time range.
	Covers string
	// Compare adds an earlier time to a numeric, as the first of two points, and to a timeseries, as second lines; nil: none.
	Compare *Comparison

	Scale    RateScale
	Currency string // ISO 4217 code of amounts of money; empty: unknown
	Now      time.Time
}

// ErrInput marks an error that the query itself causes: an unknown field, a value that does not fit its type.
var ErrInput = errors.New("bad input")

// inputError is a sentence for the user that is ErrInput.
type inputError struct{ message string }

func (e *inputError) Error() string        { return e.message }
func (e *inputError) Is(target error) bool { return target == ErrInput }

// InputErrorf makes an error that is ErrInput.
func InputErrorf(format string, args ...any) error {
	return &inputError{message: fmt.Sprintf(format, args...)}
}

// column finds a column of the rows: of a field that the description knows, or of one that only the service knows. A
// read without rows does not tell which those are, so that asking for one is not wrong there but finds nothing. A field of
// the service comes before a derived one of the same name.
func (r *Request) column(what, name string) (*columns.Column, error) {
	if c := r.Rows.Column(name); c != nil {
		return c, nil
	}
	if c := r.derived(name); c != nil {
		return c, nil
	}
	if c := r.Rows.ColumnOrNulls(name); c != nil {
		return c, nil
	}
	return nil, r.unknown(what, name)
}

// timeColumn finds the column of TimeField, which the description knows.
func (r *Request) timeColumn() (*columns.Column, error) {
	if c := r.Rows.Column(r.TimeField); c != nil {
		return c, nil
	}
	return nil, r.unknown("time field", r.TimeField)
}

func (r *Request) unknown(what, name string) error {
	names := r.Rows.Names()
	for _, f := range r.DataSet.Derived {
		names = append(names, f.Name)
	}
	return InputErrorf("unknown %s %q in data set %s: use one of %s", what, name, r.DataSet.Name, datasets.List(names))
}
