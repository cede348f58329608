package frame_test

import (
	"slices"
	"time"
)

// The reference implements the contract's measures as one plain loop each. It is deliberately slow and shares nothing
// with the code under test.

// referenceTasks has every measure of tasks. Unreported items are not 0 items: a sum of nulls is null, while a sum of
// no rows is 0.
var referenceTasks = map[string]func(rows []task) *float64{
	"tasks":          func(rows []task) *float64 { return ptr(float64(len(rows))) },
	"failedTasks":    func(rows []task) *float64 { return ptr(count(rows, "FAILED")) },
	"successRate":    func(rows []task) *float64 { return share(count(rows, "SUCCESS"), count(rows, "")) },
	"processedItems": func(rows []task) *float64 { return sumOf(rows, func(r task) *float64 { return r.processedItems }) },
	"failedItems":    func(rows []task) *float64 { return sumOf(rows, func(r task) *float64 { return r.failedItems }) },
	"totalItems":     func(rows []task) *float64 { return sumOf(rows, func(r task) *float64 { return r.totalItems }) },
	"itemSuccessRate": func(rows []task) *float64 {
		processed, total := 0.0, 0.0
		for _, r := range rows {
			if r.processedItems != nil && r.totalItems != nil {
				processed += *r.processedItems
				total += *r.totalItems
			}
		}
		return share(processed, total)
	},
	"duration":         func(rows []task) *float64 { return mean(between(rows, ran)) },
	"durationP95":      func(rows []task) *float64 { return percentile95(between(rows, ran)) },
	"durationMax":      func(rows []task) *float64 { return largest(between(rows, ran)) },
	"queueTime":        func(rows []task) *float64 { return mean(between(rows, waited)) },
	"queueTimeP95":     func(rows []task) *float64 { return percentile95(between(rows, waited)) },
	"queueTimeMax":     func(rows []task) *float64 { return largest(between(rows, waited)) },
	"turnaround":       func(rows []task) *float64 { return mean(between(rows, turned)) },
	"turnaroundP95":    func(rows []task) *float64 { return percentile95(between(rows, turned)) },
	"runTime":          func(rows []task) *float64 { return ptr(sumUp(between(rows, hasRun))) },
	"oldestQueued":     func(rows []task) *float64 { return largest(between(rows, waitsNow)) },
	"oldestRunning":    func(rows []task) *float64 { return largest(between(rows, runsNow)) },
	"sinceLastTask":    func(rows []task) *float64 { return least(between(rows, sinceCreation)) },
	"sinceLastSuccess": func(rows []task) *float64 { return least(between(rows, sinceSuccess)) },
	"failuresInARow":   failuresInARow,
	"gapMax":           gapMax,
}

// count counts the tasks with an outcome; any, if it is empty.
func count(rows []task, wanted string) float64 {
	n := 0.0
	for _, r := range rows {
		if is := outcomeOf(r); is != "" && (wanted == "" || is == wanted) {
			n++
		}
	}
	return n
}

// outcomeOf returns how a task ended; empty if it has not. Of a state that is not known, it takes a day to tell.
func outcomeOf(r task) string {
	switch {
	case r.finishStatus != nil && slices.Contains([]string{"SUCCESS", "PARTIALLY_COMPLETED"}, *r.finishStatus):
		return *r.finishStatus
	case r.finishStatus != nil && *r.finishStatus != "":
		return "FAILED"
	case r.state == nil || slices.Contains([]string{"", "START", "RUNNING", "FINISHED", "CANCELED"}, *r.state):
		return ""
	case *r.state == "TIMEOUT" || !lastDate(r).After(now.Add(-24*time.Hour)):
		return "FAILED"
	default:
		return ""
	}
}

func share(part, all float64) *float64 {
	if all == 0 {
		return nil
	}
	return ptr(part / all)
}

// failuresInARow looks for the last good end, and counts the bad ones after it.
func failuresInARow(rows []task) *float64 {
	var last *time.Time
	for _, r := range rows {
		if end := lastDate(r); isGood(r) && hasCome(end) && (last == nil || end.After(*last)) {
			last = &end
		}
	}
	failures := 0.0
	for _, r := range rows {
		if end := lastDate(r); outcomeOf(r) == "FAILED" && hasCome(end) && (last == nil || end.After(*last)) {
			failures++
		}
	}
	return &failures
}

func isGood(r task) bool { return outcomeOf(r) != "" && outcomeOf(r) != "FAILED" }

func hasCome(end time.Time) bool { return !end.After(now.Add(time.Hour)) } // Clocks differ.

// lastDate returns when a task ended, or else started, or else was created.
func lastDate(r task) time.Time {
	for _, at := range []*time.Time{r.dateLastModified, r.dateStart, r.dateCreation} {
		if at != nil {
			return *at
		}
	}
	return time.Unix(0, 0)
}

