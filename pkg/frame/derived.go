package frame

import (
	"math"
	"slices"
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/attention"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/schema"
)

// weekday is a derived field whose values are English weekdays.
const weekday = "weekday"

// calendarParts are the derived fields that name a part of the time field.
var calendarParts = map[string]func(time.Time) string{
	weekday: func(t time.Time) string { return t.Weekday().String() },
	"hour":  func(t time.Time) string { return t.Format("15") },
}

// derived returns the column of a derived field, or nil if the data set has none of that name.
func (r *Selection) derived(name string) *columns.Column {
	i := slices.IndexFunc(r.DataSet.Derived, func(f schema.Field) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	field := r.DataSet.Derived[i]
	if field.Workspace {
		return columns.Same(name, r.Workspace[name], r.Rows.Rows)
	}
	column := columns.Nulls(name, field.Type, r.Rows.Rows)
	if number := derivedNumbers[name]; number != nil {
		valueOf := number(r)
		for i := range column.Valid {
			column.Numbers[i] = valueOf(i)
			column.Valid[i] = !math.IsNaN(column.Numbers[i])
		}
		return column
	}
	textOf := r.derivedText(name)
	for i := range column.Valid {
		column.Strings[i] = textOf(i)
		column.Valid[i] = column.Strings[i] != ""
	}
	return column
}

// derivedText returns a derived field that is a text, empty for null.
func (r *Selection) derivedText(name string) func(row int) string {
	if name == outcome {
		tasks, now := r.tasks(), r.Now.UnixNano()
		return func(row int) string { return tasks[row].Outcome(now).String() }
	}
	if name == schema.TeamField {
		automation, teams := r.Rows.Column(r.DataSet.AutomationField), map[string]string{}
		return func(row int) string {
			label := automation.Text(row)
			if _, known := teams[label]; !known {
				teams[label] = r.Teams.Of(label)
			}
			return teams[label]
		}
	}
	part, at := calendarParts[name], r.Rows.Column(r.TimeField)
	return func(row int) string {
		if !at.Valid[row] {
			return ""
		}
		return part(at.Time(row).In(r.Zone))
	}
}

// derivedNumbers are the derived fields that are numbers, in seconds except for slowness, as of now. The measures of these
// names include only tasks that have started or ended.
var derivedNumbers = map[string]bindColumn{
	"queueTime": ofTask(waited), "duration": ofTask(ran), "turnaround": ofTask(turnaround),
	"usualDuration": (*Selection).usualDuration, "slowness": (*Selection).slowness,
}

// slowness returns how many times the usual duration a task took or has been running.
func (r *Selection) slowness() rowValue {
	usual, took := r.usualDuration(), ofTask(ran)(r)
	return func(row int) float64 {
		of := usual(row)
		return unless(of == 0, took(row)/of)
	}
}

// usualDuration returns the usual duration of a task's automation, as Needs attention means it, in seconds. Filters and the time
// range do not change what is usual.
func (r *Selection) usualDuration() rowValue {
	usual, automation := r.usualDurations(), r.Rows.Column(r.DataSet.AutomationField)
	return func(row int) float64 {
		seconds, known := usual[automation.Text(row)]
		return unless(!known, seconds)
	}
}

// usualDurations returns the usual durations of automations, in seconds.
func (r *Selection) usualDurations() map[string]float64 {
	usual := map[string]float64{}
	for label, tasks := range r.tasksByAutomation() {
		if of, known := attention.UsualDuration(tasks, columns.Nanoseconds(r.Now)); known && label != "" {
			usual[label] = float64(of) / 1e9
		}
	}
	return usual
}

// tasksByAutomation returns all tasks, whatever the filters.
func (r *Selection) tasksByAutomation() map[string][]attention.Task {
	return once(r, "tasks of automations", timeRange{}, func() map[string][]attention.Task {
		tasks := map[string][]attention.Task{}
		for label, rows := range byText(r.Rows.Column(r.DataSet.AutomationField), allRows(r.Rows)) {
			tasks[label] = inOrder(r.tasksOf(rows))
		}
		return tasks
	})
}

// byText divides rows by the text of a column.
func byText(c *columns.Column, rows []int) map[string][]int {
	of := map[string][]int{}
	for _, row := range rows {
		of[c.Text(row)] = append(of[c.Text(row)], row)
	}
	return of
}
