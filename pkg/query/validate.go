package query

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"

	"github.com/insights/insights-reporting-datasource/pkg/filter"
	"github.com/insights/insights-reporting-datasource/pkg/inputerror"
	"github.com/insights/insights-reporting-datasource/pkg/period"
	"github.com/insights/insights-reporting-datasource/schema"
)

// validation applies a model to a query. Its error is the first one.
type validation struct {
	*Query
	m    *Model
	rule bool
	err  error
}

// apply applies a model for a service with these data sets. Errors are inputerror.Err.
func (q *Query) apply(m *Model, sets schema.DataSets, rule bool) error {
	v := &validation{Query: q, m: m, rule: rule}
	if q.Set = sets.Get(v.choice("data set (queryType)", m.QueryType, sets.Default().Name, schema.Names(sets))); q.Set == nil {
		return v.err
	}
	v.format()
	v.rows()
	v.filters()
	v.figures()
	v.groups()
	v.attention()
	v.time()
	return v.err
}

func (v *validation) reject(format string, args ...any) { v.fail(inputerror.Errorf(format, args...)) }

func (v *validation) fail(err error) { v.err = cmp.Or(v.err, err) }

// choice returns a value that must be one of the allowed values or, if it is empty, the default.
func (v *validation) choice(what, value, otherwise string, allowed []string) string {
	if value == "" {
		return otherwise
	}
	if !slices.Contains(allowed, value) {
		v.reject("unknown %s %q: use one of %s", what, value, schema.List(allowed))
	}
	return value
}

func (v *validation) format() {
	v.Format = v.choice("format", v.m.Format, Table, Formats)
	if (v.Format == Timeline || v.Format == Attention || v.Format == Deadlines) && !v.Set.HasTimes() {
		v.reject("format %q: the service does not report when %s ran. Use data set %s, or another format", v.Format, v.Set.Name, schema.All().Get("tasks").Name)
	}
	if v.Format == Timeline && v.rule {
		v.reject("format %q: a rule needs numbers. Use format %s or %s", v.Format, Numeric, TimeSeries)
	}
	if v.Format == Deadlines && v.rule {
		v.reject("format %q: a rule needs numbers. Use format %s, whose reason %s has a severity for each automation that is late, or format %s with measure %s", v.Format, Attention, deadline, Numeric, DeadlinesMet)
	}
	if v.Long = v.choice("shape", v.m.Shape, "wide", []string{"wide", "long"}) == "long"; v.Format == Attention {
		v.Long = !v.rule
	}
}

// MaxDays is more than any service knows, and little enough that times so long ago fit into 64 bits of nanoseconds.
const MaxDays = 100_000

func (v *validation) rows() {
	v.Days = v.count("days", v.m.Days, MaxDays, "omit it to follow the time range")
	if v.Format == Attention || v.Format == Deadlines {
		v.Days = cmp.Or(v.Days, schema.Attention.Days) // the history, whatever the time range
	}
	v.Limit = v.count("limit", v.m.Limit, math.MaxInt32, "omit it for no limit")
	v.sort()
	for i, name := range v.m.Columns {
		if slices.Contains(v.m.Columns[:i], name) {
			v.reject("column %q is listed twice in columns", name)
		}
	}
	v.Columns = v.m.Columns
}

func (v *validation) sort() {
	s := v.m.Sort
	if s == nil || s.Field == "" {
		return
	}
	sort := &schema.Sort{Field: s.Field, Order: v.choice("sort order", s.Order, "asc", []string{"asc", "desc"})}
	switch v.Format {
	case Timeline:
		v.reject("sort by %q: the lanes of a timeline are ordered by their labels (groupBy). Omit sort, or use another format", s.Field)
	case Attention, Deadlines: // ordered by urgency, and by when they fall due
	default:
		v.Sort = sort
	}
}

// count reads an optional whole number from 1 to most; 0 if absent.
func (v *validation) count(name string, value any, most int, absent string) int {
	n, ok := value.(float64)
	if value != nil && (!ok || n != math.Trunc(n) || n < 1 || n > float64(most)) {
		v.reject("%s is %s: must be a whole number from 1 to %d; %s", name, shown(value), most, absent)
		return 0
	}
	return int(n)
}

// shown returns a value as it was saved. What was decoded from JSON always marshals.
func shown(value any) string {
	text, _ := json.Marshal(value)
	return string(text)
}

