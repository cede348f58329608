package query

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/grafana/grafana-plugin-sdk-go/backend"

	"github.com/insights/insights-reporting-datasource/pkg/filter"
	"github.com/insights/insights-reporting-datasource/pkg/inputerror"
	"github.com/insights/insights-reporting-datasource/pkg/period"
	"github.com/insights/insights-reporting-datasource/pkg/written"
	"github.com/insights/insights-reporting-datasource/schema"
)

// validation applies a saved query to a plan. Its error is the first one.
type validation struct {
	*Plan
	saved *saved
	err   error
}

func (q *Plan) apply(dataQuery backend.DataQuery, sets schema.DataSets) error {
	v := &validation{Plan: q}
	v.saved = savedQuery(dataQuery.JSON, v.fail)
	name := cmp.Or(v.saved.text("queryType"), dataQuery.QueryType) // A file with rules may have it only there.
	if q.Set = sets.Get(v.choice("data set (queryType)", name, sets.Default().Name, schema.Names(sets))); q.Set == nil {
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

func (v *validation) rejectIf(is bool, format string, args ...any) {
	if is {
		v.reject(format, args...)
	}
}

func (v *validation) fail(err error) { v.err = cmp.Or(v.err, err) }

// choice returns a value that must be one of the allowed values or, if it is empty, the default.
func (v *validation) choice(what, value, otherwise string, allowed []string) string {
	if value == "" {
		return otherwise
	}
	v.rejectIf(!slices.Contains(allowed, value), "unknown %s %.200q: use one of %s", what, value, schema.List(allowed))
	return value
}

func (v *validation) format() {
	v.Format = v.choice("format", v.saved.text("format"), Table, Formats)
	if !v.Set.HasTimes() && slices.Contains([]string{Timeline, Attention, Deadlines}, v.Format) {
		v.reject("format %q: the service does not report when %s ran. Use data set %s, or another format", v.Format, v.Set.Name, schema.All().Get("tasks").Name)
	}
	v.rejectIf(v.Format == Timeline && v.Rule, "format %q: a rule needs numbers. Use format %s or %s", v.Format, Numeric, TimeSeries)
	v.rejectIf(v.Format == Deadlines && v.Rule, "format %q: a rule needs numbers. Use format %s, whose reason %s has a severity for each automation that is late, or format %s with measure %s", v.Format, Attention, deadline, Numeric, deadlinesMet)
	if v.Long = v.choice("shape", v.saved.text("shape"), "wide", []string{"wide", "long"}) == "long"; v.Format == Attention {
		v.Long = !v.Rule
	}
}

// MaxDays is more than any service knows, and little enough that times so long ago fit into 64 bits of nanoseconds.
const MaxDays = 100_000

func (v *validation) rows() {
	v.days = v.count("days", MaxDays, "omit it to follow the time range")
	if v.Format == Attention || v.Format == Deadlines {
		v.days = cmp.Or(v.days, schema.Attention.Days) // the history, whatever the time range
	}
	v.Idle = v.Format == Timeline && v.days > 0
	v.Search = v.saved.text("search")
	v.Limit = v.count("limit", math.MaxInt32, "omit it for no limit")
	v.sort()
	if v.Format == Table {
		v.Columns = v.names("columns")
	}
}

// names returns a list of names without empty ones, which are variables without a value.
func (v *validation) names(property string) (names []string) {
	for _, name := range v.saved.texts(property) {
		v.rejectIf(slices.Contains(names, name), "%q is listed twice in %s", name, property)
		if name != "" {
			names = append(names, name)
		}
	}
	return names
}

// sort reads an object, or a text of its properties with a comma between them.
func (v *validation) sort() {
	sort := &schema.Sort{}
	if text, isText := v.saved.properties["sort"].(string); isText {
		sort.Field, sort.Order, _ = strings.Cut(text, ",")
	} else {
		saved := v.saved.object("sort", `an object with field and order, or the text "field,order"`)
		for _, name := range slices.Sorted(maps.Keys(saved.properties)) { // Dropped without a word, the order would be another one.
			v.choice("property of sort", name, "", []string{"field", "order"})
		}
		if _, hasField := saved.properties["field"]; len(saved.properties) > 0 && !hasField {
			v.reject("sort has no field: add it, or omit sort")
		}
		sort.Field, sort.Order = saved.text("field"), saved.text("order")
	}
	sort.Field = strings.TrimSpace(sort.Field)
	sort.Order = v.choice("sort order (sort.order)", strings.TrimSpace(sort.Order), "asc", []string{"asc", "desc"})
	if sort.Field != "" && v.Format != Attention && v.Format != Deadlines { // These are ordered by urgency, and by when they fall due.
		v.rejectIf(v.Format == Timeline, "sort by %q: the lanes of a timeline are ordered by their labels (groupBy). Omit sort, or use another format", sort.Field)
		v.Sort = sort
	}
}

func (v *validation) count(name string, most int, absent string) int {
	allowed := fmt.Sprintf("a whole number from 1 to %d; %s", most, absent)
	text := strings.TrimSpace(v.saved.textOf(name, v.saved.properties[name], allowed))
	if text == "" {
		return 0
	}
	n, ok := written.Whole(text)
	if !ok || n < 1 || n > int64(most) {
		v.reject("%s is %.200s: must be %s", name, text, allowed)
		return 0
	}
	return int(n)
}

func (v *validation) filters() {
	for _, saved := range v.saved.objects("filters", "key, operator, and value or values") {
		key, operator := saved.text("key"), saved.text("operator")
		if key == "" {
			v.reject("a filter has no field (key): use one of %s", schema.List(v.Set.FieldNames(func(schema.Field) bool { return true })))
			return
		}
		// The operators "one of" use values, all others value.
		values := saved.texts("values")
		if isOneOf := operator == "=|" || operator == "!=|"; saved.properties["value"] != nil && !(isOneOf && values != nil) {
			values = []string{saved.text("value")}
		}
		condition, err := filter.New(key, operator, values)
		if field := v.Set.Field(key); err == nil && field != nil {
			err = condition.Check(field.Type)
		}
		v.fail(err)
		v.Filters = append(v.Filters, condition)
	}
}

func (q *Plan) showsMeasure() bool { return q.Format == Numeric || q.Format == TimeSeries }

// runner is the field with the lanes of a timeline, unless the query names others, and one of those that attention is about.
const runner = "machineId"

func (v *validation) groups() {
	switch v.Format {
	case Table:
		return
	case Deadlines:
		v.GroupBy = []string{v.Set.AutomationField}
		return
	}
	v.GroupBy = v.names("groupBy")
	for _, name := range v.GroupBy {
		v.label("groupBy", name)
		v.rejectIf(v.isFigure(name), "groupBy %q is the measure itself", name)
	}
	switch v.Format {
	case Attention:
		v.judgedGroups()
	case Timeline:
		if len(v.GroupBy) == 0 {
			v.GroupBy = []string{runner}
		}
		v.State = cmp.Or(v.saved.text("state"), v.Set.AutomationField)
		v.label("state", v.State)
	}
	if s := v.Sort; s != nil && !v.isFigure(s.Field) && !slices.Contains(v.GroupBy, s.Field) {
		v.reject("sort by %q: groups are sorted by a measure or a label (groupBy). Use one of those, or omit sort", s.Field)
	}
}

// judgedGroups sets what attention is about, which comes first: automations or runners. The other groups say in which
// workspace or, of automations, of which team; without anything else, the workspace is counted.
func (v *validation) judgedGroups() {
	allowed := []string{v.Set.AutomationField, runner}
	isBeside := func(name string) bool {
		f := v.Set.Field(name)
		return f != nil && f.Workspace || name == schema.TeamField && slices.Contains(v.GroupBy, v.Set.AutomationField)
	}
	about := slices.DeleteFunc(slices.Clone(v.GroupBy), isBeside)
	beside := slices.DeleteFunc(slices.Clone(v.GroupBy), func(name string) bool { return !isBeside(name) })
	if len(about) == 0 {
		v.Counted, about = len(beside) > 0, allowed[:1]
	}
	v.rejectIf(len(about) > 1 || !slices.Contains(allowed, about[0]), "groupBy %s: format %s is about automations or runners. Use one of %s", schema.List(about), Attention, schema.List(allowed))
	v.GroupBy = append(about, beside...)
}

// label rejects a known field that cannot be a label, in a part of the query.
func (v *validation) label(part, name string) {
	if f := v.Set.Field(name); f != nil && !f.Groupable {
		allowed := v.Set.FieldNames(func(f schema.Field) bool { return f.Groupable })
		v.reject("%s %q cannot be a label, because nearly every row has a different value: use one of %s", part, name, schema.List(allowed))
	}
}

func (v *validation) flag(name string) bool {
	return v.choice(name, v.saved.text(name), "false", []string{"true", "false"}) == "true"
}

func (v *validation) time() {
	v.isUntilNow = v.flag("untilNow")
	if v.Set.HasTimes() {
		v.TimeField = v.choice("time field (timeField)", v.saved.text("timeField"), v.Set.TimeFields[0], v.Set.TimeFields)
	}
	name := v.saved.text("timezone")
	if name == "browser" { // Rules have only what is saved, and browsers send that of the dashboard.
		name = ""
	}
	zone, ok := period.Zone(name)
	v.rejectIf(!ok, "unknown time zone %q: use a name such as America/Sao_Paulo", name)
	v.Period.Zone = zone
	per := v.choice("per", v.saved.text("per"), "auto", []string{"auto", string(period.Hour), string(period.Day), string(period.Week), string(period.Month)})
	if per != "auto" { // the panel's interval
		v.rejectIf(v.Format != TimeSeries, "per %q: only a time series has points per %s. Use format timeseries, or omit per", per, per)
		v.Per = period.Unit(per)
	}
}

// saved is an object of a saved query. A person, a provisioning file, or a variable may write its properties in another way than
// the editor: what is unambiguous is read, and everything else is an error that names the property, its value, and what is allowed.
type saved struct {
	path       string // of its properties, such as "filters[0]."
	properties map[string]any
	fail       func(error)
}

func savedQuery(raw []byte, fail func(error)) *saved {
	var value any
	in := json.NewDecoder(bytes.NewReader(raw))
	in.UseNumber() // A number is also a text, as it is written.
	if in.Decode(&value) != nil || in.More() {
		fail(inputerror.Errorf("the query is not valid JSON: correct it where it is saved, such as in the panel JSON or in a provisioning file"))
	}
	query := (&saved{fail: fail}).objectOf("the query", value, "an object")
	query.path = ""
	return query
}

// text reads a text. That of a number or a boolean is how it is written; of null or nothing, it is empty.
func (s *saved) text(name string) string {
	return s.textOf(s.path+name, s.properties[name], "a text or a number")
}

func (s *saved) textOf(name string, value any, allowed string) string {
	switch value.(type) {
	case nil:
	case string, json.Number, bool:
		return fmt.Sprint(value)
	default:
		s.mismatch(name, value, allowed)
	}
	return ""
}

func (s *saved) texts(name string) (texts []string) {
	for at, value := range s.list(name) {
		texts = append(texts, s.textOf(at, value, "a text or a number, or a list of these"))
	}
	return texts
}

func (s *saved) objects(name, properties string) (objects []*saved) {
	for at, value := range s.list(name) {
		objects = append(objects, s.objectOf(at, value, "an object with "+properties+", or a list of these"))
	}
	return objects
}

func (s *saved) object(name, allowed string) *saved {
	return s.objectOf(s.path+name, s.properties[name], allowed)
}

func (s *saved) objectOf(name string, value any, allowed string) *saved {
	properties, isObject := value.(map[string]any)
	if value != nil && !isObject {
		s.mismatch(name, value, allowed)
	}
	return &saved{name + ".", properties, s.fail}
}

// list returns the elements of a list, with their names. A single value is a list of one.
func (s *saved) list(name string) iter.Seq2[string, any] {
	return func(yield func(string, any) bool) {
		value := s.properties[name]
		elements, isList := value.([]any)
		if value != nil && !isList {
			yield(s.path+name, value)
		}
		for n, element := range elements {
			if !yield(fmt.Sprintf("%s%s[%d]", s.path, name, n), element) {
				return
			}
		}
	}
}

func (s *saved) mismatch(name string, value any, allowed string) {
	s.fail(inputerror.Errorf("%s is %.200s: must be %s", name, schema.Written(value), allowed))
}
