package attention

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// healthy is a world in which nothing needs a person.
type healthy struct {
	name     string
	success  float64
	make     func(*world)
	zone     *time.Location // where people work
	from, to int            // days of evaluation, 40 to 68 by default
	step     int64
	seeds    int
	most     float64 // false alarms a week; 0.12 by default
	gap      string  // why it may be reported all the same
	runners  bool
}

func healthyWorlds() []healthy {
	hourly, berlin, sydney := perDay(24), zoneOf("Europe/Berlin"), zoneOf("Australia/Sydney")
	mondays := func(w *world) {
		w.office(8, 18, 10*minute, func(d time.Time) bool { return d.Month() == 10 && d.Day() == 12 || d.Month() == 11 && d.Day() == 2 })
	}
	return append(steadyWorlds(), []healthy{
		{name: "hourly", success: .98, make: hourly},
		{name: "every minute", success: .99, make: func(w *world) { w.each(minute, 20*second) }, step: 3 * hour, seeds: 1},
		{name: "weekday batch 7:00 ±10 min", success: .97, make: batch(7*hour, 20*minute, weekday)},
		{name: "weekday batch 6-10 h", success: .97, seeds: 12, make: batch(6*hour, 4*hour, weekday)},
		{name: "daily batch 6-18 h", success: .97, seeds: 12, make: batch(6*hour, 12*hour, nil)},
		{name: "daily batch of 1-60 tasks (geometric)", success: .98, make: bursts},
		{name: "workdays twice, weekends once", success: .98, make: twice},
		{name: "weekly, 1 task", success: .97, make: batch(9*hour, 20*minute, monday)},
		{name: "weekly, 12 tasks", success: .98, make: together(12, 9*hour, minute, 5*minute, monday)},
		{name: "2nd Fridays, 12 tasks", success: .98, make: together(12, 9*hour, minute, 5*minute, func(d time.Time) bool { return d.Weekday() == time.Friday && d.YearDay()/7%2 == 0 })},
		{name: "100 at 6:00, 1 runner", success: .98, make: oneRunner(together(100, 6*hour, second, 4*minute, nil))},
		{name: "month end 20x, 1 runner", success: .98, make: oneRunner(func(w *world) {
			w.days(func(d time.Time, at int64) {
				for h := int64(8); h < 18; h++ {
					for m := range 1 + 19*int64(truth(monthEnd(d, 2))) {
						w.add(at+h*hour+m*second, 5*minute)
					}
				}
			})
		})},
		{name: "one of eight runners, often down", success: 1, make: pool(func(at int64) bool { return (at-origin.UnixNano())%(3*day) < 32*hour }), runners: true},
		{name: "2 bursts a week of 60, 1 runner", success: .98, seeds: 12, make: oneRunner(func(w *world) {
			w.days(func(d time.Time, at int64) {
				if d.Weekday() == time.Tuesday || d.Weekday() == time.Thursday {
					at += w.upTo(20 * hour)
					for m := range int64(60) {
						w.add(at+m*second, 5*minute)
					}
				}
			})
		})},
		{name: "Poisson 1/h", success: .98, seeds: 12, make: poisson(1)},
		{name: "Poisson 1 a day", gap: "one in seven weeks: days without a task, and two failures of a few, are chance", success: .98, seeds: 12, make: poisson(1. / 24)},
		{name: "Poisson 1/h workdays 8-18", success: .98, seeds: 12, make: worked(1)},
		{name: "queue, 95 % busy runner", success: .99, make: oneRunner(poisson(11.4)), step: 2 * hour},
		{name: "office hours every 10 min", success: .99, make: office},
		{name: "2 holiday Mondays", gap: "one each: nobody told the calendar", success: .99, make: mondays},
		{name: "2 holiday Mondays, in the calendar", success: .99, zone: berlin, make: func(w *world) {
			mondays(w)
			w.off(10, 12)
			w.off(11, 2)
		}},
		{name: "a week of vacation, in the calendar", success: .99, make: func(w *world) {
			w.office(8, 18, 10*minute, func(d time.Time) bool { return d.Month() == 10 && d.Day() >= 19 && d.Day() <= 23 })
			w.off(10, 19, 20, 21, 22, 23)
		}},
		{name: "Berlin, clocks back", success: .99, zone: berlin, make: office},
		{name: "Sydney, clocks forward", success: .99, zone: sydney, from: 32, to: 60, make: office},
		{name: "daily, Berlin, clocks back", success: .99, zone: berlin, make: func(w *world) { w.office(8, 9, hour, nil) }},
		{name: "9:00 in Berlin and in São Paulo", success: .99, zone: berlin, make: func(w *world) {
			batch(9*hour, 10*minute, weekday)(w)
			w.zone = zoneOf("America/Sao_Paulo")
			batch(9*hour, 10*minute, weekday)(w)
		}},
		{name: "twice as many each month", success: .98, make: func(w *world) {
			for n := range int64(simulated) {
				for i := range 12 + n/3 {
					w.add(origin.UnixNano()+n*day+8*hour+i*20*minute, 5*minute)
				}
			}
		}},
		{name: "daily 10 min, Saturdays also 20 h", success: 1, make: both(together(1, 7*hour, 0, 10*minute, nil),
			together(1, 8*hour, 0, 20*hour, func(d time.Time) bool { return d.Weekday() == time.Saturday }))},
		{name: "4 a day 10 min, month end also 20 h", gap: "while it runs, nothing tells it from one that hangs", success: 1, make: both(func(w *world) { w.each(6*hour, 10*minute) },
			together(1, hour, 0, 20*hour, func(d time.Time) bool { return monthEnd(d, 1) }))},
		{name: "weekday task of 16 to 24 h", success: .98, make: overnight},
		{name: "always PARTIALLY, hourly", success: 1, make: both(hourly, from(0, func(_ *world, t *Task) { t.Status, t.FailedItems = Partial, 10 }))},
		{name: "half of its items fail, always", success: .98, make: both(hourly, from(0, func(w *world, t *Task) { t.FailedItems = float64(w.Intn(100)) }))},
		{name: "every third one fails", success: 1, make: both(hourly, alternate(0, 3, fail))},
		{name: "four fail each night", success: 1, make: nightly(4)},
		{name: "hourly, a fifth canceled", success: .98, make: some(.2, Canceled)},
		{name: "hourly, a twentieth expires", success: 1, seeds: 12, make: some(.05, Other)},
		{name: "hourly, 3 h in a state not known", success: .98, make: func(w *world) {
			w.running = Other
			w.each(hour, 3*hour)
		}},
		{name: "items not known in 2 of 3", success: .98, make: both(hourly, from(0, func(w *world, t *Task) { t.HasItems = w.Float64() > .67 }))},
		{name: "poll each hour, items in office hours", success: .99, make: both(hourly, from(0, func(_ *world, t *Task) {
			at := time.Unix(0, t.Created).UTC()
			t.Items *= truth(weekday(at) && at.Hour() >= 8 && at.Hour() < 18)
		}))},
		{name: "poll each 15 min, items at random (20 %)", success: .99, step: 2 * hour, make: both(perDay(96), from(0, func(w *world, t *Task) { t.Items *= truth(w.Float64() <= .2) }))},
		{name: "new: 40 queued on day 0, 1 runner", success: .98, from: 0, to: 2, make: oneRunner(together(40, 9*hour, second, 20*minute, origin.Equal))},
		{name: "new: daily batch", success: .97, from: 0, to: 14, seeds: 10, make: batch(7*hour, 20*minute, weekday)},
	}...)
}

