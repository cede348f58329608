package attention

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/deadlines"
)

// Due is a deadline of an automation at a time, and what has become of it.
type Due struct {
	*deadlines.Deadline
	State   DueState
	At      int64 // when it falls due
	From    int64 // since when a task that is created counts
	DoneAt  int64 // when the last success that it takes ended, in time or not; 0: it is not done
	Done    int   // successes that count until now
	Late    int   // Within: tasks that are late
	Since   int64 // when it became late or at risk; 0: it is neither
	Usual   int64 // how long a task usually takes; 0: not known
	ToDo    int   // at risk: tasks that are still to be done
	AtOnce  int   // at risk: how many of them can be expected to run at once
	Each    int64 // at risk: how long each of them takes on average
	Queue   int64 // at risk: how long it takes until a runner takes the first of them that waits
	Success int64 // the end of the last success; 0: there is none
	About   *Task // the oldest that is late, runs, or waits, or the last one that counts; nil: there is none
}

// DueState is what has become of a deadline.
type DueState string

// The states. Of those before it falls due, the last one that applies.
const (
	DueDone    DueState = "done"
	DueLate    DueState = "late"
	DueOpen    DueState = "open" // no task of the automation waits or runs
	DueQueued  DueState = "queued"
	DueRunning DueState = "running" // or has ended, and its result is to come
	DueAtRisk  DueState = "atRisk"  // it is not late yet, but will be
)

// longestMonth is how far the occasions may be that are about now.
const longestMonth = 40 * 24 * time.Hour

// settling is how long a task may take to get its result.
const settling = hour

// Dues returns the deadlines of an automation that are about now: the last one of each that fell due, if it was done today or
// is late and the next one is not done, and the next one, if its tasks may come. They don't contain those whose tasks could come
// before the oldest one, of which nobody knows whether they are done; isWhole reports whether there is none.
func (g *Group) Dues() (dues []Due, isWhole bool) { return g.history().dues() }

func (h *history) dues() (dues []Due, isWhole bool) {
	now, isWhole := time.Unix(0, h.Now), true
	for _, d := range h.Deadlines {
		if d.Within > 0 {
			if due, ok := h.within(d); ok {
				dues = append(dues, due)
			}
			continue
		}
		all := d.Between(now.Add(-longestMonth), now.Add(longestMonth))
		next := len(slices.DeleteFunc(slices.Clone(all), func(o deadlines.Occasion) bool { return o.Due.After(now) }))
		isDone := false
		for n := min(next, len(all)-1); n >= max(0, next-1); n-- {
			o := &all[n]
			due := h.by(d, o)
			isRelevant := n == next || !isDone
			if due.State == DueDone {
				isRelevant = n == next || o.End.After(now)
			}
			isDone = due.State == DueDone
			switch {
			case o.From.After(now) || !isRelevant:
			case due.From < h.Work.since:
				isWhole = false
			default:
				dues = append(dues, due)
			}
		}
	}
	slices.SortStableFunc(dues, func(a, b Due) int { return cmp.Compare(a.At, b.At) })
	return dues, isWhole
}

// deadline finds what is late, or will be.
func (h *history) deadline() *Finding {
	var worst *Finding
	dues, _ := h.dues()
	for _, due := range dues {
		f := &Finding{
			Reason: Deadline, Since: due.Since, From: due.From, About: cmp.Or(due.About, h.last()), Due: &due,
			Count: max(due.Late, due.Count-due.Done), Value: seconds(max(due.At-h.Now, h.Now-due.At)), Usual: orUnknown(due.Usual, due.Usual > 0),
		}
		switch due.State {
		case DueLate:
			f.Severity = 3
		case DueAtRisk:
			f.Severity = 2
		default:
			continue
		}
		if worst == nil || f.Severity > worst.Severity || f.Severity == worst.Severity && f.Since < worst.Since {
			worst = f
		}
	}
	return worst
}

// last returns the newest task, or one that stands for the group if it has none.
func (h *history) last() *Task {
	if len(h.Tasks) == 0 {
		return &Task{Row: h.Row}
	}
	return &h.Tasks[len(h.Tasks)-1]
}

