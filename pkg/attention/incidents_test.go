package attention

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// from changes the tasks that are created from a time on.
func from(at int64, change func(w *world, t *Task)) func(*world) {
	return func(w *world) {
		for i := range w.tasks {
			if t := &w.tasks[i]; t.Created >= at {
				change(w, t)
			}
		}
	}
}

func stops(w *world) {
	w.tasks = slices.DeleteFunc(w.tasks, func(t Task) bool { return t.Created >= incident })
}

func ends(status Status) func(*world) {
	return from(incident, func(_ *world, t *Task) { t.Status = status })
}

func becomes(state State) func(*world) {
	return from(incident, func(_ *world, t *Task) { t.State, t.Status = state, None })
}

func rate(of float64) func(*world) {
	return from(incident, func(w *world, t *Task) {
		t.Status = Success
		if w.Float64() > of {
			t.Status = Failed
		}
	})
}

// failed lets tasks fail from some days after the incident on, for some days.
func failed(after, days int64) func(*world) {
	begin := incident + after*day
	return from(begin, func(_ *world, t *Task) {
		if t.Created < begin+days*day {
			t.Status = Failed
		}
	})
}

// hangs lets one task run forever. If nothing comes after it, it is the last one.
func hangs(isLast bool) func(*world) {
	return func(w *world) {
		n := slices.IndexFunc(w.tasks, func(t Task) bool { return t.Created >= incident })
		if w.tasks[n].Ended = 0; isLast {
			w.tasks = w.tasks[:n+1]
		}
	}
}

var (
	noItems  = from(incident, func(_ *world, t *Task) { t.Items = 0 })
	noRunner = from(incident, func(_ *world, t *Task) { t.Started = 0 })
)

func slower(tenths int64) func(*world) {
	return from(incident, func(_ *world, t *Task) { t.Ended = t.Started + (t.Ended-t.Started)*tenths/10 })
}

type trouble struct {
	name    string
	success float64
	make    func(*world)
	then    func(*world)
	reason  []string
	period  float64 // hours between two tasks
	repair  int64   // days after the incident; 14 by default
	runners bool
}

// gaps are incidents that are not reported in time, or not until somebody repairs them, and why.
var gaps = map[string]string{
	"twice monthly: 1 November skipped":      "30 days have two or three of its days, which tell nothing",
	"weekly (12 tasks) stops":                "16 days after the last task, only two are left",
	"weekly (1 task) stops":                  "16 days after the last task, only two are left",
	"hourly: 98 -> 80 %":                     "a day without failures looks like a repair",
	"hourly: 98 -> 60 %":                     "six successes in a row look like a repair",
	"hourly: 98 -> 30 %, each 6th hangs 3 h": "its slow tasks come and go",
	"4 a day: 98 -> 50 %":                    "half of its tasks succeed: chance may hide it for some days",
	"all failed 2 weeks ago, now 98 -> 60 %": "while the outage is in the middle of what came before, it is part of what is usual",
	"slowly growing queue":                   "the queue is empty again and again in the first days",
}

