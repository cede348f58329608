// Package filter selects rows by conditions on their fields, with Grafana's ad-hoc filter operators.
package filter

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/grafana/grafana-plugin-sdk-go/backend/gtime"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/inputerror"
	"github.com/insights/insights-reporting-datasource/pkg/written"
	"github.com/insights/insights-reporting-datasource/schema"
)

// Operators are Grafana's ad-hoc filter operators.
var Operators = []string{"=", "!=", "=~", "!~", "=|", "!=|", "<", "<=", ">", ">="}

// Filter is a condition on one field, validated as far as possible without rows. Queries may share it.
//
// "=", "!=", "=|" and "!=|" compare numbers and hours as numbers, times as points in time and everything else as text; an empty
// value means null. "=~" and "!~" match the whole text (RE2); null is empty text. "<", "<=", ">" and ">=" compare numbers, times
// and text (by code point) and exclude null. The negative operators keep exactly the rows that the positive ones drop.
type Filter struct {
	Key      string
	Operator string
	Values   []string
	pattern  *regexp.Regexp
}

// Test reports whether a row is kept.
type Test func(row int) bool

func (t Test) not() Test { return func(row int) bool { return !t(row) } }

// New validates operator, number of values and pattern. Errors are inputerror.Err.
func New(key, operator string, values []string) (*Filter, error) {
	f := &Filter{Key: key, Operator: operator, Values: values}
	if !slices.Contains(Operators, operator) {
		return nil, inputerror.Errorf("unknown operator %q in the filter on %s: use one of %s", operator, key, strings.Join(Operators, " "))
	}
	if len(values) == 0 {
		return nil, inputerror.Errorf("the filter %s %s has no value", key, operator)
	}
	isPattern := operator == "=~" || operator == "!~"
	if len(values) > 1 && (isPattern || f.isOrdered()) {
		return nil, inputerror.Errorf("the filter %s has %d values, and %s compares with one: use =| or !=|, or join regular expressions with |", f, len(values), operator)
	}
	var err error
	if isPattern {
		f.pattern, err = newPattern(key, values[0])
	}
	return f, err
}

// String formats the filter as in the editor, with the first 100 characters of its values.
func (f *Filter) String() string {
	return fmt.Sprintf("%s %s %.100q", f.Key, f.Operator, strings.Join(f.Values, ", "))
}

// Check validates the values for the type of the field. Errors are inputerror.Err.
func (f *Filter) Check(t schema.Type) error {
	_, err := f.Bind(&columns.Column{Name: f.Key, Type: t}, time.Time{})
	return err
}

// Bind binds the filter to a column, as of now.
func (f *Filter) Bind(c *columns.Column, now time.Time) (Test, error) {
	switch {
	case f.pattern == nil:
		return f.listed(c).comparison(c, now)
	case f.Operator == "!~":
		return distinctTexts(c, f.pattern.MatchString).not(), nil
	}
	return distinctTexts(c, f.pattern.MatchString), nil
}

// listed splits the only value of "one of" at its commas, as ${automation:csv} writes the values of a variable, unless a row has it
// as a whole. Grafana writes no spaces around these commas: with one, it is a text, whose row may be gone today.
func (f *Filter) listed(c *columns.Column) *Filter {
	if len(f.Values) > 1 || f.Operator != "=|" && f.Operator != "!=|" || slices.Contains(c.Strings, f.Values[0]) {
		return f
	}
	listed := *f
	listed.Values = nil
	for value := range strings.SplitSeq(f.Values[0], ",") {
		trimmed := strings.TrimSpace(value)
		if trimmed != value && c.Type == schema.String && c.Name != hour {
			return f
		}
		listed.Values = append(listed.Values, trimmed)
	}
	return &listed
}

// Numeric returns what to compare of a field that is not in the description, so that one text does not turn its numbers into
// texts: these numbers, if the filter compares with one, and the rows whose texts it cannot compare. Otherwise, it is the column.
func (f *Filter) Numeric(c *columns.Column) (compared *columns.Column, unread []int) {
	if _, isNumber := written.Number(strings.TrimSpace(f.Values[0])); !isNumber || !f.isOrdered() || c.Type != schema.String {
		return c, nil
	}
	numbers, others := c.Numeric()
	if !slices.Contains(numbers.Valid, true) {
		return c, nil
	}
	return numbers, others
}

const hour = "hour" // a text of two digits, such as 07, which people compare with numbers

