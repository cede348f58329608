package attention

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// said returns in how many hours a reason is said, and for how many it lasts without a break, and as urgent as it was.
func (w *world) said(reason string, until int64) (after, lasts float64) {
	begun, severity := int64(-1), 1
	for now := incident + hour/2; now < until; now += 3 * hour {
		is := 0
		for _, f := range (&Group{Tasks: w.asOf(now, nil), Now: now, Holidays: w.holidays}).Findings() {
			if f.Reason == reason {
				is = f.Severity
			}
		}
		switch {
		case is > 1 && begun < 0:
			begun = now
		case is < severity && begun >= 0:
			return hours(begun - incident), hours(now - begun)
		}
		severity = max(severity, is)
	}
	return hours(begun - incident), hours(until - begun)
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
	hourly, daily := perDay(24), batch(7*hour, 20*minute, nil)
	monday := batch(9*hour, 20*minute, func(d time.Time) bool { return d.Weekday() == time.Monday })
	for name, test := range map[string]struct {
		make, then func(*world)
		reason     string
		days       float64
	}{
		"hourly fails":             {hourly, ends(Failed), Failing, 29},
		"daily fails":              {daily, ends(Failed), Failing, 28},
		"hourly stops":             {hourly, stops, Silent, 29},
		"daily stops":              {daily, stops, Silent, 26},
		"weekly stops":             {monday, stops, Silent, 10},
		"hourly: no items":         {hourly, noItems, Empty, 29},
		"hourly: 50 minutes":       {hourly, slower(100), Slow, 19},
		"half fail, others partly": {hourly, from(0, func(_ *world, t *Task) { t.Status = Failed + Status(t.Created/hour%2) }), Failing, 29},
		"three fail, and no more come": {hourly, func(w *world) {
			stops(w)
			for n := range 3 {
				w.tasks[len(w.tasks)-1-n].Status = Failed
			}
		}, Failing, 29},
	} {
		w := newWorld(1, 1, nil)
		test.make(w)
		test.then(w)
		_, lasts := w.said(test.reason, incident+29*day)
		assert.GreaterOrEqual(t, lasts/24+1.5, test.days, name)
	}
}

// After a pause, a stop is said as fast as without one.
func TestStopsAfterAPause(t *testing.T) {
	for name, make := range map[string]func(*world){"hourly": perDay(24), "daily": batch(7*hour, 20*minute, nil)} {
		for _, pause := range []int64{0, 3, 5, 7, 14} {
			for _, back := range []int64{2, 4, 8, 12} {
				w := newWorld(1, 1, nil)
				make(w)
				stops(w)
				w.tasks = slices.DeleteFunc(w.tasks, func(t Task) bool {
					return t.Created >= incident-(back+pause)*day && t.Created < incident-back*day
				})
				after, _ := w.said(Silent, incident+10*day)
				assert.True(t, after >= 0 && after < 13, "%s, %d days off, back for %d: said after %.1f h", name, pause, back, after)
			}
		}
	}
}

// Failures that come together, again and again, are usual, and more of them in a row are not.
func TestFailuresInGroups(t *testing.T) {
	w := newWorld(1, 1, nil)
	w.each(hour, 5*minute)
	for i := range w.tasks {
		if h := w.tasks[i].Created / hour % 24; h >= 2 && h < 5 {
			w.tasks[i].Status = Failed
		}
	}
	assert.Zero(t, w.run(all, incident-14*day, incident+14*day, hour, false).episodes)
	ends(Failed)(w)
	after, _ := w.said(Failing, incident+3*day)
	assert.InDelta(t, 12, after, 4)
}

// A holiday is no silence, a stop is said after it as fast as after any day, and another one is no repair.
func TestStopsBeforeAHoliday(t *testing.T) {
	for name, make := range map[string]func(*world){"office": office, "daily": batch(7*hour, 20*minute, weekday)} {
		after := map[bool]float64{}
		for _, isOff := range []bool{false, true} {
			w := newWorld(1, 1, nil)
			if make(w); isOff {
				w.off(10, 5, 19, 23) // the incident is on the 19th
			}
			stops(w)
			w.tasks = slices.DeleteFunc(w.tasks, func(t Task) bool {
				return isOff && slices.ContainsFunc(w.holidays, func(s Span) bool { return t.Created >= s.Began && t.Created < s.Ended })
			})
			said, lasts := w.said(Silent, incident+8*day)
			after[isOff] = said
			assert.Equal(t, hours(8*day), said+lasts, name)
		}
		assert.InDelta(t, after[false]+24, after[true], 3.1, name)
	}
}

// Nor is it a repair that each of the compared weeks had a holiday, as France has in May, once the silence is as long.
func TestStopsAfterWeeksWithHolidays(t *testing.T) {
	for name, make := range map[string]func(*world){"office": office, "hourly": perDay(24)} {
		w := newWorld(1, 1, nil)
		make(w)
		w.off(9, 24, 30) // the incident is on October 19
		w.off(10, 7, 15)
		stops(w)
		w.tasks = slices.DeleteFunc(w.tasks, func(t Task) bool {
			return slices.ContainsFunc(w.holidays, func(s Span) bool { return t.Created >= s.Began && t.Created < s.Ended })
		})
		said, lasts := w.said(Silent, incident+12*day)
		assert.Less(t, said, 24.0, name)
		assert.Equal(t, hours(12*day), said+lasts, name)
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
				isForgotten := now > incident+30*day
				if began < 0 {
					began = f.Since
				}
				if f.Since == 0 {
					began = 0
				}
				assert.Equal(t, began, f.Since, "%s: it moved after %.1f days", name, hours(now-incident)/24)
				assert.True(t, f.Since != 0 || now > incident+27*day, "%s: forgotten after %.1f days", name, hours(now-incident)/24)
				assert.True(t, f.Since == 0 || !isForgotten, "%s: not forgotten after %.1f days", name, hours(now-incident)/24)
			}
		}
	}
}
