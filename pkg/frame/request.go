// Package frame converts columns into Grafana frames: it filters, sorts and groups rows, and adds units, stats and
// notices. It depends neither on HTTP nor on the service's JSON.
package frame

import (
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/inputerror"
	"github.com/insights/insights-reporting-datasource/schema"
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

// Request describes the frame to build from the rows of a read.
type Request struct {
	DataSet *schema.DataSet
	Rows    *columns.Table

	// Contains keeps rows whose search field contains the text, case-insensitively; empty: all.
	Contains string
	Filters  []*Filter
	// From and To keep rows whose TimeField is in between, both inclusive; zero: all.
	From, To  time.Time
	TimeField string
	// Since is how far the rows reach back. If From is zero, the time range is from Since to Now.
	Since time.Time

	// Sort orders rows, and groups by measure, by label, or by their first rows. nil: rows as received, groups in
	// descending order of the measure.
	Sort    *schema.Sort
	Columns []string // table; empty: all
	Limit   int      // rows, groups or series; 0: all

	Measure  string
	GroupBy  []string       // timeline: the lanes
	State    string         // timeline: the field that names and colors a bar
	Long     bool           // numeric: a row per group instead of a field
	Interval time.Duration  // timeseries: width of a bucket, positive
	Per      Unit           // timeseries: calendar unit of a bucket; empty: Interval
	Location *time.Location // time zone of the calendar and of buckets of whole days; nil: UTC

	// Language is that of display names, and of Covers; empty: English.
	Language Language
	// Automations are the names of automations by their labels, as far as they are known beyond Rows.
	Automations map[string]string
	// Covers describes the period of the numbers, such as "last 7 days"; empty: the time range.
	Covers string
	// Compare adds an earlier period to a numeric, as the first of two points, and to a timeseries, as second lines;
	// nil: none.
	Compare *Comparison

	// Links are the addresses of pages of the orchestrator, by their settings.
	Links map[string]string

	Scale    RateScale
	Currency string // ISO 4217 code of monetary amounts; empty: unknown
	Now      time.Time

	built map[string]*columns.Column // refer to derived
}

// column finds a column of the rows: of a field in the description, or of an additional one of the service. A read
// without rows does not show which additional fields exist, so requesting one is not an error and finds nothing. A
// field of the service takes precedence over a derived one of the same name. Errors are inputerror.Err.
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
	names := r.Rows.Names()
	for _, f := range r.DataSet.Derived {
		names = append(names, f.Name)
	}
	return nil, inputerror.Errorf("unknown %s %q in data set %s: use one of %s", what, name, r.DataSet.Name, schema.List(names))
}
