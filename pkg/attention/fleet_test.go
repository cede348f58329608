package attention

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// alternate changes each nth task from a time on.
func alternate(at int64, n int, change func(*Task)) func(*world) {
	return func(w *world) {
		for i := range w.tasks {
			if t := &w.tasks[i]; t.Created >= at && i%n == n-1 {
				change(t)
			}
		}
	}
}

func fail(t *Task) { t.Status = Failed }

func both(all ...func(*world)) func(*world) {
	return func(w *world) {
		for _, make := range all {
			make(w)
		}
		slices.SortStableFunc(w.tasks, func(a, b Task) int { return int(a.Created - b.Created) })
	}
}

// inZone makes the tasks of people somewhere else.
func inZone(name string, make func(*world)) func(*world) {
	return func(w *world) {
		mine := w.zone
		w.zone = zoneOf(name)
		make(w)
		w.zone = mine
	}
}

// queued makes tasks that come together at an hour, for one runner.
func queued(n, from, took int64) func(*world) {
	return func(w *world) {
		w.queue = true
		w.days(func(_ time.Time, at int64) {
			for i := range n {
				w.add(at+from+i*second, took)
			}
		})
	}
}

func long(took, more int64) func(*world) {
	return func(w *world) {
		w.days(func(d time.Time, at int64) {
			if weekday(d) {
				w.add(at+6*hour+w.upTo(10*minute), took+w.upTo(max(second, more)))
			}
		})
	}
}

func fifthWorkday(d time.Time) bool {
	n := 0
	for each := d.AddDate(0, 0, 1-d.Day()); !each.After(d); each = each.AddDate(0, 0, 1) {
		n += int(truth(weekday(each)))
	}
	return n == 5 && weekday(d)
}

// moreHealthy are worlds of other companies.
func moreHealthy() []healthy {
	hourly := perDay(24)
	nightly := func(n int64) func(*world) {
		return func(w *world) {
			hourly(w)
			for i := range w.tasks {
				if h := w.tasks[i].Created / hour % 24; h >= 2 && h < 2+n {
					w.tasks[i].Status = Failed
				}
			}
		}
	}
	return []healthy{
		{name: "each quarter of an hour", success: .98, make: perDay(96), step: 2 * hour},
		{name: "each 90 minutes", success: .97, make: func(w *world) { w.each(90*minute, 20*minute) }},
		{name: "Poisson 1 a day", gap: "one in seven weeks: days without a task, and two failures of a few, are chance", success: .98, seeds: 12, make: poisson(1. / 24)},
		{name: "9:00 in Berlin and in São Paulo", success: .99, zone: berlin, make: both(batch(9*hour, 10*minute, weekday), inZone("America/Sao_Paulo", batch(9*hour, 10*minute, weekday)))},
		{name: "workdays twice, weekends once", success: .98, make: both(batch(7*hour, 10*minute, nil), batch(15*hour, 10*minute, weekday))},
		{name: "weekday task of 20 h", success: .98, make: long(20*hour, 0)},
		{name: "weekday task of 16 to 24 h", success: .98, make: long(16*hour, 8*hour)},
		{name: "100 at 6:00, 1 runner", success: .98, make: queued(100, 6*hour, 4*minute)},
		{name: "items not known in 2 of 3", success: .98, make: both(hourly, func(w *world) {
			for i := range w.tasks {
				w.tasks[i].HasItems = w.Float64() > .67
			}
		})},
		{name: "every other one fails", success: 1, make: both(hourly, alternate(0, 2, fail))},
		{name: "every third one fails", success: 1, make: both(hourly, alternate(0, 3, fail))},
		{name: "two fail each night", success: 1, make: nightly(2)},
		{name: "four fail each night", success: 1, make: nightly(4)},
		{name: "30 % fail, and are repeated", success: 1, seeds: 8, make: func(w *world) {
			w.days(func(_ time.Time, at int64) {
				w.add(at+7*hour, 10*minute)
				if w.Float64() < .3 {
					w.tasks[len(w.tasks)-1].Status = Failed
					w.add(at+7*hour+20*minute, 10*minute)
				}
			})
		}},
		{name: "canceled each Monday", success: .98, make: both(hourly, from(0, func(_ *world, t *Task) {
			if time.Unix(0, t.Created).UTC().Weekday() == time.Monday {
				t.State, t.Status = Canceled, None
			}
		}))},
		{name: "the 5th workday of a month", success: 1, make: batch(9*hour, 10*minute, fifthWorkday)},
		{name: "a minute and three hours in turn", success: .98, make: func(w *world) {
			for n := range int64(simulated * 6) {
				w.add(origin.UnixNano()+n*4*hour, minute+n%2*3*hour)
			}
		}},
		{name: "twice as many each month", success: .98, make: func(w *world) {
			for n := range int64(simulated) {
				at := origin.UnixNano() + n*day
				for i := range 12 + n/3 {
					w.add(at+8*hour+i*20*minute, 5*minute)
				}
			}
		}},
		{name: "half of its items fail, always", success: .98, make: both(hourly, from(0, func(w *world, t *Task) { t.FailedItems = float64(w.Intn(100)) }))},
		{name: "a queue of up to 2 h each morning", success: .98, make: both(queued(12, 8*hour, 10*minute), func(w *world) { w.queue = false }, perDay(8))},
	}
}

