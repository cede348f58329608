package frame

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/inputerror"
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
	pattern  *pattern
}

// test reports whether a row is kept.
type test func(row int) bool

func (t test) not() test { return func(row int) bool { return !t(row) } }

// NewFilter validates operator, number of values and pattern. Errors are inputerror.Err.
func NewFilter(key, operator string, values []string) (*Filter, error) {
	f := &Filter{Key: key, Operator: operator, Values: values}
	if !slices.Contains(Operators, operator) {
		return nil, inputerror.Errorf("unknown operator %q in the filter on %s: use one of %s", operator, key, strings.Join(Operators, " "))
	}
	if len(values) == 0 {
		return nil, inputerror.Errorf("the filter %s %s has no value", key, operator)
	}
	if operator == "=~" || operator == "!~" {
		var err error
		if f.pattern, err = newPattern(key, values[0]); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// Check validates the values for the type of the field. Errors are inputerror.Err.
func (f *Filter) Check(t datasets.Type) error {
	_, err := f.test(context.Background(), &columns.Column{Name: f.Key, Type: t}, time.Time{})
	return err
}

// test binds the filter to a column, as of now. After the context has ended, its results are undefined.
func (f *Filter) test(ctx context.Context, c *columns.Column, now time.Time) (test, error) {
	if f.pattern == nil {
		return f.comparison(c, now)
	}
	matches := once(c, func(text string) bool { return f.pattern.matches(ctx, text) })
	if f.Operator == "!~" {
		matches = matches.not()
	}
	return matches, nil
}
