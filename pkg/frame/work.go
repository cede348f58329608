package frame

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/attention"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/period"
	"github.com/insights/insights-reporting-datasource/schema"
)

// workload is what there is to do at a moment. What is left of a running task follows from how long it usually takes, and not
// from when it ended, which nobody knew.
type workload struct {
	*Selection
	state, created, started, modified, automation *columns.Column
	over                                          timeRange
	now                                           int64

	usual   map[string]float64 // seconds by automation; all rows tell what is usual, whatever the filters
	median  float64            // of these; NaN: none is known
	isGuess map[string]bool    // automations of tasks that the median stands in for
}

func newWorkload(r *Selection) *workload {
	column := r.Rows.Column
	w := &workload{
		Selection: r, over: r.untilNow(), now: columns.Nanoseconds(r.Now),
		state: column("state"), created: column("dateCreation"), started: column("dateStartRunning"), modified: column("dateLastModified"),
		automation: column(r.DataSet.AutomationField), usual: r.usualDurations(), isGuess: map[string]bool{},
	}
	w.median = median(slices.Collect(maps.Values(w.usual)))
	return w
}

// tasksByAutomation returns all tasks, whatever the filters.
func (r *Selection) tasksByAutomation() map[string][]attention.Task {
	return once(r, "tasks", timeRange{}, func() map[string][]attention.Task {
		read, tasks := newTaskReader(r), map[string][]attention.Task{}
		for label, rows := range byText(r.Rows.Column(r.DataSet.AutomationField), allRows(r.Rows)) {
			tasks[label] = read.tasks(rows)
		}
		return tasks
	})
}

// untilNow returns the time range, up to now if it ended just now.
func (r *Selection) untilNow() timeRange {
	over := r.timeRange()
	if _, to := r.Span(); r.Now.Sub(to) < period.Slack {
		over.to = columns.Nanoseconds(r.Now)
	}
	return over
}

// byText divides rows by the text of a column.
func byText(c *columns.Column, rows []int) map[string][]int {
	of := map[string][]int{}
	for _, row := range rows {
		of[c.Text(row)] = append(of[c.Text(row)], row)
	}
	return of
}

func median(of []float64) float64 {
	if len(of) == 0 {
		return math.NaN()
	}
	slices.Sort(of)
	return (of[(len(of)-1)/2] + of[len(of)/2]) / 2
}

// isOpen ends what has not ended.
const isOpen = int64(math.MaxInt64)

// waits returns when a task is in the queue; never: the zero interval. What the service says of now is true, even if its clock is ahead.
func (w *workload) waits(row int) (of interval) {
	state, began := w.state.Text(row), w.created.Times[row]
	switch {
	case !w.created.Valid[row]:
	case state == stateQueued:
		return interval{min(began, w.now), isOpen}
	case w.started.Valid[row]:
		return interval{began, min(w.started.Times[row], w.now)}
	case state == stateCanceled && w.modified.Valid[row]:
		return interval{began, min(w.modified.Times[row], w.now)}
	}
	return of
}

// runs returns when a task runs; never: the zero interval.
func (w *workload) runs(row int) (of interval) {
	began, isBegun := w.took(row)
	switch w.state.Text(row) {
	case stateQueued:
	case stateRunning:
		if !isBegun {
			began, isBegun = min(w.created.Times[row], w.now), w.created.Valid[row]
		}
		if isBegun {
			return interval{began, isOpen}
		}
	default:
		if isBegun && w.modified.Valid[row] {
			return interval{began, min(w.modified.Times[row], w.now)}
		}
	}
	return of
}

// took returns when a runner took a task.
func (w *workload) took(row int) (at int64, ok bool) {
	at = w.started.Times[row]
	if w.state.Text(row) == stateRunning {
		at = min(at, w.now)
	}
	return at, w.started.Valid[row] && w.state.Text(row) != stateQueued
}

// keeps reports whether a task is a part of the work of any moment of the time range, or was taken in it, or in the hour before.
func (w *workload) keeps(row int) bool {
	isIn := func(of interval) bool {
		return of.began < of.ended && of.began <= w.over.to && min(of.ended, w.now+1) > max(w.over.from, of.began)
	}
	at, ok := w.took(row)
	return isIn(w.waits(row)) || isIn(w.runs(row)) || ok && isIn(interval{at, at + int64(time.Hour)})
}

