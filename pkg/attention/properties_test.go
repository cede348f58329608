package attention

import (
	"cmp"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

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
		severity, urgent := 0, int64(0)
		for now := hung.Started; now < hung.Started+3*day; now += 10 * minute {
			found := 0
			for _, f := range (&Group{Tasks: w.asOf(now, nil), Now: now}).Findings() {
				if f.Reason == Slow && f.About.Created == hung.Created {
					found = f.Severity
				}
			}
			if found < severity {
				t.Fatalf("%s: severity %d after %d", name, found, severity)
			}
			if severity = found; severity < 2 {
				urgent = now + 10*minute
			}
		}
		assert.InDelta(t, test.urgent, hours(urgent-hung.Started), 0.17, name)
	}
}

// TestNothingHappens has no task any more three days after the incident. For five days, only the oldest tasks are forgotten.
func TestNothingHappens(t *testing.T) {
	evaluations, moved, ended := 0, 0, 0
	seeds, step := int64(2), hour
	if testing.Short() {
		seeds, step = 1, 4*hour
	}
	for _, in := range troubles() {
		for seed := range seeds {
			w := newWorld(seed+1, in.success, nil)
			in.make(w)
			in.then(w)
			w.tasks = slices.DeleteFunc(w.tasks, func(t Task) bool { return t.Created >= incident+3*day })
			for i := range w.tasks {
				if t := &w.tasks[i]; t.Started >= incident+3*day { // nobody starts them
					t.Started = 0
				}
			}
			r := w.run(all, incident+4*day, incident+9*day, step, in.runners)
			evaluations, moved, ended = evaluations+r.evaluations, moved+r.moved, ended+r.ends
			if r.moved+r.ends > 0 {
				t.Logf("%s, seed %d: %d moved, %d ended", in.name, seed, r.moved, r.ends)
			}
		}
	}
	t.Logf("%d evaluations: %d beginnings moved, %d findings ended", evaluations, moved, ended)
	if moved+ended > evaluations/1000 {
		t.Error("findings change although nothing happens")
	}
}

// TestAnyRows has rows with any values, some of them null, in groups of any size.
func TestAnyRows(t *testing.T) {
	for seed := range int64(3000) {
		w := newWorld(seed, 1, nil)
		var tasks []Task
		for range w.Intn(40) {
			at := func() int64 { return w.Int63n(30*day) * w.Int63n(2) }
			tasks = append(tasks, Task{
				Created: 1 + w.Int63n(30*day), Started: at(), Ended: at(), State: State(w.Intn(6)), Status: Status(w.Intn(4)),
				HasItems: w.Intn(2) > 0, Items: float64(w.Intn(3)), FailedItems: float64(w.Intn(3)),
			})
		}
		slices.SortFunc(tasks, func(a, b Task) int { return cmp.Compare(a.Created, b.Created) })
		g := &Group{Tasks: tasks, Now: 30 * day, Runners: seed%3 == 0, Sensitivity: []string{"", "fewer", "more"}[seed%3]}
		for _, f := range g.Findings() {
			if f.Severity < 1 || f.Severity > 3 || f.Count < 1 || f.Since > 30*day || f.Since == 0 && f.Reason != Failing || f.About == nil || f.From == 0 || math.IsNaN(f.Value) {
				t.Fatalf("seed %d: %+v", seed, f)
			}
		}
	}
}

// TestFailuresInARow has odd ends. TestStreaks, and the measure in pkg/frame, have the others.
func TestFailuresInARow(t *testing.T) {
	end := func(at int64, state State, status Status) Task {
		return Task{Created: 1, Ended: at, State: state, Status: status, HasItems: true, Items: 1, FailedItems: 1}
	}
	for name, test := range map[string]struct {
		want  int
		tasks []Task
	}{
		"an end that is not known":  {1, []Task{end(0, Finished, Failed)}},
		"a state that is not known": {2, []Task{end(1, Finished, Success), end(2, Other, None), end(3, Other, None), end(day, Other, None)}},
		"an end a moment ahead":     {2, []Task{end(1, Finished, Failed), end(day+20*int64(time.Second), Finished, Failed)}},
		"an end that is to come":    {1, []Task{end(1, Finished, Failed), end(2*day, Finished, Success), end(2*day, Finished, Failed)}},
	} {
		assert.Equal(t, test.want, FailuresInARow(test.tasks, day+3), name)
	}
}

// TestSensitivity has incidents that are noticed the earlier, the more sensitive a query is.
func TestSensitivity(t *testing.T) {
	noticed := func(s string, make, then func(*world)) float64 {
		w := newWorld(1, .98, nil)
		make(w)
		then(w)
		w.sensitivity = s
		return hours(w.run(all, incident+hour/4, incident+14*day, hour/2, false).mention - incident)
	}
	for name, test := range map[string]struct{ make, then func(*world) }{
		"hourly: no runner": {perDay(24), noRunner},
		"hourly stops":      {perDay(24), stops},
		"hourly: one hangs": {perDay(24), hangs(false)},
	} {
		late, usual, early := noticed("fewer", test.make, test.then), noticed("usual", test.make, test.then), noticed("more", test.make, test.then)
		t.Logf("%s: %.1f, %.1f, %.1f h", name, late, usual, early)
		assert.True(t, late >= usual && usual >= early && late > early, "%s: %.1f, %.1f, %.1f h", name, late, usual, early)
	}
}
