package frame

import (
	"cmp"
	"slices"
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/attention"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/filter"
	"github.com/insights/insights-reporting-datasource/pkg/period"
	"github.com/insights/insights-reporting-datasource/schema"
)

// The states that task measures use.
const (
	stateQueued   = attention.StateQueued
	stateRunning  = attention.StateRunning
	stateCanceled = attention.StateCanceled
)

// taskMeasures are the formulas of measures of tasks, by their names in datasets.json.
var taskMeasures = map[string]formula{
	"failedTasks":     folded(hasOutcome(attention.Failed), sum),
	"successRate":     folded(when(hasEnded, hasOutcome(attention.Success)), ratio),
	"processedItems":  folded(field("processedItems"), sum),
	"failedItems":     folded(field("failedItems"), sum),
	"totalItems":      folded(field("totalItems"), sum),
	"itemSuccessRate": folded(processedOfTotal, ratio),
	"duration":        folded(duration, ratio),
	"queueTime":       folded(queueTime, ratio),
	"durationP95":     folded(duration, percentile95),
	"durationMax":     folded(duration, largest),
	"queueTimeP95":    folded(queueTime, percentile95),
	"queueTimeMax":    folded(queueTime, largest),
	"turnaround":      folded(turnaround, ratio),
	"turnaroundP95":   folded(turnaround, percentile95),
	"runTime":         folded(orZero(ran), sum), // One that has not started ran for 0 seconds.
	"oldestQueued":    folded(where("state", stateQueued, age("dateCreation")), largest),
	"oldestRunning":   folded(where("state", stateRunning, age("dateStartRunning")), largest),

	"sinceLastTask":    folded(sinceTask, least),
	"sinceLastSuccess": folded(where(outcome, attention.Success.String(), age("dateLastModified")), least),
	"failuresInARow":   failuresInARow,
	"gapMax":           folded(age("dateCreation"), longestGap),

	"deadlinesMet": deadlinesMet,

	"queued":         overlap("waits", (*Selection).waits, concurrency),
	"queuedWork":     queuedWork,
	"queueClearedAt": queueClearedAt,
	"busyRunners":    busyRunners,
	"recoveryTime":   recoveryTime,
	"failureStreaks": failureStreaks,

	"concurrency": overlap("runs", (*Selection).runs, concurrency),
	"occupancy":   overlap("runs", (*Selection).runs, occupancy),
}

// hasOutcome is 1 for tasks with an outcome, and 0 for others.
func hasOutcome(wanted attention.Status) bindColumn {
	return func(r *Selection) rowValue {
		outcomeOf := r.outcomes()
		return func(i int) (float64, float64, bool) { return truth(outcomeOf(i) == wanted), 1, true }
	}
}

func processedOfTotal(r *Selection) rowValue {
	processed, total := r.Rows.Column("processedItems"), r.Rows.Column("totalItems")
	return func(i int) (float64, float64, bool) {
		return processed.Numbers[i], total.Numbers[i], processed.Valid[i] && total.Valid[i]
	}
}

var (
	duration   = when(hasFinished, between("dateStartRunning", "dateLastModified"))
	turnaround = when(hasFinished, between("dateCreation", "dateLastModified"))
	queueTime  = between("dateCreation", "dateStartRunning")
)

// when returns the values of tasks that a test accepts.
func when(is func(*Selection) filter.Test, of bindColumn) bindColumn {
	return func(r *Selection) rowValue {
		keeps, valueOf := is(r), of(r)
		return func(i int) (float64, float64, bool) {
			value, weight, ok := valueOf(i)
			return value, weight, ok && keeps(i)
		}
	}
}

// hasEnded keeps tasks that have an outcome.
func hasEnded(r *Selection) filter.Test {
	outcomeOf := r.outcomes()
	return func(row int) bool { return outcomeOf(row) != attention.None }
}

// hasFinished keeps tasks that have a finish status: one that timed out may go on.
func hasFinished(r *Selection) filter.Test {
	read := newTaskReader(r)
	return func(row int) bool { return read.task(row).Status != attention.None }
}

// between returns the seconds from one date to another. A row without both, or whose end is before its start, has no value.
func between(fromDate, toDate string) bindColumn {
	return func(r *Selection) rowValue {
		from, to := r.Rows.Column(fromDate), r.Rows.Column(toDate)
		return func(i int) (float64, float64, bool) {
			return float64(to.Times[i]-from.Times[i]) / 1e9, 1, from.Valid[i] && to.Valid[i] && to.Times[i] >= from.Times[i]
		}
	}
}

// ran returns the seconds that a task ran, until now if it is running.
func ran(r *Selection) rowValue { return r.derivedNumber("duration") }

// age returns the seconds since a date. One to come is now: the service's clock may be ahead.
func age(date string) bindColumn {
	return func(r *Selection) rowValue {
		since, now := r.Rows.Column(date), r.Now.UnixNano()
		return func(i int) (float64, float64, bool) {
			return float64(max(0, now-since.Times[i])) / 1e9, 1, since.Valid[i]
		}
	}
}

