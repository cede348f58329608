package frame

import (
	"cmp"
	"slices"

	"github.com/insights/insights-reporting-datasource/pkg/attention"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/filter"
)

// taskMeasures are the measures of tasks that are neither a count of rows nor the sum of a field, by their names in datasets.json.
var taskMeasures = map[string]formula{
	"failedTasks":     {perRow(ofTask(failed), one), inCell(sum)},
	"successRate":     {perRow(ofTask(succeeded), one), inCell(ratio)},
	"itemSuccessRate": {perRow(field("processedItems"), field("totalItems")), inCell(ratio)},

	"duration":      {perRow(only(hasFinished, ran), one), inCell(ratio)},
	"durationP95":   {perRow(only(hasFinished, ran), one), inCell(percentile95)},
	"durationMax":   {perRow(only(hasFinished, ran), one), inCell(largest)},
	"queueTime":     {perRow(only(hasLeftQueue, waited), one), inCell(ratio)},
	"queueTimeP95":  {perRow(only(hasLeftQueue, waited), one), inCell(percentile95)},
	"queueTimeMax":  {perRow(only(hasLeftQueue, waited), one), inCell(largest)},
	"turnaround":    {perRow(ofTask(turnaround), one), inCell(ratio)},
	"turnaroundP95": {perRow(ofTask(turnaround), one), inCell(percentile95)},
	"runTime":       {perRow(ofTask(ranOrNot), one), inCell(sum)},

	"oldestQueued":     {perRow(only(isQueued, waited), one), inCell(largest)},
	"oldestRunning":    {perRow(only(isRunning, ran), one), inCell(largest)},
	"sinceLastTask":    {perRow(ofTask(sinceCreation), one), inCell(least)},
	"sinceLastSuccess": {perRow(ofTask(sinceSuccess), one), inCell(least)},
	"gapMax":           {perRow(ofTask(sinceCreation), one), inCell(longestGap)},
	"failuresInARow":   {perRow(one, one), inCell(failuresInARow)},

	"concurrency": {running, throughout(most)},
	"occupancy":   {throughoutSpans("runs", runs, union), throughout(mean)},
	"busyRunners": {runnersAtWork, throughout(mean)},
	"queued":      {waiting, throughout(most)},

	"queuedWork":     {work, atEnd},
	"queueClearedAt": {clearing, inCell(largest)},
	"lastAnswer":     {perRow(one, one), asOf},
	"failureStreaks": {streaks, inCell(count)},
	"recoveryTime":   {streaks, inCell(ratio)},
	"deadlinesMet":   {occasions, inCell(ratio)},
}

type taskValue func(t *attention.Task, now int64) float64

// taskSpan returns when a task runs or waits as of now; ok is false if it does not.
type taskSpan func(t *attention.Task, now int64) (of attention.Span, ok bool)

func ofTask(value taskValue) bindColumn {
	return func(r *Selection) rowValue {
		read, now := r.taskOf(), r.Now.UnixNano()
		var t attention.Task // one at a time: the tasks of all rows take longer to allocate than to read
		return func(row int) float64 {
			t = read(row)
			return value(&t, now)
		}
	}
}

// inOrder returns those of some tasks that have a date of creation, in its order.
func inOrder(tasks []attention.Task) []attention.Task {
	tasks = slices.DeleteFunc(tasks, func(t attention.Task) bool { return t.Created == 0 })
	slices.SortStableFunc(tasks, func(a, b attention.Task) int { return cmp.Compare(a.Created, b.Created) })
	return tasks
}

const outcome = "outcome" // the derived field that says how a task ended

