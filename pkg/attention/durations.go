package attention

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

const (
	shortWait, shortRun = 10 * minute, 5 * minute // no shorter ones are told apart
	leastKnown          = 5                       // tasks that tell what is usual
)

// usually returns the 95th percentile of the tasks of a usual week. Weeks are those of the calendar, so that it doesn't change
// with each evaluation, and the usual one is a third from the shortest, so that an incident of two weeks is not usual.
func usually(tasks []*Task, span func(*Task) int64) (usual int64, known bool) {
	if len(tasks) < leastKnown {
		return 0, false
	}
	weeks := map[int64][]int64{}
	for _, t := range tasks {
		weeks[t.Created/week] = append(weeks[t.Created/week], span(t))
	}
	var of []int64
	for _, s := range weeks {
		slices.Sort(s)
		of = append(of, s[(len(s)*95+99)/100-1])
	}
	slices.Sort(of)
	return of[(len(of)-1)/3], true
}

// UsualDuration returns for how many nanoseconds 95 % of the tasks of a usual week ran at most, if five and more ended well.
func UsualDuration(tasks []Task, now int64) (usual int64, known bool) {
	return usually(timed(ended(tasks, now)), took)
}

// timed returns the ended tasks that tell how long one takes: not those that failed.
func timed(ended []*Task) (good []*Task) {
	for _, t := range ended {
		if t.Started != 0 && t.Ended != 0 && !t.bad() {
			good = append(good, t)
		}
	}
	return good
}

// Clocks that differ let a task start before it was created, or end before it started.

func waited(t *Task) int64 { return max(0, t.Started-t.Created) }

func took(t *Task) int64 { return max(0, t.Ended-t.Started) }

// orUnknown returns the seconds of what is usual; NaN if it is not known.
func orUnknown(usual int64, known bool) float64 {
	if !known {
		return math.NaN()
	}
	return seconds(usual)
}

// waiting finds a queue that is too long, since its tasks waited for half the limit, one after the other, and one for the limit.
func (h *history) waiting() *Finding {
	var started, queued []*Task
	pace := 0 // tasks that started within a day
	for i := range h.Tasks {
		switch t := &h.Tasks[i]; {
		case t.State == Queued:
			queued = append(queued, t)
		case t.Started != 0:
			started = append(started, t)
			pace += int(truth(t.Started >= h.Now-day))
		}
	}
	if len(queued) == 0 {
		return nil
	}
	usual, known := usually(started, waited)
	limit := h.longer * max(shortWait, usual)
	if !known || h.Now-h.Tasks[0].Created < week {
		limit = max(limit, day) // in its first week, nobody knows what is usual
	}
	slices.SortStableFunc(started, func(a, b *Task) int { return cmp.Compare(b.Started, a.Started) })
	since, oldest := queued[0].Created, h.Now-queued[0].Created
	long := oldest >= limit // or a task that started since the queue is long, the newest of them first, has waited for the limit
	for _, t := range started {
		if waited(t) < limit/2 {
			break
		}
		since, long = min(since, t.Created), long || waited(t) >= limit
	}
	if !long || oldest < limit/2 {
		return nil
	}
	f := &Finding{
		Reason: Waiting, Severity: 1, Since: since, From: since, About: queued[0], Of: len(queued), Value: seconds(oldest),
		Usual: orUnknown(usual, known),
	}
	f.Count = sort.Search(len(queued), func(n int) bool { return h.Now-queued[n].Created < limit/2 })
	stands := len(started) == 0 || started[0].Started <= queued[0].Created+minute // nobody takes tasks
	switch {
	case stands && (f.Count >= 3 || oldest >= day):
		f.Severity = 3
	case stands || h.Now-since >= day || f.Count > pace:
		f.Severity = 2
	}
	return f
}

// slow finds tasks that run for too long, and an episode in which ended ones did.
func (h *history) slow() *Finding {
	f := &Finding{Reason: Slow, Severity: 1, Since: h.Now, Usual: orUnknown(h.usual, h.isUsual)}
	h.running(f)
	if h.isUsual {
		h.ran(f)
	}
	if f.Count == 0 {
		return nil
	}
	return f
}

func (d *demand) slowAfter(usual int64, known bool) int64 {
	if !known {
		return day
	}
	return d.longer * max(shortRun, usual)
}

