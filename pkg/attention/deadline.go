package attention

import (
	"cmp"
	"slices"
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/deadlines"
)

// Due is a deadline of an automation at a time, and what has become of it.
type Due struct {
	*deadlines.Deadline
	State   DueState
	At      int64 // when it falls due
	From    int64 // since when a success counts: midnight, or the creation of the task
	DoneAt  int64 // when the last success that it takes ended, in time or not; 0: it is not done
	Done    int   // successes that count until now
	Late    int   // Within: tasks that are late
	Since   int64 // when it became late, or what makes it late began; 0: it is neither late nor at risk
	Usual   int64 // how long a task usually takes; 0: not known
	Queue   int64 // how long it takes, if it isn't in the queue, until a runner takes the next task
	Success int64 // the end of the last success; 0: there is none
	About   *Task // the oldest that is late, runs, or waits, or the last one that counts; nil: there is none
}

// DueState is what has become of a deadline.
type DueState string

// The states. Of those before it falls due, the last one that applies.
const (
	DueDone       DueState = "done"
	DueLate       DueState = "late"
	DueNothingRan DueState = "nothingRan" // on that day, no automation had a task: it may be a holiday
	DueOpen       DueState = "open"       // no task of the automation waits or runs
	DueQueued     DueState = "queued"
	DueRunning    DueState = "running" // or has ended, and its result is to come
	DueAtRisk     DueState = "atRisk"  // it is not late yet, but will be
)

// longestWeek is how far back the last time is looked for that a deadline fell due: it does once a week, or more often.
const longestWeek = 8 * 24 * time.Hour

// settling is how long a task may take to get its result.
const settling = hour

// Dues returns the deadlines of an automation that are about now: the last one of each that fell due, if it is that of
// today or is not done, and the next one, if its day has begun. They don't contain those of a day that began before the oldest
// task, of which nobody knows whether they are done; isWhole reports whether there is none.
func (g *Group) Dues() (dues []Due, isWhole bool) { return g.history().dues() }

func (h *history) dues() (dues []Due, isWhole bool) {
	now := time.Unix(0, h.Now)
	for _, d := range h.Deadlines {
		if d.Within > 0 {
			if due, ok := h.within(d); ok {
				dues = append(dues, due)
			}
			continue
		}
		fallen := d.Between(now.Add(-longestWeek), now)
		for _, o := range fallen[max(0, len(fallen)-1):] {
			due := h.by(d, o)
			if isToday := o.End.After(now); isToday || due.State != DueDone && !h.ranSince(&due, o) {
				dues = append(dues, due)
			}
		}
		for _, o := range d.Between(now, now.Add(longestWeek)) {
			if !o.From.After(now) {
				dues = append(dues, h.by(d, o))
			}
		}
	}
	n := len(dues)
	dues = slices.DeleteFunc(dues, func(due Due) bool { return due.Within == 0 && due.From < h.Work.since })
	return dues, len(dues) == n
}

// ranSince reports whether it was a holiday, and is over.
func (h *history) ranSince(due *Due, o deadlines.Occasion) bool {
	return due.State == DueNothingRan && h.Work.ran(o.End.UnixNano(), h.Now)
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

// by judges a deadline by a time of day.
func (h *history) by(d *deadlines.Deadline, o deadlines.Occasion) Due {
	due := Due{Deadline: d, At: o.Due.UnixNano(), From: o.From.UnixNano()}
	due.Usual, _ = usually(timed(h.ended), took)
	pending := false
	for _, t := range h.ended {
		if t.Status == Success {
			due.Success = t.end()
		}
		if t.Status != Success || t.end() < due.From || due.DoneAt > 0 {
			continue
		}
		due.Done, due.About = due.Done+1, t
		if due.Done == d.Count {
			due.DoneAt = t.end()
		}
	}
	for i := range h.Tasks {
		t := &h.Tasks[i]
		pending = pending || t.settles(h.Now) && t.end() < due.At
	}
	switch {
	case due.DoneAt > 0:
		due.State = DueDone
	case h.Now < due.At:
		h.forecast(&due, d.Count-due.Done)
		if due.State == DueAtRisk && !h.Work.ran(due.From, h.Now+1) { // It may be a holiday.
			due.State, due.Since = DueOpen, 0
		}
	case pending:
		due.State = DueRunning
	case !h.Work.ran(due.From, min(o.End.UnixNano(), h.Now+1)):
		due.State = DueNothingRan
	default:
		due.State, due.Since = DueLate, due.At
	}
	return due
}

// settles reports whether the result of a task that has ended may be to come.
func (t *Task) settles(now int64) bool {
	return t.State == Finished && t.Status == None && t.end() > now-settling
}

// forecast sets the state of a deadline that takes some more successes and has not fallen due. It is at risk if the tasks
// that run, those that wait, and as many more as it takes, are not expected to end in time. One that hangs is not expected to
// end at all.
func (h *history) forecast(due *Due, missing int) {
	due.State = DueOpen
	var expected, since []int64
	oldest, hangs := map[State]*Task{}, h.longer*max(shortRun, due.Usual)
	add := func(end, from int64) { expected, since = append(expected, end), append(since, from) }
	for i := range h.Tasks {
		t := &h.Tasks[i]
		if t.State != Queued && t.State != Running && !t.settles(h.Now) {
			continue
		}
		state, end, from := Running, max(h.Now, t.begin()+due.Usual), t.begin()
		switch t.State {
		case Queued:
			free, _ := h.Work.free(h.Automation, t.Created, h.Now)
			state, end, from = Queued, free+due.Usual, t.Created
		case Finished:
			end = h.Now
		}
		if oldest[state] = cmp.Or(oldest[state], t); t.State == Running && due.Usual > 0 && h.Now-from >= hangs {
			continue
		}
		add(end, from)
	}
	free, blocked := h.Work.free(h.Automation, h.Now+1, h.Now)
	for len(expected) < missing {
		due.Queue = free - h.Now
		add(free+due.Usual, cmp.Or(blocked, due.At-due.Usual))
	}
	switch {
	case oldest[Running] != nil:
		due.State, due.About = DueRunning, oldest[Running]
	case oldest[Queued] != nil:
		due.State, due.About = DueQueued, oldest[Queued]
	}
	order := make([]int, len(expected))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(expected[a], expected[b]) })
	if last := order[missing-1]; due.Usual > 0 && expected[last] > due.At {
		due.State, due.Since = DueAtRisk, min(since[last], h.Now)
	}
}