// gapMax looks for the next creation after each one.
func gapMax(rows []task) *float64 {
	var created []time.Time
	for _, r := range rows {
		if r.dateCreation != nil {
			created = append(created, earlier(*r.dateCreation, now))
		}
	}
	if len(created) < 5 {
		return nil
	}
	longest := 0.0
	for _, one := range created {
		var next *time.Time
		for _, other := range created {
			if other.After(one) && (next == nil || other.Before(*next)) {
				next = &other
			}
		}
		if next != nil {
			longest = max(longest, next.Sub(one).Seconds())
		}
	}
	return &longest
}

// The dates that durations are between; nil if a task has none.

func ran(r task) (from, to *time.Time) {
	return ifIn(r.finishStatus, "", r.dateStart, r.dateLastModified)
}

func turned(r task) (from, to *time.Time) {
	return ifIn(r.finishStatus, "", r.dateCreation, r.dateLastModified)
}

func waited(r task) (from, to *time.Time) {
	if doing(r) == "START" {
		return nil, nil
	}
	return r.dateCreation, r.dateStart
}

func waitsNow(r task) (from, to *time.Time) { return ifDoing(r, "START", waitOf) }

func runsNow(r task) (from, to *time.Time) { return ifDoing(r, "RUNNING", runOf) }

func hasRun(r task) (from, to *time.Time) { return ifDoing(r, doing(r), runOf) }

func ifDoing(r task, what string, of spanOf) (from, to *time.Time) {
	began, ended, ok := of(r)
	if !ok || doing(r) != what {
		return nil, nil
	}
	if ended == soon {
		ended = now
	}
	return &began, &ended
}

func sinceSuccess(r task) (from, to *time.Time) {
	from, to = untilNow(r.dateLastModified)
	return ifIn(r.finishStatus, "SUCCESS", from, to)
}

func sinceCreation(r task) (from, to *time.Time) { return untilNow(r.dateCreation) }

// ifIn returns dates of a task with a state or status; any, if it is empty.
func ifIn(is *string, wanted string, from, to *time.Time) (*time.Time, *time.Time) {
	if is == nil || *is == "" || wanted != "" && *is != wanted {
		return nil, nil
	}
	return from, to
}

// untilNow returns a date, or now if it is to come, and now.
func untilNow(date *time.Time) (from, to *time.Time) {
	if date != nil && date.After(now) {
		date = &now
	}
	return date, &now
}

// between returns the seconds between two dates of the rows that have both, in this order.
func between(rows []task, dates func(task) (from, to *time.Time)) []float64 {
	var out []float64
	for _, r := range rows {
		if from, to := dates(r); from != nil && to != nil && !from.After(*to) {
			out = append(out, to.Sub(*from).Seconds())
		}
	}
	return out
}

func sumUp(values []float64) (sum float64) {
	for _, v := range values {
		sum += v
	}
	return sum
}

func mean(values []float64) *float64 { return share(sumUp(values), float64(len(values))) }

func largest(values []float64) *float64 { return ifAny(values, slices.Max[[]float64]) }

func least(values []float64) *float64 { return ifAny(values, slices.Min[[]float64]) }

func ifAny(values []float64, of func([]float64) float64) *float64 {
	if len(values) == 0 {
		return nil
	}
	return ptr(of(values))
}

// percentile95 interpolates in the sorted values, which are one step apart, at 95 % of the distance.
func percentile95(values []float64) *float64 {
	if len(values) == 0 {
		return nil
	}
	sorted := slices.Sorted(slices.Values(values))
	way := 95 * (len(sorted) - 1)
	for i, v := range sorted {
		if way < 100 {
			next := sorted[min(i+1, len(sorted)-1)]
			return ptr((v*float64(100-way) + next*float64(way)) / 100)
		}
		way -= 100
	}
	panic("there is no end of the way")
}

func sumOf(rows []task, items func(task) *float64) *float64 {
	total, reported := 0.0, 0
	for _, r := range rows {
		if n := items(r); n != nil {
			total += *n
			reported++
		}
	}
	if len(rows) > 0 && reported == 0 {
		return nil
	}
	return &total
}

func labelsOf[R interface{ cell(string) any }](row R, groupBy []string) map[string]string {
	labels := map[string]string{}
	for _, field := range groupBy {
		labels[field] = ""
		if text, ok := row.cell(field).(string); ok {
			labels[field] = text
		}
	}
	return labels
}

// partsOf returns the rows by their labels. Without groupBy, all rows are one part, even if there are none.
func partsOf[R interface{ cell(string) any }](rows []R, groupBy []string) map[string][]R {
	parts := map[string][]R{}
	if len(groupBy) == 0 {
		parts[key(nil)] = nil
	}
	for _, row := range rows {
		k := key(labelsOf(row, groupBy))
		parts[k] = append(parts[k], row)
	}
	return parts
}

// referenceNumbers returns the expected numeric frame: one number per part, and nothing if the only number of all rows is null.
func referenceNumbers[R any](parts map[string][]R, measure func([]R) *float64) instances {
	out := instances{}
	for k, part := range parts {
		out[k] = measure(part)
		if k == key(nil) && out[k] == nil {
			return instances{}
		}
	}
	return out
}
