package attention

import "math"

const (
	leastRise  = 0.2  // of the share of bad tasks
	tolerated  = 0.2  // a usual share of bad tasks that nobody minds
	perTrouble = 5.0  // more evidence for those who have more of them
	mostlyBad  = 0.75 // a usual share from which on more of them are no news
	nearlyAll  = 0.95 // the share when nothing works
	repair     = 2.0  // so much less evidence takes the end of an outage, and more that of others
)

// replay is what follows from the outcomes of tasks, one after the other.
//
// In normal times, two sums (Page's CUSUM) collect the evidence for a share of bad tasks that is 20 points higher than usual, or
// nearly 100 %. Each restarts when it falls to 0. The tasks before both tell what is usual, so that an episode never does. When a
// sum has enough evidence, and the difference to the tasks before is as clear (few of them tell little), an episode began where
// the sum did. From then on, a sum collects the evidence for the usual share: it takes more than one success to end an episode.
type replay struct {
	*history
	bad   []bool
	sum   []float64 // how many of the tasks before each are bad
	score [2]float64
	from  [2]int // where each sum began

	found    bool    // there is an episode
	first    int     // its first task
	usual    float64 // the share before it, roughly
	repaired float64
	tail     int // the first task of what may be a repair
}

// unusual replays the outcomes of tasks. The replay tells whether the group is in an episode now, and with which task it began.
func (h *history) unusual(bad []bool) *replay {
	r := &replay{history: h, bad: bad, sum: make([]float64, len(bad)+1)}
	for i, is := range bad {
		r.sum[i+1] = r.sum[i] + truth(is)
	}
	for i := range bad {
		if r.found {
			r.ongoing(i)
		} else {
			r.normal(i)
		}
	}
	if since := r.allBad(); since < len(bad) && (!r.found || since < r.first) {
		r.first, r.found = since, true
	}
	return r
}

// allBad returns since which one the last tasks are bad, if these are too many in a row for chance; otherwise, how many tasks
// there are. It takes no history: if nothing is known of before, three are enough.
func (r *replay) allBad() (since int) {
	since = len(r.bad)
	for since > 0 && r.bad[since-1] {
		since--
	}
	need, _, _ := r.need(since)
	count := float64(len(r.bad) - since)
	if count >= leastBad && since == 0 || count >= r.leastBad && count*likelihood(true, nearlyAll, r.usual) >= need*r.inGroups(since) {
		return since
	}
	return len(r.bad)
}

// before returns the first of the tasks before one, how many there are, and how many of them are bad. If it was clearly better before
// or after some fifth of that time, the rest doesn't count, so that an incident doesn't become usual.
func (r *replay) before(until int) (from int, of, bad float64) {
	of, bad = float64(until), r.sum[until]
	clearest := 2 * r.evidence
	for n := 1; n < 5; n++ {
		half := until * n / 5
		older, newer, olderBad, newerBad := float64(half), float64(until-half), r.sum[half], r.sum[until]-r.sum[half]
		clear := differ(olderBad, older, newerBad, newer)
		if clear < clearest {
			continue
		}
		if clearest, from, of, bad = clear, half, newer, newerBad; olderBad*newer < newerBad*older {
			from, of, bad = 0, older, olderBad
		}
	}
	return from, of, bad
}

// need returns how much evidence an episode needs that began after some tasks, and which of these tell what is usual, which it notes.
func (r *replay) need(until int) (evidence, of, bad float64) {
	_, of, bad = r.before(until)
	r.usual = roughly((bad + 0.5) / (of + 1.5)) // a third, if nothing is known
	return r.evidence + perTrouble*max(0, r.usual-tolerated), of, bad
}

// inGroups returns how many times as much evidence it takes: 3 if most bad tasks before one came in groups of three or more; otherwise, 1.
func (r *replay) inGroups(until int) float64 {
	groups, large, size := 0, 0, 0
	for _, is := range r.bad[:until] {
		if size++; !is {
			size = 0
		}
		groups += int(truth(size == 1))
		large += int(truth(size == 3))
	}
	if groups < 3 || 2*large <= groups {
		return 1
	}
	return 3
}

func (r *replay) normal(i int) {
	if !r.bad[i] && r.score == [2]float64{} {
		r.from = [2]int{i + 1, i + 1}
		return
	}
	oldest := min(r.from[0], r.from[1])
	need, known, knownBad := r.need(oldest)
	for n, share := range [2]float64{r.usual + leastRise, nearlyAll} {
		if r.score[n] += likelihood(r.bad[i], share, r.usual); r.score[n] <= 0 || r.usual > mostlyBad {
			r.score[n], r.from[n] = 0, i+1
		}
	}
	n := int(truth(r.score[1] > r.score[0]))
	count, countBad := float64(i+1-r.from[n]), r.sum[i+1]-r.sum[r.from[n]]
	clear := min(r.score[n], differ(knownBad, known, countBad, count))
	switch {
	case r.score[n] < need || countBad < r.leastBad:
	case known >= r.enough && clear >= need && clear >= need*r.inGroups(oldest):
		r.first, r.found, r.repaired, r.tail = r.from[n], true, 0, i+1
	case count > 2*known: // so little was known before that this may be usual
		r.score[n], r.from[n] = 0, i+1
	}
}