// by judges an occasion of a deadline by a time of day.
func (h *history) by(d *deadlines.Deadline, o *deadlines.Occasion) Due {
	due := Due{Deadline: d, At: o.Due.UnixNano(), From: o.From.UnixNano()}
	due.Usual, _ = usually(timed(h.ended), took)
	for _, t := range h.ended {
		if t.Status != Success {
			continue
		}
		if due.Success = t.end(); !o.Has(t.Created) || due.DoneAt > 0 {
			continue
		}
		due.Done, due.About = due.Done+1, t
		if due.Done == d.Count {
			due.DoneAt = t.end()
		}
	}
	var open []*Task
	isPending := false
	for i := range h.Tasks {
		t := &h.Tasks[i]
		if o.Has(t.Created) && (t.State == Queued || t.State == Running || t.settles(h.Now)) {
			open = append(open, t)
			isPending = isPending || t.settles(h.Now) && t.end() < due.At
		}
	}
	switch {
	case due.DoneAt > 0:
		due.State = DueDone
	case h.Now < due.At:
		h.forecast(&due, open)
	case isPending:
		due.State = DueRunning
	default:
		due.State, due.Since = DueLate, due.At
	}
	return due
}

// settles reports whether the result of a task that has ended may be to come.
func (t *Task) settles(now int64) bool {
	return t.State == Finished && t.Status == None && t.end() > now-settling
}

// forecast sets the state of a deadline that is not done and has not fallen due: it is at risk if what runs and what is
// missing takes longer than what is left. What others have in the queue only counts in front of a task that waits: one that
// is to come may be taken first. One that hangs is not expected to end at all.
func (h *history) forecast(due *Due, open []*Task) {
	var ran []int64
	oldest := map[State]*Task{}
	for _, t := range open {
		state := t.State
		if state == Finished {
			state = Running
		}
		oldest[state] = cmp.Or(oldest[state], t)
		switch since := h.Now - t.begin(); {
		case t.State == Finished:
			ran = append(ran, due.Usual)
		case t.State == Running && (due.Usual == 0 || since < h.longer*max(shortRun, due.Usual)):
			ran = append(ran, since)
		}
	}
	switch due.State = DueOpen; {
	case oldest[Running] != nil:
		due.State, due.About = DueRunning, oldest[Running]
	case oldest[Queued] != nil:
		due.State, due.About = DueQueued, oldest[Queued]
	}
	h.risk(due, due.Count-due.Done, ran, oldest[Queued])
}

// risk sets the state of a deadline that takes some more tasks, of which some have run for a time. One of them can take as long
// as is usual, and all of them together what they take on average.
func (h *history) risk(due *Due, toDo int, ran []int64, waiting *Task) {
	slices.SortFunc(ran, func(a, b int64) int { return cmp.Compare(b, a) })
	ran = ran[:min(toDo, len(ran))]
	each, last, n := average(timed(h.ended), due.Usual), due.Usual, int64(h.atOnce(waiting))
	queue := int64(0)
	if len(ran) == toDo {
		last -= ran[toDo-1]
	} else if waiting != nil {
		queue = h.Work.start(h.Automation, waiting, h.Now) - h.Now
	}
	all := int64(toDo) * each
	sum := all
	for _, since := range ran {
		sum -= min(since, each)
	}
	if due.Usual == 0 || h.Now+max(queue+last, sum/n) <= due.At {
		return
	}
	due.State, due.ToDo, due.AtOnce, due.Each, due.Queue = DueAtRisk, toDo, int(n), each, queue
	due.Since = min(h.Now, due.At-max(due.Usual, all/n))
	if queue > 0 {
		due.Since = min(due.Since, max(waiting.Created, due.At-day))
	}
}

// atOnce returns how many tasks can be expected to run at once: the most that did in the last week or, if one has waited for
// some time, in that time.
func (h *history) atOnce(waiting *Task) (most int) {
	since := h.Now - week
	if waiting != nil && h.Now-waiting.Created >= shortWait {
		since = h.Now - shortWait
	}
	type step struct {
		at int64
		by int
	}
	var steps []step
	for i := range h.Tasks {
		t := &h.Tasks[i]
		end := t.end()
		if t.State == Running {
			end = h.Now
		}
		if t.State != Queued && t.Started != 0 && end > since {
			steps = append(steps, step{max(since, t.Started), 1}, step{end, -1})
		}
	}
	slices.SortFunc(steps, func(a, b step) int { return cmp.Or(cmp.Compare(a.at, b.at), a.by-b.by) })
	n := 0
	for _, s := range steps {
		n += s.by
		most = max(most, n)
	}
	return max(1, most)
}

