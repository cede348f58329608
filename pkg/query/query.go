// Package query is the saved query: its model, its validation, and the period that it asks for.
package query

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"

	"github.com/insights/insights-reporting-datasource/pkg/filter"
	"github.com/insights/insights-reporting-datasource/pkg/inputerror"
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

// Model is the query as dashboards and alert rules save it.
type Model struct {
	QueryType string       `json:"queryType"`
	Days      any          `json:"days"`
	Search    string       `json:"search"`
	Sort      *schema.Sort `json:"sort"`
	Filters   []Filter     `json:"filters"`
	Format    string       `json:"format"`
	Columns   []string     `json:"columns"`
	Limit     any          `json:"limit"`
	Measure   string       `json:"measure"`
	Measures  []string     `json:"measures"`
	GroupBy   []string     `json:"groupBy"`
	TimeField string       `json:"timeField"`
	Compare   string       `json:"compare"`
	Per       string       `json:"per"`
	// Timezone is the dashboard's, sent with each query. A saved value takes precedence. Rules have only the saved one.
	Timezone string `json:"timezone"`
	State    string `json:"state"`
	// Attention is what the format attention judges: its sensitivity, the groups to ignore, and reasons that are off.
	Attention map[string]any `json:"attention"`
	// UntilNow is not saved. It says that the range ends at "now".
	UntilNow bool `json:"untilNow"`
	// Edited is not saved. It says that somebody edits the query.
	Edited bool `json:"edited"`
	// Shape is not saved. Panels that list rows, and Explore, request "long".
	Shape string `json:"shape"`
}

// Filter is a saved filter.
type Filter struct {
	Key      string   `json:"key"`
	Operator string   `json:"operator"`
	Value    *string  `json:"value"`
	Values   []string `json:"values"`
}

// Query is a validated query: the model with its defaults applied, and its period.
type Query struct {
	Set     *schema.DataSet
	Format  string
	Days    int // 0: follow the time range
	Search  string
	Sort    *schema.Sort
	Filters []*filter.Filter
	Columns []string
	Limit   int
	Figures []schema.Figure // the numbers of each group; table, timeline: none
	GroupBy []string
	State   string // timeline: the field that names and colors a bar
	Long    bool   // numeric, attention: a row for each group instead of a field. A rule needs the numbers of attention
	// Judged is what the format attention judges.
	Judged    Judged
	Counted   bool   // attention: how many groups there are, instead of the groups
	TimeField string // tasks
	Compare   string // empty: no comparison
	TwoPoints bool   // numeric, unless it is Long: an earlier and a current number instead of the aspects of a comparison
	Per       period.Unit
	Interval  time.Duration
	Period    Period
	Edited    bool
}

// Labels returns the fields whose values the frames show as names.
func (q *Query) Labels() []string {
	if q.State == "" {
		return q.GroupBy
	}
	return append(slices.Clone(q.GroupBy), q.State)
}

// Parse validates a saved query, of a rule or not, for a service with these data sets, and resolves its period as of now.
// Errors are inputerror.Err: they name the value and the allowed values.
func Parse(sets schema.DataSets, dataQuery backend.DataQuery, now time.Time, rule bool) (*Query, error) {
	var m Model
	if err := json.Unmarshal(dataQuery.JSON, &m); err != nil {
		return nil, inputerror.Errorf("the query is not valid: %s", JSONReason(err))
	}
	if m.QueryType == "" {
		m.QueryType = dataQuery.QueryType
	}
	// Grafana always sends the panel's interval or, for rules, its own.
	q := &Query{Search: m.Search, Edited: m.Edited, Interval: max(dataQuery.Interval, time.Millisecond)}
	if err := q.apply(&m, sets, rule); err != nil {
		return nil, err
	}
	return q, q.resolve(&m, dataQuery.TimeRange, now)
}

// JSONReason says why a text is not JSON, or names the property that has the wrong type.
func JSONReason(err error) string {
	if e, ok := err.(*json.UnmarshalTypeError); ok && e.Field != "" {
		return fmt.Sprintf("%s must be a %s, not a %s", e.Field, e.Type, e.Value)
	}
	return err.Error()
}
