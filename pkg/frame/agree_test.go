package frame_test

import (
	"fmt"
	"maps"
	"math"
	"math/rand"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/schema"
)

// groupings have no, one and several groupBy fields, including one that is not in the description.
var groupings = [][]string{nil, {"state"}, {"activityLabel"}, {"region"}, {"activityLabel", "machineId"}, {"finishStatus", "repositoryLabel"}}

// reference is a measure of tasks as a plain loop: which rows it counts, and their value in a period.
type reference struct {
	counts func(r task, in interval) bool
	value  func(rows []task, all *readTasks, in interval) *float64
}

// references are those of all measures but deadlinesMet, which TestDeadlinesMetAgreesWithReference compares, and queueClearedAt,
// which only the cases of TestMeasures have.
func references(timeField string) map[string]reference {
	found := map[string]reference{}
	for name, value := range referenceTasks {
		isIn := func(r task, in interval) bool {
			at, ok := r.cell(timeField).(time.Time)
			return in.isAll || ok && in.holds(at)
		}
		if name == "sinceLastTask" {
			value = sinceLastTask(timeField)
		}
		found[name] = reference{isIn, func(rows []task, _ *readTasks, in interval) *float64 {
			return value(slices.DeleteFunc(slices.Clone(rows), func(r task) bool { return !isIn(r, in) }))
		}}
	}
	for name, value := range referenceRuns {
		found[name] = reference{spans[name].touches, func(rows []task, _ *readTasks, in interval) *float64 { return value(rows, in) }}
	}
	for name, value := range referenceHistory {
		found[name] = reference{endsIn, value}
	}
	found["queuedWork"] = reference{hasWork, queuedWork}
	return found
}

func TestTasksAgreeWithReference(t *testing.T) {
	var names []string
	for _, m := range schema.All().Get("tasks").Measures() {
		names = append(names, m.Name)
	}
	require.ElementsMatch(t, names, append(slices.Collect(maps.Keys(references(""))), "deadlinesMet", "queueClearedAt"))
	ranges := []interval{
		{begin: now.Add(-3 * day), to: now, isAll: true},
		{begin: now.Add(-40 * time.Hour), to: now.Add(-7 * time.Hour)},
		{begin: now.Add(-6 * time.Hour), to: now},
		{begin: now.Add(-31 * time.Hour), to: now.Add(9 * time.Hour)},
		{begin: now.Add(-31 * time.Hour).Truncate(time.Hour), to: now.Add(-10 * time.Hour).Truncate(time.Hour)},
		{begin: now.Add(2 * time.Hour), to: now.Add(7 * time.Hour)},
	}
	forSizes(t, func(t *testing.T, rng *rand.Rand, n int) {
		rows := randomTasks(rng, n)
		table, all := tasksTable(rows), readAll(rows)
		for i, groupBy := range groupings {
			timeField := schema.All().Get("tasks").TimeFields[i%3]
			of := references(timeField)
			for k, measure := range slices.Sorted(maps.Keys(of)) {
				over := ranges[(i+k)%len(ranges)]
				over.end = over.to.Add(1)
				parts := partsOf(slices.DeleteFunc(slices.Clone(rows), func(r task) bool { return !of[measure].counts(r, over) }), groupBy)
				r := &spec{
					DataSet: schema.All().Get("tasks"), Rows: table, Measure: measure, GroupBy: groupBy, Now: now,
					From: over.begin, To: over.to, TimeField: timeField, Interval: []time.Duration{37 * time.Minute, time.Hour, 3 * time.Hour}[i%3],
				}
				if over.isAll {
					r.From, r.To, r.Since = time.Time{}, time.Time{}, over.begin
				}
				what := fmt.Sprintf("%s by %v, %v", measure, groupBy, over)
				want := referenceNumbers(parts, func(part []task) *float64 { return of[measure].value(part, all, over) })
				requireSame(t, want, readNumeric(t, mustMake(t, makeNumeric, r), measure), what)
				requireSame(t, want, readNumeric(t, mustMake(t, long, r), measure), what+", in rows")
				if over.isAll {
					continue
				}
				lines := map[string]line{}
				for k, part := range parts {
					lines[k] = line{}
					for begin := floorTo(over.begin, r.Interval); !begin.After(over.to); begin = begin.Add(r.Interval) {
						lines[k][begin] = of[measure].value(part, all, interval{begin: later(begin, over.begin), end: begin.Add(r.Interval), to: over.to})
					}
				}
				requireSameLines(t, lines, readTimeSeries(t, mustMake(t, makeTimeSeries, r), measure), what)
			}
		}
	})
}