// steadyWorlds have a success rate that never changes, and are new and old.
func steadyWorlds() (all []healthy) {
	for i, n := range []int64{1, 4, 12, 24, 100} {
		for _, success := range []float64{.5, .7, .9, .98} {
			for _, from := range []int{0, 40} {
				name := fmt.Sprintf("%d a day, %.0f %% succeed, on day %d", n, 100*success, from)
				all = append(all, healthy{name: name, success: success, make: perDay(n), from: from, to: from + 7, step: max(2*hour, day/n), seeds: []int{50, 50, 50, 25, 10}[i], most: .25})
			}
		}
	}
	return all
}

// TestHealthy measures false alarms: how many times a week an automation begins to have a finding of severity 2 or 3.
func TestHealthy(t *testing.T) {
	worlds := healthyWorlds()
	compareTable(t, "false-alarms", "World | False alarms a week | of any severity", len(worlds), func(n int) string {
		h := &worlds[n]
		of, weeks := h.run()
		urgent, any := float64(of.episodes)/weeks, float64(of.mild)/weeks
		if h.gap == "" {
			assert.LessOrEqual(t, of.episodes, 1+int(cmp.Or(h.most, .12)*weeks), "%s: %.2f false alarms a week", h.name, urgent)
		}
		return fmt.Sprintf("%s | %.2f | %.2f", h.name, urgent, any)
	})
}

// run evaluates all seeds of a world, and returns in how many weeks.
func (h *healthy) run() (total result, weeks float64) {
	from, to, step, seeds := h.from, h.to, max(h.step, 2*hour), cmp.Or(h.seeds, 4)
	if to == 0 {
		from, to = 40, 68
	}
	if testing.Short() {
		seeds, step = max(1, seeds/10), 5*cmp.Or(h.step, hour)
	}
	for seed := range seeds {
		w := newWorld(int64(seed)+1, h.success, h.zone)
		h.make(w)
		begin := origin.AddDate(0, 0, from).UnixNano() + 11*minute
		total.add(w.run(all, begin, begin+int64(to-from)*day, step, h.runners))
	}
	return total, float64(total.evaluations) * float64(step) / float64(week)
}

// A fleet of automations, a tenth of them new, all healthy: one in ten weeks of each may be a false alarm, as the description of
// the sensitivity says, and it is far fewer. With more sensitivity, it is at most five times as many, and with less fewer.
func TestFleet(t *testing.T) {
	size, step := 500, 4*hour
	if testing.Short() {
		size, step = 60, 12*hour
	}
	var rates []float64
	for _, sensitivity := range []string{"fewer", "usual", "more"} {
		var total result
		for k := range size {
			w := newWorld(int64(k), []float64{.999, .99, .98, .95, .9}[k%5], nil)
			w.sensitivity = sensitivity
			[]func(*world){
				batch(int64(4+k%15)*hour, 20*minute, weekday), batch(6*hour, 12*hour, nil), perDay(4), worked(.5),
				batch(9*hour, 20*minute, func(d time.Time) bool { return int(d.Weekday()) == 1+k%5 }), func(w *world) { w.office(8, 18, hour, nil) },
			}[k/5%6](w)
			begin := origin.AddDate(0, 0, 40).UnixNano()
			if k%10 == 3 {
				w.tasks = slices.DeleteFunc(w.tasks, func(t Task) bool { return t.Created < begin+int64(k%7)*day })
			}
			total.add(w.run(all, begin+11*minute, begin+21*day, step, false))
		}
		rates = append(rates, float64(total.episodes)/float64(3*size))
	}
	assert.IsNonDecreasing(t, rates)
	assert.LessOrEqual(t, rates[1], 0.1)
	assert.LessOrEqual(t, rates[2], max(0.1, 5*rates[1]))
}
