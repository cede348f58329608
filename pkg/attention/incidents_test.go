package attention

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// trouble is a world in which something happens.
type trouble struct {
	name    string
	success float64
	make    func(*world)
	then    func(*world)
	reason  string
	period  float64 // hours between two tasks
	repair  int64   // days after the incident; 14 by default
	runners bool
	lasts   float64 // days for which it is said at least, if nobody repairs it
	gap     string  // why it is not reported in time, or not until somebody repairs it
}

func troubles() []trouble {
	hourly, quarter, daily := perDay(24), perDay(96), batch(7*hour, 20*minute, nil)
	return []trouble{
		{name: "hourly stops", success: .98, make: hourly, then: stops, reason: Silent, period: 1, lasts: 29},
		{name: "every 5 minutes stops", success: .99, make: func(w *world) { w.each(5*minute, 20*second) }, then: stops, reason: Silent, period: .083},
		{name: "daily batch stops", success: .97, make: daily, then: stops, reason: Silent, period: 24, lasts: 26},
		{name: "daily batch of 1-60 tasks stops", success: .97, make: bursts, then: stops, reason: Silent, period: 24},
		{name: "weekday batch stops", success: .97, make: batch(7*hour, 20*minute, weekday), then: stops, reason: Silent, period: 24},
		{name: "workdays twice, weekends once: stops", success: .98, make: twice, then: stops, reason: Silent, period: 16},
		{name: "daily 6-18 h stops", success: .97, make: batch(6*hour, 12*hour, nil), then: stops, reason: Silent, period: 24},
		{name: "office hours every 10 min stops", success: .97, make: office, then: stops, reason: Silent, period: 8},
		{name: "task of a day stops", success: 1, make: overnight, then: stops, reason: Silent, period: 24},
		{name: "Poisson 1/h stops", success: .98, make: poisson(1), then: stops, reason: Silent, period: 1},
		{name: "weekly (1 task) stops", success: 1, make: batch(9*hour, 20*minute, monday), then: stops, reason: Silent, period: 168, lasts: 10,
			gap: "16 days after the last task, only two are left"},
		{name: "runner stops", success: .98, make: hourly, then: stops, reason: Silent, period: 1, runners: true},
		{name: "one of eight runners is dead", success: 1, make: pool(func(at int64) bool { return at >= incident }), then: func(*world) {}, reason: Silent, period: 1, runners: true},
		{name: "stops, one record stuck in the queue", success: .98, make: hourly, then: func(w *world) {
			stops(w)
			w.tasks[len(w.tasks)-200].Started = 0
		}, reason: Silent, period: 1},
		{name: "three fail, and no more come", success: 1, make: hourly, then: func(w *world) {
			stops(w)
			for n := range 3 {
				w.tasks[len(w.tasks)-1-n].Status = Failed
			}
		}, reason: Failing, period: 1, lasts: 29},
		{name: "hourly: all FAILED", success: .98, make: hourly, then: ends(Failed), reason: Failing, period: 1, lasts: 29},
		{name: "the same, repaired after 2 days", success: .98, make: hourly, then: failed(2), reason: Failing, period: 1, repair: 2},
		{name: "hourly: all TIMEOUT", success: .98, make: hourly, then: becomes(TimedOut), reason: Failing, period: 1},
		{name: "hourly: all expire, a state not known", success: .98, make: hourly, then: becomes(Other), reason: Failing, period: 1},
		{name: "hourly: all items failed", success: .98, make: hourly, then: from(incident, func(_ *world, t *Task) { t.FailedItems = 95 }), reason: Failing, period: 1},
		{name: "daily job fails", success: 1, make: daily, then: ends(Failed), reason: Failing, period: 24, lasts: 28},
		{name: "weekly job fails", success: 1, make: batch(9*hour, 20*minute, monday), then: ends(Failed), reason: Failing, period: 168},
		{name: "hourly: 98 -> 80 %", success: .98, make: hourly, then: rate(.8), reason: Failing, period: 1, gap: "a day without failures looks like a repair"},
		{name: "hourly: 100 -> 70 %", success: 1, make: hourly, then: rate(.7), reason: Failing, period: 1},
		{name: "4 a day: 98 -> 50 %", success: .98, make: perDay(4), then: rate(.5), reason: Failing, period: 6, gap: "half of its tasks succeed: chance may hide it for some days"},
		{name: "100 a day: 50 % -> 0 %", success: .5, make: perDay(100), then: rate(0), reason: Failing, period: .24},
		{name: "every other one fails", success: 1, make: hourly, then: alternate(incident, 2, fail), reason: Failing, period: 1},
		{name: "one of four runners fails all", success: 1, make: quarter, then: alternate(incident, 4, fail), reason: Failing, period: .25},
		{name: "two of three failed, now all", success: 1, make: both(hourly, alternate(0, 3, fail), alternate(1, 3, fail)), then: ends(Failed), reason: Failing, period: 1},
		{name: "three fail each night, now all", success: 1, make: nightly(3), then: ends(Failed), reason: Failing, period: 1},
		{name: "hourly: 0 items", success: .98, make: hourly, then: noItems, reason: Empty, period: 1, lasts: 29},
		{name: "daily: 0 items", success: .98, make: daily, then: noItems, reason: Empty, period: 24},
		{name: "hourly: 10 x slower (50 min)", success: .98, make: hourly, then: slower(100), reason: Slow, period: 1, lasts: 19},
		{name: "2 a day: 2.5 x slower (5 h)", success: 1, make: func(w *world) { w.each(12*hour, 2*hour) }, then: slower(25), reason: Slow, period: 12},
		{name: "task of a day hangs", success: 1, make: overnight, then: func(w *world) {
			hangs(w)
			w.tasks = slices.DeleteFunc(w.tasks, func(t Task) bool { return t.Created >= incident+day })
		}, reason: Slow, period: 40},
		{name: "hourly: no runner", success: .98, make: hourly, then: noRunner, reason: Waiting, period: 1},
		{name: "daily: no runner", success: .98, make: daily, then: noRunner, reason: Waiting, period: 24},
		{name: "every third task finds no runner", success: .98, make: hourly, then: alternate(incident, 3, func(t *Task) { t.Started = 0 }), reason: Waiting, period: 3},
		{name: "no runner 2 weeks ago, now again", success: .98, make: hourly, then: func(w *world) {
			for i := range w.tasks {
				if t := &w.tasks[i]; t.Created >= incident-14*day && t.Created < incident-12*day {
					t.Started, t.Ended = incident-12*day, incident-12*day+5*minute
				}
			}
			noRunner(w)
		}, reason: Waiting, period: 1},
		{name: "slowly growing queue", success: 1, make: oneRunner(func(w *world) {
			w.poisson(origin.UnixNano(), incident, 9, 5*minute)
			w.poisson(incident, incident+14*day, 12.6, 5*minute)
		}), then: func(*world) {}, reason: Waiting, period: .1, gap: "the queue is empty again and again in the first days"},
	}
}

