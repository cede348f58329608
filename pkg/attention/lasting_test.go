package attention

import (
	"cmp"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

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
