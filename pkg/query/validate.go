package query

import (
	"cmp"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/insights/insights-reporting-datasource/pkg/filter"
	"github.com/insights/insights-reporting-datasource/pkg/inputerror"
	"github.com/insights/insights-reporting-datasource/pkg/period"
	"github.com/insights/insights-reporting-datasource/schema"
)

// The steps of Parse. Each validates a part of the model. Errors are inputerror.Err.

// choice returns a value that must be one of the allowed values or, if it is empty, the default.
func choice(what, value, otherwise string, allowed []string) (string, error) {
	if value == "" {
		return otherwise, nil
	}
	if !slices.Contains(allowed, value) {
		return "", inputerror.Errorf("unknown %s %q: use one of %s", what, value, schema.List(allowed))
	}
	return value, nil
}

func (q *Query) setDataSet(m *Model, sets schema.DataSets) error {
	name, err := choice("data set (queryType)", m.QueryType, sets.Default().Name, sets.Names())
	q.Set = sets.Get(name)
	return err
}

func (q *Query) setFormat(m *Model) (err error) {
	if q.Format, err = choice("format", m.Format, Table, Formats); err != nil {
		return err
	}
	if (q.Format == Timeline || q.Format == Attention) && !q.Set.HasTimes() {
		return inputerror.Errorf("format %q: the service does not report when %s ran. Use data set %s, or another format",
			q.Format, q.Set.Name, schema.All().Get("tasks").Name)
	}
	return nil
}

func (q *Query) setShape(m *Model) error {
	shape, err := choice("shape", m.Shape, "wide", []string{"wide", "long"})
	q.Long = shape == "long"
	return err
}

func (q *Query) setNumbers(m *Model) (err error) {
	if q.Days, err = count("days", m.Days, maxDays, "omit it to follow the time range"); err != nil {
		return err
	}
	if q.Format == Attention {
		q.Days = cmp.Or(q.Days, schema.Attention.Days) // the history, whatever the time range
	}
	q.Limit, err = count("limit", m.Limit, math.MaxInt32, "omit it for no limit")
	return err
}

// maxDays is more than any service knows, and little enough that times so long ago fit into 64 bits of nanoseconds.
const maxDays = 100_000

// count reads an optional whole number from 1 to most; 0 if absent.
func count(name string, value any, most int, absent string) (int, error) {
	if value == nil {
		return 0, nil
	}
	n, ok := value.(float64)
	if !ok || n != math.Trunc(n) || n < 1 || n > float64(most) {
		// A value decoded from JSON always marshals.
		shown, _ := json.Marshal(value)
		return 0, inputerror.Errorf("%s is %s: must be a whole number from 1 to %d; %s", name, shown, most, absent)
	}
	return int(n), nil
}

func (q *Query) setSort(m *Model) error {
	if m.Sort == nil || m.Sort.Field == "" {
		return nil
	}
	order, err := choice("sort order", m.Sort.Order, "asc", []string{"asc", "desc"})
	q.Sort = &schema.Sort{Field: m.Sort.Field, Order: order}
	return err
}

func (q *Query) setFilters(m *Model) error {
	for _, f := range m.Filters {
		if f.Key == "" {
			return inputerror.Errorf("a filter has no field (key): use one of %s", schema.List(q.Set.FieldNames(func(schema.Field) bool { return true })))
		}
		condition, err := filter.New(f.Key, f.Operator, f.operands())
		if err != nil {
			return err
		}
		if field := q.Set.Field(f.Key); field != nil {
			if err := condition.Check(field.Type); err != nil {
				return err
			}
		}
		q.Filters = append(q.Filters, condition)
	}
	return nil
}

// operands returns the values that a filter compares with: the operators "one of" use Values, all others Value.
func (f *Filter) operands() []string {
	oneOf := f.Operator == "=|" || f.Operator == "!=|"
	if oneOf && f.Values != nil || f.Value == nil {
		return f.Values
	}
	return []string{*f.Value}
}

func (q *Query) setColumns(m *Model) error {
	for i, name := range m.Columns {
		if slices.Contains(m.Columns[:i], name) {
			return inputerror.Errorf("column %q is listed twice in columns", name)
		}
	}
	q.Columns = m.Columns
	return nil
}

func (q *Query) setMeasure(m *Model) error {
	if !q.showsMeasure() {
		return nil
	}
	q.Measure = m.Measure
	if err := q.checkMeasure(m.GroupBy); err != nil {
		return err
	}
	if q.Format == TimeSeries && !q.Set.HasTimes() && !q.described().Additive {
		return inputerror.Errorf("measure %s of data set %s is not available as a time series: the service reports it only up to now, and it is not additive, so it cannot be split by day. Use one of %s, use data set tasks, or record the value with a Grafana recording rule",
			m.Measure, q.Set.Name, schema.List(q.Set.DrawnNames()))
	}
	return nil
}