// within judges the tasks that must succeed within some time of their creation: the oldest that is late, or else the one
// that falls due next. A task that failed is done when a later one succeeds, and one that a person canceled is none.
func (h *history) within(d *deadlines.Deadline) (due Due, ok bool) {
	usual, _ := usually(timed(h.ended), took)
	newest := int64(0) // creation of the newest success
	success := int64(0)
	for _, t := range h.ended {
		if t.Status == Success {
			newest, success = max(newest, t.Created), t.end()
		}
	}
	late := 0
	for i := range h.Tasks {
		t := &h.Tasks[i]
		isOpen := t.State == Queued || t.State == Running
		if t.Status == Success || t.canceled() || t.settles(h.Now) || !isOpen && t.Created < newest {
			continue
		}
		of := Due{Deadline: d, At: t.Created + int64(d.Within), From: t.Created, Usual: usual, Success: success, About: t}
		h.task(&of, isOpen)
		if of.State == DueLate {
			late++
		}
		if !ok || of.isWorse(&due) {
			due, ok = of, true
		}
	}
	due.Late = late
	return due, ok
}

// task sets the state of the deadline of one task that has no success.
func (h *history) task(due *Due, isOpen bool) {
	t := due.About
	expected := max(h.Now, t.begin()+due.Usual)
	if due.State = DueOpen; isOpen {
		due.State = DueRunning
	}
	if t.State == Queued {
		free, _ := h.Work.free(h.Automation, t.Created, h.Now)
		due.State, due.Queue, expected = DueQueued, free-h.Now, free+due.Usual
	}
	switch {
	case h.Now >= due.At:
		due.State, due.Since = DueLate, due.At
	case isOpen && due.Usual > 0 && expected > due.At:
		due.State, due.Since = DueAtRisk, t.begin()
	}
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

// Outcomes returns the deadlines of an automation that fell due from a time on, until another and now. A day without a
// task of any automation has none, nor has one whose tasks are not known.
func (g *Group) Outcomes(from, until int64) (outcomes []Outcome) {
	h := g.history()
	until = min(until, h.Now)
	for _, d := range g.Deadlines {
		if d.Within > 0 {
			outcomes = append(outcomes, g.turnarounds(d, from, until)...)
			continue
		}
		for _, o := range d.Between(time.Unix(0, max(from, g.Work.since)-1), time.Unix(0, until)) {
			if o.From.UnixNano() < g.Work.since {
				continue
			}
			due := h.by(d, o)
			isDue := due.DoneAt > 0 || due.State == DueLate
			if isDue && g.Work.ran(due.From, min(o.End.UnixNano(), g.Now+1)) {
				outcomes = append(outcomes, Outcome{due.At, due.DoneAt > 0 && due.DoneAt < due.At})
			}
		}
	}
	return outcomes
}

// turnarounds returns which tasks succeeded in time.
func (g *Group) turnarounds(d *deadlines.Deadline, from, until int64) (outcomes []Outcome) {
	for i := range g.Tasks {
		t := &g.Tasks[i]
		at := t.Created + int64(d.Within)
		if at >= from && at <= until && !t.canceled() && !t.settles(g.Now) {
			outcomes = append(outcomes, Outcome{at, t.Status == Success && t.end() <= at})
		}
	}
	return outcomes
}