// running adds the tasks that have run for too long.
func (h *history) running(f *Finding) {
	limit := h.slowAfter(h.usual, h.isUsual)
	for i := range h.Tasks {
		t := &h.Tasks[i]
		if t.State != Running || h.Now-t.begin() < limit {
			continue
		}
		longest := f.About
		if f.add(t); longest != nil && longest.begin() <= t.begin() {
			f.About = longest
		}
		f.Of, f.Since = f.Of+1, f.About.begin()
	}
	if f.Count == 0 {
		return
	}
	f.Value = seconds(h.Now - f.Since)
	if h.Now-f.Since >= h.hangsAfter(f.Since) {
		f.Severity = 2
	}
}

// hangsAfter returns for how long a task has run that is no longer a special one, but blocks its runner: longer than any that
// ended before it began, and for ten times what is usual, or for a day. Later tasks don't count, so that it stays one.
func (h *history) hangsAfter(began int64) int64 {
	var before []*Task
	longest := int64(0)
	for _, t := range h.good {
		if t.Ended <= began {
			before, longest = append(before, t), max(longest, took(t)+1)
		}
	}
	limit := day
	if usual, known := usually(before, took); known {
		limit = min(limit, 10*max(shortRun, usual))
	}
	return max(limit, longest)
}

// ran adds the ended tasks of an episode in which several took longer than usual.
func (h *history) ran(f *Finding) {
	good, slow := h.good, make([]bool, len(h.good))
	for i, t := range good {
		slow[i] = took(t) >= max(shortRun, h.usual*3/2)
	}
	r := h.unusual(slow)
	if !r.found {
		return
	}
	first := r.first
	f.Severity, f.Since, f.Of = 2, min(f.Since, good[first].Started), f.Of+len(good)-first
	runs := f.About
	for i, is := range slow[first:] {
		if is {
			f.add(good[first+i])
		}
	}
	if runs != nil {
		f.About = runs
	} else {
		f.Value = seconds(took(f.About))
	}
}

// Robot is what a runner does, which is a fact and no finding.
type Robot struct {
	State string
	Since int64 // when it began to work, the task began that hangs, or the last one ended; 0: before what was read
	Last  *Task // the one that hangs, or the last one that it took; nil: there is none
}

// The states of robots. A quiet one has had no task for over a day, or for longer than ever between two others. Nobody knows the state,
// which is empty, if its last task has dates after now, by more than clocks may differ.
const (
	Working, Idle, Quiet = "working", "idle", "quiet"
	Hung                 = "hung" // in a task that blocks it, as the finding Slow says
)

// Robot returns what the runner of a group does.
func (g *Group) Robot() Robot {
	h, hanging := g.history(), &Finding{}
	if h.running(hanging); hanging.Severity == 2 {
		return Robot{State: Hung, Since: hanging.Since, Last: hanging.About}
	}
	var runs []Span
	r, ended, longest, ahead := Robot{State: Idle, Last: h.newest}, g.Known, int64(0), int64(0)
	for i := range g.Tasks {
		of, ok := g.Tasks[i].Runs(g.Now)
		switch came := g.Tasks[i].Came(true); {
		case max(came, of.Ended) > g.Now+clockSlack && of.Ended != Open:
			ahead = max(ahead, came)
		case ok:
			runs = append(runs, of)
		case came != 0: // Nobody knows until when.
			runs = append(runs, Span{came, came})
		}
	}
	slices.SortFunc(runs, func(a, b Span) int { return cmp.Compare(a.Began, b.Began) })
	if len(runs) > 0 {
		ended, r.Since = runs[0].Began, runs[0].Began
	}
	for _, of := range runs {
		if rest := of.Began - ended; rest > 0 {
			longest, r.Since = max(longest, rest), of.Began
		}
		ended = max(ended, of.Ended)
	}
	switch rest := g.Now - ended; {
	case ended == Open:
		return Robot{Working, r.Since, r.Last}
	case ahead > 0 && ahead >= ended:
		return Robot{Last: r.Last}
	case rest > day || longest > 0 && rest > longest:
		r.State = Quiet
	}
	if len(runs) > 0 {
		r.Since = min(ended, g.Now) // Clocks differ.
	}
	return r
}
