package attention

import (
	"cmp"
	"flag"
	"math/rand"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// origin is a Tuesday. The incident is on a Monday.
var origin = time.Date(2026, 9, 1, 0, 0, 0, 0, time.UTC)

const (
	simulated   = 70 // days
	incidentDay = 48
)

var incident = origin.AddDate(0, 0, incidentDay).UnixNano()

// world makes tasks, and changes them from the incident on.
type world struct {
	*rand.Rand
	zone        *time.Location
	tasks       []Task // as they will be at the end
	success     float64
	queue       bool  // there is one runner
	running     State // of tasks that run
	sensitivity string
	holidays    []Span
	free        int64
}

func (w *world) add(at, took int64) {
	start := at + minute
	if w.queue {
		start = max(start, w.free)
		w.free = start + took
	}
	t := Task{Created: at, Started: start, Ended: start + took, State: Finished, Status: Success, HasItems: true, Items: 100}
	if w.Float64() > w.success {
		t.Status = Failed
	}
	w.tasks = append(w.tasks, t)
}

func (w *world) upTo(d int64) int64 { return w.Int63n(d/second) * second }

// days calls a function with the midnight of each day.
func (w *world) days(f func(d time.Time, at int64)) {
	for n := range simulated {
		d := time.Date(origin.Year(), origin.Month(), origin.Day()+n, 0, 0, 0, 0, w.zone)
		f(d, d.UnixNano())
	}
}

func (w *world) each(step, took int64) {
	for at := origin.UnixNano(); at < origin.AddDate(0, 0, simulated).UnixNano(); at += step {
		w.add(at, took)
	}
}

func (w *world) poisson(from, to int64, perHour float64, took int64) {
	for {
		from += int64(w.ExpFloat64()/perHour*3600) * second
		if from >= to {
			return
		}
		w.add(from, took)
	}
}

// office makes tasks on weekdays between two hours of the local time.
func (w *world) office(from, to int, step int64, holiday func(time.Time) bool) {
	w.days(func(d time.Time, _ int64) {
		if weekend(d) || holiday != nil && holiday(d) {
			return
		}
		end := time.Date(d.Year(), d.Month(), d.Day(), to, 0, 0, 0, w.zone).UnixNano()
		for at := time.Date(d.Year(), d.Month(), d.Day(), from, 0, 0, 0, w.zone).UnixNano(); at < end; at += step {
			w.add(at+w.upTo(30*second), 3*minute)
		}
	})
}

// off tells the calendar of holidays.
func (w *world) off(month time.Month, days ...int) {
	for _, day := range days {
		midnight := func(n int) int64 { return time.Date(2026, month, day+n, 0, 0, 0, 0, w.zone).UnixNano() }
		w.holidays = append(w.holidays, Span{midnight(0), midnight(1)})
	}
}

func weekend(d time.Time) bool { return d.Weekday() == time.Saturday || d.Weekday() == time.Sunday }

func monthEnd(d time.Time, days int) bool { return d.AddDate(0, 0, days).Day() <= days }

// asOf returns the tasks of 30 days in the state that they are in at a moment.
func (w *world) asOf(now int64, into []Task) []Task {
	into = into[:0]
	low, _ := slices.BinarySearchFunc(w.tasks, now-30*day, func(t Task, at int64) int { return cmp.Compare(t.Created, at) })
	for _, t := range w.tasks[low:] {
		if t.Created > now {
			break
		}
		switch {
		case t.Started == 0 || t.Started > now:
			t = Task{Created: t.Created}
		case t.Ended == 0 || t.Ended > now:
			t = Task{Created: t.Created, Started: t.Started, State: w.running, Runner: t.Runner}
		}
		into = append(into, t)
	}
	return into
}

// result is what is said of a world that is evaluated again and again.
type result struct {
	evaluations           int
	episodes, mild        int     // of severity 2 and more; of any
	first, mention        int64   // of severity 2 and more; of any; -1: never
	last                  int64   // of any
	fell                  int64   // when a finding ended or became less urgent, after that of severity 2; 0: never
	firstFinding          Finding // of severity 2 and more
	resolved, ends, moved int     // it ended; an instance of a rule ended; a beginning moved by more than an hour
}

// all keeps all reasons.
func all(Finding) bool { return true }

func newWorld(seed int64, success float64, zone *time.Location) *world {
	if zone == nil {
		zone = time.UTC
	}
	return &world{Rand: rand.New(rand.NewSource(seed)), success: success, zone: zone, running: Running}
}

// run evaluates a world, with the findings that a test is about.
func (w *world) run(about func(Finding) bool, from, to, step int64, runners bool) result {
	slices.SortStableFunc(w.tasks, func(a, b Task) int { return cmp.Compare(a.Created, b.Created) })
	r := result{first: -1, mention: -1}
	var before []Finding
	var buffer []Task
	for now := from; now < to; now += step {
		buffer = w.asOf(now, buffer)
		g := &Group{Tasks: buffer, Now: now, Runners: runners, Sensitivity: w.sensitivity, Holidays: w.holidays}
		found := slices.DeleteFunc(g.Findings(), func(f Finding) bool { return !about(f) })
		r.say(now, before, found)
		before = found
	}
	return r
}

// say counts an evaluation.
func (r *result) say(now int64, before, found []Finding) {
	urgent := func(f Finding) bool { return f.Severity > 1 }
	was := slices.ContainsFunc(before, urgent)
	r.evaluations++
	if len(found) > 0 {
		r.last = now
		if r.mention < 0 {
			r.mention = now
		}
		if len(before) == 0 {
			r.mild++
		}
	}
	if slices.ContainsFunc(found, urgent) {
		if !was {
			r.episodes++
		}
		if r.first < 0 {
			r.first, r.firstFinding = now, found[0]
		}
	}
	if was && len(found) == 0 {
		r.resolved++
	}
	for _, b := range before {
		n := slices.IndexFunc(found, func(f Finding) bool { return f.Reason == b.Reason })
		if r.fell == 0 && r.first >= 0 && (n < 0 || found[n].Severity < b.Severity) {
			r.fell = now
		}
		switch {
		case n < 0:
			r.ends++
		case max(found[n].Since-b.Since, b.Since-found[n].Since) > hour:
			r.moved++
		}
	}
}

func (r *result) add(o result) {
	r.evaluations += o.evaluations
	r.episodes += o.episodes
	r.mild += o.mild
	r.resolved += o.resolved
	r.ends += o.ends
	r.moved += o.moved
}

func zoneOf(name string) *time.Location {
	zone, err := time.LoadLocation(name)
	if err != nil {
		panic(err)
	}
	return zone
}

func weekday(d time.Time) bool { return !weekend(d) }

func monday(d time.Time) bool { return d.Weekday() == time.Monday }

// What follows makes tasks.

func perDay(n int64) func(*world) { return func(w *world) { w.each(day/n, 5*minute) } }

func batch(from, width int64, only func(time.Time) bool) func(*world) {
	return func(w *world) {
		w.days(func(d time.Time, at int64) {
			if only == nil || only(d) {
				w.add(at+from+w.upTo(max(second, width)), 20*minute)
			}
		})
	}
}

// together makes tasks that come one after the other, from a time of the day on.
func together(n, from, apart, took int64, only func(time.Time) bool) func(*world) {
	return func(w *world) {
		w.days(func(d time.Time, at int64) {
			for i := range n {
				if only == nil || only(d) {
					w.add(at+from+i*apart, took)
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

// pool makes the tasks of one of eight runners that share the work of an office: each task goes to one that is free.
func pool(isDown func(at int64) bool) func(*world) {
	return func(w *world) {
		var free [8]int64
		w.days(func(d time.Time, midnight int64) {
			for at := midnight + 8*hour; !weekend(d) && at < midnight+18*hour; at += w.upTo(4 * minute) {
				for _, one := range w.Perm(len(free)) {
					if free[one] > at || one == 6 && isDown(at) {
						continue
					}
					if free[one] = at + 5*minute + w.upTo(10*minute); one == 6 {
						w.add(at, free[one]-at)
					}
					break
				}
			}
		})
	}
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

// nightly makes hourly tasks, of which some fail each night, one after the other.
func nightly(n int64) func(*world) {
	return both(perDay(24), from(0, func(_ *world, t *Task) {
		if h := t.Created / hour % 24; h >= 2 && h < 2+n {
			fail(t)
		}
	}))
}

// some makes hourly tasks of which a share is in another state in the end.
func some(share float64, state State) func(*world) {
	return both(perDay(24), from(0, func(w *world, t *Task) {
		if w.Float64() < share {
			t.State, t.Status = state, None
		}
	}))
}

// twice makes a task each morning, and one on the afternoons of workdays; overnight, one a workday of 16 to 24 h.
var (
	twice     = both(batch(7*hour, 10*minute, nil), batch(15*hour, 10*minute, weekday))
	overnight = both(batch(6*hour, 10*minute, weekday), from(0, func(w *world, t *Task) { t.Ended = t.Started + 16*hour + w.upTo(8*hour) }))
)

func both(all ...func(*world)) func(*world) {
	return func(w *world) {
		for _, make := range all {
			make(w)
		}
		slices.SortStableFunc(w.tasks, func(a, b Task) int { return cmp.Compare(a.Created, b.Created) })
	}
}

// oneRunner runs the tasks one after the other.
func oneRunner(make func(*world)) func(*world) {
	return func(w *world) {
		w.queue = true
		make(w)
	}
}

// What follows changes tasks.

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

// failed lets tasks fail for some days.
func failed(days int64) func(*world) {
	return from(incident, func(_ *world, t *Task) {
		if t.Created < incident+days*day {
			t.Status = Failed
		}
	})
}

// hangs lets one task run forever.
func hangs(w *world) {
	n := slices.IndexFunc(w.tasks, func(t Task) bool { return t.Created >= incident })
	w.tasks[n].Ended = 0
}

var (
	noItems  = from(incident, func(_ *world, t *Task) { t.Items = 0 })
	noRunner = from(incident, func(_ *world, t *Task) { t.Started = 0 })
)

func slower(tenths int64) func(*world) {
	return from(incident, func(_ *world, t *Task) { t.Ended = t.Started + (t.Ended-t.Started)*tenths/10 })
}

var update = flag.Bool("update", false, "write the tables in testdata")

// compareTable compares what a test measured with a file of testdata: a change of any decision shows there, like that of a golden
// frame. The short form has another file. Rows are measured side by side, each with its own random numbers.
func compareTable(t *testing.T, name, header string, rows int, measure func(n int) string) {
	t.Helper()
	if testing.Short() {
		name += "-short"
	}
	texts, atOnce, wait := make([]string, rows), make(chan struct{}, 4), sync.WaitGroup{}
	for n := range rows {
		wait.Go(func() {
			atOnce <- struct{}{}
			texts[n] = "| " + measure(n) + " |\n"
			<-atOnce
		})
	}
	wait.Wait()
	text := "| " + header + " |\n|" + strings.Repeat(" --- |", strings.Count(header, "|")+1) + "\n" + strings.Join(texts, "")
	path := "testdata/" + name + ".md"
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(want), text, "other decisions than in %s: go test ./pkg/attention -run %s -update, and look at the difference", path, t.Name())
}
