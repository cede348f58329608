package frame

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/schema"
)

// rows returns the indexes of the rows that search, range and filters keep, in their original order. inRange reports
// which rows are in the range; nil: those whose time field is.
func (r *Request) rows(ctx context.Context, inRange test) ([]int, error) {
	tests, err := r.tests(ctx, inRange)
	if err != nil {
		return nil, err
	}
	kept := make([]int, 0, r.Rows.Rows)
	for i := range r.Rows.Rows {
		if !slices.ContainsFunc(tests, func(keeps test) bool { return !keeps(i) }) {
			kept = append(kept, i)
		}
	}
	return finished(ctx, kept)
}

func (r *Request) tests(ctx context.Context, inRange test) ([]test, error) {
	var tests []test
	if r.Contains != "" {
		tests = append(tests, contains(r.Rows.Column(r.DataSet.SearchField), strings.ToLower(r.Contains)))
	}
	switch {
	case inRange != nil:
		tests = append(tests, inRange)
	case !r.From.IsZero():
		c := r.Rows.Column(r.TimeField)
		from, to := nanoseconds(r.From), nanoseconds(r.To)
		tests = append(tests, func(i int) bool { return c.Valid[i] && c.Times[i] >= from && c.Times[i] <= to })
	}
	for _, f := range r.Filters {
		c, err := r.column("field", f.Key)
		if err != nil {
			return nil, err
		}
		test, err := f.test(ctx, c, r.Now)
		if err != nil {
			return nil, err
		}
		tests = append(tests, test)
	}
	return tests, nil
}

// contains keeps rows whose text contains a lower-case one, case-insensitively.
func contains(c *columns.Column, wanted string) test {
	return distinctTexts(c, func(text string) bool { return strings.Contains(strings.ToLower(text), wanted) })
}

// nanoseconds is UnixNano, which is undefined before 1678 and after 2262: times outside that range are clamped to it, so
// that 9999-12-31 is after every row.
func nanoseconds(t time.Time) int64 {
	return sooner(later(t, time.Unix(0, math.MinInt64)), time.Unix(0, math.MaxInt64)).UnixNano()
}

// sortRows sorts rows as requested, stably, with nulls last in either order.
func (r *Request) sortRows(rows []int) error {
	c, err := r.column("sort field", r.Sort.Field)
	if err != nil {
		return err
	}
	descending := r.Sort.Order == "desc"
	slices.SortStableFunc(rows, func(a, b int) int {
		if c.Valid[a] && c.Valid[b] {
			return directed(c.Compare(a, b), descending)
		}
		return cmp.Compare(truth(c.Valid[b]), truth(c.Valid[a]))
	})
	return nil
}

// withRates returns the request with the scale of its rates, and on rows in which those of an automation or runner without
// tasks are null: the service reports them as 0, as if everything had failed. The rows themselves are shared and not
// modified.
func (r *Request) withRates() *Request {
	out := *r
	out.built = map[string]*columns.Column{}
	if out.Scale == ScaleAuto {
		out.Scale = DetectScale(r.Rows)
	}
	count := r.Rows.Column(r.DataSet.CountField)
	if count == nil || count.Type != schema.Number {
		return &out
	}
	rows := &columns.Table{Rows: r.Rows.Rows}
	for _, c := range r.Rows.Columns {
		if f := r.DataSet.Field(c.Name); f != nil && f.Rate {
			c = nullIfIdle(c, count)
		}
		rows.Columns = append(rows.Columns, c)
	}
	out.Rows = rows
	return &out
}

// nullIfIdle returns a rate that is null where a count is 0.
func nullIfIdle(c, count *columns.Column) *columns.Column {
	rate := *c
	rate.Valid = make([]bool, len(c.Valid))
	for i, valid := range c.Valid {
		rate.Valid[i] = valid && !(count.Valid[i] && count.Numbers[i] == 0)
	}
	return &rate
}

// Earliest returns the earliest time of a field; zero if no row has one.
func Earliest(rows *columns.Table, field string) time.Time {
	c, first := rows.Column(field), time.Time{}
	for i, valid := range c.Valid {
		if valid && (first.IsZero() || c.Times[i] < first.UnixNano()) {
			first = c.Time(i)
		}
	}
	return first
}