// taskOf reads tasks. That no items are reported is not 0 items. Times are near enough to now to be added to others; 0 for null.
func (r *Selection) taskOf() func(row int) attention.Task {
	column, first, last := r.Rows.Column, r.Now.AddDate(-10, 0, 0).UnixNano(), r.Now.AddDate(10, 0, 0).UnixNano()
	state, status, runner := column("state"), column("finishStatus"), column("machineId")
	created, started, ended := column("dateCreation"), column("dateStartRunning"), column("dateLastModified")
	items, failedItems := column("totalItems"), column("failedItems")
	at := func(c *columns.Column, row int) int64 {
		if !c.Valid[row] {
			return 0
		}
		return min(max(c.Times[row], first), last)
	}
	return func(row int) attention.Task {
		t := attention.Task{
			Row: row, Created: at(created, row), Started: at(started, row), Ended: at(ended, row), Runner: runner.Text(row),
			HasItems: items.Valid[row], Items: items.Numbers[row], FailedItems: failedItems.Numbers[row] * truth(failedItems.Valid[row]),
		}
		t.State, t.Status = attention.Read(state.Text(row), status.Text(row))
		return t
	}
}

func (r *Selection) tasks() []attention.Task {
	return once(r, "tasks", timeRange{}, func() []attention.Task {
		read, tasks := r.taskOf(), make([]attention.Task, r.Rows.Rows)
		for row := range tasks {
			tasks[row] = read(row)
		}
		return tasks
	})
}

func (r *Selection) tasksOf(rows []int) []attention.Task {
	all, tasks := r.tasks(), make([]attention.Task, len(rows))
	for i, row := range rows {
		tasks[i] = all[row]
	}
	return tasks
}

// EndOfOthers returns the dates, of which the last known one is their end, that tasks in a state that is not known lack.
func EndOfOthers(rows *columns.Table) (lacked []string) {
	state, status := rows.Column("state"), rows.Column("finishStatus")
	for row := range rows.Rows {
		of, _ := attention.Read(state.Text(row), status.Text(row))
		for _, date := range []string{"dateLastModified", "dateStartRunning", "dateCreation"} {
			if of != attention.Other || rows.Column(date).Valid[row] {
				break
			}
			lacked = append(lacked, date)
		}
	}
	return distinct(lacked)
}

func failed(t *attention.Task, now int64) float64 { return truth(t.Outcome(now) == attention.Failed) }

// succeeded is null until the task has ended.
func succeeded(t *attention.Task, now int64) float64 {
	outcome := t.Outcome(now)
	return unless(outcome == attention.None, truth(outcome == attention.Success))
}

// waited returns the seconds in the queue, until now if the task waits; null if it was canceled there.
func waited(t *attention.Task, now int64) float64 {
	of, ok := t.Waits(now)
	return unless(!ok || of.Ended != attention.Open && t.Started == 0, of.Seconds(now))
}

func ran(t *attention.Task, now int64) float64 {
	of, ok := t.Runs(now)
	return unless(!ok, of.Seconds(now))
}

// ranOrNot is 0 for a task that has not started.
func ranOrNot(t *attention.Task, now int64) float64 {
	of, ok := t.Runs(now)
	return truth(ok) * of.Seconds(now)
}

// turnaround is not until now: an unfinished task would match "finished within an hour".
func turnaround(t *attention.Task, now int64) float64 {
	of := attention.Span{Began: t.Created, Ended: t.Ended}
	return unless(t.Status == attention.None || of.Began == 0 || of.Ended < of.Began, of.Seconds(now))
}

func sinceCreation(t *attention.Task, now int64) float64 { return since(t.Created, now) }

func sinceSuccess(t *attention.Task, now int64) float64 {
	return unless(t.Outcome(now) != attention.Success, since(t.Ended, now))
}

// since returns the seconds since a time. One to come is now: the service's clock may be ahead.
func since(at, now int64) float64 { return unless(at == 0, float64(max(0, now-at))/1e9) }

func only(is func(*attention.Task) bool, value taskValue) bindColumn {
	return ofTask(func(t *attention.Task, now int64) float64 { return unless(!is(t), value(t, now)) })
}

// hasFinished keeps tasks with a finish status: one that timed out may go on.
func hasFinished(t *attention.Task) bool { return t.Status != attention.None }

func hasLeftQueue(t *attention.Task) bool { return t.State != attention.Queued }

func isQueued(t *attention.Task) bool { return t.State == attention.Queued }

