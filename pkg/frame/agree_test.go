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

func TestReferenceCoversEveryMeasureOfTasks(t *testing.T) {
	var names []string
	for _, m := range schema.All().Get("tasks").Measures() {
		names = append(names, m.Name)
	}
	known := slices.AppendSeq(slices.Collect(maps.Keys(referenceTasks)), maps.Keys(referenceRuns))
	known = slices.AppendSeq(known, maps.Keys(referenceHistory))
	known = append(known, "deadlinesMet", "queueClearedAt") // TestDeadlinesMetByWeekday and TestAYearOfDeadlines, TestQueueCleared
	require.ElementsMatch(t, names, known)
}

func TestNumericOfTasksAgreesWithReference(t *testing.T) {
	forSizes(t, func(t *testing.T, rng *rand.Rand, n int) {
		rows := randomTasks(rng, n)
		table := tasksTable(rows)
		for _, groupBy := range groupings {
			parts := partsOf(rows, groupBy)
			for measure, reference := range referenceTasks {
				r := &spec{DataSet: schema.All().Get("tasks"), Rows: table, Measure: measure, GroupBy: groupBy, Now: now}
				what := fmt.Sprintf("%s by %v", measure, groupBy)
				requireSame(t, referenceNumbers(parts, reference), readNumeric(t, mustMake(t, makeNumeric, r), measure), what)
				requireSame(t, referenceNumbers(parts, reference), readNumeric(t, mustMake(t, long, r), measure), what+", in rows")
			}
		}
	})
}

func TestTimeSeriesAgreesWithReference(t *testing.T) {
	const width = 37 * time.Minute
	from, to := now.Add(-31*time.Hour), now.Add(29*time.Hour)
	bucketOf := func(at time.Time) time.Time {
		ms := at.UnixMilli()
		return time.UnixMilli(ms - ms%width.Milliseconds()).UTC()
	}
	var begins []time.Time
	for at := bucketOf(from); !at.After(to); at = at.Add(width) {
		begins = append(begins, at)
	}
	forSizes(t, func(t *testing.T, rng *rand.Rand, n int) {
		rows := randomTasks(rng, n)
		table := tasksTable(rows)
		for i, groupBy := range groupings {
			timeField := schema.All().Get("tasks").TimeFields[i%3]
			parts := partsOf(within(rows, timeField, from, to), groupBy)
			for measure, reference := range referenceTasks {
				if measure == "sinceLastTask" {
					reference = sinceLastTask(timeField)
				}
				r := &spec{
					DataSet: schema.All().Get("tasks"), Rows: table, Measure: measure, GroupBy: groupBy, Now: now,
					From: from, To: to, TimeField: timeField, Interval: width,
				}
				want := referenceLines(parts, timeField, reference, begins, bucketOf)
				requireSameLines(t, want, readTimeSeries(t, mustMake(t, makeTimeSeries, r), measure), fmt.Sprintf("%s by %v", measure, groupBy))
			}
		}
	})
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
			require.Equal(t, expected, value, "%s %v (there: %v)", what, k, ok)
		}
	}
}

func closeTo(a, b *float64) bool {
	if a == nil || b == nil {
		return a == b
	}
	return math.Abs(*a-*b) <= 1e-9*max(1, math.Abs(*a))
}
