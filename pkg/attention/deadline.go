package attention

import (
	"cmp"
	"slices"
	"sort"
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
	Late    int   // Within: tasks that are late, from it on
	Since   int64 // when it became late or at risk; 0: it is neither
	Usual   int64 // how long a task usually takes; 0: not known
	ToDo    int   // at risk: tasks that are still to be done
	AtOnce  int   // at risk: how many of them can be expected to run at once
	Each    int64 // at risk: how long each of them takes on average
	Queue   int64 // at risk: how long it takes until a runner takes the first of them that waits
	Success int64 // the end of the last success; 0: there is none
	About   *Task // the oldest that is late, runs, or waits, or the last one that ended; nil: there is none
	IsTaken bool  // late: a runner can be expected to take About, which waits
	On      int64 // the moment that it counts at: 24:00 is on its day
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

const longestMonth = 40 * day // how far the occasions may be that are about now

// Dues returns the deadlines of an automation that are about now: the last one of each that fell due, if it was done today or is late
// and the next one is not done, and the next one, if its tasks may come; of those within some time, the oldest task that is late, or else
// the one that falls due next. isWhole reports whether none is left out because its tasks could come before the oldest one that is known.
func (g *Group) Dues() (dues []Due, isWhole bool) { return g.history().dues() }

func (h *history) dues() (dues []Due, isWhole bool) {
	now, isWhole := time.Unix(0, h.Now), true
	for _, d := range h.Deadlines {
		if d.Within > 0 {
			if due := worst(h.within(d)); due != nil {
				dues = append(dues, *due)
			}
			continue
		}
		all := h.Work.occasions(d, h.Now-longestMonth, h.Now+longestMonth)
		next := sort.Search(len(all), func(n int) bool { return all[n].Due.After(now) })
		isDone := false
		for n := min(next, len(all)-1); n >= max(0, next-1); n-- {
			o := &all[n]
			due := h.by(d, o)
			isNextDone := isDone
			isDone = due.State == DueDone
			isOver := n < next && (isDone && !o.End.After(now) || !isDone && isNextDone)
			switch {
			case o.From.After(now) || isOver:
			case due.From < h.Known:
				isWhole = false
			default:
				dues = append(dues, due)
			}
		}
	}
	slices.SortStableFunc(dues, func(a, b Due) int { return cmp.Compare(a.At, b.At) })
	return dues, isWhole
}

var severities = map[DueState]int{DueLate: 3, DueAtRisk: 2} // those of states that a finding is about

// worst returns the first of the most urgent ones that are not done; nil if there is none.
func worst(dues []Due) (of *Due) {
	for i := range dues {
		if due := &dues[i]; due.State != DueDone && (of == nil || severities[due.State] > severities[of.State]) {
			of = due
		}
	}
	return of
}

func (h *history) deadline() *Finding {
	dues, _ := h.dues()
	due := worst(dues)
	if due == nil || severities[due.State] == 0 {
		return nil
	}
	return &Finding{
		Reason: Deadline, Severity: severities[due.State], Since: due.Since, From: due.From, About: cmp.Or(due.About, &Task{Row: h.Row}), Due: due,
		Count: max(due.Late, due.Count-due.Done), Value: seconds(max(due.At-h.Now, h.Now-due.At)), Usual: orUnknown(due.Usual, due.Usual > 0),
	}
}

// by judges an occasion of a deadline by a time of day.
func (h *history) by(d *deadlines.Deadline, o *deadlines.Occasion) Due {
	at := o.Due.UnixNano()
	due := Due{Deadline: d, At: at, From: o.From.UnixNano(), Usual: h.usual, Success: h.success, On: min(at, o.End.Add(-time.Millisecond).UnixNano())}
	for _, t := range h.ended {
		if !o.Has(t.Created) || due.DoneAt > 0 {
			continue
		}
		due.Done, due.About = due.Done+int(truth(t.Status == Success)), t
		if due.Done == d.Count {
			due.DoneAt = t.end()
		}
	}
	isPending := func(t Task) bool { return o.Has(t.Created) && t.settles(h.Now) && t.end() < due.At }
	switch {
	case due.DoneAt > 0:
		due.State = DueDone
	case h.Now < due.At:
		h.forecast(&due, o)
	case slices.ContainsFunc(h.Tasks, isPending):
		due.State = DueRunning
	default:
		h.forecast(&due, o) // for what waits or runs
		h.late(&due)
	}
	return due
}

func (h *history) late(due *Due) {
	due.State, due.Since = DueLate, due.At
	if t := due.About; t != nil && t.State == Queued {
		_, due.IsTaken = h.Work.lane(h.Automation, h.Now).starts[t.Row]
	}
}

// forecast sets the state of a deadline that is not done, nor due: it is at risk if what runs and what is missing takes longer than what is
// left. A queue only counts in front of a task that waits: one that is to come may be taken first. One that hangs is not expected to end.
func (h *history) forecast(due *Due, o *deadlines.Occasion) {
	var running, queued *Task // the oldest
	var ran []int64
	for i := range h.Tasks {
		t := &h.Tasks[i]
		since := h.Now - t.begin()
		switch isOfIt := o.Has(t.Created); {
		case isOfIt && t.settles(h.Now):
			running, ran = cmp.Or(running, t), append(ran, due.Usual)
		case isOfIt && t.State == Running:
			if running = cmp.Or(running, t); due.Usual == 0 || since < h.longer*max(shortRun, due.Usual) {
				ran = append(ran, since)
			}
		case isOfIt && t.State == Queued:
			queued = cmp.Or(queued, t)
		}
	}
	switch due.State = DueOpen; {
	case running != nil:
		due.State, due.About = DueRunning, running
	case queued != nil:
		due.State, due.About = DueQueued, queued
	}
	h.risk(due, due.Count-due.Done, ran, queued)
}

// risk sets the state: one of the tasks to do can take as long as is usual, and all of them together what they take on average.
func (h *history) risk(due *Due, toDo int, ran []int64, waiting *Task) {
	slices.SortFunc(ran, func(a, b int64) int { return cmp.Compare(b, a) })
	ran = ran[:min(toDo, len(ran))]
	each, last, n := average(lengths(h.good, due.Usual)), due.Usual, int64(h.atOnce(waiting))
	queue := int64(0)
	if len(ran) == toDo {
		last -= ran[toDo-1]
	} else if waiting != nil {
		queue = max(0, h.Work.lane(h.Automation, h.Now).starts[waiting.Row]-h.Now) // after those before it
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

// atOnce returns how many tasks can be expected to run at once: the most that did in the last week, or since one waits for a while.
func (h *history) atOnce(waiting *Task) (most int) {
	since := h.Now - week
	if waiting != nil && h.Now-waiting.Created >= shortWait {
		since = h.Now - shortWait
	}
	var began, ended []int64
	for _, t := range h.Tasks {
		if of, ok := t.Runs(h.Now); ok && of.Ended > since {
			began, ended = append(began, max(since, of.Began)), append(ended, of.Ended)
		}
	}
	slices.Sort(began)
	slices.Sort(ended)
	for n, at := range began {
		before, _ := slices.BinarySearch(ended, at+1)
		most = max(most, n+1-before)
	}
	return max(1, most)
}

// within judges tasks that must succeed in some time. One that failed is done when a later one succeeds; a canceled one is none.
func (h *history) within(d *deadlines.Deadline) (all []Due) {
	first, late := int64(0), 0 // the end of the first success of those that were created from a task on, and how many of these are late
	for i := range slices.Backward(h.Tasks) {
		t := &h.Tasks[i]
		if t.Status == Success && (first == 0 || t.end() < first) {
			first = t.end()
		}
		if t.State == Canceled || t.settles(h.Now) {
			continue
		}
		due := Due{Deadline: d, At: t.Created + int64(d.Within), From: t.Created, Usual: h.usual, Success: h.success, About: t}
		due.On = due.At
		switch isOpen := t.State == Queued || t.State == Running; {
		case !isOpen && first > 0:
			due.State, due.DoneAt = DueDone, first
		case h.Now >= due.At:
			late++
			due.Late = late
			h.late(&due)
		case t.State == Running:
			due.State = DueRunning
			h.risk(&due, 1, []int64{h.Now - t.begin()}, nil)
		case t.State == Queued:
			due.State = DueQueued
			h.risk(&due, 1, nil, t)
		default:
			due.State = DueOpen
		}
		all = append(all, due)
	}
	slices.Reverse(all)
	return all
}

// Outcomes returns the deadlines that fell due from a time on, until another and now, of those whose tasks are all known.
func (g *Group) Outcomes(from, until int64) (outcomes []Due) {
	h := g.history()
	for _, d := range g.Deadlines {
		var all []Due
		if d.Within > 0 {
			all = h.within(d)
		} else {
			for _, o := range g.Work.occasions(d, max(from, g.Known)-1, h.Now) {
				all = append(all, h.by(d, &o))
			}
		}
		for _, due := range all {
			isDue := due.At <= h.Now && (due.State == DueDone || due.State == DueLate)
			if isDue && due.From >= g.Known && due.On >= from && due.On <= until {
				outcomes = append(outcomes, due)
			}
		}
	}
	return outcomes
}

// IsKept reports whether it was done before a time or, of a task, within some time.
func (due *Due) IsKept() bool {
	return due.State == DueDone && (due.DoneAt < due.At || due.Within > 0 && due.DoneAt == due.At)
}
