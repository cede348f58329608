package attention

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/deadlines"
)

// Work is what the tasks of all automations show, by automation: how long the queue takes.
type Work struct {
	live    map[string][]*Task         // that wait or run, or that a runner took in the last hour
	runners map[string]map[string]bool // that ran tasks
	lengths map[string][]int64         // how long tasks take
	moving  map[string]int64           // the first creation of what runs and doesn't hang, or a runner took in the last day
	lanes   map[string]*lane
	due     map[stretch][]deadlines.Occasion
}

// stretch is a time in which a deadline falls due, for each automation that it matches at the same moments.
type stretch struct {
	*deadlines.Deadline
	after, until int64
}

func (w *Work) occasions(d *deadlines.Deadline, after, until int64) []deadlines.Occasion {
	of := stretch{d, after, until}
	if _, known := w.due[of]; !known {
		w.due[of] = d.Between(time.Unix(0, after), time.Unix(0, until))
	}
	return w.due[of]
}

// lane is the queue of an automation: when a runner can be expected to take each of its tasks, by row, and when all are done but
// those that are stuck.
type lane struct {
	starts  map[int]int64
	done    int64
	stuck   int
	isKnown bool
}

// NewWork returns the work of the automations, by their labels.
func NewWork(tasks map[string][]Task, now int64) *Work {
	w := &Work{map[string][]*Task{}, map[string]map[string]bool{}, map[string][]int64{}, map[string]int64{}, map[string]*lane{}, map[stretch][]deadlines.Occasion{}}
	for automation, of := range tasks {
		w.runners[automation], w.moving[automation] = map[string]bool{}, now
		good := timed(ended(of, now))
		if usual, known := usually(good, took); known {
			w.lengths[automation] = lengths(good, usual)
		}
		for i := range of {
			t := &of[i]
			if t.State == Running && !w.hangs(automation, t, now) || t.Started > now-day {
				w.moving[automation] = min(w.moving[automation], t.Created)
			}
			if t.State == Queued || t.State == Running || t.Started > now-hour {
				w.live[automation] = append(w.live[automation], t)
			}
			if t.Runner != "" {
				w.runners[automation][t.Runner] = true
			}
		}
	}
	return w
}

// lengths returns how long tasks take, in order: one that takes longer than usual counts as one that takes as long.
func lengths(good []*Task, usual int64) []int64 {
	all := make([]int64, len(good))
	for i, t := range good {
		all[i] = min(took(t), usual)
	}
	slices.Sort(all)
	return all
}

func average(lengths []int64) int64 {
	sum := int64(0)
	for _, each := range lengths {
		sum += each
	}
	return sum / max(1, int64(len(lengths)))
}

// Average returns for how many nanoseconds a task of an automation runs on average; ok is false if nobody knows.
func (w *Work) Average(automation string) (of int64, ok bool) {
	return average(w.lengths[automation]), w.lengths[automation] != nil
}

// left returns for how much longer a task runs that has run for some time: as some part of those that took longer. If each took
// the average, the last ones of a queue would all end at once, and too early.
func (w *Work) left(automation string, ran int64, part float64) int64 {
	all := w.lengths[automation]
	n, _ := slices.BinarySearch(all, ran+1)
	if n == len(all) {
		return 0
	}
	return all[n+int(part*float64(len(all)-n))] - ran
}

// Done returns when the tasks of an automation that wait or run are done if nothing is added, after those before them in the
// queue. Only runners count that run a task, or have taken one in the last hour; once a task has waited for ten minutes, those
// that could have taken it don't. It is not known if tasks wait and no runner counts, or of an automation that has no usual
// duration. Stuck ones are left out.
func (w *Work) Done(automation string, now int64) (at int64, stuck int, isKnown bool) {
	of := w.lane(automation, now)
	return of.done, of.stuck, of.isKnown
}

// IsStuck reports whether nobody can expect an end of an open task: it hangs, or it has waited for over a day while no runner
// takes it, only younger ones, or none.
func (w *Work) IsStuck(automation string, t *Task, now int64) bool {
	return w.hangs(automation, t, now) || t.State == Queued && t.Created < min(now-day, w.moving[automation])
}

// hangs reports whether a task runs for so long that it is slow.
func (w *Work) hangs(automation string, t *Task, now int64) bool {
	all, usual := w.lengths[automation], int64(0)
	if len(all) > 0 {
		usual = all[len(all)-1]
	}
	of := demands["usual"]
	return t.State == Running && now-t.begin() >= of.slowAfter(usual, len(all) > 0)
}

func (w *Work) lane(automation string, now int64) *lane {
	if of := w.lanes[automation]; of != nil {
		return of
	}
	of := &lane{starts: map[int]int64{}, done: now}
	w.lanes[automation] = of
	type open struct {
		*Task
		automation string
	}
	var all []open
	isWaiting, free := false, w.free(automation, now)
	for other, tasks := range w.live {
		isOwn := other == automation
		for _, t := range tasks {
			switch {
			case t.State > Running || !isOwn && !intersect(w.runners[automation], w.runners[other]):
			case w.IsStuck(other, t, now):
				of.stuck += int(truth(isOwn))
			default:
				all, isWaiting = append(all, open{t, other}), isWaiting || isOwn && t.State == Queued
			}
		}
	}
	of.isKnown = w.lengths[automation] != nil && (!isWaiting || len(free) > 0)
	slices.SortFunc(all, func(a, b open) int {
		return cmp.Or(cmp.Compare(b.State, a.State), cmp.Compare(a.Created, b.Created), cmp.Compare(a.Row, b.Row))
	})
	runners := slices.Collect(maps.Keys(free))
	for n, t := range all { // the running ones first
		_, part := math.Modf(float64(n+1) / math.Phi) // spread evenly, however many there are
		runner, start, ran := t.Runner, now, max(0, now-t.begin())
		if t.State == Queued {
			if len(runners) == 0 {
				break
			}
			runner = slices.MinFunc(runners, func(a, b string) int { return cmp.Compare(free[a], free[b]) })
			start, ran = free[runner], 0
		}
		end := start + w.left(t.automation, ran, part)
		if _, counts := free[runner]; counts {
			free[runner] = max(free[runner], end)
		}
		if t.automation == automation {
			of.starts[t.Row], of.done = start, max(of.done, end)
		}
	}
	return of
}

// free returns when each runner of an automation that counts can take its next task: now, but for what it runs.
func (w *Work) free(automation string, now int64) map[string]int64 {
	free, taken := map[string]int64{}, now-hour
	for _, t := range w.live[automation] {
		if t.State == Queued && t.Created <= now-shortWait && !w.IsStuck(automation, t, now) {
			taken = now - shortWait
		}
	}
	for other, tasks := range w.live {
		for _, t := range tasks {
			runs := t.State == Running && !w.IsStuck(other, t, now)
			if w.runners[automation][t.Runner] && (runs || t.State != Running && t.Started > taken) {
				free[t.Runner] = now
			}
		}
	}
	return free
}

func intersect(a, b map[string]bool) bool {
	for each := range a {
		if b[each] {
			return true
		}
	}
	return false
}
