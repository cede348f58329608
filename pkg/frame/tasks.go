package frame

import (
	"cmp"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
)

// Values of the specification and of public clients that task measures use.
const (
	stateQueued   = "START"
	stateRunning  = "RUNNING"
	stateCanceled = "CANCELED"
	statusSuccess = "SUCCESS"
	statusPartial = "PARTIALLY_COMPLETED"
	statusFailed  = "FAILED"
)

// taskMeasures are the formulas of measures of tasks, by their names in datasets.json.
var taskMeasures = map[string]formula{
	"failedTasks":     folded(failed, sum),
	"successRate":     folded(succeeded, ratio),
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
	"runTime":         folded(orNull(ran), sum), // One that has not started ran for 0 seconds.
	"oldestQueued":    folded(where("state", stateQueued, age("dateCreation")), largest),
	"oldestRunning":   folded(where("state", stateRunning, age("dateStartRunning")), largest),

	"sinceLastTask":    folded(sinceTask, least),
	"sinceLastSuccess": folded(where("finishStatus", statusSuccess, age("dateLastModified")), least),
	"failuresInARow":   folded(outcome, failuresSince),
	"gapMax":           folded(age("dateCreation"), longestGap),

	"queued":      overlap((*Selection).waits, concurrency),
	"concurrency": overlap((*Selection).runs, concurrency),
	"occupancy":   overlap((*Selection).runs, occupancy),
}

func failed(r *Selection) rowValue {
	status := r.Rows.Column("finishStatus")
	return func(i int) (float64, float64, bool) { return truth(status.Text(i) == statusFailed), 1, true }
}

func succeeded(r *Selection) rowValue {
	status := r.Rows.Column("finishStatus")
	return func(i int) (float64, float64, bool) {
		return truth(status.Text(i) == statusSuccess), 1, status.Valid[i]
	}
}

// outcome returns when a task ended that failed, or succeeded at least partially, with the weight 1 for a failure. Other
// tasks have none.
func outcome(r *Selection) rowValue {
	status, ended := r.Rows.Column("finishStatus"), r.Rows.Column("dateLastModified")
	return func(i int) (float64, float64, bool) {
		text := status.Text(i)
		isFailure, isSuccess := text == statusFailed, text == statusSuccess || text == statusPartial
		return float64(ended.Times[i]), truth(isFailure), ended.Valid[i] && (isFailure || isSuccess)
	}
}

func processedOfTotal(r *Selection) rowValue {
	processed, total := r.Rows.Column("processedItems"), r.Rows.Column("totalItems")
	return func(i int) (float64, float64, bool) {
		return processed.Numbers[i], total.Numbers[i], processed.Valid[i] && total.Valid[i]
	}
}

func duration(r *Selection) rowValue { return untilFinished(r, "dateStartRunning") }

func turnaround(r *Selection) rowValue { return untilFinished(r, "dateCreation") }

// untilFinished returns the seconds from a date to the end of finished tasks.
func untilFinished(r *Selection, date string) rowValue {
	status, took := r.Rows.Column("finishStatus"), seconds(r.Rows.Column(date), r.Rows.Column("dateLastModified"))
	return func(i int) (float64, float64, bool) {
		value, weight, ok := took(i)
		return value, weight, ok && status.Valid[i]
	}
}

// ran returns the seconds that a task ran, until now if it is running.
func ran(r *Selection) rowValue { return r.derivedNumber("duration") }

func queueTime(r *Selection) rowValue {
	return seconds(r.Rows.Column("dateCreation"), r.Rows.Column("dateStartRunning"))
}

// age returns the seconds since a date.
func age(date string) bindColumn {
	return func(r *Selection) rowValue {
		since, now := r.Rows.Column(date), r.Now.UnixNano()
		return func(i int) (float64, float64, bool) { return float64(now-since.Times[i]) / 1e9, 1, since.Valid[i] }
	}
}

// where returns the values of rows with a text in a field.
func where(field, text string, of bindColumn) bindColumn {
	return func(r *Selection) rowValue {
		c, valueOf := r.Rows.Column(field), of(r)
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

// seconds returns the seconds from one date to another; a row without both has no value.
func seconds(from, to *columns.Column) rowValue {
	return func(i int) (float64, float64, bool) {
		return float64(to.Times[i]-from.Times[i]) / 1e9, 1, from.Valid[i] && to.Valid[i]
	}
}
