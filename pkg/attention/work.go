package attention

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// Work is what the tasks of all automations show, by automation: how long the queue takes.
type Work map[string]*workload

type workload struct {
	live    []*Task         // that wait or run, or that a runner took in the last hour
	runners map[string]bool // that ran tasks
	lengths []int64         // how long tasks take
	moving  int64           // the first creation of what runs, or a runner took in the last day
	lane    *lane           // nil: not yet asked
}

// lane is the queue of an automation: when a runner can be expected to take each task, by row, and when all but parked ones are done.
type lane struct {
	starts  map[int]int64
	done    int64
	parked  int
	isKnown bool
}

// NewWork returns the work of the automations, by their labels.
func NewWork(tasks map[string][]Task, now int64) Work {
	w := Work{}
	for automation, all := range tasks {
		of := &workload{runners: map[string]bool{}, moving: now}
		w[automation] = of
		for i := range all {
			t := &all[i]
			if t.State == Running || t.Started > now-day {
				of.moving = min(of.moving, t.Created)
			}
			if t.State == Queued || t.State == Running || t.Started > now-hour {
				of.live = append(of.live, t)
			}
			if t.Runner != "" {
				of.runners[t.Runner] = true
			}
		}
		good := timed(ended(all, now))
		if usual, known := usually(good, took); known {
			of.lengths = lengths(good, usual)
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
func (w Work) Average(automation string) (of int64, ok bool) {
	return average(w[automation].lengths), w[automation].lengths != nil
}

// left returns for how much longer a task runs that has run for some time: as some part of those that took longer. If each took
// the average, the last ones of a queue would all end at once, and too early.
func (of *workload) left(ran int64, part float64) int64 {
	n, _ := slices.BinarySearch(of.lengths, ran+1)
	if n == len(of.lengths) {
		return 0
	}
	return of.lengths[n+int(part*float64(len(of.lengths)-n))] - ran
}

// Done returns when the tasks of an automation that wait or run are done if nothing is added, after those before them in the
// queue. Only runners count that run a task, or have taken one in the last hour; once a task has waited for ten minutes, those
// that could have taken it don't. It is not known if tasks wait and no runner counts, or of an automation that has no usual
// duration. Parked ones, which no runner takes, are left out.
func (w Work) Done(automation string, now int64) (at int64, parked int, isKnown bool) {
	of := w.laneOf(automation, now)
	return of.done, of.parked, of.isKnown
}

// isParked reports whether a queued task has waited for over a day, and no runner takes it: only younger ones, or none.
func (of *workload) isParked(t *Task, now int64) bool {
	return t.State == Queued && t.Created < min(now-day, of.moving)
}

func (w Work) laneOf(automation string, now int64) *lane {
	own := w[automation]
	if own.lane != nil {
		return own.lane
	}
	of := &lane{starts: map[int]int64{}, done: now}
	own.lane = of
	type open struct {
		*Task
		of *workload
	}
	var all []open
	isWaiting, free := false, w.free(own, now)
	for _, other := range w {
		isShared := other == own || slices.ContainsFunc(slices.Collect(maps.Keys(own.runners)), func(runner string) bool { return other.runners[runner] })
		for _, t := range other.live {
			switch {
			case t.State > Running || !isShared:
			case other.isParked(t, now):
				of.parked += int(truth(other == own))
			default:
				all, isWaiting = append(all, open{t, other}), isWaiting || other == own && t.State == Queued
			}
		}
	}
	of.isKnown = own.lengths != nil && (!isWaiting || len(free) > 0)
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
		end := start + t.of.left(ran, part)
		if _, counts := free[runner]; counts {
			free[runner] = max(free[runner], end)
		}
		if t.of == own {
			of.starts[t.Row], of.done = start, max(of.done, end)
		}
	}
	return of
}

// free returns when each runner of an automation that counts can take its next task: now, but for what it runs.
func (w Work) free(own *workload, now int64) map[string]int64 {
	free, taken := map[string]int64{}, now-hour
	for _, t := range own.live {
		if t.State == Queued && t.Created <= now-shortWait && !own.isParked(t, now) {
			taken = now - shortWait
		}
	}
	for _, other := range w {
		for _, t := range other.live {
			if own.runners[t.Runner] && (t.State == Running || t.Started > taken) {
				free[t.Runner] = now
			}
		}
	}
	return free
}
