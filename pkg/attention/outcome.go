package attention

import (
	"cmp"
	"math"
	"regexp"
	"slices"
)

// State is what a task does.
type State uint8

// The states. Those from Finished on are ends.
const (
	Queued State = iota
	Running
	Finished
	TimedOut
	Canceled // by a person, so it is neither a success nor a failure
	Other    // not known: an end without success, once nothing changes anymore
)

// StateQueued is the name that the service writes for the state of a queued task.
const StateQueued = "START"

var states = map[string]State{StateQueued: Queued, "RUNNING": Running, "FINISHED": Finished, "CANCELED": Canceled,
	"": Finished} // perhaps: nothing shows how

// timedOut matches the state of a task that exceeded its time, whose name the service doesn't publish.
var timedOut = regexp.MustCompile(`(?i)time.*out|expire`)

// Status is how a task ended.
type Status uint8

// The statuses.
const (
	None Status = iota // it has not ended, or a person canceled it
	Success
	Failed
	Partial
)

var statusNames = [...]string{Success: "SUCCESS", Failed: "FAILED", Partial: "PARTIALLY_COMPLETED"} // the names of statuses that the service writes

// String returns the name that the service writes for a status; None is empty.
func (s Status) String() string { return statusNames[s] }

// Read returns a state and a status from what the service writes. Null is empty. A status that is not known is no success.
func Read(state, finishStatus string) (State, Status) {
	known, ok := states[state]
	switch status := slices.Index(statusNames[:], finishStatus); {
	case finishStatus != "" && status < 0:
		return Finished, Failed
	case finishStatus != "":
		return Finished, Status(status)
	case ok:
		return known, None
	case timedOut.MatchString(state):
		return TimedOut, None
	}
	return Other, None
}

// unchanged is for how long a task stays in a state that is not known until it counts as failed. It follows from no other
// task, so that a filter, a measure, and a finding say the same of it.
const unchanged = day

// Outcome returns how a task ended. One that timed out has failed until it finishes.
func (t *Task) Outcome(now int64) Status {
	if t.State == TimedOut || t.State == Other && t.end() <= now-unchanged {
		return Failed
	}
	return t.Status
}

// ended returns the tasks that have an outcome, in the order of their ends; of several at once, those that failed first.
func ended(tasks []Task, now int64) (of []*Task) {
	for i := range tasks {
		if t := &tasks[i]; t.Outcome(now) != None && t.end() <= now+clockSlack {
			of = append(of, t)
		}
	}
	slices.SortStableFunc(of, func(a, b *Task) int {
		return cmp.Or(cmp.Compare(a.end(), b.end()), cmp.Compare(truth(b.failed()), truth(a.failed())))
	})
	return of
}

const settling = hour // how long a task may take to get its result

// hasNoResult reports whether a task has ended, and nothing shows how.
func (t *Task) hasNoResult() bool { return t.State == Finished && t.Status == None }

// settles reports whether the result of a task that has ended may be to come.
func (t *Task) settles(now int64) bool { return t.hasNoResult() && t.end() > now-settling }

// KnowsNewest reports whether one of the newest ended tasks shows when it was created and how it ended. A service may stop sending a field.
func KnowsNewest(tasks []Task, now int64) bool {
	known, unknown := int64(math.MinInt64), int64(math.MinInt64)
	for _, t := range tasks {
		latest := max(t.Created, t.Started, t.Ended)
		switch isUnknown := t.Created == 0 || t.hasNoResult(); {
		case isUnknown && latest <= now-settling:
			unknown = max(unknown, cmp.Or(latest, math.MaxInt64))
		case !isUnknown && t.State >= Finished:
			known = max(known, latest)
		}
	}
	return unknown <= known
}

const clockSlack = hour // how far an end may be in the future and still count: clocks differ, and rows may be newer than now

// begin returns when a task began to run, or what is known of it.
func (t *Task) begin() int64 { return cmp.Or(t.Started, t.Created) }

// end returns when an ended task ended, or what is known of it.
func (t *Task) end() int64 { return cmp.Or(t.Ended, t.begin()) }

// failed reports whether an ended task has no success, not even a partial one.
func (t *Task) failed() bool { return t.Status != Success && t.Status != Partial }

// bad reports whether an ended task failed, or most of its items did.
func (t *Task) bad() bool { return t.failed() || t.HasItems && 2*t.FailedItems > t.Items }

// Span is from when until when a task waits or runs, in nanoseconds since the epoch. Its end is exclusive.
type Span struct{ Began, Ended int64 }

// Open ends a span that lasts.
const Open = int64(math.MaxInt64)

// Seconds returns the length of the span, until now if it lasts.
func (s Span) Seconds(now int64) float64 {
	if s.Ended == Open {
		s.Ended = now
	}
	return seconds(s.Ended - s.Began)
}

// Waits returns when the task waits in the queue: from its creation until it starts, or a person cancels it. What the service
// says of now is true, even if its clock is ahead. ok is false if the task never waited, or nobody knows until when.
func (t *Task) Waits(now int64) (of Span, ok bool) {
	switch {
	case t.Created == 0:
		return of, false
	case t.State == Queued:
		return Span{min(t.Created, now), Open}, true
	case t.Started != 0:
		return Span{t.Created, t.Started}, t.Started >= t.Created
	}
	return Span{t.Created, t.Ended}, t.State == Canceled && t.Ended >= t.Created
}

// Runs returns when the task runs: from its start, or from its creation if it runs and nobody knows since when, until its end.
// ok is false if the task never ran, or nobody knows from when until when.
func (t *Task) Runs(now int64) (of Span, ok bool) {
	if t.State == Running {
		return Span{min(t.begin(), now), Open}, t.begin() != 0
	}
	return Span{t.Started, t.Ended}, t.State != Queued && t.Started != 0 && t.Ended >= t.Started
}
