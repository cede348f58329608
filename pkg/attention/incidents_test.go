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

// said returns in how many hours a reason is said, and for how many it lasts without a break, and as urgent as it was.
func (w *world) said(reason string, until int64) (after, lasts float64) {
	r := w.run(func(f Finding) bool { return f.Reason == reason }, incident+hour/2, until, 3*hour, false)
	return hours(r.first - incident), hours(cmp.Or(r.fell, until) - r.first)
}

// A new automation works some times, and then never again: nobody knows what is usual, but that is not it.
func TestWorkedAtFirst(t *testing.T) {
	for _, perDay := range []int64{1, 4, 24} {
		for _, successes := range []int64{1, 2, 4, 8, 16} {
			w := newWorld(1, 1, nil)
			for n := -successes; n < 21*perDay; n++ {
				w.add(incident+hour/4+n*day/perDay, 5*minute)
				if n >= 0 {
					w.tasks[len(w.tasks)-1].Status = Failed
				}
			}
			after, lasts := w.said(Failing, incident+21*day)
			assert.True(t, after >= 0 && after <= max(9, 100/float64(perDay)), "%d a day, %d successes: said after %.1f h", perDay, successes, after)
			assert.Equal(t, hours(21*day)-after, lasts, "%d a day, %d successes", perDay, successes)
		}
	}
}

// Nothing is repaired for as long as anybody remembers. Only what takes longer ends, once this is usual.
func TestNothingIsRepaired(t *testing.T) {
	never := from(0, func(_ *world, t *Task) { t.Status = Failed + Status(t.Created/hour%2) })
	for _, in := range append(troubles(), trouble{name: "half fail, others partly", make: perDay(24), then: never, reason: Failing, lasts: 29}) {
		if in.lasts > 0 {
			in.success = 1
			_, lasts := in.world(1).said(in.reason, incident+29*day)
			assert.GreaterOrEqual(t, lasts/24+1.5, in.lasts, in.name)
		}
	}
}

// A stop is said after days off as fast as after any others: after a pause that nobody told the calendar, and on a holiday a day later.
// Nor is it a repair that there is another holiday, or that each of the compared weeks had one, as in May in France.
func TestStopsAndDaysOff(t *testing.T) {
	hourly, daily := perDay(24), batch(7*hour, 20*minute, weekday)
	stop := func(make func(*world), days int64, off ...Span) (after, lasts float64) {
		w := newWorld(1, 1, nil)
		make(w)
		stops(w)
		w.tasks = slices.DeleteFunc(w.tasks, func(t Task) bool {
			return slices.ContainsFunc(append(off, w.holidays...), func(s Span) bool { return t.Created >= s.Began && t.Created < s.Ended })
		})
		return w.said(Silent, incident+days*day)
	}
	closed := func(make func(*world), october ...int) func(*world) {
		return func(w *world) {
			make(w)
			w.off(10, october...) // the incident is on the 19th
		}
	}
	for name, make := range map[string]func(*world){"hourly": hourly, "daily": batch(7*hour, 20*minute, nil)} {
		for _, pause := range []int64{0, 3, 5, 7, 14} {
			for _, back := range []int64{2, 4, 8, 12} {
				after, _ := stop(make, 10, Span{incident - (back+pause)*day, incident - back*day})
				assert.True(t, after >= 0 && after < 13, "%s, %d days off, back for %d: said after %.1f h", name, pause, back, after)
			}
		}
	}
	for name, make := range map[string]func(*world){"office": office, "daily": daily} {
		usual, _ := stop(make, 8)
		after, lasts := stop(closed(make, 5, 19, 23), 8)
		assert.InDelta(t, usual+24, after, 3.1, name)
		assert.Equal(t, hours(8*day), after+lasts, name)
	}
	for name, make := range map[string]func(*world){"office": office, "hourly": hourly} {
		after, lasts := stop(closed(make, -6, 0, 7, 15), 12)
		assert.Less(t, after, 24.0, name)
		assert.Equal(t, hours(12*day), after+lasts, name)
	}
}

