// Package query is the saved query: its model, its validation, and the plan that follows from it.
package query

import (
	"cmp"
	"slices"
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

// Plan is a saved query with its defaults, resolved once, as of one moment: what is read, which rows count, and what frames show.
type Plan struct {
	Rule    bool // a rule asks, which nobody watches
	Set     *schema.DataSet
	Format  string
	Filters []*filter.Filter
	Search  string // text that rows contain; empty: all, or the service searches
	Columns []string
	Sort    *schema.Sort // the order of rows, and of groups; nil: as received. The service sorts Read.First
	Limit   int
	Figures []schema.Figure // the numbers of each group; table, timeline: none
	GroupBy []string
	State   string // timeline: the field that names and colors a bar
	Idle    bool   // timeline: lanes are those of some days, whatever ran in the time range
	Long    bool   // numeric, attention: a row for each group instead of a field. A rule needs the numbers of attention
	Total   bool   // numeric, if it is Long: a last row with the numbers of all groups together

	Judged    schema.Judged // attention
	Counted   bool          // attention: how many groups there are, instead of the groups
	TimeField string        // tasks
	TwoPoints bool          // numeric, unless it is Long: an earlier and a current number instead of the aspects of a comparison
	Per       period.Unit
	Interval  time.Duration
	Period    Period
	Read      Read

	days       int    // as saved; 0: follow the time range
	compare    string // empty: no comparison
	isUntilNow bool   // the time range ended when it was drawn
}

// Parse validates a saved query and resolves it as of now. Errors are inputerror.Err, and name the value and the allowed values.
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

// Read is what is read for a plan, and what of it decides.
type Read struct {
	// First is a question whose first Limit rows are what a table shows, if enough of them are in the time range; nil: there is none.
	First       *schema.Question
	All         schema.Question // Period.Steps are the windows that are read instead
	MoreDays    bool            // rows of more days than those of All change nothing
	Additive    []string        // fields that add up whose differences are needed, those that numbers and lines show first
	Deciding    []string        // fields of the record that decide what is shown: what follows from one that could not be read is wrong
	EndOfOthers bool            // so do the dates that show whether a task in a state that is not known has ended
	Named       []string        // fields whose values series show as names; nil: none
	Settings    []string        // calendar, deadlines and teams, as far as the query uses them
	KnownSince  bool            // it matters since when the service has data: the numbers of a time before that are null, not 0
}

func (q *Plan) plan() {
	r := &q.Read
	r.All = schema.Question{DataSet: q.Set, Days: q.lookBack()}
	isSearched := q.Search != ""
	if q.Set.Parameters.Search != "" {
		q.Search, r.All.Search = "", q.Search
	}
	// The value of a field, or whether there is such a field, may follow from all rows of the query's own days.
	needsAll := slices.ContainsFunc(append(q.named(), q.sortField()...), func(name string) bool {
		field := q.Set.Field(name)
		return field == nil || field.OtherRows
	})
	isInOrder := q.Sort == nil || cmp.Or(q.Set.Field(q.Sort.Field), &schema.Field{}).ServiceSort
	if q.Format == Table && q.Period.Steps == nil && q.Limit > 0 && len(q.Filters) == 0 && q.Search == "" && isInOrder && !needsAll {
		// A service may order equal values anew for each page, so that rows are on two or on none: all rows are sorted here.
		first := r.All
		first.Sort, r.First = q.Sort, &first
	}
	if q.Sort == nil && q.Format == Table && q.Period.Steps != nil {
		q.Sort = q.Set.DefaultSort // The service sorts totals up to now.
	}
	r.MoreDays = q.Period.Steps == nil && !q.Period.Since.IsZero() && !q.isAny((*schema.Measure).HasHistory) && !needsAll && (q.Format != Table || len(q.Columns) > 0)
	r.Additive, r.Deciding = q.additive(), q.deciding()
	r.EndOfOthers = slices.Contains(r.Deciding, schema.EndOfOthers)
	showsNames := q.Format != Table && q.Format != Deadlines && !q.Long
	// Automations bring their own names, but after a search, they do not show which of these are unique.
	if bringsNames := q.Set.NameField != "" && !isSearched; showsNames && !bringsNames {
		r.Named = q.GroupBy
		if q.State != "" {
			r.Named = append(slices.Clone(q.GroupBy), q.State)
		}
	}
	r.Settings = q.settings()
	showsTime := q.showsMeasure() && !q.areAll((*schema.Measure).IsAboutNow) || q.Format == Timeline
	r.KnownSince = showsTime || q.Format == Table && q.Period.Steps != nil
}

// settings returns which of the settings calendar, deadlines and teams the query uses. Silence, also of runners, uses holidays.
func (q *Plan) settings() (used []string) {
	judges := func(reason string) bool { return q.Format == Attention && slices.Contains(q.Judged.Reasons, reason) }
	isOfDeadlines := judges(deadline) && q.GroupBy[0] == q.Set.AutomationField || q.Format == Deadlines || slices.Contains(schema.MeasuresOf(q.Figures), deadlinesMet)
	if isOfDeadlines {
		used = append(used, "deadlines")
	}
	if isOfDeadlines || judges("silent") {
		used = append(used, "calendar")
	}
	if slices.Contains(slices.Concat(q.named(), q.sortField(), []string{q.State}), schema.TeamField) {
		used = append(used, "teams")
	}
	return used
}

func (q *Plan) named() []string {
	named := slices.Concat(q.Columns, q.GroupBy)
	for _, f := range q.Filters {
		named = append(named, f.Key)
	}
	return named
}

// sortField returns the field that a query sorts by, if it does not sort by a figure.
func (q *Plan) sortField() []string {
	if q.Sort == nil || q.isFigure(q.Sort.Field) {
		return nil
	}
	return []string{q.Sort.Field}
}

// additive returns the fields that add up: those of the measures or, of a query without such a measure, the number of tasks.
func (q *Plan) additive() (fields []string) {
	named := slices.Concat(schema.MeasuresOf(q.Figures), []string{q.Set.CountField}, q.named())
	if q.Format == Table {
		named = append(named, schema.Names(q.Set.Drawn())...)
	}
	for _, name := range named {
		if f := q.Set.Field(name); f != nil && f.Additive && !slices.Contains(fields, name) {
			fields = append(fields, name)
		}
	}
	return fields
}

// deciding returns the fields of the record that decide what is shown. A sort decides which rows are within a limit.
func (q *Plan) deciding() []string {
	fields, measures := q.named(), schema.MeasuresOf(q.Figures)
	switch q.Format {
	case Attention, Deadlines:
		fields = append(fields, schema.Attention.Uses...)
	case Timeline:
		fields, measures = append(fields, q.State), []string{"concurrency"} // A bar is when a task ran.
	case Table:
		if len(q.Columns) == 0 {
			fields = append(fields, schema.Names(q.Set.Fields)...)
		}
	}
	if q.Limit > 0 {
		fields = append(fields, q.sortField()...)
	}
	if q.Search != "" {
		fields = append(fields, q.Set.SearchField)
	}
	if q.Period.Cut && q.Format != Timeline && !q.areAll(isOfRuns) {
		fields = append(fields, q.TimeField)
	}
	if !q.Period.Since.IsZero() {
		fields = append(fields, q.Set.TimeFields[0])
	}
	if q.Period.Steps != nil {
		fields = append(fields, q.Set.Key) // by which windows are compared
	}
	return q.Set.UsesOf(fields, measures, q.TimeField)
}