// moment is when work is measured.
type moment struct {
	at      int64
	isKnown bool // it is in the time range, and not to come
	seconds float64
}

// moments are the ends of the cells, or now.
func (w *workload) moments(in *cells) []moment {
	all := make([]moment, in.n)
	for i := range all {
		end := w.over.to + 1
		if i+1 < in.n {
			end = in.starts[i+1]
		}
		at := min(end, w.now)
		all[i] = moment{at: at, isKnown: max(in.starts[i], w.over.from) < at}
	}
	return all
}

// during returns those in an interval.
func during(all []moment, of interval) []moment {
	at := func(m moment, t int64) int { return cmp.Compare(m.at, t) }
	first, _ := slices.BinarySearchFunc(all, of.began, at)
	last, _ := slices.BinarySearchFunc(all, of.ended, at)
	return all[first:max(first, last)]
}

// usualOf returns how many seconds a task usually takes. NaN: nobody knows.
func (w *workload) usualOf(row int) float64 {
	label := w.automation.Text(row)
	if usual, known := w.usual[label]; known {
		return usual
	}
	w.isGuess[label] = true
	return w.median
}

// queuedWork is how long one runner would take for what waits and runs at the end of each cell or, of the last one, now.
func queuedWork(r *Selection, described *schema.Measure) *measure {
	w := newWorkload(r)
	values := func(rows []int, in *cells) []*float64 {
		all := w.moments(in)
		for _, row := range rows {
			waiting, runs := during(all, w.waits(row)), w.runs(row)
			for i := range waiting {
				waiting[i].seconds += w.usualOf(row)
			}
			running := during(all, runs)
			for i := range running {
				running[i].seconds += max(0, w.usualOf(row)-float64(running[i].at-runs.began)/1e9)
			}
		}
		return nullable(len(all), func(i int) (float64, bool) { return all[i].seconds, all[i].isKnown && !math.IsNaN(all[i].seconds) })
	}
	return &measure{described: described, counts: "work", keeps: w.keeps, values: values, says: w.saysGuesses}
}

// saysGuesses says of which automations it is not known how long they usually take.
func (w *workload) saysGuesses() []string {
	labels := slices.Sorted(maps.Keys(w.isGuess))
	switch {
	case len(labels) == 0:
		return nil
	case math.IsNaN(w.median):
		return []string{"Nobody knows how long the tasks usually take: no automation has five tasks that ended well, in what was read"}
	}
	usually := time.Duration(w.median * 1e9).Round(time.Second)
	return []string{fmt.Sprintf("Automations with fewer than five tasks that ended well have no usual duration. The median of the others, %s, stands in for that of %s", usually, someOf(labels))}
}

// queueClearedAt is when what waits and runs of some automations is done, as deadlines expect it, too. Filters and groups choose
// automations by their open tasks.
func queueClearedAt(r *Selection, described *schema.Measure) *measure {
	now := columns.Nanoseconds(r.Now)
	work := attention.NewWork(r.tasksByAutomation(), now)
	state, automation := r.Rows.Column("state"), r.Rows.Column(r.DataSet.AutomationField)
	isUnknown := map[string]bool{}
	values := func(rows []int, in *cells) []*float64 {
		done, isKnown := now, len(rows) == 0
		for label := range byText(automation, rows) {
			at, known := work.Done(label, now)
			isUnknown[label] = isUnknown[label] || !known
			done, isKnown = max(done, at), isKnown || known
		}
		last := in.of[pieceAt(in.starts, now)] // What waited earlier is not known.
		return nullable(in.n, func(i int) (float64, bool) { return math.Round(float64(done) / 1e6), isKnown && i == last })
	}
	says := func() []string {
		maps.DeleteFunc(isUnknown, func(_ string, is bool) bool { return !is })
		if len(isUnknown) == 0 {
			return nil
		}
		return []string{fmt.Sprintf("Nobody knows when the queue of %s is done: none of its runners took a task in the last hour, or fewer than five of its tasks ended well", someOf(slices.Sorted(maps.Keys(isUnknown))))}
	}
	isOpen := func(row int) bool { return state.Text(row) == stateQueued || state.Text(row) == stateRunning }
	return &measure{described: described, counts: "open", keeps: isOpen, values: values, says: says}
}
