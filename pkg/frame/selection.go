// Package frame converts columns into Grafana frames, a type for each format: Table, Numeric, TimeSeries, Timeline, Attention and
// DueToday. It filters, sorts and groups rows, and adds units and notices. It depends neither on HTTP nor on the service's JSON.
package frame

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
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
	DataSet     *schema.DataSet
	Rows        *columns.Table
	AsOf        time.Time             // when they were requested
	Differences *Differences          // what a number or line of totals shows instead of Rows; nil: Rows
	Workspace   map[string]string     // whose rows these are: the values of derived fields that all rows share; empty: not known
	Explained   bool                  // a notice says which filter excludes all rows; somebody who only looks at 0 can't act on it
	Deadlines   []*deadlines.Deadline // of the setting, as Teams and Calendar are; nil unless the query needs them
	Teams       deadlines.Teams
	Calendar    *deadlines.Calendar // nil: it has no holidays
	Unanswered  string              // why there are no rows, in the place of numbers: see Missed; empty: the service has answered
	Incomplete  bool                // rows, or values that decide what the format attention says, could not be read

	Contains     string // keeps rows whose search field contains the text, case-insensitively; empty: all
	Filters      []*filter.Filter
	period.Range // keeps the rows whose TimeField is in it, if it cuts tasks
	TimeField    string

	Sort  *schema.Sort // of rows, or of groups by measure or label; nil: rows as received, groups of the largest measure first
	Limit int          // rows, groups or series; 0: all

	Display

	absent    int            // how many of the last rows stand for automations without tasks: refer to promises
	shared    map[[3]any]any // what several measures or columns follow from, by its name, rows, and time range
	earlierBy time.Duration  // by which filters such as now-6h move with a compared period
	err       error          // the first one; refer to column
}

// isUnknown reports whether the service has no data of the whole range.
func (r *Selection) isUnknown() bool {
	if d := r.Differences; d != nil {
		return d.steps.HaveEnded() && d.steps.End().Before(r.Known)
	}
	return r.End().Before(r.Known)
}

func once[T any](r *Selection, what string, over timeRange, derive func() T) T {
	key := [3]any{what, r.Rows, over}
	if r.shared == nil {
		r.shared = map[[3]any]any{}
	}
	if _, known := r.shared[key]; !known {
		r.shared[key] = derive()
	}
	return r.shared[key].(T)
}

// fail keeps the first error. It is returned instead of the frame, so nothing else depends on errors.
func (r *Selection) fail(err error) { r.err = cmp.Or(r.err, err) }

// column finds a column of the service, or else a derived one, or fails. Only rows show which fields exist: without any, it is null.
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

// rows returns the indexes of the rows that search, range and filters keep, in order. inRange reports which are in the range; nil: by
// their time field. A notice says which filter excludes all: "No data" looks like a period without activity.
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
		c, asked := r.Rows.Column(r.TimeField), timeRange{columns.Nanoseconds(r.From), columns.Nanoseconds(r.To)}
		inRange = func(i int) bool { return c.Valid[i] && asked.has(c.Times[i]) }
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
		isOfTask := c == r.Rows.Column(c.Name) && c.Name != r.DataSet.AutomationField
		left := len(rows)
		// An automation without tasks stays where only a task could tell.
		rows = keep(ctx, rows, func(row int) bool { return isOfTask && r.isAbsent(row) || test(row) })
		if r.Explained && left > 0 && len(rows) == 0 {
			notices = append(noticeIf(n == 0, data.NoticeSeverityInfo, "0 of %d rows match: no row satisfies %s. Change or remove this filter", all, f),
				noticeIf(n > 0, data.NoticeSeverityInfo, "0 of %d rows match: of the %d rows that satisfy the preceding filters, none satisfies %s. Change or remove one of the filters", all, left, f)...)
		}
	}
	return rows, notices
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

func cutRows[T any](r *Selection, rows []T) []T {
	return rows[:min(len(rows), cmp.Or(r.Limit, len(rows)))]
}

