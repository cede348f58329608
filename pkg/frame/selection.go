// Package frame converts columns into Grafana frames, a type for each format: Table, Numeric, TimeSeries, Timeline,
// Attention and DueToday. It filters, sorts and groups rows, and adds units, stats and notices. It depends neither on HTTP nor on the
// service's JSON.
package frame

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/deadlines"
	"github.com/insights/insights-reporting-datasource/pkg/filter"
	"github.com/insights/insights-reporting-datasource/pkg/inputerror"
	"github.com/insights/insights-reporting-datasource/pkg/period"
	"github.com/insights/insights-reporting-datasource/pkg/rates"
	"github.com/insights/insights-reporting-datasource/schema"
)

// Selection is what every format is made of: the rows of a read, which of them count, and how they are displayed.
type Selection struct {
	DataSet *schema.DataSet
	Rows    *columns.Table
	// Differences are what a number or line of totals shows instead of Rows; nil: Rows.
	Differences *Differences
	// Workspace says whose rows these are: the values of derived fields that all rows share, by name. Empty is not known.
	Workspace map[string]string
	// Explained is whether a notice says which filter excludes all rows. Somebody who only looks at 0 can't act on it.
	Explained bool
	// Deadlines are those of the setting; nil unless the query needs them.
	Deadlines []*deadlines.Deadline
	// Calendar is that of the setting; nil: it has no holidays.
	Calendar *deadlines.Calendar
	// absent is how many of the last rows stand for automations without tasks: refer to promises.
	absent int
	// Incomplete is whether rows, or values that decide what the format attention says, could not be read.
	Incomplete bool

	// Contains keeps rows whose search field contains the text, case-insensitively; empty: all.
	Contains string
	Filters  []*filter.Filter
	// Range keeps the rows whose TimeField is in it, if it cuts tasks.
	period.Range
	TimeField string

	// Sort orders rows, and groups by measure or label. nil: rows as received, groups in descending order of the measure.
	Sort  *schema.Sort
	Limit int // rows, groups or series; 0: all

	Display

	shared    map[derivation]any // what several measures or columns follow from
	earlierBy time.Duration      // by which filters such as now-6h move with a compared period
	err       error              // the first one; refer to column
}

// isUnknown reports whether the service has no data of the whole range.
func (r *Selection) isUnknown() bool {
	if d := r.Differences; d != nil {
		return d.steps.HaveEnded() && d.steps.End().Before(r.Known)
	}
	return r.End().Before(r.Known)
}

// derivation is something that follows from rows and a time range.
type derivation struct {
	what string
	rows *columns.Table
	over timeRange
}

// once derives something from the rows that several measures need.
func once[T any](r *Selection, what string, over timeRange, derive func() T) T {
	key := derivation{what, r.Rows, over}
	if r.shared == nil {
		r.shared = map[derivation]any{}
	}
	if _, known := r.shared[key]; !known {
		r.shared[key] = derive()
	}
	return r.shared[key].(T)
}

// isEarlier reports whether these are the rows of a compared period.
func (r *Selection) isEarlier() bool { return r.earlierBy != 0 }

// fail keeps the first error. It is returned instead of the frame, so nothing else depends on errors.
func (r *Selection) fail(err error) { r.err = cmp.Or(r.err, err) }

// column finds a column of the rows: of a field in the description, or of an additional one of the service. A read
// without rows does not show which additional fields exist, so requesting one is not an error and finds nothing. A
// field of the service takes precedence over a derived one of the same name. If there is none, it fails and returns nulls.
func (r *Selection) column(what, name string) *columns.Column {
	if c := r.Rows.Column(name); c != nil {
		return c
	}
	if c := r.derived(name); c != nil {
		return c
	}
	if r.Rows.Rows > 0 {
		names := append(r.Rows.Names(), schema.Names(r.DataSet.Derived)...)
		r.fail(inputerror.Errorf("unknown %s %q in data set %s: use one of %s", what, name, r.DataSet.Name, schema.List(names)))
	}
	return columns.Nulls(name, schema.String, r.Rows.Rows)
}

