package attention

import (
	"cmp"
	"maps"
	"slices"
)

// Work is what the tasks of all automations show about the deadlines of each: whether anything ran on a day, and how long
// the queue takes.
type Work struct {
	since   int64   // from when on all tasks are known
	moments []int64 // when tasks were created, started, or ended, in order
	tasks   map[string][]Task
	runners map[string]map[string]bool // that ran tasks, by automation
	usual   map[string]int64
}

// NewWork returns the work of the automations, by their labels.
func NewWork(tasks map[string][]Task, now int64) *Work {
	w := &Work{since: now, tasks: tasks, runners: map[string]map[string]bool{}, usual: map[string]int64{}}
	for automation, of := range tasks {
		w.runners[automation] = map[string]bool{}
		for i := range of {
			t := &of[i]
			w.since = min(w.since, t.Created)
			w.moments = append(w.moments, t.Created, t.Started)
			if t.State >= Finished {
				w.moments = append(w.moments, t.Ended)
			}
			if t.Runner != "" {
				w.runners[automation][t.Runner] = true
			}
		}
		w.usual[automation], _ = UsualDuration(of, now)
	}
	slices.Sort(w.moments)
	return w
}

// ran reports whether an automation had a task in a time, which was created, started, or ended then.
func (w *Work) ran(from, until int64) bool {
	n, _ := slices.BinarySearch(w.moments, from)
	return n < len(w.moments) && w.moments[n] < until
}

// free returns when a runner of an automation can be expected to take a task that was created at a time, after those
// before it in the queue, and what began last of what keeps the runners busy until then; 0: nothing. Only runners count
// that have taken a task in the last hour, or run one. If there are none, nothing is known of the queue.
func (w *Work) free(automation string, created, now int64) (at, blocked int64) {
	own := w.runners[automation]
	free := map[string]int64{}
	var queue []*Task
	length := map[*Task]int64{}
	for other, tasks := range w.tasks {
		shares := other == automation || intersect(own, w.runners[other])
		for i := range tasks {
			t := &tasks[i]
			switch {
			case t.State == Queued && shares && t.Created < created:
				queue, length[t] = append(queue, t), w.usual[other]
			case own[t.Runner] && t.State == Running:
				free[t.Runner] = max(free[t.Runner], now, t.begin()+w.usual[other])
				blocked = max(blocked, t.begin())
			case own[t.Runner] && t.Started > now-hour:
				free[t.Runner] = max(free[t.Runner], now)
			}
		}
	}
	if len(free) == 0 {
		return now, 0
	}
	slices.SortFunc(queue, func(a, b *Task) int { return cmp.Compare(a.Created, b.Created) })
	next := func() string {
		return slices.MinFunc(slices.Sorted(maps.Keys(free)), func(a, b string) int { return cmp.Compare(free[a], free[b]) })
	}
	for _, t := range queue {
		free[next()] += length[t]
		blocked = max(blocked, t.Created)
	}
	if at = free[next()]; at == now {
		blocked = 0
	}
	return at, blocked
}

func intersect(a, b map[string]bool) bool {
	for each := range a {
		if b[each] {
			return true
		}
	}
	return false
}