// never is when nothing ends.
const never = math.MaxInt64

// repeated returns, for each task, when the first success of it and those that were created later ended.
func (g *Group) repeated() []int64 {
	ends, first := make([]int64, len(g.Tasks)), int64(never)
	for i := len(g.Tasks) - 1; i >= 0; i-- {
		if t := &g.Tasks[i]; t.Status == Success {
			first = min(first, t.end())
		}
		ends[i] = first
	}
	return ends
}

// isDone reports whether a task that ended, or a later one, succeeded until a time.
func (t *Task) isDone(repeated, until int64) bool {
	isOpen := t.State == Queued || t.State == Running
	return !isOpen && repeated <= until
}

// within judges the tasks that must succeed within some time of their creation: the oldest that is late, or else the one
// that falls due next. A task that failed is done when a later one succeeds, and one that a person canceled is none.
func (h *history) within(d *deadlines.Deadline) (due Due, ok bool) {
	usual, _ := usually(timed(h.ended), took)
	success := int64(0)
	for _, t := range h.ended {
		if t.Status == Success {
			success = t.end()
		}
	}
	repeated, late := h.repeated(), 0
	for i := range h.Tasks {
		t := &h.Tasks[i]
		if t.State == Canceled || t.settles(h.Now) || t.isDone(repeated[i], never-1) {
			continue
		}
		of := Due{Deadline: d, At: t.Created + int64(d.Within), From: t.Created, Usual: usual, Success: success, About: t}
		switch of.State = DueOpen; t.State {
		case Running:
			of.State = DueRunning
		case Queued:
			of.State = DueQueued
		}
		switch {
		case h.Now >= of.At:
			of.State, of.Since = DueLate, of.At
			late++
		case of.State == DueRunning:
			h.risk(&of, 1, []int64{h.Now - t.begin()}, nil)
		case of.State == DueQueued:
			h.risk(&of, 1, nil, t)
		}
		if !ok || of.isWorse(&due) {
			due, ok = of, true
		}
	}
	due.Late = late
	return due, ok
}

var badness = map[DueState]int{DueLate: 2, DueAtRisk: 1}

func (due *Due) isWorse(other *Due) bool {
	return cmp.Or(cmp.Compare(badness[due.State], badness[other.State]), cmp.Compare(other.At, due.At)) > 0
}

// Outcome is a deadline that has fallen due.
type Outcome struct {
	At   int64
	Kept bool
}

// Outcomes returns the deadlines of an automation that fell due from a time on, until another and now. One whose tasks are not
// all known has none.
func (g *Group) Outcomes(from, until int64) (outcomes []Outcome) {
	h := g.history()
	for _, d := range g.Deadlines {
		if d.Within > 0 {
			outcomes = append(outcomes, h.turnarounds(d, from, min(until, h.Now))...)
			continue
		}
		for _, o := range d.Between(time.Unix(0, max(from, g.Work.since)-1), time.Unix(0, h.Now)) {
			due, at := h.by(d, &o), min(o.Due.UnixNano(), o.End.Add(-time.Millisecond).UnixNano()) // 24:00 is on its day
			isDue := due.DoneAt > 0 || due.State == DueLate
			if isDue && due.From >= g.Work.since && at >= from && at <= until {
				outcomes = append(outcomes, Outcome{at, due.DoneAt > 0 && due.DoneAt < due.At})
			}
		}
	}
	return outcomes
}

// turnarounds returns which tasks succeeded in time.
func (h *history) turnarounds(d *deadlines.Deadline, from, until int64) (outcomes []Outcome) {
	repeated := h.repeated()
	for i := range h.Tasks {
		t := &h.Tasks[i]
		at := t.Created + int64(d.Within)
		if at >= from && at <= until && t.State != Canceled && !t.settles(h.Now) {
			outcomes = append(outcomes, Outcome{at, t.isDone(repeated[i], at)})
		}
	}
	return outcomes
}
