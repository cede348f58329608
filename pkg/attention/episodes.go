package attention

import "math"

const (
	leastRise  = 0.2  // of the share of bad tasks
	tolerated  = 0.2  // a usual share of bad tasks that nobody minds
	perTrouble = 5.0  // more evidence for those who have more of them
	mostlyBad  = 0.75 // a share of bad tasks from which on a few good ones are a repair
	repair     = 2.0  // so much less evidence that takes then, and more otherwise
)

// shares is how many higher shares of bad tasks are looked for.
const shares = 3

// replay is what follows from the outcomes of tasks, one after the other.
//
// In normal times, sums (Page's CUSUM) collect the evidence for a share of bad tasks that is 20 points higher than usual,
// half of the way to 100 %, or nearly 100 %. Each restarts when it falls to 0. The tasks before the oldest of them tell
// what is usual, so that an episode, its beginning included, never does. An episode begins when a sum has enough evidence,
// and so has the difference between both sets of tasks, because few tasks before tell little. From then on, a sum collects
// the evidence for the usual share: it takes more than one success to end an episode.
type replay struct {
	*history
	bad []bool
	sum []float64 // how many of the tasks before each are bad

	before, badBefore float64 // tasks of earlier normal times
	begin             int     // of these normal times
	score             [shares]float64
	from              [shares]int // where each sum began

	found    bool    // there is an episode
	first    int     // its first task
	usual    float64 // the share before it, roughly
	repaired float64
	tail     int // the first task of what may be a repair
}

// unusual replays the outcomes of tasks. It returns with which one the episode began that the group is in now, if it is in
// one, and which share of bad tasks was usual before.
func (h *history) unusual(bad []bool) (first int, usual float64, found bool) {
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
	known, knownBad := r.known(r.first)
	return r.first, knownBad / max(1, known), r.found
}

// known returns how many tasks of normal times there are before one, and how many of them are bad.
func (r *replay) known(until int) (tasks, bad float64) {
	return r.before + float64(until-r.begin), r.badBefore + r.sum[until] - r.sum[r.begin]
}

// normal looks for an episode that task i is in.
func (r *replay) normal(i int) {
	if !r.bad[i] && r.score == [shares]float64{} {
		r.from = [shares]int{i + 1, i + 1, i + 1}
		return
	}
	oldest := min(r.from[0], r.from[1], r.from[2])
	known, knownBad := r.known(oldest)
	r.usual = roughly((knownBad + 0.5) / (known + 1))
	r.collect(i)
	n := clearest(r.score)
	need := r.evidence + perTrouble*max(0, r.usual-tolerated)
	count, countBad := float64(i+1-r.from[n]), r.sum[i+1]-r.sum[r.from[n]]
	switch {
	case r.score[n] < need || countBad < r.leastBad:
	case known >= r.enough && differ(knownBad, known, countBad, count) >= need:
		r.first = start(r.bad[:i+1], oldest, countBad/count, r.usual)
		r.found, r.repaired, r.tail = true, 0, i+1
	case count > 2*known: // so little was known before that this may be usual
		r.score[n], r.from[n] = 0, i+1
	}
}

// collect adds the evidence of task i for each higher share.
func (r *replay) collect(i int) {
	for n, share := range [shares]float64{r.usual + leastRise, (r.usual + 1) / 2, 0.95} {
		if share < r.usual+leastRise || share > 0.97 {
			r.from[n] = i + 1
			continue
		}
		if r.score[n] += likelihood(r.bad[i], share, r.usual); r.score[n] <= 0 {
			r.score[n], r.from[n] = 0, i+1
		}
	}
}

// ongoing looks for the end of the episode that task i is in.
func (r *replay) ongoing(i int) {
	share := max((r.sum[r.tail]-r.sum[r.first]+0.25)/(float64(r.tail-r.first)+1), r.usual+leastRise/2)
	if r.repaired -= likelihood(r.bad[i], share, r.usual); r.repaired <= 0 {
		r.repaired, r.tail = 0, i+1
	}
	need := r.evidence + repair
	if share > mostlyBad {
		need = r.evidence - repair
	}
	if r.repaired >= need {
		r.before, r.badBefore = r.known(r.first)
		r.found, r.begin, r.score, r.from = false, r.tail, [shares]float64{}, [shares]int{i + 1, i + 1, i + 1}
	}
}

func clearest(of [shares]float64) (n int) {
	for i := range of {
		if of[i] > of[n] {
			n = i
		}
	}
	return n
}

// start returns the likeliest first task of the episode that a sequence ends with. It is decided once, when the episode is
// noticed: otherwise it would move with each new task.
func start(bad []bool, oldest int, share, usual float64) (first int) {
	best, total := 0.0, 0.0
	for i := len(bad) - 1; i >= oldest; i-- {
		if total += likelihood(bad[i], min(share, 0.99), usual); total > best {
			best, first = total, i
		}
	}
	return first
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

// roughly rounds the odds to a power of two, rather up than down, so that what was decided about the past stays decided when
// the oldest tasks are no longer known.
func roughly(share float64) float64 {
	odds := math.Exp2(math.Ceil(math.Log2(share/(1-share)) - 0.25))
	return odds / (1 + odds)
}
