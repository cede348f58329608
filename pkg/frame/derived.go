package frame

import (
	"slices"
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/period"
	"github.com/insights/insights-reporting-datasource/schema"
)

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
		at := r.Rows.Column(r.TimeField)
		for i, valid := range at.Valid {
			if valid {
				column.Valid[i], column.Strings[i] = true, part(at.Time(i).In(r.Zone))
			}
		}
		return column
	}
	valueOf := r.derivedNumber(f.Name)
	for i := range column.Valid {
		column.Numbers[i], _, column.Valid[i] = valueOf(i)
	}
	return column
}

// derivedNumber returns a derived field that is a number, in seconds except for slowness, as of now. The measures of
// these names include only tasks that have started or ended.
func (r *Selection) derivedNumber(name string) rowValue {
	switch name {
	case "queueTime":
		return r.elapsed("dateCreation", "dateStartRunning", stateQueued)
	case "duration":
		return r.elapsed("dateStartRunning", "dateLastModified", stateRunning)
	case "turnaround":
		return turnaround(r) // not until now: an unfinished task would match "finished within an hour"
	case usualDuration:
		return r.usualDurations()
	case slowness:
		return r.slowness()
	default:
		return nil
	}
}

// elapsed returns the seconds from one date to another, or until now for rows in the state that the second date ends.
func (r *Selection) elapsed(from, to, open string) rowValue {
	closed, age, state := seconds(r.Rows.Column(from), r.Rows.Column(to)), age(from)(r), r.Rows.Column("state")
	return func(i int) (float64, float64, bool) {
		if state.Text(i) == open {
			return age(i)
		}
		return closed(i)
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
			groups = append(groups, &group{labels: labels})
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

// slowness returns how many times the usual duration a task took or has been running.
func (r *Selection) slowness() rowValue {
	usual, took := r.derived(usualDuration), r.derivedNumber("duration")
	return func(i int) (float64, float64, bool) {
		value, _, ok := took(i)
		return value / usual.Numbers[i], 1, ok && usual.Valid[i] && usual.Numbers[i] > 0
	}
}

// usualDurations returns the 95th percentile of the seconds that the finished tasks of a task's automation took, like
// the measure durationP95. Filters and the time range do not change what is usual.
func (r *Selection) usualDurations() rowValue {
	automation := r.Rows.Column(r.DataSet.AutomationField)
	rows := slices.DeleteFunc(allRows(r.Rows), func(row int) bool { return !automation.Valid[row] })
	all := &Grouping{Selection: Selection{DataSet: r.DataSet, Rows: r.Rows}, GroupBy: []string{automation.Name}}
	groups, _ := all.groups(rows, nil) // The field exists.
	usualOf := make([]float64, r.Rows.Rows)
	known := make([]bool, r.Rows.Rows)
	for _, g := range groups {
		value, ok := usual(appendValues(nil, g.rows, duration(r)))
		for _, row := range g.rows {
			usualOf[row], known[row] = value, ok
		}
	}
	return func(i int) (float64, float64, bool) { return usualOf[i], 1, known[i] }
}