func troubles() []trouble {
	hourly := perDay(24)
	daily := batch(7*hour, 20*minute, nil)
	failing := []string{Failing}
	silent := []string{Silent}
	monday := func(d time.Time) bool { return d.Weekday() == time.Monday }
	return []trouble{
		{"hourly stops", .98, hourly, stops, silent, 1, 0, false},
		{"every 5 minutes stops", .99, func(w *world) { w.each(5*minute, 20*second) }, stops, silent, .083, 0, false},
		{"daily batch stops", .97, daily, stops, silent, 24, 0, false},
		{"daily batch of 1-60 tasks stops", .97, bursts, stops, silent, 24, 0, false},
		{"weekday batch stops", .97, batch(7*hour, 20*minute, weekday), stops, silent, 24, 0, false},
		{"weekday batch 6-10 h stops", .97, batch(6*hour, 4*hour, weekday), stops, silent, 24, 0, false},
		{"daily 6-18 h stops", .97, batch(6*hour, 12*hour, nil), stops, silent, 24, 0, false},
		{"office hours every 10 min stops", .97, office, stops, silent, 8, 0, false},
		{"daily stops, holiday 2 weeks ago", .97, batch(7*hour, 20*minute, func(d time.Time) bool { return !(d.Month() == 10 && d.Day() == 5) }), stops, silent, 24, 0, false},
		{"Poisson 1/h stops", .98, poisson(1), stops, silent, 1, 0, false},
		{"Poisson 6/h stops", .98, poisson(6), stops, silent, .17, 0, false},
		{"weekly (12 tasks) stops", 1, twelve(monday), stops, silent, 168, 0, false},
		{"weekly (1 task) stops", 1, batch(9*hour, 20*minute, monday), stops, silent, 168, 0, false},
		{"runner stops", .98, hourly, stops, silent, 1, 0, true},
		{"stops, one record stuck in the queue", .98, hourly, func(w *world) {
			stops(w)
			w.tasks[len(w.tasks)-200].Started = 0
		}, silent, 1, 0, false},
		{"hourly: all FAILED", .98, hourly, ends(Failed), failing, 1, 0, false},
		{"the same, repaired after 2 days", .98, hourly, failed(0, 2), failing, 1, 2, false},
		{"hourly: all TIMEOUT", .98, hourly, becomes(TimedOut), failing, 1, 0, false},
		{"hourly: all expire, a state not known", .98, hourly, becomes(Other), failing, 1, 0, false},
		{"daily: all expire, a state not known", .98, daily, becomes(Other), failing, 24, 0, false},
		{"hourly: all items failed", .98, hourly, from(incident, func(_ *world, t *Task) { t.FailedItems = 95 }), failing, 1, 0, false},
		{"hourly: 0 items", .98, hourly, noItems, []string{Empty}, 1, 0, false},
		{"daily: 0 items", .98, daily, noItems, []string{Empty}, 24, 0, false},
		{"daily job fails", 1, daily, ends(Failed), failing, 24, 0, false},
		{"the same, repaired after 4 days", 1, daily, failed(0, 4), failing, 24, 4, false},
		{"weekday job of 97 % fails", .97, batch(7*hour, 20*minute, weekday), ends(Failed), failing, 24, 0, false},
		{"weekly job fails", 1, batch(9*hour, 20*minute, monday), ends(Failed), failing, 168, 0, false},
		{"hourly: 98 -> 80 %", .98, hourly, rate(.8), failing, 1, 0, false},
		{"hourly: 98 -> 60 %", .98, hourly, rate(.6), failing, 1, 0, false},
		{"hourly: 100 -> 70 %", 1, hourly, rate(.7), failing, 1, 0, false},
		{"4 a day: 98 -> 50 %", .98, perDay(4), rate(.5), failing, 6, 0, false},
		{"100 a day: 50 % -> 0 %", .5, perDay(100), rate(0), failing, .24, 0, false},
		{"hourly: hangs, none after", .98, hourly, hangs(true), []string{Slow}, 1, 0, false},
		{"hourly: hangs, others go on", .98, hourly, hangs(false), []string{Slow}, 1, 0, false},
		{"hourly: 10 x slower (50 min)", .98, hourly, slower(100), []string{Slow}, 1, 0, false},
		{"2 a day: 2.5 x slower (5 h)", 1, func(w *world) { w.each(12*hour, 2*hour) }, slower(25), []string{Slow}, 12, 0, false},
		{"hourly: no runner", .98, hourly, noRunner, []string{Waiting}, 1, 0, false},
		{"daily: no runner", .98, daily, noRunner, []string{Waiting}, 24, 0, false},
		{"slowly growing queue", 1, func(w *world) {
			w.queue = true
			w.poisson(origin.UnixNano(), incident, 9, 5*minute)
			w.poisson(incident, incident+14*day, 12.6, 5*minute)
		}, func(*world) {}, []string{Waiting}, .1, 0, false},
		{"no runner 2 weeks ago, now again", .98, hourly, func(w *world) {
			for i := range w.tasks {
				if t := &w.tasks[i]; t.Created >= incident-14*day && t.Created < incident-12*day {
					t.Started, t.Ended = incident-12*day, incident-12*day+5*minute
				}
			}
			noRunner(w)
		}, []string{Waiting}, 1, 0, false},
		{"a weekend of 5 h runs, now one hangs", .98, hourly, func(w *world) {
			for i := range w.tasks {
				if t := &w.tasks[i]; t.Created >= incident-9*day && t.Created < incident-7*day {
					t.Ended = t.Started + 5*hour
				}
			}
			hangs(true)(w)
		}, []string{Slow}, 1, 0, false},
		{"all failed 2 weeks ago, now 98 -> 60 %", .98, hourly, func(w *world) {
			rate(.6)(w)
			failed(-14, 2)(w)
		}, failing, 1, 0, false},
		{"hourly: 98 -> 30 %, each 6th hangs 3 h", .98, func(w *world) { w.each(hour, 20*minute) }, func(w *world) {
			rate(.3)(w)
			for i := range w.tasks {
				if t := &w.tasks[i]; t.Created >= incident && i%6 == 0 {
					t.Ended = t.Started + 3*hour
				}
			}
		}, append(failing, Slow), 1, 0, false},
		{"twice monthly: 1 November skipped", 1, twelve(twiceMonthly), stops, silent, 14 * 24, 0, false},
	}
}

