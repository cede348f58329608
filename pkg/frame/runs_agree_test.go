package frame_test

import (
	"fmt"
	"math/rand"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/schema"
)

func TestNumericOfRunsAgreesWithReference(t *testing.T) {
	ranges := []struct {
		name            string
		from, to, since time.Time
	}{
		{"as far as rows reach", time.Time{}, time.Time{}, now.Add(-3 * day)},
		{"past", now.Add(-40 * time.Hour), now.Add(-7 * time.Hour), time.Time{}},
		{"until now", now.Add(-6 * time.Hour), now, now.Add(-3 * day)},
		{"beyond now", now.Add(-40 * time.Hour), now.Add(7 * time.Hour), time.Time{}},
		{"to come", now.Add(2 * time.Hour), now.Add(7 * time.Hour), time.Time{}},
	}
	forSizes(t, func(t *testing.T, rng *rand.Rand, n int) {
		rows := randomTasks(rng, n)
		table := tasksTable(rows)
		for _, over := range ranges {
			from, to := over.from, over.to
			if from.IsZero() {
				from, to = over.since, now
			}
			for _, groupBy := range groupings {
				for measure, reference := range referenceRuns {
					parts := partsOf(ranWithin(rows, spans[measure], from, to), groupBy)
					r := &spec{
						DataSet: schema.All().Get("tasks"), Rows: table, Measure: measure, GroupBy: groupBy, Now: now,
						From: over.from, To: over.to, Since: over.since, TimeField: "dateCreation",
					}
					want := referenceNumbers(parts, func(part []task) *float64 { return reference(part, interval{from, to.Add(1), to}) })
					requireSame(t, want, readNumeric(t, mustMake(t, makeNumeric, r), measure), fmt.Sprintf("%s by %v, %s", measure, groupBy, over.name))
				}
			}
		}
	})
}

func TestTimeSeriesOfRunsAgreesWithReference(t *testing.T) {
	ranges := [][2]time.Time{
		{now.Add(-31 * time.Hour), now.Add(9 * time.Hour)},
		{now.Add(-11 * time.Hour), now},
		{now.Add(-31 * time.Hour).Truncate(time.Hour), now.Add(-10 * time.Hour).Truncate(time.Hour)},
	}
	forSizes(t, func(t *testing.T, rng *rand.Rand, n int) {
		rows := randomTasks(rng, n)
		table := tasksTable(rows)
		for i, groupBy := range groupings {
			over, width := ranges[i%len(ranges)], []time.Duration{37 * time.Minute, time.Hour}[i%2]
			for measure, reference := range referenceRuns {
				parts := partsOf(ranWithin(rows, spans[measure], over[0], over[1]), groupBy)
				r := &spec{
					DataSet: schema.All().Get("tasks"), Rows: table, Measure: measure, GroupBy: groupBy, Now: now,
					From: over[0], To: over[1], TimeField: "dateCreation", Interval: width,
				}
				want := map[string]line{}
				for k, part := range parts {
					want[k] = line{}
					for begin := floorTo(over[0], width); !begin.After(over[1]); begin = begin.Add(width) {
						want[k][begin] = reference(part, interval{later(begin, over[0]), begin.Add(width), over[1]})
					}
				}
				requireSameLines(t, want, readTimeSeries(t, mustMake(t, makeTimeSeries, r), measure), fmt.Sprintf("%s by %v", measure, groupBy))
			}
		}
	})
}

func floorTo(t time.Time, width time.Duration) time.Time {
	ms := t.UnixMilli()
	return time.UnixMilli(ms - ms%width.Milliseconds()).UTC()
}