// rows returns the indexes of the rows that search, range and filters keep, in their original order. inRange reports
// which rows are in the range; nil: by their time field. The notice says which filter excludes all rows: "No data" alone
// does not distinguish a filter without matches from a period without activity.
func (r *Selection) rows(ctx context.Context, inRange filter.Test) (rows []int, notices []data.Notice) {
	rows = allRows(r.Rows)
	if r.Contains != "" {
		rows = keep(ctx, rows, filter.Contains(r.Rows.Column(r.DataSet.SearchField), r.Contains))
	}
	if !r.Since.IsZero() {
		c, first := r.Rows.Column(r.DataSet.TimeFields[0]), columns.Nanoseconds(r.Since)
		rows = keep(ctx, rows, func(i int) bool { return !c.Valid[i] || c.Times[i] >= first })
	}
	if inRange == nil && r.Cut {
		c := r.Rows.Column(r.TimeField)
		from, to := columns.Nanoseconds(r.From), columns.Nanoseconds(r.To)
		inRange = func(i int) bool { return c.Valid[i] && c.Times[i] >= from && c.Times[i] <= to }
	}
	if inRange != nil {
		rows = keep(ctx, rows, inRange)
	}
	all := len(rows)
	for n, f := range r.Filters {
		c := r.column("field", f.Key)
		compared := c
		if r.DataSet.Field(f.Key) == nil {
			compared, _ = f.Numeric(c)
		}
		test, err := f.Bind(compared, r.Now.Add(-r.earlierBy))
		if r.upToNow(c) != nil {
			err = inputerror.Errorf("filter on %q: the service reports this only up to now, and the time range has ended. Remove this filter, or select a time range until now", f.Key)
		}
		if err != nil {
			r.fail(err)
			return nil, nil
		}
		left := len(rows)
		if rows = keep(ctx, rows, r.orAbsent(c, test)); r.Explained && left > 0 && len(rows) == 0 {
			notices = notice(data.NoticeSeverityInfo, "0 of %d rows match: no row satisfies %s. Change or remove this filter", all, f)
			if n > 0 {
				notices = notice(data.NoticeSeverityInfo, "0 of %d rows match: of the %d rows that satisfy the preceding filters, none satisfies %s. Change or remove one of the filters", all, left, f)
			}
		}
	}
	return rows, notices
}

// orAbsent keeps an automation without tasks, too, where only a task could tell.
func (r *Selection) orAbsent(c *columns.Column, test filter.Test) filter.Test {
	isOfTask := c == r.Rows.Column(c.Name) && c.Name != r.DataSet.AutomationField
	return func(row int) bool { return isOfTask && r.isAbsent(row) || test(row) }
}

func allRows(table *columns.Table) []int {
	rows := make([]int, table.Rows)
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// keep removes the rows that fail a test. Patterns take long, so it stops when the context ends, and leaves no rows.
func keep(ctx context.Context, rows []int, keeps filter.Test) []int {
	rows = slices.DeleteFunc(rows, func(row int) bool { return ctx.Err() != nil || !keeps(row) })
	if ctx.Err() != nil {
		return nil
	}
	return rows
}

// finished returns a result, or the error of the selection, or the cause of the context if it has ended.
func finished[T any](ctx context.Context, r *Selection, result T) (T, error) {
	err := r.err
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		var none T
		return none, err
	}
	return result, nil
}

// sortRows sorts rows as requested, stably, with nulls last in either order.
func (r *Selection) sortRows(rows []int) {
	c := r.column("sort field", r.Sort.Field)
	compare := c.Compare
	if c.Name == weekday {
		compare = func(a, b int) int { return compareTexts(c.Name, c.Text(a), c.Text(b)) }
	}
	slices.SortStableFunc(rows, func(a, b int) int {
		if c.Valid[a] && c.Valid[b] {
			return r.directed(compare(a, b))
		}
		return cmp.Compare(truth(c.Valid[b]), truth(c.Valid[a]))
	})
}

// directed reverses a comparison if the sort descends.
func (r *Selection) directed(c int) int {
	if r.Sort.Order == "desc" {
		return -c
	}
	return c
}

// resolve replaces totals by the activity in the range, detects the scale of the rates, and makes the rates of an automation or
// runner without tasks null: the service reports them as 0, as if everything had failed. The rows themselves are shared and not
// modified.
func (r *Selection) resolve() {
	if r.Differences != nil {
		r.Rows = r.Differences.table(r.isUnknown())
	}
	if r.Scale == rates.Auto {
		r.Scale = rates.Detect(r.Rows)
	}
	count := r.Rows.Column(r.DataSet.CountField)
	if count == nil || count.Type != schema.Number {
		return
	}
	rows := &columns.Table{Rows: r.Rows.Rows, Columns: slices.Clone(r.Rows.Columns)}
	for n, c := range rows.Columns {
		if f := r.DataSet.Field(c.Name); f != nil && f.Rate {
			rate := *c
			rate.Valid = slices.Clone(c.Valid)
			for i := range rate.Valid {
				rate.Valid[i] = rate.Valid[i] && !(count.Valid[i] && count.Numbers[i] == 0)
			}
			rows.Columns[n] = &rate
		}
	}
	r.Rows = rows
}
