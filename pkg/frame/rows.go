package frame

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/filter"
	"github.com/insights/insights-reporting-datasource/schema"
)

// rows returns the indexes of the rows that search, range and filters keep, in their original order. inRange reports
// which rows are in the range; nil: those whose time field is.
func (r *Selection) rows(ctx context.Context, inRange filter.Test) ([]int, error) {
	tests, err := r.tests(ctx, inRange)
	if err != nil {
		return nil, err
	}
	kept := make([]int, 0, r.Rows.Rows)
	for i := range r.Rows.Rows {
		if !slices.ContainsFunc(tests, func(keeps filter.Test) bool { return !keeps(i) }) {
			kept = append(kept, i)
		}
	}
	return finished(ctx, kept)
}

func (r *Selection) tests(ctx context.Context, inRange filter.Test) ([]filter.Test, error) {
	var tests []filter.Test
	if r.Contains != "" {
		tests = append(tests, filter.Contains(r.Rows.Column(r.DataSet.SearchField), r.Contains))
	}
	switch {
	case inRange != nil:
		tests = append(tests, inRange)
	case r.Cut:
		c := r.Rows.Column(r.TimeField)
		from, to := columns.Nanoseconds(r.From), columns.Nanoseconds(r.To)
		tests = append(tests, func(i int) bool { return c.Valid[i] && c.Times[i] >= from && c.Times[i] <= to })
	}
	for _, f := range r.Filters {
		c, err := r.column("field", f.Key)
		if err != nil {
			return nil, err
		}
		test, err := f.Bind(ctx, c, r.Now)
		if err != nil {
			return nil, err
		}
		tests = append(tests, test)
	}
	return tests, nil
}

// sortRows sorts rows as requested, stably, with nulls last in either order.
func (r *Selection) sortRows(rows []int) error {
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

// resolveRates detects the scale of the rates, and makes the rates of an automation or runner without tasks null: the
// service reports them as 0, as if everything had failed. The rows themselves are shared and not modified.
func (r *Selection) resolveRates() {
	if r.Scale == ScaleAuto {
		r.Scale = DetectScale(r.Rows)
	}
	count := r.Rows.Column(r.DataSet.CountField)
	if count == nil || count.Type != schema.Number {
		return
	}
	rows := &columns.Table{Rows: r.Rows.Rows}
	for _, c := range r.Rows.Columns {
		if f := r.DataSet.Field(c.Name); f != nil && f.Rate {
			c = nullIfIdle(c, count)
		}
		rows.Columns = append(rows.Columns, c)
	}
	r.Rows = rows
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