// finished returns a result, or the error of the selection, or the cause of the context if it has ended.
func finished[T any](ctx context.Context, r *Selection, result T) (T, error) {
	if ctx.Err() != nil {
		r.err = context.Cause(ctx)
	}
	if r.err != nil {
		return *new(T), r.err
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

// directed reverses a comparison if the sort descends, as it does by default.
func (r *Selection) directed(c int) int {
	if r.Sort == nil || r.Sort.Order == "desc" {
		return -c
	}
	return c
}

// resolve replaces totals by the activity in the range, detects the scale of the rates, and makes rates without tasks null: the service
// reports them as if everything had failed, and ROI as if its costs were all lost. The rows are shared and not modified.
func (r *Selection) resolve() {
	r.shared = map[[3]any]any{}
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
	r.Rows = &columns.Table{Rows: r.Rows.Rows, Columns: slices.Clone(r.Rows.Columns)}
	for n, c := range r.Rows.Columns {
		if f := r.DataSet.Field(c.Name); f != nil && (f.Rate || f.Gain != "") {
			rate := *c
			rate.Valid = slices.Clone(c.Valid)
			for i := range rate.Valid {
				rate.Valid[i] = rate.Valid[i] && !(count.Valid[i] && count.Numbers[i] == 0)
			}
			r.Rows.Columns[n] = &rate
		}
	}
}

// maxGroups bounds the series of a frame, and the instances of an alert rule.
const maxGroups = 1000

// Grouping are the rows of a selection by the values of some fields.
type Grouping struct {
	Selection
	GroupBy []string        // fields that become labels; of a timeline, the lanes
	Figures []schema.Figure // the numbers of each group; a timeline has none
}

// group is a set of rows with equal values of the groupBy fields. Null counts as empty text, because labels cannot be null.
type group struct {
	labels []string
	rows   []int
}

// groups partitions rows by the groupBy fields. Without groupBy fields there is one group of all rows, even if there are none.
func (r *Grouping) groups(rows []int) map[string]*group {
	if len(r.GroupBy) == 0 {
		return map[string]*group{keyOf(nil): {rows: rows}}
	}
	groups, by := map[string]*group{}, make([]*columns.Column, len(r.GroupBy))
	for i, name := range r.GroupBy {
		by[i] = r.column("groupBy field", name)
	}
	for _, row := range rows {
		labels := texts(by, row)
		key := keyOf(labels)
		if groups[key] == nil {
			groups[key] = &group{labels: labels}
		}
		groups[key].rows = append(groups[key].rows, row)
	}
	return groups
}

func (r *Grouping) sorted(groups map[string]*group) []*group {
	return slices.SortedFunc(maps.Values(groups), r.byLabels)
}

// keyOf identifies labels, which contain no NUL.
func keyOf(labels []string) string { return strings.Join(labels, "\x00") }

func texts(by []*columns.Column, row int) []string {
	labels := make([]string, len(by))
	for i, c := range by {
		labels[i] = c.Text(row)
	}
	return labels
}

func (r *Grouping) labels(of *group) data.Labels {
	if len(r.GroupBy) == 0 {
		return nil
	}
	labels := data.Labels{}
	for i, name := range r.GroupBy {
		labels[name] = of.labels[i]
	}
	return labels
}

// order sorts groups by figure or label as requested, or else the largest first: those without a value last, equal ones by label.
func (r *Grouping) order(groups []*result) {
	by := cmp.Or(r.Sort, &schema.Sort{}).Field
	figure := max(0, slices.IndexFunc(r.Figures, func(f schema.Figure) bool { return f.Name == by }))
	slices.SortStableFunc(groups, func(a, b *result) int {
		x, y, byLabel := a.figures[figure], b.figures[figure], r.byLabels(a.group, b.group)
		switch {
		case slices.Contains(r.GroupBy, by):
			return byLabel
		case x == nil || y == nil:
			return cmp.Or(cmp.Compare(truth(x == nil), truth(y == nil)), byLabel)
		default:
			return cmp.Or(r.directed(cmp.Compare(*x, *y)), byLabel)
		}
	})
}

// byLabels compares groups by the label that is requested, if one is, and then by all of them.
func (r *Grouping) byLabels(a, b *group) (c int) {
	requested := 0
	for i, name := range r.GroupBy {
		of := compareTexts(name, a.labels[i], b.labels[i])
		if c = cmp.Or(c, of); r.Sort != nil && name == r.Sort.Field {
			requested = r.directed(of)
		}
	}
	return cmp.Or(requested, c)
}

// compareTexts compares two values of a field: weekdays from Monday on, anything else by code point.
func compareTexts(field, a, b string) int {
	if field != weekday {
		return strings.Compare(a, b)
	}
	sinceMonday := func(text string) int { return (slices.Index(schema.English.Words().Weekdays, text) + 6) % 7 }
	return cmp.Or(cmp.Compare(sinceMonday(a), sinceMonday(b)), strings.Compare(a, b))
}

func (r *Grouping) limit() int { return min(cmp.Or(r.Limit, maxGroups), maxGroups) }

// cut limits groups to that number. Fewer than there are is worth a warning if the query doesn't ask for so many.
func (r *Grouping) cut(groups []*result, what string) ([]*result, []data.Notice) {
	limit := min(r.limit(), len(groups))
	return groups[:limit], noticeIf(limit < len(groups) && limit != r.Limit, data.NoticeSeverityWarning,
		"%d of %d %s are shown, the first in their order: filter, or group by fewer fields, to see the rest", limit, len(groups), what)
}
