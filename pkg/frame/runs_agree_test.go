package frame_test

import (
	"fmt"
	"math/rand"
	"testing"
	"time"

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
