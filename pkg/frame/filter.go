package frame

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
)

// Operators are Grafana's ad-hoc filter operators.
var Operators = []string{"=", "!=", "=~", "!~", "=|", "!=|", "<", "<=", ">", ">="}

// Filter is a condition on one field, checked as far as that goes without the rows.
//
// Rules: "=", "!=", "=|" and "!=|" compare numbers as numbers, times as points in time and all else as text; an empty
// value means null. "=~" and "!~" match the whole text (RE2), null being empty text. "<", "<=", ">" and ">=" compare numbers,
// times and text (by code point); null is neither. The negative operators keep exactly the rows that the positive
// ones drop.
type Filter struct {
	Key      string
	Operator string
	Values   []string
	pattern  *regexp.Regexp
}

// NewFilter checks operator, number of values and pattern. Errors are ErrInput.
func NewFilter(key, operator string, values []string) (*Filter, error) {
	f := &Filter{Key: key, Operator: operator, Values: values}
	if !slices.Contains(Operators, operator) {
		return nil, InputErrorf("unknown operator %q in the filter on %s: use one of %s", operator, key, strings.Join(Operators, " "))
	}
	if len(values) == 0 {
		return nil, InputErrorf("the filter %s %s has no value", key, operator)
	}
	if operator == "=~" || operator == "!~" {
		pattern, err := compileWhole(values[0])
		if err != nil {
			return nil, InputErrorf("the filter on %s has the regular expression %q, which RE2 cannot read: %s", key, values[0], regexpReason(err))
		}
		f.pattern = pattern
	}
	return f, nil
}

// compileWhole reads a pattern that has to match the whole text. It is read alone first: between anchors "a)|(b" would
// be a pattern, and not an anchored one.
func compileWhole(pattern string) (*regexp.Regexp, error) {
	if _, err := regexp.Compile(pattern); err != nil {
		return nil, err
	}
	return regexp.Compile("^(?:" + pattern + ")$")
}

// regexpReason is what is wrong with a pattern, without what every such error begins with.
func regexpReason(err error) string {
	return strings.TrimPrefix(err.Error(), "error parsing regexp: ")
}

// Check tells whether the values fit the type of the field. Errors are ErrInput.
func (f *Filter) Check(t datasets.Type) error {
	_, err := f.matcher(&columns.Column{Name: f.Key, Type: t})
	return err
}

// matcher binds the filter to a column.
func (f *Filter) matcher(c *columns.Column) (func(row int) bool, error) {
	switch f.Operator {
	case "=~":
		return func(i int) bool { return f.pattern.MatchString(c.Text(i)) }, nil
	case "!~":
		return func(i int) bool { return !f.pattern.MatchString(c.Text(i)) }, nil
	}
	compare, err := f.comparer(c)
	if err != nil {
		return nil, err
	}
	switch f.Operator {
	case "=", "=|":
		return func(i int) bool { return f.any(c, i, compare) }, nil
	case "!=", "!=|":
		return func(i int) bool { return !f.any(c, i, compare) }, nil
	case "<":
		return func(i int) bool { return c.Valid[i] && compare(i, 0) < 0 }, nil
	case "<=":
		return func(i int) bool { return c.Valid[i] && compare(i, 0) <= 0 }, nil
	case ">=":
		return func(i int) bool { return c.Valid[i] && compare(i, 0) >= 0 }, nil
	default:
		return func(i int) bool { return c.Valid[i] && compare(i, 0) > 0 }, nil
	}
}

// any says whether row i equals one of the values.
func (f *Filter) any(c *columns.Column, i int, compare func(row, value int) int) bool {
	for v, text := range f.Values {
		if text == "" && (!c.Valid[i] || c.Text(i) == "") {
			return true
		}
		if text != "" && c.Valid[i] && compare(i, v) == 0 {
			return true
		}
	}
	return false
}

// comparer returns how a row compares with one of the values: as numbers, times or text.
func (f *Filter) comparer(c *columns.Column) (func(row, value int) int, error) {
	switch c.Type {
	case datasets.Integer:
		values, err := parseValues(f, "a whole number", func(s string) (int64, error) { return strconv.ParseInt(s, 10, 64) })
		if err == nil {
			return func(i, v int) int { return cmp.Compare(c.Integers[i], values[v]) }, nil
		}
		// 12.5 is no id, but ids can be below it.
		floats, err := parseValues(f, "a number", parseNumber)
		return func(i, v int) int { return cmp.Compare(float64(c.Integers[i]), floats[v]) }, err
	case datasets.Number:
		values, err := parseValues(f, "a number", parseNumber)
		return func(i, v int) int { return cmp.Compare(c.Numbers[i], values[v]) }, err
	case datasets.Time:
		values, err := parseValues(f, "a time such as 2026-01-31T09:00:00Z, or milliseconds since 1970", parseTimeValue)
		return func(i, v int) int { return cmp.Compare(c.Times[i], values[v]) }, err
	default:
		return func(i, v int) int { return strings.Compare(c.Text(i), f.Values[v]) }, nil
	}
}

// parseNumber takes no NaN, which is neither below, above nor equal to a number.
func parseNumber(s string) (float64, error) {
	n, err := strconv.ParseFloat(s, 64)
	if math.IsNaN(n) {
		return 0, strconv.ErrSyntax
	}
	return n, err
}

func parseValues[T any](f *Filter, what string, parse func(string) (T, error)) ([]T, error) {
	values := make([]T, len(f.Values))
	ordered := strings.ContainsAny(f.Operator, "<>")
	for i, text := range f.Values {
		if text == "" && !ordered {
			continue // stands for null
		}
		v, err := parse(strings.TrimSpace(text))
		if err != nil {
			return nil, InputErrorf("the filter %s %s %q needs %s", f.Key, f.Operator, text, what)
		}
		values[i] = v
	}
	return values, nil
}

func parseTimeValue(s string) (int64, error) {
	if ms, err := strconv.ParseInt(s, 10, 64); err == nil {
		return nanoseconds(time.UnixMilli(ms)), nil
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", time.DateOnly} {
		if t, err := time.Parse(layout, s); err == nil {
			return nanoseconds(t), nil
		}
	}
	return 0, strconv.ErrSyntax
}
