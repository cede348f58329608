package attention

import (
	"math"
	"slices"
)

const (
	outage  = 0.9  // the share of bad tasks from which on nothing works
	retired = week // after which nobody will repair it
)

// FailuresInARow returns how many tasks failed until now since the last one that succeeded, at least partially, by their
// ends. Others neither count nor interrupt.
func FailuresInARow(tasks []Task, now int64) int { return inARow(ended(closed(tasks, now))) }

func inARow(ended []*Task) (failures int) {
	for _, t := range slices.Backward(ended) {
		if !t.failed() {
			break
		}
		failures++
	}
	return failures
}

// Streak is failures in a row, from the first one on.
type Streak struct {
	First int   // the row of the first failure
	Began int64 // when that ended, in nanoseconds since the epoch
	// Recovered is when the next task succeeded, wholly; 0: none has since. A partial success ends the failures in a row, but
	// the automation is not back to normal.
	Recovered int64
}

// Streaks returns each time that FailuresInARow began to count, in order.
func Streaks(tasks []Task, now int64) (all []Streak) {
	recovered, isFailing := 0, false
	for _, t := range ended(closed(tasks, now)) {
		if t.failed() {
			if !isFailing {
				all = append(all, Streak{First: t.Row, Began: t.end()})
			}
			isFailing = true
			continue
		}
		isFailing = false
		for ; t.Status == Success && recovered < len(all); recovered++ {
			all[recovered].Recovered = t.end()
		}
	}
	return all
}

// failed reports whether an ended task has no success, not even a partial one.
func (t *Task) failed() bool { return t.Status != Success && t.Status != Partial }

// bad reports whether an ended task failed, or most of its items did.
func (t *Task) bad() bool { return t.failed() || t.HasItems && 2*t.FailedItems > t.Items }

// failing finds an episode in which the share of bad tasks is higher than usual.
func (h *history) failing() *Finding {
	f := h.episode(h.ended, (*Task).bad)
	if f == nil {
		return h.canceled()
	}
	if f.InARow = inARow(h.ended); f.InARow > 0 {
		f.InARowSince = h.ended[len(h.ended)-f.InARow].end()
	}
	idle := h.Now - h.ended[len(h.ended)-1].end()
	switch {
	case idle > 2*retired:
		return h.canceled()
	case idle > retired+day:
		f.Severity = 1
	case f.Count >= leastBad && f.Value >= outage:
		f.Severity = 3
	}
	return f
}

// canceled finds an episode in which nearly all tasks are canceled. A person did that, so it is not urgent.
func (h *history) canceled() *Finding {
	if len(h.closed) == len(h.ended) {
		return nil
	}
	f := h.episode(h.closed, (*Task).canceled)
	if f == nil || f.Value < outage || h.Now-h.closed[len(h.closed)-1].end() > 2*retired {
		return nil
	}
	f.Severity = 1
	return f
}

// episode finds that a share of tasks is higher than usual, or that it is all of them.
func (h *history) episode(of []*Task, is func(*Task) bool) *Finding {
	if len(of) >= leastBad && !slices.ContainsFunc(of, func(t *Task) bool { return !is(t) }) {
		return share(of, is, math.NaN())
	}
	bad := make([]bool, len(of))
	for i, t := range of {
		bad[i] = is(t)
	}
	first, usual, found := h.unusual(bad)
	if !found {
		return nil
	}
	return share(of[first:], is, usual)
}

// share returns a finding about the share of tasks.
func share(of []*Task, is func(*Task) bool, usual float64) *Finding {
	f := &Finding{Reason: Failing, Severity: 2, Since: of[0].end(), Of: len(of), Usual: usual}
	for _, t := range of {
		if is(t) {
			f.add(t)
		}
	}
	f.Value = float64(f.Count) / float64(f.Of)
	return f
}

// add adds a task that a finding is about. The last one is an example of them.
func (f *Finding) add(t *Task) {
	if f.Count == 0 {
		f.From = t.Created
	}
	f.Count, f.From, f.About = f.Count+1, min(f.From, t.Created), t
}
