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
	loads map[string]*load
	due   map[[3]any][]deadlines.Occasion // by deadline, after and until: those of all automations that it matches
}

// load is what an automation keeps its runners busy with.
type load struct {
	live    []*Task         // that wait or run, or that a runner took in the last hour
	runners map[string]bool // that ran tasks
	lengths []int64         // how long tasks take; nil: nobody knows
	slow    int64           // for how long a task runs that hangs
	moving  int64           // the first creation of what runs and doesn't hang, or a runner took in the last day
	taken   int64           // that of what its runners took in the last hour, of any automation; 0: nothing

	starts  map[int]int64 // when a runner can be expected to take each task of the queue, by row; nil: not yet asked
	done    int64         // when all of them are done but those that are stuck
	stuck   int
	unknown string // why nobody knows done; empty: it is known
}

func (w *Work) occasions(d *deadlines.Deadline, after, until int64) []deadlines.Occasion {
	of := [3]any{d, after, until}
	if _, known := w.due[of]; !known {
		w.due[of] = d.Between(time.Unix(0, after), time.Unix(0, until))
	}
	return w.due[of]
}

// Why nobody knows when the queue of an automation is done.
const (
	Passed   = "a task waits while its runners take others that came later"
	NoRunner = "none of its runners took a task in the last hour"
	NoLength = "fewer than five of its tasks ended well"
	AllStuck = "nothing is left but what is stuck"
)

// NewWork returns the work of the automations, by their labels.
func NewWork(tasks map[string][]Task, now int64) *Work {
	w := &Work{map[string]*load{}, map[[3]any][]deadlines.Occasion{}}
	taken := map[string]int64{} // by runner
	for automation, all := range tasks {
		of := &load{runners: map[string]bool{}, moving: now}
		w.loads[automation] = of
		good, demand := timed(ended(all, now)), demands["usual"]
		usual, known := usually(good, took)
		if of.slow = demand.slowAfter(usual, known); known {
			of.lengths = lengths(good, usual)
		}
		for i := range all {
			t := &all[i]
			if t.State != Queued && t.Started > now-hour {
				taken[t.Runner] = min(cmp.Or(taken[t.Runner], t.Created), t.Created)
			}
			if t.State == Running && !of.hangs(t, now) || t.Started > now-day {
				of.moving = min(of.moving, t.Created)
			}
			if t.State == Queued || t.State == Running || t.Started > now-hour {
				of.live = append(of.live, t)
			}
			if t.Runner != "" {
				of.runners[t.Runner] = true
			}
		}
	}
	for _, of := range w.loads {
		for runner := range of.runners {
			if at, took := taken[runner]; took {
				of.taken = min(cmp.Or(of.taken, at), at)
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
	lengths := w.loads[automation].lengths
	return average(lengths), lengths != nil
}

// left returns for how much longer a task runs, as some part of those that took longer: by the average, all would end at once.
func (of *load) left(ran int64, part float64) int64 {
	all := of.lengths
	n, _ := slices.BinarySearch(all, ran+1)
	if n == len(all) {
		return 0
	}
	return all[n+int(part*float64(len(all)-n))] - ran
}

// Done returns when the open tasks of an automation but stuck ones are done if nothing is added, after those before them. Only runners
// count that run a task, or have taken one in the last hour; once a task has waited for ten minutes, those that could have taken it don't.
func (w *Work) Done(automation string, now int64) (at int64, stuck int, unknown string) {
	of := w.lane(automation, now)
	return of.done, of.stuck, of.unknown
}

// IsStuck reports whether nobody can expect an end of an open task: it hangs, or it waits for a day while younger ones are taken, or none.
func (w *Work) IsStuck(automation string, t *Task, now int64) bool {
	return w.loads[automation].isStuck(t, now)
}

func (of *load) isStuck(t *Task, now int64) bool {
	return of.hangs(t, now) || t.State == Queued && t.Created < min(now-day, of.moving)
}

// hangs reports whether a task runs for so long that it is slow.
func (of *load) hangs(t *Task, now int64) bool {
	return t.State == Running && now-t.begin() >= of.slow
}

type open struct {
	*Task
	of *load
}

// lane returns an automation with its queue.
func (w *Work) lane(automation string, now int64) *load {
	own := w.loads[automation]
	if own.starts != nil {
		return own
	}
	own.starts, own.done = map[int]int64{}, now
	free, all := w.free(own, now), w.queue(own, now)
	waits := func(t open) bool { return t.of == own && t.State == Queued }
	if own.unknown == "" && len(free) == 0 && slices.ContainsFunc(all, waits) {
		own.unknown = NoRunner
	}
	runners := slices.Collect(maps.Keys(free))
	for n, t := range all {
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
			own.starts[t.Row], own.done = start, max(own.done, end)
		}
	}
	return own
}

// queue returns the open tasks that have a place in the queue of an automation: the running ones, and what its runners take, in order.
func (w *Work) queue(own *load, now int64) (all []open) {
	isPassed, isOpen, runners := false, false, slices.Collect(maps.Keys(own.runners))
	for _, other := range w.loads {
		isOwn := other == own
		if !isOwn && !slices.ContainsFunc(runners, func(runner string) bool { return other.runners[runner] }) {
			continue
		}
		for _, t := range other.live {
			switch {
			case t.State > Running:
			case other.isStuck(t, now):
				own.stuck += int(truth(isOwn))
			case t.State == Queued && t.Created+shortWait < other.taken: // It has no place: all that was taken in the last hour came later.
				isPassed = isPassed || isOwn
			default:
				all, isOpen = append(all, open{t, other}), isOpen || isOwn
			}
		}
	}
	switch {
	case isPassed:
		own.unknown = Passed
	case own.stuck > 0 && !isOpen:
		own.unknown = AllStuck
	case own.lengths == nil:
		own.unknown = NoLength
	}
	slices.SortFunc(all, func(a, b open) int {
		return cmp.Or(cmp.Compare(b.State, a.State), cmp.Compare(a.Created, b.Created), cmp.Compare(a.Row, b.Row))
	})
	return all
}

// free returns when each runner of an automation that counts can take its next task: now, but for what it runs.
func (w *Work) free(own *load, now int64) map[string]int64 {
	free, taken := map[string]int64{}, now-hour
	if slices.ContainsFunc(own.live, func(t *Task) bool { return t.State == Queued && t.Created <= now-shortWait && !own.isStuck(t, now) }) {
		taken = now - shortWait
	}
	for _, other := range w.loads {
		for _, t := range other.live {
			runs := t.State == Running && !other.isStuck(t, now)
			if own.runners[t.Runner] && (runs || t.State != Running && t.Started > taken) {
				free[t.Runner] = now
			}
		}
	}
	return free
}
