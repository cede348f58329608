package frame

import (
	"cmp"
	"math"
	"slices"
	"time"

	"golang.org/x/text/number"
)

const (
	// leastUsual is the shortest time that differs from a usual one: a task of seconds that takes a minute bothers nobody.
	leastUsual = 5 * time.Minute
	// leastAttempts is how many tasks must have finished without success before that is worth saying.
	leastAttempts = 3
)

// history is the tasks of a group.
type history struct {
	rows     []int
	created  []int // with a date of creation, in its order
	finished []int // in the order of their ends
}

// reasons find what the reasons of attention.json are about, by their names; nil: nothing. The size decides whether it is
// reported.
var reasons = map[string]func(*attention, *history) *finding{
	"failures":    (*attention).failures,
	"noSuccess":   (*attention).noSuccess,
	"successRate": (*attention).successRate,
	"slow":        (*attention).slow,
	"silent":      (*attention).silent,
	"waiting":     (*attention).waiting,
}

func (a *attention) failures(h *history) *finding {
	f := &finding{}
	for _, row := range slices.Backward(h.finished) {
		status := a.status.Text(row)
		if status == statusSuccess {
			break
		}
		if status != statusFailed {
			continue
		}
		if f.size == 0 {
			f.about = row
		}
		f.size++
		f.since = a.ended.Times[row]
	}
	f.says, f.behind = []any{int(f.size)}, map[string]float64{"count": f.size}
	return f
}

// noSuccess measures from the first attempt without success to the last, because a weekend without tasks is no failure.
func (a *attention) noSuccess(h *history) *finding {
	var gaps []weighted
	var last int64 // success
	attempts := h.finished
	for i, row := range h.finished {
		if a.status.Text(row) != statusSuccess {
			continue
		}
		if last != 0 {
			gaps = append(gaps, weighted{value: float64(a.ended.Times[row]-last) / 1e9})
		}
		last, attempts = a.ended.Times[row], h.finished[i+1:]
	}
	if len(attempts) < leastAttempts {
		return nil
	}
	first, latest := a.ended.Times[attempts[0]], a.ended.Times[attempts[len(attempts)-1]]
	since := cmp.Or(last, first)
	elapsed := a.elapsed(since)
	if usual, _ := usual(gaps); elapsed < usual {
		return nil
	}
	return &finding{
		size: float64(latest-first) / 86400e9, about: attempts[len(attempts)-1], since: since, says: []any{a.span(elapsed)},
		behind: map[string]float64{"count": float64(len(attempts)), "seconds": elapsed},
	}
}

// successRate compares the last day with the time before. Chance explains small differences: one as large as three
// standard deviations is rare.
func (a *attention) successRate(h *history) *finding {
	from := a.Now.Add(-24 * time.Hour).UnixNano()
	split, _ := slices.BinarySearchFunc(h.finished, from, func(row int, at int64) int { return cmp.Compare(a.ended.Times[row], at) })
	before, recent := h.finished[:split], h.finished[split:]
	if len(before) < leastTasks || len(recent) < leastTasks {
		return nil
	}
	usual, _ := a.share(before)
	rate, unsuccessful := a.share(recent)
	if usual-rate < 3*math.Sqrt(usual*(1-usual)/float64(len(recent))) {
		return nil
	}
	return &finding{
		size: 100 * (usual - rate), about: unsuccessful, since: from, says: []any{number.Percent(rate), number.Percent(usual)},
		behind: map[string]float64{"count": float64(len(recent)), "rate": rate},
	}
}

// share returns which share of tasks succeeded, and the last one that did not.
func (a *attention) share(rows []int) (rate float64, unsuccessful int) {
	for _, row := range rows {
		if a.status.Text(row) == statusSuccess {
			rate++
		} else {
			unsuccessful = row
		}
	}
	return rate / float64(len(rows)), unsuccessful
}