// moreTroubles are incidents in worlds of other companies.
func moreTroubles() []trouble {
	hourly, failing, silent := perDay(24), []string{Failing}, []string{Silent}
	quarter := perDay(96)
	noRunners := func(share int) func(*world) { return alternate(incident, share, func(t *Task) { t.Started = 0 }) }
	return []trouble{
		{"each quarter of an hour stops", .98, quarter, stops, silent, .25, 0, false},
		{"each 90 minutes stops", .97, func(w *world) { w.each(90*minute, 20*minute) }, stops, silent, 1.5, 0, false},
		{"workdays twice, weekends once: stops", .98, both(batch(7*hour, 10*minute, nil), batch(15*hour, 10*minute, weekday)), stops, silent, 16, 0, false},
		{"task of 20 h stops", 1, long(20*hour, 0), stops, silent, 24, 0, false},
		{"100 at 6:00 don't come", .98, queued(100, 6*hour, 4*minute), stops, silent, 24, 0, false},
		{"runner of every third task stops", .98, func(w *world) { w.each(3*hour, 20*minute) }, stops, silent, 3, 0, true},
		{"every other one fails", 1, hourly, alternate(incident, 2, fail), failing, 1, 0, false},
		{"one of four runners fails all", 1, quarter, alternate(incident, 4, fail), failing, .25, 0, false},
		{"every other one times out", 1, hourly, alternate(incident, 2, func(t *Task) { t.State, t.Status = TimedOut, None }), failing, 1, 0, false},
		{"Poisson 1/h: all fail", .98, poisson(1), ends(Failed), failing, 1, 0, false},
		{"100 at 6:00, 1 runner: all fail", .98, queued(100, 6*hour, 4*minute), ends(Failed), failing, 24, 0, false},
		{"12 once a week: all fail", .98, twelve(func(d time.Time) bool { return d.Weekday() == time.Monday }), ends(Failed), failing, 168, 0, false},
		{"two of three failed, now all", 1, both(hourly, alternate(0, 3, fail), alternate(1, 3, fail)), ends(Failed), failing, 1, 0, false},
		{"60 % of the items fail", 1, hourly, from(incident, func(_ *world, t *Task) { t.Status, t.FailedItems = Partial, 60 }), failing, 1, 0, false},
		{"two fail each night, now all", 1, both(hourly, func(w *world) {
			for i := range w.tasks {
				if h := w.tasks[i].Created / hour % 24; h == 2 || h == 3 {
					w.tasks[i].Status = Failed
				}
			}
		}), ends(Failed), failing, 1, 0, false},
		{"each quarter of an hour: no items", .98, quarter, noItems, []string{Empty}, .25, 0, false},
		{"every task takes 4 x longer", .98, func(w *world) { w.each(hour, 20*minute) }, slower(40), []string{Slow}, 1, 0, false},
		{"task of 20 h hangs", 1, long(20*hour, 0), hangs(true), []string{Slow}, 40, 0, false},
		{"every third task finds no runner", .98, hourly, noRunners(3), []string{Waiting}, 3, 0, false},
		{"100 at 6:00: no runner", .98, queued(100, 6*hour, 4*minute), noRunner, []string{Waiting}, 24, 0, false},
	}
}

// A fleet of 500 automations, a tenth of them new, all healthy: one in ten weeks of each may be a false alarm, as the description of
// the sensitivity says, and it is far fewer. With more sensitivity, it is at most five times as many, and with less fewer.
func TestFleet(t *testing.T) {
	size, step := 500, 4*hour
	if testing.Short() {
		size, step = 100, 12*hour
	}
	measured := newTable("fleet", "Sensitivity | False alarms a week of an automation")
	rates := make([]float64, 3)
	for n, s := range []string{"fewer", "usual", "more"} {
		measured.row(n, s, func() string {
			var total result
			for k := range size {
				w := newWorld(int64(k), []float64{.999, .99, .98, .95, .9}[k%5], nil)
				w.sensitivity = s
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
			rates[n] = float64(total.episodes) / float64(3*size)
			return fmt.Sprintf("%.3f", rates[n])
		})
	}
	measured.compare(t)
	assert.LessOrEqual(t, rates[0], rates[1])
	assert.LessOrEqual(t, rates[1], 0.1)
	assert.LessOrEqual(t, rates[2], max(0.1, 5*rates[1]))
}