// TestIncidents measures the hours from an incident to the first finding of any severity, and of 2 and more (the mean of the
// seeds, the worst); how many times it ended by itself before the repair; how many times an instance of a rule ended; and how
// many times its beginning moved by more than an hour.
func TestIncidents(t *testing.T) {
	all := troubles()
	compareTable(t, "incidents", "Incident | Hours until it is said | ends, instances, moves | First finding", len(all), func(n int) string { return all[n].measure(t) })
}

func (in *trouble) measure(t *testing.T) string {
	repair := cmp.Or(in.repair, 14)
	seeds, step := int64(4), hour
	isByChance := strings.Contains(in.name, "->")
	if isByChance {
		seeds = 8
	}
	switch {
	case testing.Short() && isByChance:
		seeds, step = 2, 2*hour
	case testing.Short():
		seeds, step = 1, 3*hour
	}
	about := func(f Finding) bool { return in.reason == f.Reason }
	var total result
	var worst, sum, mention, after float64
	missed, first := int64(0), ""
	for seed := range seeds {
		w := in.world(seed + 1)
		r := w.run(about, incident+step/2, incident+repair*day, step, in.runners)
		total.add(r)
		if r.first < 0 {
			missed++
			continue
		}
		if f := r.firstFinding; first == "" {
			first = fmt.Sprintf("%s: %d of %d, %d in a row, %.2f, usually %.2f, since %.1f", f.Reason, f.Count, f.Of, f.InARow, f.Value, f.Usual, hours(f.Since-incident))
		}
		worst, sum, mention = max(worst, hours(r.first-incident)), sum+hours(r.first-incident), mention+hours(r.mention-incident)
		if end := incident + repair*day; repair < 14 {
			after = max(after, hours(w.run(about, end, end+7*day, step, in.runners).last-end))
		}
	}
	if in.gap == "" {
		assert.Zero(t, missed, "%s: never reported", in.name)
		assert.LessOrEqual(t, total.resolved, int(seeds)/4, "%s ended by itself", in.name)
		assert.LessOrEqual(t, worst, 35+max(2*in.period, 15), "%s: reported late", in.name)
		assert.LessOrEqual(t, after, 24., "%s: reported after the repair", in.name)
	}
	of, per := float64(seeds-missed), func(n int) float64 { return float64(n) / float64(seeds) }
	return fmt.Sprintf("%s | %.1f, %.1f (%.1f); %d never | %.1f / %.1f / %.1f | %s", in.name, mention/of, sum/of, worst, missed, per(total.resolved), per(total.ends), per(total.moved), first)
}

// world makes the tasks of a world, and what happens.
func (in *trouble) world(seed int64) *world {
	w := newWorld(seed, in.success, nil)
	in.make(w)
	in.then(w)
	return w
}

func hours(span int64) float64 { return float64(span) / float64(hour) }

// TestNothingHappens has no task any more three days after the incident. For five days, only the oldest tasks are forgotten.
func TestNothingHappens(t *testing.T) {
	seeds, step := int64(2), hour
	if testing.Short() {
		seeds, step = 1, 4*hour
	}
	var total result
	for _, in := range troubles() {
		for seed := range seeds {
			w := in.world(seed + 1)
			w.tasks = slices.DeleteFunc(w.tasks, func(t Task) bool { return t.Created >= incident+3*day })
			for i := range w.tasks {
				if t := &w.tasks[i]; t.Started >= incident+3*day { // nobody starts them
					t.Started = 0
				}
			}
			r := w.run(all, incident+4*day, incident+9*day, step, in.runners)
			if total.add(r); r.moved+r.ends > 0 {
				t.Logf("%s, seed %d: %d beginnings moved, %d findings ended", in.name, seed, r.moved, r.ends)
			}
		}
	}
	assert.LessOrEqual(t, total.moved+total.ends, total.evaluations/1000, "findings change although nothing happens")
}