// slow finds the running task that exceeds the usual duration of its automation most.
func (a *attention) slow(h *history) *finding {
	f := &finding{}
	for _, row := range h.rows {
		took, _, runs := a.took(row)
		usual, _, known := a.usualDuration(row)
		size := took / max(usual, leastUsual.Seconds())
		if a.state.Text(row) != stateRunning || !runs || !known || size <= f.size {
			continue
		}
		f = &finding{
			size: size, about: row, since: a.started.Times[row],
			says:   []any{a.span(took), number.Decimal(took/max(usual, 1), number.Precision(2))},
			behind: map[string]float64{"seconds": took, "usual": usual},
		}
	}
	return f
}

// silent compares the time since the last task with the usual one at this hour of the week, so that nights and weekends
// are silent as usual, and a day that is skipped is not. A group that has a task in the queue, or running, is not silent.
func (a *attention) silent(h *history) *finding {
	isOpen := func(row int) bool { return a.state.Text(row) == stateQueued || a.state.Text(row) == stateRunning }
	if len(h.created) == 0 || slices.ContainsFunc(h.rows, isOpen) {
		return nil
	}
	usual, known := a.usualSilence(h)
	if !known {
		return nil
	}
	newest := h.created[len(h.created)-1]
	elapsed := a.elapsed(a.created.Times[newest])
	return &finding{
		size: elapsed / max(usual, leastUsual.Seconds()), about: newest, since: a.created.Times[newest],
		says: []any{a.span(elapsed), a.span(usual)}, behind: map[string]float64{"seconds": elapsed, "usual": usual},
	}
}

const (
	// comparedWeeks is how many earlier weeks tell how long a silence is usual.
	comparedWeeks = 4
	// hourOfWeek is how long before the same moment of earlier weeks a silence counts as usual: tasks are not punctual.
	hourOfWeek = 2 * time.Hour
	// mostVariation is how many times the shortest of these silences the usual one may be.
	mostVariation = 2
)

// usualSilence returns the longest time without a task at this hour of earlier weeks, in seconds. The worst of four weeks
// does not count: a holiday, or a day that was skipped, is not usual. It is unknown if the others do not agree: tasks may
// come every second week, or at random.
func (a *attention) usualSilence(h *history) (seconds float64, known bool) {
	var weeks []float64
	for week := range comparedWeeks {
		at := a.Now.In(a.Zone).AddDate(0, 0, -7*(week+1))
		from := at.Add(-hourOfWeek)
		if from.UnixNano() < a.created.Times[h.created[0]] {
			break
		}
		weeks = append(weeks, a.longestSilence(h.created, from.UnixNano(), at.UnixNano()))
	}
	if len(weeks) < 2 {
		return 0, false
	}
	slices.Sort(weeks)
	usual := weeks[min(len(weeks), comparedWeeks-1)-1]
	return usual, usual <= mostVariation*max(weeks[0], leastUsual.Seconds())
}

// longestSilence returns the longest time without a task that ended between two moments, or had not at the second.
func (a *attention) longestSilence(created []int, from, to int64) (seconds float64) {
	last, longest := from, int64(0)
	for _, row := range created {
		at := min(a.created.Times[row], to)
		if at > from {
			longest = max(longest, at-last)
		}
		last = at
	}
	return float64(max(longest, to-last)) / 1e9
}

// waiting finds the task that has waited in the queue longest.
func (a *attention) waiting(h *history) *finding {
	n := slices.IndexFunc(h.created, func(row int) bool { return a.state.Text(row) == stateQueued })
	if n < 0 {
		return nil
	}
	oldest := h.created[n]
	elapsed := a.elapsed(a.created.Times[oldest])
	if usual, _ := usual(appendValues(nil, h.created, queueTime(&a.Selection))); elapsed < 2*usual {
		return nil
	}
	return &finding{
		size: elapsed / 60, about: oldest, since: a.created.Times[oldest], says: []any{a.span(elapsed)},
		behind: map[string]float64{"seconds": elapsed},
	}
}

// elapsed returns the seconds from a time until now.
func (a *attention) elapsed(since int64) float64 { return float64(a.Now.UnixNano()-since) / 1e9 }