// When a failure began does not move, and is not known anymore once nothing is known from before.
func TestSinceDoesNotMove(t *testing.T) {
	for name, make := range map[string]func(*world){"hourly": perDay(24), "daily": batch(7*hour, 20*minute, nil), "4 a day": perDay(4)} {
		w := newWorld(1, 1, nil)
		make(w)
		ends(Failed)(w)
		end, began := w.tasks[len(w.tasks)-1].Created, int64(-1)
		for now := incident + 4*day; now < incident+40*day; now += 3 * hour {
			known := w.asOf(min(now, end), nil)
			known = slices.DeleteFunc(known, func(t Task) bool { return t.Created < now-30*day })
			for _, f := range (&Group{Tasks: known, Now: now, Known: now - 30*day}).Findings() {
				if f.Reason != Failing {
					continue
				}
				if began < 0 || f.Since == 0 {
					began = f.Since
				}
				days := hours(now-incident) / 24
				assert.Equal(t, began, f.Since, "%s: it moved after %.1f days", name, days)
				assert.False(t, f.Since == 0 && days <= 27 || f.Since != 0 && days > 30, "%s: since %d after %.1f days", name, f.Since, days)
			}
		}
	}
}

// TestHang has an hourly task that hangs. Its severity only grows, whatever the others do: a later one that takes long, even
// for longer, doesn't make it a special one, and neither do others that come again.
func TestHang(t *testing.T) {
	for name, test := range map[string]struct {
		minutes int64 // that the others take
		then    func(w *world, n int)
		urgent  float64 // hours after its start
	}{
		"others go on":                       {8, func(*world, int) {}, 80. / 60},
		"short ones are not told apart":      {1, func(*world, int) {}, 50. / 60},
		"none comes anymore":                 {8, func(w *world, n int) { w.tasks = w.tasks[:n+1] }, 80. / 60},
		"a later one takes longer":           {8, func(w *world, n int) { w.tasks[n+1].Ended = w.tasks[n+1].Started + 5*hour }, 80. / 60},
		"one took 5 h: it may be another":    {8, func(w *world, n int) { w.tasks[n-30].Ended = w.tasks[n-30].Started + 5*hour }, 5},
		"ten times what is usual is 30 h":    {180, func(*world, int) {}, 24},
		"nobody knows what is usual":         {8, func(w *world, n int) { w.tasks = w.tasks[n:] }, 24},
		"one took two days: it may take two": {8, func(w *world, n int) { w.tasks[n-90].Ended = w.tasks[n-90].Started + 2*day }, 48},
	} {
		w := newWorld(1, 1, nil)
		w.each(hour, test.minutes*minute)
		n := slices.IndexFunc(w.tasks, func(t Task) bool { return t.Created >= incident })
		hung := w.tasks[n]
		test.then(w, n)
		for i := range w.tasks {
			if w.tasks[i].Created == hung.Created {
				w.tasks[i].Ended = 0
			}
		}
		isHung := func(f Finding) bool { return f.Reason == Slow && f.About.Created == hung.Created }
		r := w.run(isHung, hung.Started, hung.Started+3*day, 10*minute, false)
		assert.Zero(t, r.fell, name)
		assert.InDelta(t, test.urgent, hours(r.first-hung.Started), 0.17, name)
	}
}

// TestSensitivity has incidents that are noticed the earlier, the more sensitive a query is.
func TestSensitivity(t *testing.T) {
	noticed := func(s string, make, then func(*world)) float64 {
		w := newWorld(1, .98, nil)
		make(w)
		then(w)
		w.sensitivity = s
		return hours(w.run(all, incident+hour/4, incident+2*day, hour/2, false).mention - incident)
	}
	for name, test := range map[string]struct{ make, then func(*world) }{
		"hourly: no runner": {perDay(24), noRunner},
		"hourly stops":      {perDay(24), stops},
		"hourly: one hangs": {perDay(24), hangs},
	} {
		late, usual, early := noticed("fewer", test.make, test.then), noticed("usual", test.make, test.then), noticed("more", test.make, test.then)
		assert.True(t, late >= usual && usual >= early && late > early, "%s: %.1f, %.1f, %.1f h", name, late, usual, early)
	}
}
