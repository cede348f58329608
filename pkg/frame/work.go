package frame

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/attention"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/period"
	"github.com/insights/insights-reporting-datasource/schema"
)

// capacity is for how long a runner that took a task is expected to take others.
const capacity = int64(time.Hour)

// work is what there is to do at a moment. What is left of a running task follows from how long it usually takes, and not from
// when it ended, which nobody knew.
type work struct {
	at      int64 // the moment
	isKnown bool  // it is in the time range, and not to come
	isBegun bool  // there was a task before

	queued  int
	left    int     // queued tasks that no runner can be expected to take
	overdue int     // tasks that run for longer than usual
	strange int     // tasks of which nobody knows how long they take
	runners int     // that took a task within the time of capacity
	shared  float64 // seconds that these runners have to do
	others  float64 // seconds that are left of tasks whose runners took none since
	longest float64 // seconds that are left of a single task
}

// add adds a task that waits or, for some seconds, runs.
func (w *work) add(usual, ran float64, isQueued bool) {
	left := usual - ran
	switch {
	case isQueued:
		w.queued++
	case math.IsNaN(usual):
	case left < 0:
		w.overdue++
		return
	}
	switch {
	case math.IsNaN(usual):
		w.strange++
		return
	case ran < float64(capacity)/1e9:
		w.shared += left
	default:
		w.others += left
	}
	w.longest = max(w.longest, left)
}

// seconds returns how long one runner would take for all of it.
func (w *work) seconds() (float64, bool) { return w.shared + w.others, w.isKnown && w.strange == 0 }

// cleared returns when it is done if nothing is added, in milliseconds since the epoch.
func (w *work) cleared() (ms float64, ok bool) {
	seconds := w.longest
	if w.queued > 0 {
		seconds = max(seconds, w.shared/float64(w.runners))
	}
	isTold := w.isBegun && w.strange == 0 && !w.isStuck() && (w.overdue == 0 || seconds > 0 || w.queued > 0)
	isTold = isTold && (w.left == 0 || w.queued > 0) // The queue is not cleared when what runs is done.
	return math.Round(float64(w.at)/1e6 + seconds*1e3), w.isKnown && isTold
}

// isStuck reports whether tasks wait, but no runner takes one.
func (w *work) isStuck() bool { return w.queued > 0 && w.runners == 0 }

// workload finds out what there is to do.
type workload struct {
	*Selection
	state, created, started, modified, runner, automation *columns.Column
	over                                                  timeRange
	now                                                   int64

	usual    map[string]float64 // seconds by automation; all rows tell what is usual, whatever the filters
	median   float64            // of these; NaN: none is known
	isGuess  map[string]bool    // automations of tasks that the median stands in for
	paces    map[int]paces      // by the number of moments; nil: whatever waits is work
	measured []work             // at the end of the range, of each group

	ran              map[string]map[string]bool // by automation, the runners that ever took one of its tasks
	waiting, running []int                      // all rows that do so at the end of the range, whatever the filters
	rivals           map[int]bool               // those that a group leaves out, although its runners have to do them
}

