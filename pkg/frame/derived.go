package frame

import (
	"slices"
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/period"
	"github.com/insights/insights-reporting-datasource/schema"
)

// derivedTimes are the derived fields of tasks that hold seconds, by their names in datasets.json, as of now. The
// measures of the same names include only tasks that have started or ended.
var derivedTimes = map[string]bindColumn{
	"queueTime": elapsed("dateCreation", "dateStartRunning", stateQueued),
	"duration":  elapsed("dateStartRunning", "dateLastModified", stateRunning),
	// Not until now: an unfinished task would match "finished within an hour".
	"turnaround": turnaround,
}

// calendarParts are the derived fields that name a part of the time field.
var calendarParts = map[string]func(time.Time) string{
	"weekday": func(t time.Time) string { return t.Weekday().String() },
	"hour":    func(t time.Time) string { return t.Format("15") },
}

// derived returns the column of a derived field, or nil if the data set has none of that name. The column is built once
// for a selection: what is usual takes all rows in order, and a table may filter, sort and show it.
func (r *Selection) derived(name string) *columns.Column {
	i := slices.IndexFunc(r.DataSet.Derived, func(f schema.Field) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	if r.built == nil {
		r.built = map[string]*columns.Column{}
	}
	if r.built[name] == nil {
		r.built[name] = r.build(&r.DataSet.Derived[i])
	}
	return r.built[name]
}

func (r *Selection) build(f *schema.Field) *columns.Column {
	column := columns.New(f.Name, f.Type, 0)
	column.Resize(r.Rows.Rows)
	if part := calendarParts[f.Name]; part != nil {
		r.fillCalendar(column, part)
		return column
	}
	valueOf := r.derivedNumber(f.Name)
	for i := range column.Valid {
		column.Numbers[i], _, column.Valid[i] = valueOf(i)
	}
	return column
}

func (r *Selection) derivedNumber(name string) rowValue {
	switch name {
	case usualDuration:
		return r.usualDurations()
	case slowness:
		return r.slowness()
	default:
		return derivedTimes[name](r)
	}
}

// elapsed returns the seconds from one date to another, or until now for rows in the state that the second date ends.
func elapsed(from, to, open string) bindColumn {
	return func(r *Selection) rowValue {
		closed, age, state := seconds(r.Rows.Column(from), r.Rows.Column(to)), age(from)(r), r.Rows.Column("state")
		return func(i int) (float64, float64, bool) {
			if state.Text(i) == open {
				return age(i)
			}
			return closed(i)
		}
	}
}

func (r *Selection) fillCalendar(column *columns.Column, part func(time.Time) string) {
	at := r.Rows.Column(r.TimeField)
	for i := range r.Rows.Rows {
		if at.Valid[i] {
			column.Valid[i], column.Strings[i] = true, part(at.Time(i).In(r.Zone))
		}
	}
}

// withQuietHours adds the weekdays and hours of the time range without rows: if groups consist only of these, an hour
// without tasks is 0, and an hour outside the range is absent.
func (r *Grouping) withQuietHours(groups []*group) []*group {
	isOther := func(name string) bool { return calendarParts[name] == nil || r.Rows.Column(name) != nil }
	if len(r.GroupBy) == 0 || slices.ContainsFunc(r.GroupBy, isOther) {
		return groups
	}
	from, to := r.Span()
	if week := from.Add(7 * 24 * time.Hour); week.Before(to) {
		to = week
	}
	for _, at := range period.Hour.Starts(from, to, r.Zone) {
		labels := make([]string, len(r.GroupBy))
		for i, name := range r.GroupBy {
			labels[i] = calendarParts[name](at.In(r.Zone))
		}
		if !slices.ContainsFunc(groups, func(g *group) bool { return slices.Equal(g.labels, labels) }) {
			groups = append(groups, &group{labels: labels, number: int32(len(groups))}) //nolint:gosec // a week has 168 hours
		}
	}
	return groups
}

// The derived fields that compare a task with others of its automation.
const (
	usualDuration = "usualDuration"
	slowness      = "slowness"
)

// UsesOtherRows reports whether a derived field follows from other rows than its own, so that it needs all of them.
func UsesOtherRows(field string) bool { return field == usualDuration || field == slowness }

// minTasks is how many tasks tell what is usual.
const minTasks = 5

// slowness returns how many times the usual duration a task took or has been running.
func (r *Selection) slowness() rowValue {
	usual, took := r.derived(usualDuration), derivedTimes["duration"](r)
	return func(i int) (float64, float64, bool) {
		value, _, ok := took(i)
		return value / usual.Numbers[i], 1, ok && usual.Valid[i] && usual.Numbers[i] > 0
	}
}

// usualDurations returns the 95th percentile of the seconds that the finished tasks of a task's automation took, like
// the measure durationP95. Filters and the time range do not change what is usual.
func (r *Selection) usualDurations() rowValue {
	automation, took := r.Rows.Column(r.DataSet.AutomationField), duration(r)
	known := func(*Selection) rowValue {
		return func(i int) (float64, float64, bool) {
			value, weight, ok := took(i)
			return value, weight, ok && automation.Valid[i]
		}
	}
	all := &Grouping{Selection: Selection{DataSet: r.DataSet, Rows: r.Rows}, GroupBy: []string{automation.Name}}
	rows := make([]int, r.Rows.Rows)
	for i := range rows {
		rows[i] = i
	}
	groups, parts, _ := all.groups(rows) // The field exists.
	durations := ofSorted(known, usual)(&all.Selection, nil).values(rows, &cells{parts: parts, number: len(groups)})
	return func(i int) (float64, float64, bool) {
		if seconds := durations[parts[i]]; seconds != nil {
			return *seconds, 1, automation.Valid[i]
		}
		return 0, 1, false
	}
}

func usual(sorted []cellValue) (seconds float64, ok bool) {
	seconds, ok = interpolated(sorted, 0.95)
	return seconds, ok && len(sorted) >= minTasks
}
