// Package filter selects rows by conditions on their fields, with Grafana's ad-hoc filter operators.
package filter

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend/gtime"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/inputerror"
	"github.com/insights/insights-reporting-datasource/schema"
)

// Operators are Grafana's ad-hoc filter operators.
var Operators = []string{"=", "!=", "=~", "!~", "=|", "!=|", "<", "<=", ">", ">="}

// Filter is a condition on one field, validated as far as possible without rows. Queries may share it.
//
// "=", "!=", "=|" and "!=|" compare numbers as numbers, times as points in time and everything else as text; an empty
// value means null. "=~" and "!~" match the whole text (RE2); null is empty text. "<", "<=", ">" and ">=" compare
// numbers, times and text (by code point) and exclude null. The negative operators keep exactly the rows that the
// positive ones drop.
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
	if isPattern {
		var err error
		if f.pattern, err = newPattern(key, values[0]); err != nil {
			return nil, err
		}
	}
	return f, nil
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
		return f.comparison(c, now)
	case f.Operator == "!~":
		return distinctTexts(c, f.pattern.MatchString).not(), nil
	default:
		return distinctTexts(c, f.pattern.MatchString), nil
	}
}

// Numeric returns what to compare of a field that is not in the description, so that one text does not turn its numbers into
// texts: these numbers, if the filter compares with one, and the rows whose texts it cannot compare. Otherwise, it is the column.
func (f *Filter) Numeric(c *columns.Column) (compared *columns.Column, unread []int) {
	if _, err := parseNumber(strings.TrimSpace(f.Values[0])); err != nil || !f.isOrdered() || c.Type != schema.String {
		return c, nil
	}
	numbers, others := c.Numeric()
	if !slices.Contains(numbers.Valid, true) {
		return c, nil
	}
	return numbers, others
}

// comparison binds a comparing operator to a column: as numbers, times or text.
func (f *Filter) comparison(c *columns.Column, now time.Time) (Test, error) {
	switch c.Type {
	case schema.Integer:
		return parsed(f, c, "a whole number", parseInteger, func(i int) int64 { return c.Integers[i] })
	case schema.Number:
		return parsed(f, c, "a number", parseNumber, func(i int) float64 { return c.Numbers[i] })
	case schema.Time:
		return parsed(f, c, "a time such as 2026-01-31T09:00:00Z or now-1h, or seconds or milliseconds since 1970", parseTimeValue(now), func(i int) int64 { return c.Times[i] })
	default:
		return valueTest(f, c, f.Values, c.Text), nil
	}
}

// parsed compares with the parsed values.
func parsed[T cmp.Ordered](f *Filter, c *columns.Column, what string, parse func(string) (T, error), cell func(row int) T) (Test, error) {
	values, err := parseValues(f, what, parse)
	if err != nil {
		return nil, err
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
	default:
		return func(i int) bool { return c.Valid[i] && cell(i) > values[0] }
	}
}

// oneOf keeps the rows that equal one of the values. A variable may expand to thousands, so they are looked up in a
// set. Null, like empty text, equals the empty value.
func oneOf[T cmp.Ordered](f *Filter, c *columns.Column, values []T, cell func(row int) T) Test {
	null := slices.Contains(f.Values, "")
	set := make(map[T]struct{}, len(values))
	for _, v := range values {
		set[v] = struct{}{}
	}
	return func(i int) bool {
		if !c.Valid[i] {
			return null
		}
		_, ok := set[cell(i)]
		return ok
	}
}

// parseInteger keeps ids exact: as 64-bit floats, ids beyond 2^53 would equal their neighbors.
func parseInteger(s string) (int64, error) { return strconv.ParseInt(s, 10, 64) }

// parseNumber rejects NaN, which is neither below, above nor equal to a number.
func parseNumber(s string) (float64, error) {
	n, err := strconv.ParseFloat(s, 64)
	if math.IsNaN(n) {
		return 0, strconv.ErrSyntax
	}
	return n, err
}

// isOrdered reports whether the operator is one of <, <=, > and >=.
func (f *Filter) isOrdered() bool { return strings.ContainsAny(f.Operator, "<>") }

// parseValues parses the values, without empty ones, which mean null. An ordered comparison needs a value.
func parseValues[T any](f *Filter, what string, parse func(string) (T, error)) ([]T, error) {
	values := make([]T, 0, len(f.Values))
	for _, text := range f.Values {
		if text == "" && !f.isOrdered() {
			continue
		}
		v, err := parse(strings.TrimSpace(text))
		if err != nil {
			return nil, inputerror.Errorf("the filter %s %s %q needs %s", f.Key, f.Operator, text, what)
		}
		values = append(values, v)
	}
	return values, nil
}

// parseTimeValue returns a parser of moments, which can be relative to now.
func parseTimeValue(now time.Time) func(string) (int64, error) {
	return func(s string) (int64, error) {
		if ago, ok := strings.CutPrefix(s, "now-"); ok {
			duration, err := gtime.ParseDuration(ago)
			if err == nil && duration < 0 {
				err = strconv.ErrRange // a time to come, or an overflow: more than 292 years
			}
			return columns.Nanoseconds(now.Add(-duration)), err
		}
		if n, err := strconv.ParseInt(s, 10, 64); err == nil {
			if n >= 1e9 && n < 1e10 { // ${__from:date:seconds}, from 2001 on: as milliseconds, it would be in early 1970.
				n *= 1000
			}
			return columns.Nanoseconds(time.UnixMilli(n)), nil
		}
		for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", time.DateOnly} {
			if t, err := time.Parse(layout, s); err == nil {
				return columns.Nanoseconds(t), nil
			}
		}
		return 0, strconv.ErrSyntax
	}
}