func floorTo(t time.Time, width time.Duration) time.Time {
	ms := t.UnixMilli()
	return time.UnixMilli(ms - ms%width.Milliseconds()).UTC()
}

// recordMeasures are the measures of automations and runners, and how the contract combines grouped rows: counts and
// money are added, rates are averaged.
var recordMeasures = map[string]map[string]func([]record, string) *float64{
	"automations": {
		"taskCount": sumOfRecords, "sumItems": sumOfRecords, "sumItemsError": sumOfRecords, "sumItemsProcessed": sumOfRecords,
		"uptimeRate": ratesOfRecords, "downtimeRate": ratesOfRecords, "successRate": ratesOfRecords,
		"roi": meanOfRecords, "fte": sumOfRecords, "savings": sumOfRecords,
	},
	"runners": {
		"tasks": sumOfRecords, "items": sumOfRecords, "itemsErrorCount": sumOfRecords, "utilizationRate": ratesOfRecords,
	},
}

var recordGroupings = map[string][][]string{
	"automations": {nil, {"label"}, {"repositoryLabel", "machineId"}},
	"runners":     {nil, {"_id"}, {"_id", "region"}},
}

func TestNumericOfRecordsAgreesWithReference(t *testing.T) {
	for set, measures := range recordMeasures {
		t.Run(set, func(t *testing.T) {
			texts := []string{"label", "name", "machineId", "description", "organizationLabel", "repositoryLabel", "_id", "region"}
			forSizes(t, func(t *testing.T, rng *rand.Rand, n int) {
				rows := randomRecords(rng, n, texts, slices.Sorted(maps.Keys(measures)))
				table := tableOf(set, rows, "region")
				for _, groupBy := range recordGroupings[set] {
					parts := partsOf(rows, groupBy)
					for measure, combine := range measures {
						r := &spec{DataSet: schema.All().Get(set), Rows: table, Measure: measure, GroupBy: groupBy, Now: now}
						want := referenceNumbers(parts, func(part []record) *float64 { return combine(part, measure) })
						requireSame(t, want, readNumeric(t, mustMake(t, makeNumeric, r), measure), fmt.Sprintf("%s by %v", measure, groupBy))
					}
				}
			})
		})
	}
}

// forSizes runs a test on each number of rows, always with the same random data.
func forSizes(t *testing.T, test func(t *testing.T, rng *rand.Rand, n int)) {
	for _, n := range sizes {
		t.Run(fmt.Sprintf("%d rows", n), func(t *testing.T) {
			t.Parallel()
			test(t, rand.New(rand.NewSource(int64(n)+1)), n)
		})
	}
}

func requireSameLines(t *testing.T, want, got map[string]line, what string) {
	t.Helper()
	require.Len(t, got, len(want), what)
	for k := range want {
		require.Contains(t, got, k, what)
		requireSame(t, want[k], got[k], what+" "+k)
	}
}

// requireSame compares the results of two summation orders, so that the last bits may differ. It builds no message for
// the hundreds of thousands of equal values.
func requireSame[K comparable](t *testing.T, want, got map[K]*float64, what string) {
	t.Helper()
	require.Len(t, got, len(want), what)
	for k, expected := range want {
		value, ok := got[k]
		if !ok || !closeTo(expected, value) {
			require.Equal(t, orNull(expected), orNull(value), "%s %v (there: %v)", what, k, ok)
		}
	}
}

func closeTo(a, b *float64) bool {
	if a == nil || b == nil {
		return a == b
	}
	return math.Abs(*a-*b) <= 1e-9*max(1, math.Abs(*a))
}