func (r *replay) ongoing(i int) {
	share := max(r.usual+leastRise/2, min(nearlyAll, (r.sum[r.tail]-r.sum[r.first])/float64(r.tail-r.first)))
	if r.repaired -= likelihood(r.bad[i], share, r.usual); r.repaired <= 0 {
		r.repaired, r.tail = 0, i+1
	}
	need := r.evidence + repair
	if share > outage {
		need = r.evidence - repair
	}
	if r.repaired >= need {
		r.found, r.score, r.from = false, [2]float64{}, [2]int{i + 1, i + 1}
	}
}

// likelihood returns how much a task speaks for a share of bad ones rather than for another, as a logarithm.
func likelihood(bad bool, share, other float64) float64 {
	if bad {
		return math.Log(share / other)
	}
	return math.Log((1 - share) / (1 - other))
}

// differ returns how much speaks for two shares of bad tasks rather than for one, as a logarithm.
func differ(bad, of, otherBad, otherOf float64) float64 {
	return information(bad, of) + information(otherBad, otherOf) - information(bad+otherBad, of+otherOf)
}

func information(bad, of float64) (sum float64) {
	for _, n := range [2]float64{bad, of - bad} {
		if n > 0 {
			sum += n * math.Log(n/of)
		}
	}
	return sum
}

// roughly rounds the odds to a power of two, rather up, so that what was decided stays decided when the oldest tasks are forgotten.
func roughly(share float64) float64 {
	odds := math.Exp2(math.Ceil(math.Log2(share/(1-share)) - 0.25))
	return odds / (1 + odds)
}

const outage = 0.9 // the share of bad tasks from which on nothing works

// FailuresInARow returns how many tasks failed until now, by their ends, since one succeeded, at least partially. Others don't count.
func FailuresInARow(tasks []Task, now int64) int { return inARow(ended(tasks, now)) }

func inARow(ended []*Task) (failures int) {
	for failures < len(ended) && ended[len(ended)-1-failures].failed() {
		failures++
	}
	return failures
}

// Streak is failures in a row, from the first one on.
type Streak struct {
	First int   // the row of the first failure
	Began int64 // when that ended, in nanoseconds since the epoch
	// Recovered is when the next task succeeded; 0: none has since. A partial success ends failures in a row, but is not back to normal.
	Recovered int64
}

// Streaks returns each time that FailuresInARow began to count, in order.
func Streaks(tasks []Task, now int64) (all []Streak) {
	recovered, isFailing := 0, false
	for _, t := range ended(tasks, now) {
		if t.failed() && !isFailing {
			all = append(all, Streak{First: t.Row, Began: t.end()})
		}
		isFailing = t.failed()
		for ; t.Status == Success && recovered < len(all); recovered++ {
			all[recovered].Recovered = t.end()
		}
	}
	return all
}

// failing finds an episode in which the share of bad tasks is higher than usual, or that there is no success at all.
func (h *history) failing() *Finding {
	bad, failed, succeeds := make([]bool, len(h.ended)), 0, false
	for i, t := range h.ended {
		bad[i], failed, succeeds = t.bad(), failed+int(truth(t.failed())), succeeds || t.Status == Success
	}
	r := h.unusual(bad)
	if !r.found {
		if succeeds || failed < leastBad || 3*failed < len(bad) { // No task succeeded wholly, and at least a third of them failed.
			return nil
		}
		r.first = 0
	}
	first := r.first
	from, of, badOf := r.before(first)
	f := &Finding{
		Reason: Failing, Severity: 2, Since: h.ended[first].end(), Of: len(bad) - first, InARow: inARow(h.ended),
		Usual: badOf / of, UsualCount: int(badOf), UsualOf: int(of), Within: h.ended[from+int(of)].end() - h.ended[from].Created,
	}
	for _, t := range h.ended[from : from+int(of)] {
		f.UsualFailed += int(truth(t.failed()))
	}
	if first == 0 && h.Tasks[0].Created < h.Known+(h.Now-h.Known)/10 { // It may as well have begun before.
		f.Since = 0
	}
	for _, t := range h.ended[first:] {
		f.Succeeds, f.Failed = f.Succeeds || t.Status == Success, f.Failed+int(truth(t.failed()))
		if t.bad() {
			f.add(t)
		}
	}
	f.Value = float64(f.Count) / float64(f.Of)
	f.Severity += int(truth(f.Count >= leastBad && f.Value >= outage))
	return f
}

// add adds a task that a finding is about. The last one is an example of them.
func (f *Finding) add(t *Task) {
	if f.Count == 0 {
		f.From = t.Created
	}
	f.Count, f.From, f.About = f.Count+1, min(f.From, t.Created), t
}
