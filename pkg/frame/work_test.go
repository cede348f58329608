package frame_test

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/insights/insights-reporting-datasource/schema"
)

// shop is a queue of one automation that runners take tasks from, first in, first out, and whose future is known.
type shop struct {
	*rand.Rand
	takes func(*rand.Rand) time.Duration
	tasks []task
}

// batch adds tasks that are created at a time, and returns when the last one ends. Half of the runners may take none from some
// time on.
func (s *shop) batch(at time.Time, n, runners int, died time.Time) (end time.Time) {
	free := slices.Repeat([]time.Time{at}, runners)
	for range n {
		best := -1
		for i, from := range free {
			isDead := i%2 == 1 && !died.IsZero() && !from.Before(died)
			if !isDead && (best < 0 || from.Before(free[best])) {
				best = i
			}
		}
		from := free[best]
		free[best] = from.Add(s.takes(s.Rand))
		one := done(len(s.tasks), at, "SUCCESS")
		one.machineID, one.dateStart, one.dateLastModified = ptr(fmt.Sprint(best)), &from, ptr(free[best])
		s.tasks = append(s.tasks, one)
		if free[best].After(end) {
			end = free[best]
		}
	}
	return end
}

// asOf returns tasks, which have all ended in the end, as they are known at a time, and the seconds of work that is left.
func asOf(tasks []task, at time.Time) (known []task, left float64) {
	for _, t := range tasks {
		switch {
		case t.dateCreation.After(at) || t.dateCreation.Before(at.AddDate(0, 0, -30)):
			continue
		case t.dateStart.After(at):
			left += t.dateLastModified.Sub(*t.dateStart).Seconds()
			t.state, t.finishStatus, t.machineID, t.dateStart, t.dateLastModified = ptr("START"), nil, nil, nil, nil
		case t.dateLastModified.After(at):
			left += t.dateLastModified.Sub(at).Seconds()
			t.state, t.finishStatus, t.dateLastModified = ptr("RUNNING"), nil, t.dateStart
		}
		known = append(known, t)
	}
	return known, left
}

// What is forecast is, in the median, within 30 % of what happens: whatever the durations, when tasks take hours, and when half of
// the runners died, before or while they worked.
func TestForecasts(t *testing.T) {
	for kind, takes := range map[string]func(*rand.Rand) float64{
		"fixed": func(*rand.Rand) float64 { return 1 }, "uniform": func(r *rand.Rand) float64 { return 2 * r.Float64() },
		"exponential": (*rand.Rand).ExpFloat64,
	} {
		for _, mean := range []time.Duration{10 * time.Minute, 8 * time.Hour} {
			for _, deaths := range []string{"none died", "half died before", "half died"} {
				name := fmt.Sprintf("%s, %s, %s", kind, mean, deaths)
				var cleared, work []float64
				for seed := range int64(9) {
					s := &shop{Rand: rand.New(rand.NewSource(seed)), takes: func(r *rand.Rand) time.Duration {
						return time.Second + time.Duration(takes(r)*float64(mean))
					}}
					today := november(20, 6, 0)
					for d := 12; d > 2; d-- {
						s.batch(today.AddDate(0, 0, -d), 24, 8, time.Time{})
					}
					now := today.Add(time.Duration((0.2 + 0.6*s.Float64()) * 60 / 8 * float64(mean)))
					died := map[string]time.Time{"half died before": today, "half died": today.Add(time.Duration(s.Float64() * float64(now.Sub(today))))}[deaths]
					end := s.batch(today, 60, 8, died)
					rows, left := asOf(s.tasks, now)
					r := attending(now, rows)
					for measure, ratio := range map[string]*[]float64{"queueClearedAt": &cleared, "queuedWork": &work} {
						r.Measure = measure
						value := valuesOf(mustMake(t, makeNumeric, r).Fields[0])[0].(float64)
						if *ratio = append(*ratio, value/left); measure == "queueClearedAt" {
							(*ratio)[seed] = (value/1000 - float64(now.Unix())) / end.Sub(now).Seconds()
						}
					}
				}
				slices.Sort(cleared)
				slices.Sort(work)
				t.Logf("%s: cleared %.2f, work %.2f", name, cleared[4], work[4])
				assert.InDelta(t, 1, cleared[4], 0.3, "%s: %v", name, cleared)
				assert.InDelta(t, 1, work[4], 0.3, "%s: %v", name, work)
			}
		}
	}
}

// What no runner takes is left out of both measures, which say so once.
func TestStuckIsSaidOnce(t *testing.T) {
	stuck := open(hourly(20), "START", 30*time.Hour)
	r := attending(friday, stuck)
	r.Figures = []schema.Figure{{Name: "queuedWork", Measure: "queuedWork"}, {Name: "queueClearedAt", Measure: "queueClearedAt"}}
	f := mustMake(t, makeNumeric, r)
	assert.Equal(t, []string{`Left out: tasks that no runner has taken for over a day, or that hang, 1 of ["orders"]. The answer is about the rest`}, notices(f))
}
