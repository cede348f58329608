// Package frame converts columns into Grafana frames, a type for each format: Table, Numeric, TimeSeries and Timeline. It
// filters, sorts and groups rows, and adds units, stats and notices. It depends neither on HTTP nor on the service's JSON.
package frame

import (
	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/filter"
	"github.com/insights/insights-reporting-datasource/pkg/inputerror"
	"github.com/insights/insights-reporting-datasource/pkg/period"
	"github.com/insights/insights-reporting-datasource/schema"
)

// Selection is what every format is made of: the rows of a read, which of them count, and how they are displayed.
type Selection struct {
	DataSet *schema.DataSet
	Rows    *columns.Table
	// Differences are what a number or line of totals shows instead of Rows; nil: Rows.
	Differences *Differences

	// Contains keeps rows whose search field contains the text, case-insensitively; empty: all.
	Contains string
	Filters  []*filter.Filter
	// Range keeps the rows whose TimeField is in it, if it cuts tasks.
	period.Range
	TimeField string

	// Sort orders rows, and groups by measure, by label, or by their first rows. nil: rows as received, groups in
	// descending order of the measure.
	Sort  *schema.Sort
	Limit int // rows, groups or series; 0: all

	Display

	built map[string]*columns.Column // refer to derived
}

// Display is how names and numbers are displayed.
type Display struct {
	Language schema.Language // of display names, and of Covers; empty: English
	// Automations are the names of automations by their labels, as far as they are known beyond the rows.
	Automations map[string]string
	Scale       RateScale
	Currency    string // ISO 4217 code of monetary amounts; empty: unknown
	// Links are the addresses of pages of the orchestrator, by their settings.
	Links map[string]string
}

// column finds a column of the rows: of a field in the description, or of an additional one of the service. A read
// without rows does not show which additional fields exist, so requesting one is not an error and finds nothing. A
// field of the service takes precedence over a derived one of the same name. Errors are inputerror.Err.
func (r *Selection) column(what, name string) (*columns.Column, error) {
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