func newWorkload(r *Selection) *workload {
	column := r.Rows.Column
	w := &workload{
		Selection: r, over: r.untilNow(), now: columns.Nanoseconds(r.Now),
		state: column("state"), created: column("dateCreation"), started: column("dateStartRunning"), modified: column("dateLastModified"),
		runner: column("machineId"), automation: column(r.DataSet.AutomationField),
		usual: map[string]float64{}, isGuess: map[string]bool{},
	}
	read := newTaskReader(r)
	for label, rows := range byText(w.automation, allRows(r.Rows)) {
		if usual, known := attention.UsualDuration(read.tasks(rows), w.now); known && label != "" {
			w.usual[label] = float64(usual) / 1e9
		}
	}
	w.median = median(slices.Collect(maps.Values(w.usual)))
	return w
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

// waits returns when a task is in the queue. What the service says of now is true, even if its clock is ahead.
func (w *workload) waits(row int) (of interval, ok bool) {
	of = interval{w.created.Times[row], min(w.started.Times[row], w.now)}
	switch state := w.state.Text(row); {
	case state == stateQueued:
		of = interval{min(of.began, w.now), isOpen}
	case w.started.Valid[row]:
	case state == stateCanceled:
		of.ended = min(w.modified.Times[row], w.now)
		return of, w.created.Valid[row] && w.modified.Valid[row]
	default:
		return of, false
	}
	return of, w.created.Valid[row]
}

// runs returns when a task runs.
func (w *workload) runs(row int) (of interval, ok bool) {
	of, ok = w.occupies(row)
	if w.state.Text(row) != stateRunning {
		return interval{of.began, min(w.modified.Times[row], w.now)}, ok && w.modified.Valid[row]
	}
	if !ok {
		of.began, ok = min(w.created.Times[row], w.now), w.created.Valid[row]
	}
	return interval{of.began, isOpen}, ok
}

// occupies returns from when and until when a runner counts, because it took a task.
func (w *workload) occupies(row int) (of interval, ok bool) {
	at := w.started.Times[row]
	switch w.state.Text(row) {
	case stateQueued:
		return of, false
	case stateRunning:
		at = min(at, w.now)
	}
	return interval{at, at + capacity}, w.started.Valid[row]
}

// keeps reports whether a task is a part of the work of any moment of the time range, or tells of a runner.
func (w *workload) keeps(row int) bool {
	isIn := func(of interval, ok bool) bool {
		return ok && of.began <= w.over.to && min(of.ended, w.now+1) > max(w.over.from, of.began)
	}
	return isIn(w.waits(row)) || isIn(w.runs(row)) || isIn(w.occupies(row))
}

// moments returns the work of some rows at the end of each bucket.
func (w *workload) moments(rows []int, starts []int64) []work {
	all, first := make([]work, len(starts)), columns.Nanoseconds(w.Rows.Earliest("dateCreation"))
	for i := range all {
		end := w.over.to + 1
		if i+1 < len(starts) {
			end = starts[i+1]
		}
		all[i].at = min(end, w.now)
		all[i].isKnown, all[i].isBegun = max(starts[i], w.over.from) < all[i].at, all[i].at >= first
	}
	during := func(of interval) iter.Seq[int] {
		at := func(m work, t int64) int { return cmp.Compare(m.at, t) }
		first, _ := slices.BinarySearchFunc(all, of.began, at)
		last, _ := slices.BinarySearchFunc(all, of.ended, at)
		return func(yield func(int) bool) {
			for i := first; i < last && yield(i); i++ {
			}
		}
	}
	if w.paces != nil && w.paces[len(all)] == nil {
		w.paces[len(all)] = w.newPaces(len(all), during)
	}
	paces := w.paces[len(all)]
	for _, row := range rows {
		waits, isWait := w.waits(row)
		runs, isRun := w.runs(row)
		if isWait {
			for i := range during(waits) {
				if paces.passOver(w.automation.Text(row), w.created.Times[row], i) {
					all[i].left++
					continue
				}
				all[i].add(w.usualOf(row), 0, true)
			}
		}
		if isRun {
			for i := range during(runs) {
				all[i].add(w.usualOf(row), float64(all[i].at-runs.began)/1e9, false)
			}
		}
	}
	for runner, rows := range byText(w.runner, rows) {
		for _, of := range w.takes(runner, rows) {
			for i := range during(of) {
				all[i].runners++
			}
		}
	}
	return all
}

// takes returns when a runner counts, because it took one of some tasks.
func (w *workload) takes(runner string, rows []int) (spans []interval) {
	for _, row := range rows {
		if of, ok := w.occupies(row); ok && runner != "" {
			spans = append(spans, of)
		}
	}
	return union(spans)
}

// paces are how far the runners of each automation have come in the queue, of all rows, whatever the filters: when the oldest task
// was created that one of them took lately, at each moment.
type paces map[string][]int64

func (w *workload) newPaces(moments int, during func(interval) iter.Seq[int]) paces {
	oldest := map[string][]int64{} // by runner
	for row := range w.Rows.Rows {
		of, ok := w.occupies(row)
		runner := w.runner.Text(row)
		if !ok || runner == "" {
			continue
		}
		if oldest[runner] == nil {
			oldest[runner] = slices.Repeat([]int64{math.MaxInt64}, moments)
		}
		created := of.began
		if w.created.Valid[row] {
			created = w.created.Times[row]
		}
		for i := range during(of) {
			oldest[runner][i] = min(oldest[runner][i], created)
		}
	}
	p := paces{}
	for label, runners := range w.ran {
		p[label] = slices.Repeat([]int64{math.MaxInt64}, moments)
		for runner := range runners {
			for i, created := range oldest[runner] {
				p[label][i] = min(p[label][i], created)
			}
		}
	}
	return p
}

// passOver reports whether the runners of an automation took no task lately, or only such that were created long after one
// that waits, which a runner that is dead, or a priority, keeps waiting. What nobody has run, any runner may take.
func (p paces) passOver(label string, created int64, moment int) bool {
	oldest, isRun := p[label]
	return isRun && label != "" && oldest[moment]-capacity > created
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

// workMeasure returns a measure of the work at the end of each bucket or, of the last one, now.
func workMeasure(makes func(*Selection) *workload, value func(*work) (float64, bool), says func(*workload) []string) formula {
	return func(r *Selection, described *schema.Measure) *measure {
		w := makes(r)
		values := func(rows []int, in *cells) []*float64 {
			all := w.moments(rows, in.starts)
			if in.isTotal {
				w.measured = append(w.measured, all...)
				if w.paces != nil {
					w.findRivals(rows, all[0].at)
				}
			}
			return nullable(len(all), func(i int) (float64, bool) { return value(&all[i]) })
		}
		return &measure{described: described, keeps: w.keeps, values: values, says: func() []string { return says(w) }}
	}
}

var (
	queuedWork     = workMeasure(newWorkload, (*work).seconds, (*workload).saysGuesses)
	queueClearedAt = workMeasure(newForecast, (*work).cleared, (*workload).saysCleared)
)

// newForecast leaves out what no runner can be expected to take.
func newForecast(r *Selection) *workload {
	w := newWorkload(r)
	w.paces, w.ran = map[int]paces{}, map[string]map[string]bool{}
	for row := range w.Rows.Rows {
		label, runner := w.automation.Text(row), w.runner.Text(row)
		if _, ok := w.occupies(row); !ok || runner == "" {
			continue
		}
		if w.ran[label] == nil {
			w.ran[label] = map[string]bool{}
		}
		w.ran[label][runner] = true
	}
	return w
}

// findRivals finds what else the runners of a group have to do at a moment, which is the same for all groups.
func (w *workload) findRivals(group []int, at int64) {
	isAt := func(of interval, ok bool) bool { return ok && of.began <= at && at < of.ended }
	if w.rivals == nil {
		w.rivals = map[int]bool{}
		for row := range w.Rows.Rows {
			if isAt(w.waits(row)) {
				w.waiting = append(w.waiting, row)
			}
			if isAt(w.runs(row)) {
				w.running = append(w.running, row)
			}
		}
	}
	isChosen, own := map[int]bool{}, map[string]bool{} // rows, and runners that took one of them
	for _, row := range group {
		isChosen[row] = true
		if runner := w.runner.Text(row); runner != "" && isAt(w.occupies(row)) {
			own[runner] = true
		}
	}
	isTheirs := map[string]bool{} // automations that one of them has run
	for label, runners := range w.ran {
		for runner := range runners {
			isTheirs[label] = isTheirs[label] || own[runner]
		}
	}
	for _, row := range w.running {
		if own[w.runner.Text(row)] && !isChosen[row] {
			w.rivals[row] = true
		}
	}
	for _, row := range w.waiting {
		label := w.automation.Text(row)
		if isTheirs[label] && !isChosen[row] && !w.paces[1].passOver(label, w.created.Times[row], 0) {
			w.rivals[row] = true
		}
	}
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

// saysCleared says what else nobody knows.
func (w *workload) saysCleared() []string {
	all := w.saysGuesses()
	left, overdue, stuck := 0, 0, 0
	for _, m := range w.measured {
		left, overdue = left+m.left, overdue+m.overdue
		if m.isStuck() {
			stuck += m.queued
		}
	}
	if stuck > 0 {
		all = append(all, fmt.Sprintf("Of what is selected, no runner took a task in the last hour, so nobody knows when the queued tasks are done: %d", stuck))
	}
	if left > 0 {
		all = append(all, fmt.Sprintf("The forecast leaves out queued tasks that nobody takes: in the last hour, the runners of their automations took none, or only tasks that were created over an hour later: %d", left))
	}
	if len(w.rivals) > 0 {
		all = append(all, fmt.Sprintf("The forecast leaves out tasks that the same runners have to do, but that filters or groups exclude: %d", len(w.rivals)))
	}
	if overdue > 0 {
		all = append(all, fmt.Sprintf("The forecast leaves out tasks that run for longer than usual, because nobody knows when they are done: %d", overdue))
	}
	return all
}