func isRunning(t *attention.Task) bool { return t.State == attention.Running }

// failuresInARow is what the sentence about failures says.
func failuresInARow(r *Selection, of []tally) float64 {
	rows := make([]int, len(of))
	for i, t := range of {
		rows[i] = t.row
	}
	return float64(attention.FailuresInARow(r.tasksOf(rows), r.Now.UnixNano()))
}

type intervals func(row int) (of attention.Span, ok bool)

func (r *Selection) intervals(of taskSpan) intervals {
	tasks, now := r.tasks(), columns.Nanoseconds(r.Now)
	return func(row int) (attention.Span, bool) { return of(&tasks[row], now) }
}

// runs returns when a task ran. One of zero duration still ran at its start.
func runs(t *attention.Task, now int64) (attention.Span, bool) {
	of, ok := t.Runs(now)
	of.Ended = max(of.Ended, of.Began+1)
	return of, ok
}

func waits(t *attention.Task, now int64) (attention.Span, bool) {
	of, ok := t.Waits(now)
	return of, ok && of.Ended > of.Began
}

// timeRange has both ends inclusive.
type timeRange struct{ from, to int64 }

func (o timeRange) has(at int64) bool { return at >= o.from && at <= o.to }

// over returns the time range as far as it can be known what happened: since when the service has data, and until now.
func (r *Selection) over() timeRange {
	from, to := r.From, r.End() // at most now
	if r.IsTold() && r.Known.After(from) {
		from = r.Known
	}
	return timeRange{columns.Nanoseconds(from), columns.Nanoseconds(to)}
}

// inRange reports whether a task ran or waited in the time range, regardless of its time field.
func (r *Selection) inRange(when intervals) filter.Test {
	over := r.over()
	return func(row int) bool {
		of, ok := when(row)
		return ok && of.Began <= over.to && min(of.Ended, over.to+1) > over.from
	}
}

var running, waiting = throughoutSpans("runs", runs, each), throughoutSpans("waits", waits, each)

// throughoutSpans counts tasks in every cell that they touch, regardless of the time field. spansOf returns when some of them count.
func throughoutSpans(name string, of taskSpan, spansOf func([]int, intervals) []attention.Span) counting {
	return func(r *Selection) *counted {
		when := r.intervals(of)
		return &counted{name: name, keeps: r.inRange(when), touches: when, tallies: func(rows []int) []tally {
			spans := spansOf(rows, when)
			all := make([]tally, len(spans))
			for i, of := range spans {
				all[i].Span = of
			}
			return all
		}}
	}
}

// runnersAtWork counts each runner while it was busy, even if several of its tasks ran at the same time.
func runnersAtWork(r *Selection) *counted {
	runner := r.Rows.Column("machineId")
	return throughoutSpans("runs", runs, func(rows []int, when intervals) (spans []attention.Span) {
		for label, own := range byText(runner, rows) {
			if label != "" {
				spans = append(spans, union(own, when)...)
			}
		}
		return spans
	})(r)
}

func each(rows []int, when intervals) []attention.Span {
	spans := make([]attention.Span, 0, len(rows))
	for _, row := range rows {
		if of, ok := when(row); ok {
			spans = append(spans, of)
		}
	}
	return spans
}

// union returns when any of some tasks ran or waited: spans that don't touch, in order.
func union(rows []int, when intervals) []attention.Span {
	of := each(rows, when)
	apart := of[:0]
	slices.SortFunc(of, func(a, b attention.Span) int { return cmp.Compare(a.Began, b.Began) })
	for _, next := range of {
		if last := len(apart) - 1; last >= 0 && next.Began <= apart[last].Ended {
			apart[last].Ended = max(apart[last].Ended, next.Ended)
		} else {
			apart = append(apart, next)
		}
	}
	return apart
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

func byText(c *columns.Column, rows []int) map[string][]int {
	of := map[string][]int{}
	for _, row := range rows {
		of[c.Text(row)] = append(of[c.Text(row)], row)
	}
	return of
}
