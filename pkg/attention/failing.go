package attention

import "slices"

// outage is the share of bad tasks from which on nothing works.
const outage = 0.9

// FailuresInARow returns how many tasks failed until now since the last one that succeeded, at least partially, by their
// ends. Others neither count nor interrupt.
func FailuresInARow(tasks []Task, now int64) int { return inARow(ended(tasks, now)) }

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
	for _, t := range ended(tasks, now) {
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

// failing finds an episode in which the share of bad tasks is higher than usual, or that there is no success at all.
func (h *history) failing() *Finding {
	bad := make([]bool, len(h.ended))
	for i, t := range h.ended {
		bad[i] = t.bad()
	}
	first, of, badOf, found := h.unusual(bad)
	if !found && !h.neverSucceeds() {
		return nil
	}
	if !found {
		first, of, badOf = 0, 0, 0
	}
	f := &Finding{
		Reason: Failing, Severity: 2, Since: h.ended[first].end(), Of: len(bad) - first, InARow: inARow(h.ended),
		Usual: badOf / of, UsualCount: int(badOf), UsualOf: int(of),
	}
	if first == 0 && h.Tasks[0].Created < h.Known+(h.Now-h.Known)/10 { // It may as well have begun before.
		f.Since = 0
	}
	for _, t := range h.ended[first:] {
		if t.bad() {
			f.add(t)
		}
	}
	f.Value = float64(f.Count) / float64(f.Of)
	if f.Count >= leastBad && f.Value >= outage {
		f.Severity = 3
	}
	return f
}

// neverSucceeds reports whether no task succeeded wholly, and at least a third of them failed.
func (h *history) neverSucceeds() bool {
	failed := 0
	for _, t := range h.ended {
		if t.Status == Success {
			return false
		}
		failed += int(truth(t.failed()))
	}
	return failed >= leastBad && 3*failed >= len(h.ended)
}

// add adds a task that a finding is about. The last one is an example of them.
func (f *Finding) add(t *Task) {
	if f.Count == 0 {
		f.From = t.Created
	}
	f.Count, f.From, f.About = f.Count+1, min(f.From, t.Created), t
}
