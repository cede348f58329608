package frame_test

import (
	"cmp"
	"slices"
	"time"
)

// The reference for measures of when tasks ran, as slow as the others.

// referenceRuns return a value for the rows of a group in a period; the future is excluded.
var referenceRuns = map[string]func(rows []task, in interval) *float64{
	"queued":      maximumOf(waitOf),
	"concurrency": maximumOf(runOf),
	"busyRunners": func(rows []task, in interval) *float64 {
		if !in.passed().After(in.begin) {
			return nil
		}
		busy := 0.0
		for runner, own := range partsOf(rows, []string{"machineId"}) {
			if runner != key(map[string]string{"machineId": ""}) {
				busy += *occupancy(own, in)
			}
		}
		return &busy
	},
	"occupancy": func(rows []task, in interval) *float64 {
		if !in.passed().After(in.begin) {
			return nil
		}
		return occupancy(rows, in)
	},
}

func occupancy(rows []task, in interval) *float64 {
	passed := in.passed()
	// Between two consecutive starts or ends, the time is either entirely busy or entirely idle.
	moments := []time.Time{in.begin, passed}
	for _, r := range rows {
		if began, ended, ok := runOf(r); ok {
			moments = append(moments, began, ended)
		}
	}
	moments = slices.DeleteFunc(moments, func(at time.Time) bool { return at.Before(in.begin) || at.After(passed) })
	slices.SortFunc(moments, time.Time.Compare)
	busy, runs := 0.0, slices.DeleteFunc(runsOf(rows, runOf), func(run [2]int64) bool { return run[0] == run[1] })
	for i, moment := range moments[1:] {
		if runningAt(runs, moments[i]) > 0 {
			busy += moment.Sub(moments[i]).Seconds()
		}
	}
	return ptr(busy / passed.Sub(in.begin).Seconds())
}

// spanOf returns when a task ran or waited.
type spanOf func(task) (began, ended time.Time, ok bool)

// intervals are what the measures count, by their names.
var spans = map[string]spanOf{"queued": waitOf, "concurrency": runOf, "occupancy": runOf, "busyRunners": runOf}

func maximumOf(of spanOf) func(rows []task, in interval) *float64 {
	return func(rows []task, in interval) *float64 {
		if !in.passed().After(in.begin) {
			return nil
		}
		// It only increases where a task starts.
		moments := []time.Time{in.begin}
		for _, r := range rows {
			if began, _, ok := of(r); ok && in.holds(began) && !began.After(now) {
				moments = append(moments, began)
			}
		}
		most, runs := 0, runsOf(rows, of)
		for _, moment := range moments {
			most = max(most, runningAt(runs, moment))
		}
		return ptr(float64(most))
	}
}

// interval is a bucket, limited to a time range that ends at to. Its own end is exclusive, the end of the range is inclusive.
type interval struct {
	begin, end, to time.Time
	isAll          bool // tasks of any time count
}

func (p interval) holds(t time.Time) bool {
	return !t.Before(p.begin) && t.Before(p.end) && !t.After(p.to)
}

// passed is the end of what has passed of the bucket.
func (p interval) passed() time.Time { return earlier(earlier(p.end, p.to), now) }

// doing is the state of a task that has no finish status.
func doing(r task) string {
	if r.state == nil || r.finishStatus != nil && *r.finishStatus != "" {
		return ""
	}
	return *r.state
}

// soon ends what has not ended: it still runs, or waits, now.
var soon = now.Add(1)

// runOf returns when a task ran. It did at its start, at least; one that runs has begun, whatever the service's clock says.
func runOf(r task) (began, ended time.Time, ok bool) {
	start, end := r.dateStart, r.dateLastModified
	switch {
	case doing(r) == "START":
		return began, ended, false
	case doing(r) == "RUNNING" && cmp.Or(start, r.dateCreation) != nil:
		return earlier(*cmp.Or(start, r.dateCreation), now), soon, true
	case doing(r) == "RUNNING" || start == nil || end == nil || end.Before(*start):
		return began, ended, false
	}
	return *start, *end, true
}

func waitOf(r task) (began, ended time.Time, ok bool) {
	end := r.dateStart
	if end == nil && doing(r) == "CANCELED" {
		end = r.dateLastModified
	}
	switch {
	case r.dateCreation == nil:
		return began, ended, false
	case doing(r) == "START":
		return earlier(*r.dateCreation, now), soon, true
	case end == nil || !end.After(*r.dateCreation):
		return began, ended, false
	}
	return *r.dateCreation, *end, true
}

// runsOf returns when tasks ran or waited, in nanoseconds since 1970: comparing times takes most of the time of these tests.
func runsOf(rows []task, of spanOf) [][2]int64 {
	var runs [][2]int64
	for _, r := range rows {
		if began, ended, ok := of(r); ok {
			runs = append(runs, [2]int64{began.UnixNano(), ended.UnixNano()})
		}
	}
	return runs
}

// runningAt counts the tasks that run at a time. Their end is exclusive, unless it is their start.
func runningAt(runs [][2]int64, at time.Time) int {
	n, moment := 0, at.UnixNano()
	for _, r := range runs {
		if r[0] == moment || r[0] < moment && r[1] > moment {
			n++
		}
	}
	return n
}

// touches reports whether a task ran or waited at any time of a range, both ends inclusive, until now.
func (of spanOf) touches(r task, in interval) bool {
	began, ended, ok := of(r)
	to := earlier(in.to, now)
	return ok && !in.begin.After(to) && !began.After(to) && (ended.After(in.begin) || began.Equal(in.begin))
}

func earlier(a, b time.Time) time.Time { return slices.MinFunc([]time.Time{a, b}, time.Time.Compare) }

func later(a, b time.Time) time.Time { return slices.MaxFunc([]time.Time{a, b}, time.Time.Compare) }