func (f *Filter) comparison(c *columns.Column, now time.Time) (Test, error) {
	if c.Name == hour && c.Type == schema.String {
		c, _ = c.Numeric()
	}
	switch c.Type {
	case schema.Integer: // Beyond 2^53, ids that are neighbors would be the same float64.
		return parsed(f, c, "a whole number", written.Whole, func(i int) int64 { return c.Integers[i] })
	case schema.Number:
		return parsed(f, c, "a number", written.Number, func(i int) float64 { return c.Numbers[i] })
	case schema.Time:
		return parsed(f, c, "a time such as 2026-01-31, 2026-01-31T09:00:00Z or now-1h, or seconds or milliseconds since 1970", moment(now), func(i int) int64 { return c.Times[i] })
	}
	return valueTest(f, c, f.Values, c.Text), nil
}

// parsed compares with the parsed values, without empty ones, which mean null. An ordered comparison needs a value.
func parsed[T cmp.Ordered](f *Filter, c *columns.Column, what string, read func(text string) (T, bool), cell func(row int) T) (Test, error) {
	values := make([]T, 0, len(f.Values))
	for _, text := range f.Values {
		if text == "" && !f.isOrdered() {
			continue
		}
		v, ok := read(strings.TrimSpace(text))
		if !ok {
			return nil, inputerror.Errorf("the filter %s %s %q needs %s", f.Key, f.Operator, text, what)
		}
		values = append(values, v)
	}
	return valueTest(f, c, values, cell), nil
}

func valueTest[T cmp.Ordered](f *Filter, c *columns.Column, values []T, cell func(row int) T) Test {
	switch f.Operator {
	case "=", "=|":
		return oneOf(f, c, values, cell)
	case "!=", "!=|":
		return oneOf(f, c, values, cell).not()
	case "<":
		return func(i int) bool { return c.Valid[i] && cell(i) < values[0] }
	case "<=":
		return func(i int) bool { return c.Valid[i] && cell(i) <= values[0] }
	case ">=":
		return func(i int) bool { return c.Valid[i] && cell(i) >= values[0] }
	}
	return func(i int) bool { return c.Valid[i] && cell(i) > values[0] }
}

// oneOf keeps the rows that equal one of the values, of which a variable may have thousands. Null equals the empty one.
func oneOf[T cmp.Ordered](f *Filter, c *columns.Column, values []T, cell func(row int) T) Test {
	null := slices.Contains(f.Values, "")
	set := make(map[T]bool, len(values))
	for _, v := range values {
		set[v] = true
	}
	return func(i int) bool { return !c.Valid[i] && null || c.Valid[i] && set[cell(i)] }
}

func (f *Filter) isOrdered() bool { return strings.ContainsAny(f.Operator, "<>") }

func moment(now time.Time) func(text string) (nanoseconds int64, ok bool) {
	return func(text string) (int64, bool) {
		ago, isRelative := strings.CutPrefix(text, "now-")
		if !isRelative {
			at, ok := written.Time(text)
			return columns.Nanoseconds(at), ok
		}
		duration, err := gtime.ParseDuration(ago)
		// A negative one is a time to come, or an overflow: more than 292 years.
		return columns.Nanoseconds(now.Add(-duration)), err == nil && duration >= 0
	}
}

// maxPatternLength bounds a regular expression, in characters. Grafana makes long ones from variables with many values.
const maxPatternLength = 100_000

// newPattern compiles a regular expression that matches whole texts and, as in Prometheus, line breaks. Errors are inputerror.Err.
func newPattern(key, text string) (*regexp.Regexp, error) {
	if n := utf8.RuneCountInString(text); n > maxPatternLength {
		return nil, inputerror.Errorf("the filter on %s has a regular expression of %d characters, and the maximum is %d: select fewer values, or use =| or !=|",
			key, n, maxPatternLength)
	}
	// It is parsed without anchors first: "a)|(b" would be valid between them, but not anchored.
	_, err := regexp.Compile(text)
	whole, tooDeep := regexp.Compile("^(?s:" + text + ")$")
	if err = cmp.Or(err, tooDeep); err == nil {
		return whole, nil
	}
	return nil, inputerror.Errorf("the filter on %s has the regular expression %.200q, which is not valid RE2: %.200s",
		key, text, strings.TrimPrefix(err.Error(), "error parsing regexp: "))
}

// Contains keeps rows whose text contains another one, case-insensitively.
func Contains(c *columns.Column, text string) Test {
	wanted := strings.ToLower(text)
	return distinctTexts(c, func(text string) bool { return strings.Contains(strings.ToLower(text), wanted) })
}

// distinctTexts tests each distinct text of a column once, instead of the text of every row. Null is empty text.
func distinctTexts(c *columns.Column, keeps func(text string) bool) Test {
	answer := columns.Memo(keeps)
	return func(row int) bool { return answer(c.Text(row)) }
}
