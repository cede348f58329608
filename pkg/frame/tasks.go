package frame

import (
	"math"

	"github.com/insights/insights-reporting-datasource/pkg/attention"
)

// taskMeasures are the measures of tasks that are neither a count of rows nor the sum of a field, by their names in datasets.json.
var taskMeasures = map[string]formula{
	"failedTasks":     {value: ofTask(failed), fold: inCell(sum)},
	"successRate":     {value: ofTask(succeeded), fold: inCell(ratio)},
	"itemSuccessRate": {value: field("processedItems"), weight: field("totalItems"), fold: inCell(ratio)},

	"duration":      {value: only(hasFinished, ran), fold: inCell(ratio)},
	"durationP95":   {value: only(hasFinished, ran), fold: inCell(percentile95)},
	"durationMax":   {value: only(hasFinished, ran), fold: inCell(largest)},
	"queueTime":     {value: only(hasLeftQueue, waited), fold: inCell(ratio)},
	"queueTimeP95":  {value: only(hasLeftQueue, waited), fold: inCell(percentile95)},
	"queueTimeMax":  {value: only(hasLeftQueue, waited), fold: inCell(largest)},
	"turnaround":    {value: ofTask(turnaround), fold: inCell(ratio)},
	"turnaroundP95": {value: ofTask(turnaround), fold: inCell(percentile95)},
	"runTime":       {value: ofTask(ranOrNot), fold: inCell(sum)},

	"oldestQueued":     {value: only(isQueued, waited), fold: inCell(largest)},
	"oldestRunning":    {value: only(isRunning, ran), fold: inCell(largest)},
	"sinceLastTask":    {value: ofTask(sinceCreation), fold: inCell(least)},
	"sinceLastSuccess": {value: ofTask(sinceSuccess), fold: inCell(least)},
	"gapMax":           {value: ofTask(sinceCreation), fold: inCell(longestGap)},
	"failuresInARow":   {fold: inCell(failuresInARow)},

	"concurrency": {when: running, fold: throughout(most)},
	"occupancy":   {when: running, fold: throughout(busy)},
	"busyRunners": {when: runnersAtWork, fold: throughout(mean)},
	"queued":      {when: waiting, fold: throughout(most)},

	"queuedWork":     {when: work, fold: atEnd},
	"queueClearedAt": {when: clearing, fold: inCell(largest)},
	"failureStreaks": {when: streaks, fold: inCell(count)},
	"recoveryTime":   {when: streaks, fold: inCell(ratio)},
	"deadlinesMet":   {when: occasions, fold: inCell(ratio)},
}

// taskValue returns a number of a task as of now, NaN for null.
type taskValue func(t *attention.Task, now int64) float64

func ofTask(value taskValue) bindColumn {
	return func(r *Selection) rowValue {
		read, now := newTaskReader(r), r.Now.UnixNano()
		var t attention.Task // one at a time: the tasks of all rows take longer to allocate than to read
		return func(row int) float64 {
			t = read.task(row)
			return value(&t, now)
		}
	}
}

// tasks returns the tasks of all rows.
func (r *Selection) tasks() []attention.Task {
	return once(r, "tasks", timeRange{}, func() []attention.Task {
		read, tasks := newTaskReader(r), make([]attention.Task, r.Rows.Rows)
		for row := range tasks {
			tasks[row] = read.task(row)
		}
		return tasks
	})
}

// tasksOf returns the tasks of some rows, in their order.
func (r *Selection) tasksOf(rows []int) []attention.Task {
	all, tasks := r.tasks(), make([]attention.Task, len(rows))
	for i, row := range rows {
		tasks[i] = all[row]
	}
	return tasks
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

// ran returns the seconds that a task ran, until now if it runs.
func ran(t *attention.Task, now int64) float64 {
	of, ok := t.Runs(now)
	return unless(!ok, of.Seconds(now))
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

// ranOrNot is 0 for a task that has not started.
func ranOrNot(t *attention.Task, now int64) float64 {
	of, ok := t.Runs(now)
	return truth(ok) * of.Seconds(now)
}

// only returns the values of some tasks.
func only(is func(*attention.Task) bool, value taskValue) bindColumn {
	return ofTask(func(t *attention.Task, now int64) float64 { return unless(!is(t), value(t, now)) })
}

// hasFinished keeps tasks with a finish status: one that timed out may go on.
func hasFinished(t *attention.Task) bool { return t.Status != attention.None }

func hasLeftQueue(t *attention.Task) bool { return t.State != attention.Queued }

func isQueued(t *attention.Task) bool { return t.State == attention.Queued }

func isRunning(t *attention.Task) bool { return t.State == attention.Running }

func unless(isNull bool, value float64) float64 {
	if isNull {
		return math.NaN()
	}
	return value
}

// failuresInARow is what the sentence about failures says.
func failuresInARow(r *Selection, of []tally) float64 {
	all, own := r.tasks(), make([]attention.Task, len(of))
	for i, t := range of {
		own[i] = all[t.row]
	}
	return float64(attention.FailuresInARow(own, r.Now.UnixNano()))
}
