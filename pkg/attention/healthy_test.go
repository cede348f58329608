package attention

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

type healthy struct {
	name     string
	success  float64
	make     func(*world)
	zone     *time.Location // where people work
	from, to int            // days of evaluation, 40 to 68 by default
	step     int64
	seeds    int
	gap      string // why it may be reported all the same
}

func zoneOf(name string) *time.Location {
	zone, err := time.LoadLocation(name)
	if err != nil {
		panic(err)
	}
	return zone
}

func batch(from, width int64, only func(time.Time) bool) func(*world) {
	return func(w *world) {
		w.days(func(d time.Time, at int64) {
			if only == nil || only(d) {
				w.add(at+from+w.upTo(max(second, width)), 20*minute)
			}
		})
	}
}

func twelve(only func(time.Time) bool) func(*world) {
	return func(w *world) {
		w.days(func(d time.Time, at int64) {
			if only(d) {
				for n := range int64(12) {
					w.add(at+9*hour+n*minute, 5*minute)
				}
			}
		})
	}
}

// bursts makes a task a day at 7:00, and 20 more on average.
func bursts(w *world) {
	w.days(func(_ time.Time, at int64) {
		for n := int64(0); n == 0 || w.Float64() > .05; n++ {
			w.add(at+7*hour+n*5*second, 2*minute)
		}
	})
}

func poisson(perHour float64) func(*world) {
	return func(w *world) { w.poisson(origin.UnixNano(), origin.UnixNano()+simulated*day, perHour, 5*minute) }
}

// worked makes tasks by chance, on weekdays from 8 to 18.
func worked(perHour float64) func(*world) {
	return func(w *world) {
		w.days(func(d time.Time, at int64) {
			if !weekend(d) {
				w.poisson(at+8*hour, at+18*hour, perHour, 5*minute)
			}
		})
	}
}

// office makes a task each ten minutes, on weekdays from 8 to 18.
func office(w *world) { w.office(8, 18, 10*minute, nil) }

func perDay(n int64) func(*world) { return func(w *world) { w.each(day/n, 5*minute) } }

// some makes hourly tasks of which a share is in another state in the end.
func some(share float64, state State) func(*world) {
	return func(w *world) {
		w.each(hour, 5*minute)
		from(0, func(w *world, t *Task) {
			if w.Float64() < share {
				t.State, t.Status = state, None
			}
		})(w)
	}
}

func weekday(d time.Time) bool { return !weekend(d) }

func twiceMonthly(d time.Time) bool { return d.Day() == 1 || d.Day() == 15 }

var berlin, sydney = zoneOf("Europe/Berlin"), zoneOf("Australia/Sydney")

