package attention

import (
	"math"
	"slices"
	"sort"
)

const (
	comparedWeeks  = 4
	leastSilence   = 15 * minute
	longestSilence = 9 * day // that is compared: a weekly task, and some time
	punctual       = 0.15    // the smallest dispersion that is believed
)

// empty finds that tasks succeed without items: the silence of tasks with items.
func (h *history) empty() *Finding {
	var full []int64
	var none []*Task // since the last task with items
	for _, t := range h.ended {
		switch {
		case !t.HasItems || t.bad():
		case t.Items == 0:
			none = append(none, t)
		default:
			full, none = append(full, t.Came(h.Runners)), nil
		}
	}
	slices.Sort(full)
	gap, found := h.missing(full)
	if !found || len(none) < 2 {
		return nil
	}
	f := &Finding{Reason: Empty, Severity: 2, Since: none[0].end(), Of: len(none), Usual: gap.tasks, Within: gap.elapsed}
	for _, t := range none {
		f.add(t)
	}
	return f
}

// silent finds that no task comes. A task that waits or hangs is another reason; an older one that is stuck is not.
func (h *history) silent() *Finding {
	gap, found := h.missing(h.arrivals)
	if !found || h.newest.State < Finished {
		return nil
	}
	since := h.newest.Came(h.Runners)
	return &Finding{
		Reason: Silent, Severity: 2 + int(truth(gap.expected >= 3)), Since: since, From: h.newest.Created, About: h.newest, Count: int(gap.tasks),
		Value: seconds(h.Now - since), Usual: gap.tasks, Within: gap.elapsed,
	}
}

// FellSilent returns when a silent group fell silent, to the minute; a time since which nothing came, if it was before.
func (g *Group) FellSilent(since int64) int64 {
	then := *g
	h := then.history()
	return since + minute*int64(sort.Search(int((g.Now-since)/minute), func(n int) bool {
		then.Now = since + int64(n)*minute
		_, found := h.missing(h.arrivals)
		return found
	}))
}

type gap struct {
	elapsed  int64
	tasks    float64 // that usually came in as long a time, at the same days and hours
	expected float64 // arrivals that should have come, whatever their delay
}

// missing compares the time since the last arrival with the same stretch of the weeks before, and reports whether it is unusual
// that there are none. Usual is the second smallest number, so that one holiday neither hides a stop nor becomes usual.
//
// The number is divided by how much the numbers of a day of the week vary: 0.15 for a schedule, of which one arrival is
// enough, to 1 and more for chance, of which it takes several. It grows as time passes, so that a silence doesn't end by
// itself. What comes somewhat early or late doesn't count: both ends of the compared time are cut by what is usual. On a holiday,
// nothing is expected, and an earlier week with one tells nothing.
func (h *history) missing(tasks []int64) (of gap, found bool) {
	if len(tasks) < 3 {
		return gap{}, false
	}
	last := tasks[len(tasks)-1]
	elapsed := min(h.Now-last, longestSilence)
	arrivals := sparse(tasks)
	untold := append([]Span{pauseOf(arrivals)}, h.Holidays...)
	varies, known := dispersion(arrivals, untold, last)
	if !known {
		return h.stopped(tasks, arrivals)
	}
	if elapsed < leastSilence {
		return gap{}, false
	}
	off := unpunctuality(arrivals, untold)
	// What was found before an earlier week had its holiday stays: a silence doesn't end as time passes.
	for _, compared := range append(beforeUntold(untold, arrivals[0], last, elapsed), elapsed) {
		cut := int64(float64(off+min(hour, compared/6)) * (1 - min(1, varies)/2)) // what comes by chance is not late
		counts, all := h.weeks(tasks, arrivals, untold, compared, cut)
		if len(counts) == 0 {
			continue
		}
		if expected := secondFewest(counts, compared); of.elapsed == 0 || expected >= of.expected {
			of = gap{compared, max(1, secondFewest(all, compared)), expected}
		}
	}
	if of.elapsed == 0 {
		return h.stopped(tasks, arrivals)
	}
	return of, of.expected/varies >= h.enoughOf(arrivals)
}

// beforeUntold returns after how long the weeks before a silence tell nothing anymore, of those that do so within the elapsed time.
func beforeUntold(untold []Span, first, last, elapsed int64) (after []int64) {
	for from := last - week; from >= first-hour; from -= week {
		told := elapsed
		for _, s := range untold {
			if from < s.Ended {
				told = min(told, s.Began-from)
			}
		}
		if told >= leastSilence && told < elapsed {
			after = append(after, told)
		}
	}
	return after
}

