package frame

import (
	"cmp"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
)

// Values of the specification and of public clients that task measures use.
const (
	stateQueued   = "START"
	stateRunning  = "RUNNING"
	statusSuccess = "SUCCESS"
	statusPartial = "PARTIALLY_COMPLETED"
	statusFailed  = "FAILED"
)

// taskMeasures are the formulas of measures of tasks, by their names in datasets.json.
var taskMeasures = map[string]measureFactory{
	"failedTasks":     accumulated(failed, sum),
	"successRate":     accumulated(succeeded, ratio),
	"processedItems":  accumulated(field("processedItems"), sum),
	"failedItems":     accumulated(field("failedItems"), sum),
	"totalItems":      accumulated(field("totalItems"), sum),
	"itemSuccessRate": accumulated(processedOfTotal, ratio),
	"duration":        accumulated(duration, ratio),
	"queueTime":       accumulated(queueTime, ratio),
	"durationP95":     quantile(duration, 0.95),
	"durationMax":     accumulated(duration, largest),
	"queueTimeP95":    quantile(queueTime, 0.95),
	"queueTimeMax":    accumulated(queueTime, largest),
	"oldestQueued":    accumulated(ageIn(stateQueued, "dateCreation"), largest),
	"oldestRunning":   accumulated(ageIn(stateRunning, "dateStartRunning"), largest),

	"sinceLastTask":    accumulated(sinceTask, least),
	"sinceLastSuccess": accumulated(sinceSuccess, least),
	"failuresInARow":   streak,
	"gapMax":           ofSorted(age("dateCreation"), longestGap),

	"concurrency": overlap(concurrency),
	"occupancy":   overlap(occupancy),
}

func one(*Request) rowValue {
	return func(int) (float64, float64, bool) { return 1, 1, true }
}

func failed(r *Request) rowValue {
	status := r.Rows.Column("finishStatus")
	return func(i int) (float64, float64, bool) { return truth(status.Text(i) == statusFailed), 1, true }
}

func succeeded(r *Request) rowValue {
	status := r.Rows.Column("finishStatus")
	return func(i int) (float64, float64, bool) {
		return truth(status.Text(i) == statusSuccess), 1, status.Valid[i]
	}
}

func processedOfTotal(r *Request) rowValue {
	processed, total := r.Rows.Column("processedItems"), r.Rows.Column("totalItems")
	return func(i int) (float64, float64, bool) {
		return processed.Numbers[i], total.Numbers[i], processed.Valid[i] && total.Valid[i]
	}
}

func duration(r *Request) rowValue {
	status, ran := r.Rows.Column("finishStatus"), seconds(r.Rows.Column("dateStartRunning"), r.Rows.Column("dateLastModified"))
	return func(i int) (float64, float64, bool) {
		value, weight, ok := ran(i)
		return value, weight, ok && status.Valid[i]
	}
}

func queueTime(r *Request) rowValue {
	return seconds(r.Rows.Column("dateCreation"), r.Rows.Column("dateStartRunning"))
}

// age returns the seconds since a date.
func age(date string) bindColumn {
	return func(r *Request) rowValue {
		since, now := r.Rows.Column(date), r.Now.UnixNano()
		return func(i int) (float64, float64, bool) { return float64(now-since.Times[i]) / 1e9, 1, since.Valid[i] }
	}
}

// ageIn is age for tasks in a state.
func ageIn(wanted, date string) bindColumn {
	return func(r *Request) rowValue {
		state, since := r.Rows.Column("state"), age(date)(r)
		return func(i int) (float64, float64, bool) {
			value, weight, ok := since(i)
			return value, weight, ok && state.Text(i) == wanted
		}
	}
}

// sinceTask returns the seconds since a task was created, or since the other date that the request counts by.
func sinceTask(r *Request) rowValue {
	return age(cmp.Or(r.TimeField, r.DataSet.TimeFields[0]))(r)
}

// sinceSuccess returns the seconds since a task ended with success.
func sinceSuccess(r *Request) rowValue {
	status, since := r.Rows.Column("finishStatus"), age("dateLastModified")(r)
	return func(i int) (float64, float64, bool) {
		value, weight, ok := since(i)
		return value, weight, ok && status.Text(i) == statusSuccess
	}
}

// seconds returns the seconds from one date to another; a row without both has no value.
func seconds(from, to *columns.Column) rowValue {
	return func(i int) (float64, float64, bool) {
		return float64(to.Times[i]-from.Times[i]) / 1e9, 1, from.Valid[i] && to.Valid[i]
	}
}