// TestIncidents measures the hours from an incident to the first finding of any severity, and of 2 and more (the mean of the
// seeds, the worst); how many times it ended by itself before the repair; how many times an instance of a rule ended; and how
// many times its beginning moved by more than an hour.
func TestIncidents(t *testing.T) {
	measured := newTable("incidents", "Incident | Hours until it is said | ends, instances, moves | First finding")
	for n, in := range append(troubles(), moreTroubles()...) {
		measured.row(n, in.name, func() string { return in.measure(t) })
	}
	measured.compare(t)
}

func (in *trouble) measure(t *testing.T) string {
	repair := cmp.Or(in.repair, 14)
	seeds, step := int64(4), hour/2
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
	about := func(f Finding) bool { return slices.Contains(in.reason, f.Reason) }
	var total result
	var worst, sum, mention, after float64
	missed, first := int64(0), ""
	for seed := range seeds {
		w := newWorld(seed+1, in.success, nil)
		in.make(w)
		in.then(w)
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
	in.check(t, seeds, missed, total.resolved, worst)
	if missed == seeds {
		return "never |  | "
	}
	of := float64(seeds - missed)
	cell := fmt.Sprintf("%.1f (%.1f)", sum/of, worst)
	if fmt.Sprintf("%.1f", mention/of) != fmt.Sprintf("%.1f", sum/of) {
		cell += fmt.Sprintf(", severity 1 at %.1f", mention/of)
	}
	if missed > 0 {
		cell += fmt.Sprintf(", %d of %d never", missed, seeds)
	}
	if after > 0 {
		cell += fmt.Sprintf(", over %.1f h after the repair", after)
	}
	per := func(n int) float64 { return float64(n) / float64(seeds) }
	return cell + fmt.Sprintf(" | %.1f / %.1f / %.1f | %s", per(total.resolved), per(total.ends), per(total.moved), first)
}

// check fails if an incident that is no known gap is not reported in time, or not until it is repaired.
func (in *trouble) check(t *testing.T, seeds, missed int64, resolved int, worst float64) {
	if gaps[in.name] != "" {
		return
	}
	assert.Zero(t, missed, "%s: never reported", in.name)
	assert.LessOrEqual(t, resolved, int(seeds)/4, "%s ended by itself", in.name)
	assert.LessOrEqual(t, worst, 35+max(2*in.period, 15), "%s: reported late", in.name)
}

func hours(span int64) float64 { return float64(span) / float64(hour) }
