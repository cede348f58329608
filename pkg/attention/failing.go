package attention

import (
	"math"
	"slices"
)

const (
	outage  = 0.9  // the share of bad tasks from which on nothing works
	retired = week // after which nobody will repair it
)

// FailuresInARow returns how many tasks failed or timed out since the last one that succeeded, at least partially, by
// their ends. Others neither count nor interrupt.
func FailuresInARow(tasks []Task) int { return inARow(ended(tasks, math.MaxInt64)) }

func inARow(ended []*Task) (failures int) {
	for _, t := range slices.Backward(ended) {
		switch {
		case t.failed():
			failures++
		case t.Status != None:
			return failures
		}
	}
	return failures
}

// failed reports whether a task failed as the service says.
func (t *Task) failed() bool { return t.State == TimedOut || t.Status == Failed }

// bad reports whether an ended task failed, or most of its items did.
func (t *Task) bad() bool { return t.failed() || t.HasItems && 2*t.FailedItems > t.Items }

// failing finds an episode in which the share of bad tasks is higher than usual, or that nothing succeeded at all.
func (h *history) failing() *Finding {
	bad := make([]bool, len(h.ended))
	for i, t := range h.ended {
		bad[i] = t.bad()
	}
	first, usual, found := h.unusual(bad)
	if !slices.Contains(bad, false) && len(bad) >= leastBad {
		first, usual, found = 0, math.NaN(), true
	}
	if !found {
		return nil
	}
	f := &Finding{Reason: Failing, Severity: 2, Since: h.ended[first].Ended, Of: len(bad) - first, InARow: inARow(h.ended), Usual: usual}
	for i, is := range bad[first:] {
		if is {
			f.add(h.ended[first+i])
		}
	}
	f.Value = float64(f.Count) / float64(f.Of)
	idle := h.Now - h.ended[len(bad)-1].Ended
	switch {
	case idle > 2*retired:
		return nil
	case idle > retired+day:
		f.Severity = 1
	case f.Count >= leastBad && f.Value >= outage:
		f.Severity = 3
	}
	return f
}

// add adds a task that a finding is about. The last one is an example of them.
func (f *Finding) add(t *Task) {
	if f.Count == 0 {
		f.From = t.Created
	}
	f.Count, f.From, f.About = f.Count+1, min(f.From, t.Created), t
}
