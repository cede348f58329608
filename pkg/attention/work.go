package attention

import (
	"cmp"
	"maps"
	"slices"
)

// Work is what the tasks of all automations show: how long the queue takes.
type Work struct {
	live    map[string][]*Task         // that wait or run, or that a runner took in the last hour, by automation
	runners map[string]map[string]bool // that ran tasks, by automation
	average map[string]int64
	lanes   map[string]*lane
}

// lane is the queue of an automation: when a runner can be expected to take each of its tasks, by row, and when all are done.
type lane struct {
	starts  map[int]int64
	done    int64
	isKnown bool
}

// NewWork returns the work of the automations, by their labels.
func NewWork(tasks map[string][]Task, now int64) *Work {
	w := &Work{live: map[string][]*Task{}, runners: map[string]map[string]bool{}, average: map[string]int64{}, lanes: map[string]*lane{}}
	for automation, of := range tasks {
		w.runners[automation] = map[string]bool{}
		for i := range of {
			t := &of[i]
			if t.State == Queued || t.State == Running || t.Started > now-hour {
				w.live[automation] = append(w.live[automation], t)
			}
			if t.Runner != "" {
				w.runners[automation][t.Runner] = true
			}
		}
		good := timed(ended(of, now))
		if usual, known := usually(good, took); known {
			w.average[automation] = average(good, usual)
		}
	}
	return w
}

// average returns how long tasks take on average: one that takes longer than usual counts as one that takes as long.
func average(good []*Task, usual int64) int64 {
	sum := int64(0)
	for _, t := range good {
		sum += min(took(t), usual)
	}
	return sum / max(1, int64(len(good)))
}

// Done returns when the tasks of an automation that wait or run are done if nothing is added, after those before them in the
// queue. Only runners count that run a task, or have taken one in the last hour; once a task has waited for ten minutes, those
// that could have taken it don't. It is not known if tasks wait and no runner counts, or of an automation that has no usual
// duration.
func (w *Work) Done(automation string, now int64) (at int64, isKnown bool) {
	of := w.lane(automation, now)
	return of.done, of.isKnown
}

// start returns when a task that waits can be expected to start, after those before it in the queue. What others wait with for
// more than a day is no queue.
func (w *Work) start(automation string, t *Task, now int64) int64 {
	return max(now, w.lane(automation, now).starts[t.Row])
}

func (w *Work) lane(automation string, now int64) *lane {
	if of := w.lanes[automation]; of != nil {
		return of
	}
	of := &lane{starts: map[int]int64{}, done: now}
	w.lanes[automation] = of
	type queued struct {
		*Task
		length int64
		isOwn  bool
	}
	var queue []queued
	isWaiting, free := false, w.free(automation, now)
	for other, tasks := range w.live {
		isOwn := other == automation
		shares := isOwn || intersect(w.runners[automation], w.runners[other])
		for _, t := range tasks {
			switch {
			case isOwn && t.State == Running:
				of.done = max(of.done, t.begin()+w.average[other])
			case t.State == Queued && shares && (isOwn || t.Created >= now-day):
				queue, isWaiting = append(queue, queued{t, w.average[other], isOwn}), isWaiting || isOwn
			}
		}
	}
	_, isUsual := w.average[automation]
	of.isKnown = isUsual && (!isWaiting || len(free) > 0)
	slices.SortFunc(queue, func(a, b queued) int {
		return cmp.Or(cmp.Compare(a.Created, b.Created), cmp.Compare(a.length, b.length))
	})
	runners := slices.Collect(maps.Values(free))
	for _, next := range queue {
		if len(runners) == 0 {
			break
		}
		slices.Sort(runners)
		start := runners[0]
		if runners[0] += next.length; next.isOwn {
			of.starts[next.Row], of.done = start, max(of.done, runners[0])
		}
	}
	return of
}

// free returns when each runner of an automation that counts can take its next task.
func (w *Work) free(automation string, now int64) map[string]int64 {
	free, taken := map[string]int64{}, now-hour
	for _, t := range w.live[automation] {
		if t.State == Queued && t.Created > now-day && t.Created <= now-shortWait {
			taken = now - shortWait
		}
	}
	for other, tasks := range w.live {
		for _, t := range tasks {
			switch isOwn := w.runners[automation][t.Runner]; {
			case isOwn && t.State == Running:
				free[t.Runner] = max(free[t.Runner], now, t.begin()+w.average[other])
			case isOwn && t.Started > taken:
				free[t.Runner] = max(free[t.Runner], now)
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
