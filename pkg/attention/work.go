package attention

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// Work is what the tasks of all automations show about the deadlines of each: whether anything ran on a day, and how long
// the queue takes.
type Work struct {
	since   int64              // from when on all tasks are known
	moments []int64            // when tasks were created, started, or ended, in order
	spans   []span             // of tasks, in the order of their creation
	live    map[string][]*Task // that wait or run, or that a runner took in the last hour, by automation
	lanes   map[string]*lane
	runners map[string]map[string]bool // that ran tasks, by automation
	usual   map[string]int64
}

// NewWork returns the work of the automations, by their labels.
func NewWork(tasks map[string][]Task, now int64) *Work {
	w := &Work{since: now, live: map[string][]*Task{}, lanes: map[string]*lane{}, runners: map[string]map[string]bool{}, usual: map[string]int64{}}
	for automation, of := range tasks {
		w.runners[automation] = map[string]bool{}
		for i := range of {
			t := &of[i]
			w.since = min(w.since, t.Created)
			w.moments = append(w.moments, t.Created, t.Started)
			ended := int64(math.MaxInt64)
			if t.State >= Finished {
				w.moments, ended = append(w.moments, t.Ended), t.end()
			}
			w.spans = append(w.spans, span{t.Created, ended})
			if t.State == Queued || t.State == Running || t.Started > now-hour {
				w.live[automation] = append(w.live[automation], t)
			}
			if t.Runner != "" {
				w.runners[automation][t.Runner] = true
			}
		}
		if usual, known := UsualDuration(of, now); known {
			w.usual[automation] = usual
		}
	}
	slices.Sort(w.moments)
	slices.SortFunc(w.spans, func(a, b span) int { return cmp.Compare(a.created, b.created) })
	return w
}

// span is when a task waits or runs.
type span struct{ created, ended int64 }

// ran reports whether an automation had a task in a time, which was created, started, or ended then, or waited or ran
// throughout. One that was created more than a day before hangs, and tells nothing about that time.
func (w *Work) ran(from, until int64) bool {
	n, _ := slices.BinarySearch(w.moments, from)
	if n < len(w.moments) && w.moments[n] < until {
		return true
	}
	created := func(s span, at int64) int { return cmp.Compare(s.created, at) }
	first, _ := slices.BinarySearchFunc(w.spans, from-day, created)
	last, _ := slices.BinarySearchFunc(w.spans, from, created)
	return slices.ContainsFunc(w.spans[first:last], func(s span) bool { return s.ended >= from })
}

// lane is the queue in front of the runners of an automation, in the order in which they take it.
type lane struct {
	created []int64
	ahead   []moment // what each task finds ahead of it, and what one more would
	done    int64    // when the automation's own tasks are done; 0: nobody knows
}

type moment struct {
	at      int64 // when a runner takes the task
	blocked int64 // when what keeps the runners busy until then began last; 0: nothing does
}

// free returns when a runner of an automation can be expected to take a task that was created at a time, after those
// before it in the queue, and what began last of what keeps the runners busy until then; 0: nothing. Only runners count
// that have taken a task in the last hour, or run one. If there are none, nothing is known of the queue.
func (w *Work) free(automation string, created, now int64) (at, blocked int64) {
	of := w.laneOf(automation, now)
	n, _ := slices.BinarySearch(of.created, created)
	return of.ahead[n].at, of.ahead[n].blocked
}

// Done returns when the tasks of an automation that wait or run are done if nothing is added, after those before them in the
// queue. It is not known if tasks wait and no runner counts, or of an automation that has no usual duration.
func (w *Work) Done(automation string, now int64) (at int64, known bool) {
	at = w.laneOf(automation, now).done
	return at, at > 0
}

func (w *Work) laneOf(automation string, now int64) *lane {
	of, known := w.lanes[automation]
	if !known {
		of = w.lane(automation, now)
		w.lanes[automation] = of
	}
	return of
}

func (w *Work) lane(automation string, now int64) *lane {
	type queued struct {
		*Task
		length int64
		isOwn  bool
	}
	own := w.runners[automation]
	free := map[string]int64{}
	var queue []queued
	blocked, done, isWaiting := int64(0), now, false
	for other, tasks := range w.live {
		shares := other == automation || intersect(own, w.runners[other])
		for _, t := range tasks {
			if other == automation && t.State == Running {
				done = max(done, t.begin()+w.usual[other])
			}
			isWaiting = isWaiting || other == automation && t.State == Queued
			switch {
			case t.State == Queued && shares:
				queue = append(queue, queued{t, w.usual[other], other == automation})
			case own[t.Runner] && t.State == Running:
				free[t.Runner] = max(free[t.Runner], now, t.begin()+w.usual[other])
				blocked = max(blocked, t.begin())
			case own[t.Runner] && t.Started > now-hour:
				free[t.Runner] = max(free[t.Runner], now)
			}
		}
	}
	if _, isUsual := w.usual[automation]; !isUsual || isWaiting && len(free) == 0 {
		done = 0
	}
	if len(free) == 0 {
		return &lane{ahead: []moment{{now, 0}}, done: done}
	}
	slices.SortFunc(queue, func(a, b queued) int {
		return cmp.Or(cmp.Compare(a.Created, b.Created), cmp.Compare(a.length, b.length))
	})
	runners := slices.Collect(maps.Values(free))
	of := &lane{}
	for n := 0; ; n++ {
		slices.Sort(runners)
		next := moment{runners[0], blocked}
		if next.at == now {
			next.blocked = 0
		}
		of.ahead, of.done = append(of.ahead, next), done
		if n == len(queue) {
			return of
		}
		of.created = append(of.created, queue[n].Created)
		runners[0] += queue[n].length
		if queue[n].isOwn && done > 0 {
			done = max(done, runners[0])
		}
		blocked = max(blocked, queue[n].Created)
	}
}

func intersect(a, b map[string]bool) bool {
	for each := range a {
		if b[each] {
			return true
		}
	}
	return false
}
