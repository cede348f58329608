// Package attention finds out which automations or runners need a person, and why: tasks of a group in, findings out.
//
// An evaluation sees only the tasks that the service lists, usually of the last 30 days, and remembers nothing. A finding
// is stable because it follows from rows that don't change: the past is replayed from them (failing, slow), it can only
// grow while nothing happens (silent, empty), or it begins at a limit and ends at half of it (waiting).
//
// How much evidence a finding needs follows from how often chance gets an opportunity: about one false alarm in ten weeks,
// whether there is a task a week or one a minute. A deadline is what people promised: it needs no evidence.
package attention

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/deadlines"
)

// Task is a task of the group. Times are nanoseconds since the epoch; 0 is null. A group has only tasks with Created.
type Task struct {
	Row                     int // the number that the caller knows it by
	Created, Started, Ended int64
	State                   State
	Status                  Status // of a finished task
	HasItems                bool   // the robot reported its items
	Items, FailedItems      float64
	Runner                  string // that ran it; needed for deadlines
}

// The reasons.
const (
	Failing = "failing" // the share of bad tasks is higher than usual, or no task succeeded at all
	Empty   = "empty"   // tasks succeed without items, for longer than usual
	Silent  = "silent"  // no task comes although earlier weeks had some in that time
	Waiting = "waiting" // a task waits for longer than in a usual week
	Slow    = "slow"    // a task runs, or several ran, for longer than in a usual week

	Deadline = "deadline" // what must be done by a time is not, or will not be
)

// Finding is a reason that applies to a group.
type Finding struct {
	Reason   string
	Severity int   // 3: nothing works, 2: work suffers, 1: worth knowing
	Since    int64 // nanoseconds since the epoch; doesn't move while nothing happens; 0: before anything is known
	From     int64 // when the first of the tasks that it is about was created
	About    *Task // the last bad or empty one, the newest before a silence, the longest in the queue or running
	Count    int   // tasks that are affected: bad, without items, missing, waiting, slow
	Of       int   // Failing, Slow: the tasks since then; Waiting: those in the queue
	InARow   int   // Failing: what FailuresInARow returns

	Value               float64   // the share of bad tasks (Failing), or the seconds of a silence, a wait, or a run
	Usual               float64   // what is usual instead: a share, a number of tasks in Within (Empty, Silent), or seconds; NaN: not known
	UsualCount, UsualOf int       // Failing: the bad tasks, and all, that a usual share follows from
	Failed, UsualFailed int       // Failing: of Count, and of UsualCount, those of which not only the items failed
	Succeeds            bool      // Failing: a task has succeeded wholly since then
	Within              int64     // Empty, Silent: the nanoseconds that are compared with earlier weeks; Failing: those of the usual share
	Due                 *Due      // Deadline: what is late, or will be
	Together            *Together // Silent: several groups fell silent together, of which this is the first
}

// Together is some groups that fell silent together.
type Together struct {
	Groups []string // in the order in which they fell silent
	Since  int64    // none of them has had a task since then
	IsAll  bool     // and no other group
}

type demand struct {
	falseAlarms float64 // times as many as usual, at most
	longer      int64   // times what is usual that a task waits or runs
}

var demands = map[string]demand{"usual": {1, 3}, "fewer": {0.1, 6}, "more": {5, 2}} // those of the sensitivities

// Group is the tasks of an automation or a runner.
type Group struct {
	Tasks       []Task // in the order of their creation
	Now         int64  // nanoseconds since the epoch
	Known       int64  // from when on all tasks are known, of other groups, too
	Holidays    []Span // on which no task is expected
	Runners     bool   // it is a runner, which is silent if it starts no task
	Sensitivity string // usual, fewer, or more findings; empty: usual

	Automation string
	Deadlines  []*deadlines.Deadline // of the automation
	Work       *Work                 // needed if there are deadlines
	Row        int                   // one of the group, which may have no tasks
}

const (
	second = int64(time.Second)
	minute = int64(time.Minute)
	hour   = int64(time.Hour)
	day    = 24 * hour
	week   = 7 * day
)

// History is how many days of tasks every reason can be judged in: a week to compare with, and some time that is judged.
const History = 9

// Findings returns why a person should look at a group, the most urgent first. An automation without tasks can only be late.
func (g *Group) Findings() (found []Finding) {
	h := g.history()
	for _, find := range []func() *Finding{h.deadline, h.failing, h.empty, h.silent, h.waiting, h.slow} {
		if f := find(); f != nil {
			found = append(found, *f)
		}
	}
	slices.SortStableFunc(found, ByUrgency)
	return found
}

// ByUrgency orders findings: by severity and, within one, those of many tasks first.
func ByUrgency(a, b Finding) int {
	return cmp.Or(cmp.Compare(b.Severity, a.Severity), cmp.Compare(b.Count, a.Count))
}

// history is a group with what its reasons need.
type history struct {
	*Group
	demand
	ended    []*Task // in the order of their ends
	arrivals []int64 // in their order
	newest   *Task   // of the arrivals
	success  int64   // the end of the last success; 0: there is none
	good     []*Task // of the ended ones, those that tell how long one takes
	usual    int64   // how long a task usually takes
	isUsual  bool    // that is known
	evidence float64
	leastBad float64 // bad tasks of an episode
	enough   float64 // tasks that tell which share is usual
}

const leastBad = 3 // how many bad tasks make an episode; one less if at most two come a day

func (g *Group) history() *history {
	h := &history{Group: g, demand: demands[cmp.Or(g.Sensitivity, "usual")], ended: ended(g.Tasks, g.Now), leastBad: leastBad}
	h.good = timed(h.ended)
	h.usual, h.isUsual = usually(h.good, took)
	for _, t := range h.ended {
		if t.Status == Success {
			h.success = t.end()
		}
	}
	latest := int64(0)
	for i := range g.Tasks {
		t := &g.Tasks[i]
		// One task with an odd date, years ago or ahead, says nothing about how often tasks come.
		if at := t.Came(g.Runners); at != 0 && at <= g.Now && at > g.Now-26*week {
			h.arrivals = append(h.arrivals, at)
			if at >= latest {
				latest, h.newest = at, t
			}
		}
	}
	slices.Sort(h.arrivals)
	h.evidence = h.enoughOf(h.arrivals)
	h.enough = max(2, min(perWeek(h.arrivals), 20))
	if perWeek(h.arrivals) <= 14 {
		h.leastBad--
	}
	return h
}

// Came returns when a task came to its automation or its runner, which takes it when it starts; 0: it has not come yet.
func (t *Task) Came(toRunner bool) int64 {
	switch isQueued := t.Started == 0 && t.State != Running && t.State != Finished; {
	case !toRunner:
		return t.Created
	case isQueued:
		return 0
	}
	return t.begin()
}

const (
	rarely      = 15.0 // the inverse of the false alarms in a week with one task, times the shares that are tried
	moreChances = 1.1  // how much faster chances grow than the number of tasks
)

// enoughOf returns how much evidence a finding needs, as the logarithm of a likelihood ratio: in steps, not changed by each task.
func (d *demand) enoughOf(times []int64) float64 {
	return math.Log(rarely/d.falseAlarms) + moreChances*math.Ln2*math.Round(math.Log2(perWeek(times)))
}

func perWeek(times []int64) float64 {
	n := max(0, len(times)-1)
	if n == 0 {
		return 1
	}
	return max(1, float64(n)*float64(week)/float64(max(times[n]-times[0], day)))
}

func truth(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

func seconds(span int64) float64 { return float64(span) / float64(second) }
