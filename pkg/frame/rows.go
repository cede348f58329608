package frame

import (
	"cmp"
	"context"
	"slices"

	"github.com/grafana/grafana-plugin-sdk-go/data"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/filter"
	"github.com/insights/insights-reporting-datasource/schema"
)

// rows returns the indexes of the rows that search, range and filters keep, in their original order, and says if a filter
// excludes all of them. inRange reports which rows are in the range; nil: by their time field.
func (r *Selection) rows(ctx context.Context, inRange filter.Test) ([]int, []data.Notice, error) {
	candidates, filters, err := r.tests(inRange)
	if err != nil {
		return nil, nil, err
	}
	var selected []int
	passed := make([]int, 1+len(filters)) // candidates that satisfy the first filters, by their number
	for i := range r.Rows.Rows {
		if ctx.Err() != nil {
			return nil, nil, context.Cause(ctx) // Patterns take long.
		}
		if slices.ContainsFunc(candidates, func(keeps filter.Test) bool { return !keeps(i) }) {
			continue
		}
		satisfied := 0
		for satisfied < len(filters) && filters[satisfied](i) {
			satisfied++
		}
		for n := range satisfied + 1 {
			passed[n]++
		}
		if satisfied == len(filters) {
			selected = append(selected, i)
		}
	}
	return selected, r.unmatched(passed), nil
}

// tests returns the tests of search and range, and of each filter.
func (r *Selection) tests(inRange filter.Test) (candidates, filters []filter.Test, err error) {
	if r.Contains != "" {
		candidates = append(candidates, filter.Contains(r.Rows.Column(r.DataSet.SearchField), r.Contains))
	}
	switch {
	case inRange != nil:
		candidates = append(candidates, inRange)
	case r.Cut:
		c := r.Rows.Column(r.TimeField)
		from, to := columns.Nanoseconds(r.From), columns.Nanoseconds(r.To)
		candidates = append(candidates, func(i int) bool { return c.Valid[i] && c.Times[i] >= from && c.Times[i] <= to })
	}
	for _, f := range r.Filters {
		c, err := r.column("field", f.Key)
		if err != nil {
			return nil, nil, err
		}
		test, err := f.Bind(c, r.Now)
		if err != nil {
			return nil, nil, err
		}
		filters = append(filters, test)
	}
	return candidates, filters, nil
}

// unmatched says which filter excludes all rows of the search and range: "No data" alone does not distinguish a filter
// without matches from a period without activity.
func (r *Selection) unmatched(passed []int) []data.Notice {
	all, n := passed[0], slices.Index(passed, 0)
	if n <= 0 {
		return nil
	}
	text := english("0 of %d rows match: no row satisfies %s. Change or remove this filter", all, r.Filters[0])
	if n > 1 {
		text = english("0 of %d rows match: of the %d rows that satisfy the preceding filters, none satisfies %s. Change or remove one of the filters",
			all, passed[n-1], r.Filters[n-1])
	}
	return []data.Notice{{Severity: data.NoticeSeverityInfo, Text: text}}
}

// english formats numbers with thousands separators.
func english(format string, args ...any) string {
	return message.NewPrinter(language.English).Sprintf(format, args...)
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