func healthyWorlds() []healthy {
	return []healthy{
		{name: "hourly", success: .98, make: perDay(24)},
		{name: "every minute", success: .99, make: func(w *world) { w.each(minute, 20*second) }, step: 3 * hour, seeds: 1},
		{name: "weekday batch 7:00 ±10 min", success: .97, make: batch(7*hour, 20*minute, weekday)},
		{name: "weekday batch 6-10 h", success: .97, seeds: 12, make: batch(6*hour, 4*hour, weekday)},
		{name: "daily batch 6-18 h", success: .97, seeds: 12, make: batch(6*hour, 12*hour, nil)},
		{name: "daily batch of 1-60 tasks (geometric)", success: .98, make: bursts},
		{name: "weekly, 1 task", success: .97, make: batch(9*hour, 20*minute, func(d time.Time) bool { return d.Weekday() == time.Monday })},
		{name: "weekly, 12 tasks", success: .98, make: twelve(func(d time.Time) bool { return d.Weekday() == time.Monday })},
		{name: "twice monthly, 12 tasks", success: .98, make: twelve(twiceMonthly)},
		{name: "2nd Fridays, 12 tasks", success: .98, make: twelve(func(d time.Time) bool { return d.Weekday() == time.Friday && d.YearDay()/7%2 == 0 })},
		{name: "month end 20x, 1 runner", success: .98, make: func(w *world) {
			w.queue = true
			w.days(func(d time.Time, at int64) {
				n := int64(1)
				if monthEnd(d, 2) {
					n = 20
				}
				for h := int64(8); h < 18; h++ {
					for m := range n {
						w.add(at+h*hour+m*second, 5*minute)
					}
				}
			})
		}},
		{name: "2 bursts a week of 60, 1 runner", success: .98, seeds: 12, make: func(w *world) {
			w.queue = true
			w.days(func(d time.Time, at int64) {
				if d.Weekday() == time.Tuesday || d.Weekday() == time.Thursday {
					at += w.upTo(20 * hour)
					for m := range int64(60) {
						w.add(at+m*second, 5*minute)
					}
				}
			})
		}},
		{name: "every 10 min 6-22 h (night pause)", success: .99, make: func(w *world) {
			w.days(func(_ time.Time, at int64) {
				for m := 6 * hour; m < 22*hour; m += 10 * minute {
					w.add(at+m+w.upTo(minute), 3*minute)
				}
			})
		}},
		{name: "Poisson 1/h", success: .98, seeds: 12, make: poisson(1)},
		{name: "Poisson 3/h", success: .98, seeds: 12, make: poisson(3)},
		{name: "Poisson 30/h", success: .98, make: func(w *world) { w.poisson(origin.UnixNano(), origin.UnixNano()+simulated*day, 30, 20*second) }, seeds: 1},
		{name: "Poisson 1/h workdays 8-18", success: .98, seeds: 12, make: worked(1)},
		{name: "Poisson 6/h workdays 8-18", success: .98, seeds: 8, make: worked(6)},
		{name: "office hours every 10 min", success: .99, make: office},
		{name: "2 holiday Mondays", gap: "one each: nobody told the calendar", success: .99, make: func(w *world) {
			w.office(8, 18, 10*minute, func(d time.Time) bool { return d.Month() == 10 && d.Day() == 12 || d.Month() == 11 && d.Day() == 2 })
		}},
		{name: "a week of vacation", gap: "one: nobody told the calendar", success: .99, make: func(w *world) {
			w.office(8, 18, 10*minute, func(d time.Time) bool { return d.Month() == 10 && d.Day() >= 19 && d.Day() <= 23 })
		}},
		{name: "a week of vacation, in the calendar", success: .99, make: func(w *world) {
			w.office(8, 18, 10*minute, func(d time.Time) bool { return d.Month() == 10 && d.Day() >= 19 && d.Day() <= 23 })
			w.off(10, 19, 20, 21, 22, 23)
		}},
		{name: "2 holiday Mondays, in the calendar", success: .99, zone: berlin, make: func(w *world) {
			w.office(8, 18, 10*minute, func(d time.Time) bool { return d.Month() == 10 && d.Day() == 12 || d.Month() == 11 && d.Day() == 2 })
			w.off(10, 12)
			w.off(11, 2)
		}},
		{name: "Berlin, clocks back", success: .99, zone: berlin, make: office},
		{name: "Sydney, clocks forward", success: .99, zone: sydney, from: 32, to: 60, make: office},
		{name: "daily, Berlin, clocks back", success: .99, zone: berlin, make: func(w *world) { w.office(8, 9, hour, nil) }},
		{name: "queue, 95 % busy runner", success: .99, make: func(w *world) {
			w.queue = true
			w.poisson(origin.UnixNano(), origin.UnixNano()+simulated*day, 11.4, 5*minute)
		}, step: 2 * hour},
		{name: "daily 10 min, Saturdays also 20 h", success: 1, make: func(w *world) {
			w.days(func(d time.Time, at int64) {
				w.add(at+7*hour, 10*minute)
				if d.Weekday() == time.Saturday {
					w.add(at+8*hour, 20*hour)
				}
			})
		}},
		{name: "4 a day 10 min, month end also 20 h", gap: "while it runs, nothing tells it from one that hangs", success: 1, make: func(w *world) {
			w.days(func(d time.Time, at int64) {
				for h := range int64(4) {
					w.add(at+6*h*hour, 10*minute)
				}
				if monthEnd(d, 1) {
					w.add(at+hour, 20*hour)
				}
			})
		}},
		{name: "always PARTIALLY, hourly", success: 1, make: func(w *world) {
			w.each(hour, 5*minute)
			from(0, func(_ *world, t *Task) { t.Status, t.FailedItems = Partial, 10 })(w)
		}},
		{name: "hourly, a fifth canceled", success: .98, make: some(.2, Canceled)},
		{name: "hourly, a twentieth expires", success: 1, seeds: 12, make: some(.05, Other)},
		{name: "hourly, 3 h in a state not known", success: .98, make: func(w *world) {
			w.running = Other
			w.each(hour, 3*hour)
		}},
		{name: "poll each hour, items in office hours", success: .99, make: func(w *world) {
			w.days(func(d time.Time, at int64) {
				for h := range int64(24) {
					w.add(at+h*hour, 5*minute)
					if weekend(d) || h < 8 || h > 17 {
						w.tasks[len(w.tasks)-1].Items = 0
					}
				}
			})
		}},
		{name: "poll each 15 min, items at random (20 %)", success: .99, step: 2 * hour, make: func(w *world) {
			w.each(15*minute, 5*minute)
			from(0, func(w *world, t *Task) { t.Items *= truth(w.Float64() <= .2) })(w)
		}},
		{name: "new: 40 queued on day 0, 1 runner", success: .98, from: 0, to: 2, make: func(w *world) {
			w.queue = true
			for m := range int64(40) {
				w.add(origin.UnixNano()+9*hour+m*second, 20*minute)
			}
		}},
		{name: "new: daily batch", success: .97, from: 0, to: 14, seeds: 10, make: batch(7*hour, 20*minute, weekday)},
	}
}

// TestHealthy measures false alarms: how many times a week an automation begins to have a finding of severity 2 or 3.
func TestHealthy(t *testing.T) {
	measured := newTable("false-alarms", "World | False alarms a week | of any severity")
	for n, h := range append(healthyWorlds(), moreHealthy()...) {
		measured.row(n, h.name, func() string {
			of, weeks := h.run()
			urgent, any := float64(of.episodes)/weeks, float64(of.mild)/weeks
			if h.gap == "" {
				assert.LessOrEqual(t, of.episodes, 1+int(0.12*weeks), "%s: %.2f false alarms a week", h.name, urgent)
			}
			return fmt.Sprintf("%.2f | %.2f", urgent, any)
		})
	}
	measured.compare(t)
}

// run evaluates all seeds of a world, and returns in how many weeks.
func (h *healthy) run() (total result, weeks float64) {
	from, to, step, seeds := h.from, h.to, h.step, max(4, h.seeds)
	if to == 0 {
		from, to = 40, 68
	}
	if step == 0 {
		step = hour
	}
	if h.seeds == 1 {
		seeds = 1
	}
	if testing.Short() {
		seeds, step = 1, 5*step
	}
	for seed := range seeds {
		w := newWorld(int64(seed)+1, h.success, h.zone)
		h.make(w)
		begin := origin.AddDate(0, 0, from).UnixNano() + 11*minute
		total.add(w.run(all, begin, begin+int64(to-from)*day, step, false))
	}
	return total, float64(total.evaluations) * float64(step) / float64(week)
}