// checkMeasure rejects unknown measures, except for numbers that may be in the rows of automations and runners, although
// they are not in the description: rows that are groups of their own need not be combined.
func (q *Query) checkMeasure(groupBy []string) error {
	if q.Set.Measure(q.Measure) != nil {
		return nil
	}
	measures := q.Set.Measures()
	names := make([]string, len(measures))
	for i := range measures {
		names[i] = measures[i].Name
	}
	mayBeField := q.Set.HasKeyRoute() && q.Measure != "" && q.Set.Field(q.Measure) == nil
	switch {
	case mayBeField && slices.Contains(groupBy, q.Set.Key):
		return nil
	case mayBeField:
		return inputerror.Errorf("unknown measure %q of data set %s: use one of %s. Another number field of the service must be grouped by %s (groupBy), because how to combine its values is unknown",
			q.Measure, q.Set.Name, schema.List(names), q.Set.Key)
	default:
		return inputerror.Errorf("unknown measure %q of data set %s: use one of %s", q.Measure, q.Set.Name, schema.List(names))
	}
}

// described returns the description of the measure, which is empty for a field that is not in the description.
func (q *Query) described() *schema.Measure {
	return cmp.Or(q.Set.Measure(q.Measure), &schema.Measure{})
}

// showsMeasure reports whether the format shows a measure instead of rows.
func (q *Query) showsMeasure() bool { return q.Format == Numeric || q.Format == TimeSeries }

// The lanes and bars of a timeline, unless the query names others.
const (
	defaultLane  = "machineId"
	defaultState = "activityLabel"
)

func (q *Query) setGroupBy(m *Model) error {
	if q.Format == Table {
		return nil
	}
	for i, name := range m.GroupBy {
		if err := checkLabel(q.Set, "groupBy", name); err != nil {
			return err
		}
		if slices.Contains(m.GroupBy[:i], name) || q.showsMeasure() && name == q.Measure {
			return inputerror.Errorf("groupBy %q is listed twice or is the measure itself", name)
		}
	}
	q.GroupBy = m.GroupBy
	if q.Format == Attention {
		return q.setAttentionGroup()
	}
	if q.Format == Timeline && len(q.GroupBy) == 0 {
		q.GroupBy = []string{defaultLane}
	}
	return nil
}

// setAttentionGroup sets what needs attention: automations or runners.
func (q *Query) setAttentionGroup() error {
	allowed := []string{q.Set.AutomationField, defaultLane}
	if len(q.GroupBy) == 0 {
		q.GroupBy = allowed[:1]
	}
	if len(q.GroupBy) > 1 || !slices.Contains(allowed, q.GroupBy[0]) {
		return inputerror.Errorf("groupBy %s: format %s is about automations or runners. Use one of %s", schema.List(q.GroupBy), Attention, schema.List(allowed))
	}
	return nil
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

func (q *Query) setState(m *Model) error {
	if q.Format != Timeline {
		return nil
	}
	q.State = cmp.Or(m.State, defaultState)
	return checkLabel(q.Set, "state", q.State)
}

func (q *Query) setTimeField(m *Model) (err error) {
	if q.Set.HasTimes() {
		q.TimeField, err = choice("time field", m.TimeField, q.Set.TimeFields[0], q.Set.TimeFields)
	}
	return err
}

func (q *Query) setCompare(m *Model) (err error) {
	if q.Compare, err = choice("compare", m.Compare, "", Comparisons); err != nil {
		return err
	}
	return q.checkCompare()
}

// perAuto uses the panel's interval.
const perAuto = "auto"

// Units are the values of per.
var Units = []string{perAuto, string(period.Hour), string(period.Day), string(period.Week), string(period.Month)}

func (q *Query) setPer(m *Model) error {
	per, err := choice("per", m.Per, perAuto, Units)
	if err != nil || per == perAuto {
		return err
	}
	if q.Format != TimeSeries {
		return inputerror.Errorf("per %q: only a time series has points per %s. Use format timeseries, or omit per", m.Per, m.Per)
	}
	q.Per = period.Unit(per)
	return nil
}

// setThresholds sets the thresholds of the reasons to need attention. Errors are inputerror.Err.
func (q *Query) setThresholds(m *Model) (err error) {
	if q.Format != Attention {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(m.Attention)) {
		if _, err = choice("threshold (attention)", name, "", schema.ReasonNames()); err != nil {
			return err
		}
	}
	q.Thresholds = map[string]float64{}
	for _, reason := range schema.Attention.Reasons {
		if q.Thresholds[reason.Name], err = threshold(&reason, m.Attention[reason.Name]); err != nil {
			return err
		}
	}
	return nil
}

// threshold reads an optional number, or the text of one: the value of a dashboard variable is text.
func threshold(reason *schema.Reason, value any) (float64, error) {
	text, isText := value.(string)
	if value == nil || isText && strings.TrimSpace(text) == "" {
		return reason.Threshold, nil
	}
	number, ok := value.(float64)
	if isText {
		parsed, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		number, ok = parsed, err == nil
	}
	if !ok || math.IsInf(number, 0) || math.IsNaN(number) || number < 0 || number != 0 && number < reason.Least {
		// A value decoded from JSON always marshals.
		shown, _ := json.Marshal(value)
		return 0, inputerror.Errorf("attention.%s is %s: must be a number from %v up, or 0 to turn this reason off. Omit it for the default, %v",
			reason.Name, shown, reason.Least, reason.Threshold)
	}
	return number, nil
}
