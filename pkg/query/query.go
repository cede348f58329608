// Package query is the saved query: its model, its validation, and the plan that follows from it.
package query

import (
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"

	"github.com/insights/insights-reporting-datasource/pkg/filter"
	"github.com/insights/insights-reporting-datasource/pkg/period"
	"github.com/insights/insights-reporting-datasource/schema"
)

// The formats of a query.
const (
	Table      = "table"
	Numeric    = "numeric"
	TimeSeries = "timeseries"
	Timeline   = "timeline"
	Attention  = "attention"
	Deadlines  = "deadlines"
)

// Formats are the values of format.
var Formats = []string{Table, TimeSeries, Numeric, Timeline, Attention, Deadlines}

// Plan is a saved query with its defaults applied, as of one moment: what is read, which rows count and until when, and what the
// frames show. It is resolved once, and is only data from then on.
type Plan struct {
	Rule    bool // a rule asks, which nobody watches
	Set     *schema.DataSet
	Format  string
	Filters []*filter.Filter
	Search  string // text that rows contain; empty: all, or the service searches
	Columns []string
	// Sort is the order of rows, and of groups; nil: as received. The service sorts Read.First.
	Sort    *schema.Sort
	Limit   int
	Figures []schema.Figure // the numbers of each group; table, timeline: none
	GroupBy []string
	State   string // timeline: the field that names and colors a bar
	Idle    bool   // timeline: lanes are those of some days, whatever ran in the time range
	Long    bool   // numeric, attention: a row for each group instead of a field. A rule needs the numbers of attention
	// Judged is what the format attention judges.
	Judged    Judged
	Counted   bool   // attention: how many groups there are, instead of the groups
	TimeField string // tasks
	TwoPoints bool   // numeric, unless it is Long: an earlier and a current number instead of the aspects of a comparison
	Per       period.Unit
	Interval  time.Duration
	Period    Period
	Read      Read

	days       int    // as saved; 0: follow the time range
	compare    string // empty: no comparison
	isUntilNow bool   // the time range ended when it was drawn
}

// Parse validates a saved query, of a rule or not, for a service with these data sets, and resolves it as of now. Errors are
// inputerror.Err: they name the value and the allowed values.
func Parse(sets schema.DataSets, dataQuery backend.DataQuery, now time.Time, rule bool) (*Plan, error) {
	// Grafana always sends the panel's interval or, for rules, its own.
	q := &Plan{Rule: rule, Interval: max(dataQuery.Interval, time.Millisecond)}
	if err := q.apply(dataQuery, sets); err != nil {
		return nil, err
	}
	if err := q.resolve(dataQuery.TimeRange, now); err != nil {
		return nil, err
	}
	q.plan()
	return q, nil
}