// Three hours of a runner; now is half past eleven.
func TestWhatRunsCount(t *testing.T) {
	at := func(hour, minute int) *time.Time { return ptr(time.Date(2026, 11, 20, hour, minute, 0, 0, time.UTC)) }
	finished := func(from, to *time.Time) task {
		return task{state: ptr("FINISHED"), dateCreation: at(1, 0), dateStart: from, dateLastModified: to}
	}
	inState := func(state string, from, to *time.Time) task {
		return task{state: &state, dateCreation: at(9, 0), dateStart: from, dateLastModified: to}
	}
	tests := []struct {
		name        string
		rows        []task
		concurrency [4]float64 // from 9:30, 10:00, 11:00 and 12:00 on
		occupancy   [3]float64 // the hour from 12:00 on is in the future
	}{
		{"nothing", nil, [4]float64{}, [3]float64{}},
		{"in one bucket", []task{finished(at(10, 0), at(10, 15))}, [4]float64{0, 1}, [3]float64{0, 0.25}},
		{"over buckets", []task{finished(at(9, 45), at(11, 15))}, [4]float64{1, 1, 1}, [3]float64{0.5, 1, 0.5}},
		{"created and begun before the range", []task{finished(at(8, 0), at(9, 45))}, [4]float64{1}, [3]float64{0.5}},
		{"over before the range", []task{finished(at(8, 0), at(9, 30))}, [4]float64{}, [3]float64{}},
		{"at the same time", []task{finished(at(10, 0), at(10, 30)), finished(at(10, 15), at(10, 45))}, [4]float64{0, 2}, [3]float64{0, 0.75}},
		{"one after the other", []task{finished(at(10, 0), at(10, 30)), finished(at(10, 30), at(11, 0))}, [4]float64{0, 1}, [3]float64{0, 1}},
		{"at its moment alone", []task{finished(at(10, 30), at(10, 30))}, [4]float64{0, 1}, [3]float64{}},
		{"running since before the range", []task{inState("RUNNING", at(9, 0), at(9, 0))}, [4]float64{1, 1, 1}, [3]float64{1, 1, 1}},
		{"running, without a last change", []task{inState("RUNNING", at(11, 15), nil)}, [4]float64{0, 0, 1}, [3]float64{0, 0, 0.5}},
		{"canceled", []task{inState("CANCELED", at(10, 0), at(10, 6))}, [4]float64{0, 1}, [3]float64{0, 0.1}},
		{"canceled in the queue", []task{inState("CANCELED", nil, at(10, 6))}, [4]float64{}, [3]float64{}},
		{"timed out", []task{inState("TIMEOUT", at(10, 0), at(10, 6))}, [4]float64{0, 1}, [3]float64{0, 0.1}},
		{"queued", []task{inState("START", nil, nil)}, [4]float64{}, [3]float64{}},
		{"ended before it began", []task{finished(at(11, 0), at(10, 0))}, [4]float64{}, [3]float64{}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := overTime(tasksTable(test.rows), *at(9, 30), *at(12, 45), time.Hour)
			r.Now = *at(11, 30)
			hours := []time.Time{*at(9, 0), *at(10, 0), *at(11, 0), *at(12, 0)}
			want := map[string]line{"concurrency": {}, "occupancy": {hours[3]: nil}}
			for i, hour := range hours {
				want["concurrency"][hour] = &test.concurrency[i]
				if i < 3 {
					want["occupancy"][hour] = &test.occupancy[i]
				}
			}
			for measure, points := range want {
				r.Measure = measure
				requireSame(t, points, only(t, mustMake(t, makeTimeSeries, r), measure), measure)
			}
		})
	}
}

// The last bucket of a range that ends on the hour has no length: it can have tasks, but no share.
func TestRunsAtTheEndOfTheRange(t *testing.T) {
	to := now.Truncate(time.Hour)
	rows := tasksTable([]task{{dateStart: ptr(to), dateLastModified: ptr(to.Add(time.Minute))}})
	r := overTime(rows, to.Add(-time.Hour), to, time.Hour)
	r.Measure = "concurrency"
	require.Equal(t, line{to.Add(-time.Hour): ptr(0.0), to: ptr(1.0)}, only(t, mustMake(t, makeTimeSeries, r), r.Measure))
	r.Measure = "occupancy"
	require.Equal(t, line{to.Add(-time.Hour): ptr(0.0), to: nil}, only(t, mustMake(t, makeTimeSeries, r), r.Measure))
}

// Both ends of the range are inclusive. A task that ends as the range starts has run before; it creates no group.
func TestRunsOnTheEdgesOfTheRange(t *testing.T) {
	rows := tasksTable([]task{
		{machineID: ptr("starts at the end"), dateStart: &now, dateLastModified: ptr(now.Add(time.Hour))},
		{machineID: ptr("at the begin alone"), dateStart: ptr(now.Add(-time.Hour)), dateLastModified: ptr(now.Add(-time.Hour))},
		{machineID: ptr("ends at the begin"), dateStart: ptr(now.Add(-2 * time.Hour)), dateLastModified: ptr(now.Add(-time.Hour))},
	})
	r := overTime(rows, now.Add(-time.Hour), now, 10*day)
	r.Measure, r.GroupBy = "concurrency", []string{"machineId"}
	one := func(machine string) string { return key(map[string]string{"machineId": machine}) }
	want := instances{one("starts at the end"): ptr(1.0), one("at the begin alone"): ptr(1.0)}
	require.Equal(t, want, readNumeric(t, mustMake(t, makeNumeric, r), r.Measure))
	for machine, points := range readTimeSeries(t, mustMake(t, makeTimeSeries, r), r.Measure) {
		require.Equal(t, line{floorTo(now, 10*day): want[machine]}, points)
	}
}