func (v *validation) filters() {
	for _, f := range v.m.Filters {
		if f.Key == "" {
			v.reject("a filter has no field (key): use one of %s", schema.List(v.Set.FieldNames(func(schema.Field) bool { return true })))
			return
		}
		condition, err := filter.New(f.Key, f.Operator, f.operands())
		if field := v.Set.Field(f.Key); err == nil && field != nil {
			err = condition.Check(field.Type)
		}
		v.fail(err)
		v.Filters = append(v.Filters, condition)
	}
}

// operands returns the values that a filter compares with: the operators "one of" use Values, all others Value.
func (f *Filter) operands() []string {
	oneOf := f.Operator == "=|" || f.Operator == "!=|"
	if oneOf && f.Values != nil || f.Value == nil {
		return f.Values
	}
	return []string{*f.Value}
}

// showsMeasure reports whether the format shows a measure instead of rows.
func (q *Query) showsMeasure() bool { return q.Format == Numeric || q.Format == TimeSeries }

// The lanes and bars of a timeline, unless the query names others.
const (
	defaultLane  = "machineId"
	defaultState = "activityLabel"
)

// groups sets the groups and, of a timeline, the states.
func (v *validation) groups() {
	if v.Format == Table {
		return
	}
	if v.Format == Deadlines {
		v.GroupBy = []string{v.Set.AutomationField}
		return
	}
	v.GroupBy = v.m.GroupBy
	for i, name := range v.GroupBy {
		v.fail(checkLabel(v.Set, "groupBy", name))
		if slices.Contains(v.GroupBy[:i], name) || v.figure(name) != nil {
			v.reject("groupBy %q is listed twice or is the measure itself", name)
		}
	}
	switch v.Format {
	case Attention:
		v.judgedGroups()
	case Timeline:
		if len(v.GroupBy) == 0 {
			v.GroupBy = []string{defaultLane}
		}
		v.State = cmp.Or(v.m.State, defaultState)
		v.fail(checkLabel(v.Set, "state", v.State))
	}
	if s := v.Sort; s != nil && v.figure(s.Field) == nil && !slices.Contains(v.GroupBy, s.Field) {
		v.reject("sort by %q: groups are sorted by a measure or a label (groupBy). Use one of those, or omit sort", s.Field)
	}
}

// judgedGroups sets what attention is about, which comes first: automations or runners. The other groups say in which
// workspace; without anything else, the workspace is counted.
func (v *validation) judgedGroups() {
	allowed := []string{v.Set.AutomationField, defaultLane}
	isWorkspace := func(name string) bool { f := v.Set.Field(name); return f != nil && f.Workspace }
	about := slices.DeleteFunc(slices.Clone(v.GroupBy), isWorkspace)
	workspace := slices.DeleteFunc(slices.Clone(v.GroupBy), func(name string) bool { return !isWorkspace(name) })
	if len(about) == 0 {
		v.Counted, about = len(workspace) > 0, allowed[:1]
	}
	if len(about) > 1 || !slices.Contains(allowed, about[0]) {
		v.reject("groupBy %s: format %s is about automations or runners. Use one of %s", schema.List(about), Attention, schema.List(allowed))
	}
	v.GroupBy = append(about, workspace...)
}

// checkLabel rejects known fields that cannot be a label, in a part of the query. Errors are inputerror.Err.
func checkLabel(set *schema.DataSet, part, name string) error {
	f := set.Field(name)
	if f == nil || f.Groupable {
		return nil
	}
	allowed := schema.List(set.FieldNames(func(f schema.Field) bool { return f.Groupable }))
	return inputerror.Errorf("%s %q cannot be a label, because nearly every row has a different value: use one of %s", part, name, allowed)
}

// perAuto uses the panel's interval.
const perAuto = "auto"

// Units are the values of per.
var Units = []string{perAuto, string(period.Hour), string(period.Day), string(period.Week), string(period.Month)}

func (v *validation) time() {
	if v.Set.HasTimes() {
		v.TimeField = v.choice("time field", v.m.TimeField, v.Set.TimeFields[0], v.Set.TimeFields)
	}
	per := v.choice("per", v.m.Per, perAuto, Units)
	if per == perAuto {
		return
	}
	if v.Format != TimeSeries {
		v.reject("per %q: only a time series has points per %s. Use format timeseries, or omit per", per, per)
	}
	v.Per = period.Unit(per)
}
