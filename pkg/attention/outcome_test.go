package attention

import (
	"cmp"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// A letter is a task that ends an hour after the one before: Success, Failed, Partial, Timed out, Canceled, Running.
func ending(letters string) (tasks []Task) {
	of := map[rune]Task{
		'S': {State: Finished, Status: Success}, 'F': {State: Finished, Status: Failed}, 'P': {State: Finished, Status: Partial},
		'T': {State: TimedOut}, 'C': {State: Canceled}, 'R': {State: Running},
	}
	for i, letter := range letters {
		t, end := of[letter], int64(i+1)*hour
		t.Row, t.Created, t.Started, t.Ended = i, end-minute, end-minute, end
		tasks = append(tasks, t)
	}
	return tasks
}

func TestStreaks(t *testing.T) {
	for _, test := range []struct {
		ends string
		want []Streak // hours
		name string
	}{
		{"", nil, "no task"},
		{"SSPS", nil, "no failure"},
		{"SFFS", []Streak{{1, 2, 4}}, "one streak, however many failures"},
		{"FS", []Streak{{0, 1, 2}}, "nothing is known before it"},
		{"SFSTS", []Streak{{1, 2, 3}, {3, 4, 5}}, "two, one of them a timeout"},
		{"SFCRFS", []Streak{{1, 2, 6}}, "canceled and running tasks neither end nor begin one"},
		{"SFF", []Streak{{1, 2, 0}}, "not over"},
		{"SFPS", []Streak{{1, 2, 4}}, "a partial success is no recovery"},
		{"SFPFS", []Streak{{1, 2, 5}, {3, 4, 5}}, "but after it, failures are counted anew"},
		{"PFPFP", []Streak{{1, 2, 0}, {3, 4, 0}}, "never wholly well"},
	} {
		tasks := ending(test.ends)
		for i := range test.want {
			test.want[i].Began *= hour
			test.want[i].Recovered *= hour
		}
		now := int64(len(tasks)+1) * hour
		assert.Equal(t, test.want, Streaks(tasks, now), "%s: %s", test.ends, test.name)

		// The measure failuresInARow says the same: a streak begins where it becomes 1.
		began := 0
		for n := range tasks {
			was, is := FailuresInARow(tasks[:n], now), FailuresInARow(tasks[:n+1], now)
			began += int(truth(was == 0 && is == 1))
		}
		assert.Len(t, test.want, began, test.ends)
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

// Each claim that a queue will be done has a world beside it in which nobody can know it.
func TestDone(t *testing.T) {
	now := incident
	took := func(created int64) Task {
		return Task{Created: created, Started: created + minute, Ended: created + 2*minute, State: Finished, Status: Success, Runner: "1"}
	}
	waits := func(ago int64) Task { return Task{Row: 9, Created: now - ago} }
	old, lately := slices.Repeat([]Task{took(now - 3*day)}, 5), took(now-6*minute)
	for name, test := range map[string]struct {
		tasks   []Task
		done    int64 // minutes
		unknown string
	}{
		"it is next":                  {append(old, lately, waits(minute)), 1, ""},
		"an older one was, hours ago": {append(old, took(now-5*hour), lately, waits(4*hour)), 0, Passed},
		"its turn":                    {append(old, Task{Created: now - 5*hour, Started: now - minute, Ended: now, State: Finished, Status: Success, Runner: "1"}, waits(4*hour)), 1, ""},
		"others are taken":            {append(old, lately, waits(4*hour)), 0, Passed},
		"the runner is gone":          {append(old, waits(4*hour)), 0, NoRunner},
		"nobody takes it":             {append(old, lately, waits(2*day)), 0, AllStuck},
		"it is new":                   {[]Task{lately, waits(minute)}, 0, NoLength},
		"nothing waits":               {append(old, lately), 0, ""},
	} {
		at, _, unknown := NewWork(map[string][]Task{"a": slices.Clone(test.tasks)}, now).Done("a", now)
		assert.Equal(t, test.unknown, unknown, name)
		assert.Equal(t, test.done, (at-now)/minute, name)
	}
}