// where returns the values of rows with a text in a field.
func where(field, text string, of bindColumn) bindColumn {
	return func(r *Selection) rowValue {
		c, valueOf := r.column("field", field), of(r)
		return func(i int) (float64, float64, bool) {
			value, weight, ok := valueOf(i)
			return value, weight, ok && c.Text(i) == text
		}
	}
}

// sinceTask returns the seconds since a task was created, or since the other date that the request counts by.
func sinceTask(r *Selection) rowValue {
	return age(cmp.Or(r.TimeField, r.DataSet.TimeFields[0]))(r)
}

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
	if textOf := r.derivedText(name); textOf != nil {
		for i := range column.Valid {
			column.Strings[i] = textOf(i)
			column.Valid[i] = column.Strings[i] != ""
		}
		return column
	}
	valueOf := r.derivedNumber(name)
	for i := range column.Valid {
		column.Numbers[i], _, column.Valid[i] = valueOf(i)
	}
	return column
}

// derivedText returns a derived field that is a text of the row itself; empty is null.
func (r *Selection) derivedText(name string) func(row int) string {
	if name == outcome {
		outcomeOf := r.outcomes()
		return func(row int) string { return outcomeOf(row).String() }
	}
	part, at := calendarParts[name], r.Rows.Column(r.TimeField)
	if part == nil {
		return nil
	}
	return func(row int) string {
		if !at.Valid[row] {
			return ""
		}
		return part(at.Time(row).In(r.Zone))
	}
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
		return r.usualDuration()
	case slowness:
		return r.slowness()
	default:
		return nil
	}
}

// elapsed returns the seconds from one date to another, or until now for rows in the state that the second date ends.
func (r *Selection) elapsed(from, to, open string) rowValue {
	closed, age, state := between(from, to)(r), age(from)(r), r.Rows.Column("state")
	return func(i int) (float64, float64, bool) {
		if state.Text(i) == open {
			return age(i)
		}
		return closed(i)
	}
}

// isQuiet reports whether the values of a field are known without rows: parts of the calendar, and the workspace.
func (r *Selection) isQuiet(name string) bool {
	return (calendarParts[name] != nil || r.Workspace[name] != "") && r.Rows.Column(name) == nil
}

// areQuiet reports whether groups are known without rows.
func (r *Grouping) areQuiet() bool {
	return !slices.ContainsFunc(r.GroupBy, func(name string) bool { return !r.isQuiet(name) })
}

// withQuiet adds the weekdays and hours of the time range without rows, and the workspace: if groups consist only of these,
// an hour without tasks is 0, and so is a workspace. One outside the range, or that a filter on these excludes, is absent.
func (r *Grouping) withQuiet(groups []*group) []*group {
	if len(r.GroupBy) == 0 || !r.areQuiet() {
		return groups
	}
	hours := r.instead(r.hours(), r.isQuiet)
	by := hours.derivedColumns(r.GroupBy)
	for _, row := range hours.kept() {
		labels := texts(by, row)
		if !slices.ContainsFunc(groups, func(g *group) bool { return slices.Equal(g.labels, labels) }) {
			groups = append(groups, &group{labels: labels})
		}
	}
	r.fail(hours.err)
	return groups
}

// hours returns a row for each hour of the time range, at most of a week: further ones repeat. It is a single one if rows
// have no times.
func (r *Selection) hours() *columns.Table {
	if !r.DataSet.HasTimes() {
		return &columns.Table{Rows: 1}
	}
	from, to := r.Span()
	if week := from.Add(7 * 24 * time.Hour); week.Before(to) {
		to = week
	}
	var starts []int64
	for _, start := range period.Hour.Starts(from, to, r.Zone) {
		starts = append(starts, start.UnixNano())
	}
	return r.rowsAt(starts)
}

// The derived fields that compare a task with others of its automation.
const (
	usualDuration = "usualDuration"
	slowness      = "slowness"
)

// UsesOtherRows reports whether a derived field follows from other rows than its own.
func UsesOtherRows(field string) bool { return field == usualDuration || field == slowness }

// slowness returns how many times the usual duration a task took or has been running.
func (r *Selection) slowness() rowValue {
	usual, took := r.derived(usualDuration), r.derivedNumber("duration")
	return func(i int) (float64, float64, bool) {
		value, _, ok := took(i)
		return value / usual.Numbers[i], 1, ok && usual.Valid[i] && usual.Numbers[i] > 0
	}
}

// usualDuration returns the usual duration of a task's automation, as Needs attention means it. Filters and the time range do not
// change what is usual.
func (r *Selection) usualDuration() rowValue {
	usual, automation := r.usualDurations(), r.Rows.Column(r.DataSet.AutomationField)
	return func(i int) (float64, float64, bool) {
		seconds, known := usual[automation.Text(i)]
		return seconds, 1, known
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