// weeks returns how many arrivals, and tasks, were expected in as long a time of each week before that tells something.
func (h *history) weeks(tasks, arrivals []int64, untold []Span, elapsed, cut int64) (counts, all []float64) {
	last := tasks[len(tasks)-1]
	for from := last - week; from >= arrivals[0]-hour && len(counts) < comparedWeeks; from -= week {
		if overlaps(untold, from, from+elapsed) {
			continue
		}
		expected := func(times []int64, begin, end int64) float64 {
			n := count(times, begin, end)
			for _, day := range h.Holidays {
				n -= count(times, max(begin, day.Began+from-last), min(end, day.Ended+from-last))
			}
			return n
		}
		fewest := math.Inf(1)
		for _, by := range []int64{0, -hour, hour} { // clocks of the schedule may have changed
			fewest = min(fewest, expected(arrivals, from+cut+by, from+elapsed-cut+by))
		}
		counts, all = append(counts, fewest), append(all, expected(tasks, from+cut, from+elapsed))
	}
	return counts, all
}

// stopped finds a silence when too little is known of the weeks before, as of one that lasts for weeks: it is longer than any
// that is compared, and than twice the time in which tasks came.
func (h *history) stopped(tasks, arrivals []int64) (of gap, found bool) {
	came := tasks[len(tasks)-1] - tasks[0]
	if came < day || h.Now-tasks[len(tasks)-1] < max(longestSilence, 2*came) {
		return gap{}, false
	}
	expected := float64(len(arrivals))
	return gap{came, float64(len(tasks)), expected}, expected >= h.enoughOf(arrivals)
}

// secondFewest is the second smallest of the numbers of some weeks; of two, only for a silence that is part of the last one.
func secondFewest(of []float64, elapsed int64) float64 {
	slices.Sort(of)
	if len(of) > 2 || len(of) > 1 && elapsed >= week {
		return of[1]
	}
	return of[0]
}

// sparse returns arrivals that are some time apart. How many tasks come at once says nothing of whether any come.
func sparse(arrivals []int64) (apart []int64) {
	for _, at := range arrivals {
		if len(apart) == 0 || at-apart[len(apart)-1] >= leastSilence {
			apart = append(apart, at)
		}
	}
	return apart
}

func count(times []int64, from, to int64) float64 {
	low, _ := slices.BinarySearch(times, from)
	high, _ := slices.BinarySearch(times, to)
	return float64(max(0, high-low))
}

// overlaps reports whether one of some times that tell nothing of what is usual, such as holidays, is in a stretch.
func overlaps(untold []Span, from, to int64) bool {
	return slices.ContainsFunc(untold, func(s Span) bool { return from < s.Ended && to > s.Began })
}

// pauseOf returns the longest gap between arrivals, such as a vacation, less its ends, if it is much longer than any other.
func pauseOf(arrivals []int64) (pause Span) {
	longest, second := int64(0), int64(0)
	for i, at := range arrivals[1:] {
		gap := at - arrivals[i]
		if second = max(second, min(gap, longest)); gap > longest {
			longest, pause = gap, Span{arrivals[i] + hour, at - hour}
		}
	}
	if longest <= 2*(second+day) {
		return Span{}
	}
	return pause
}

// unpunctuality returns how far an arrival may be from the nearest one a week before: twice the upper quartile.
func unpunctuality(arrivals []int64, untold []Span) int64 {
	var off []int64
	for i := len(arrivals) - 1; i >= 0 && arrivals[i]-week >= arrivals[0]-hour; i -= 1 + len(arrivals)/1000 {
		at := arrivals[i] - week
		if overlaps(untold, at, at) {
			continue
		}
		n, _ := slices.BinarySearch(arrivals, at)
		near := arrivals[n] - at
		if n > 0 {
			near = min(near, at-arrivals[n-1])
		}
		off = append(off, near)
	}
	if len(off) == 0 {
		return week
	}
	slices.Sort(off)
	return 2 * off[len(off)*3/4]
}

// dispersion returns how much the numbers on a day of the week vary, on the median day: the square of their range divided by
// its middle, which is about 1 for chance. Of three weeks and more, the one with the fewest doesn't count.
func dispersion(arrivals []int64, untold []Span, last int64) (varies float64, known bool) {
	var of []float64
	for d := range int64(7) {
		var counts []float64
		to := last - day/2 - d*day // half a day away from what comes at the same time each day
		for ; len(counts) < comparedWeeks; to -= week {
			known := to - day - arrivals[0] + hour                 // for how long it was known before
			if known < 0 && (len(counts) != 1 || known < -day/2) { // Half a day is better than nothing to compare with.
				break
			}
			if !overlaps(untold, to-day, to) {
				counts = append(counts, count(arrivals, to-day, to))
			}
		}
		slices.Sort(counts)
		if len(counts) > 2 {
			counts = counts[1:]
		}
		if n := len(counts); n > 1 && counts[n-1] > 0 {
			span := counts[n-1] - counts[0]
			of = append(of, 1.6*span*span/(counts[n-1]+counts[0]))
		}
	}
	if len(of) == 0 {
		return 0, false
	}
	slices.Sort(of)
	return max(punctual, of[len(of)/2]), true
}
