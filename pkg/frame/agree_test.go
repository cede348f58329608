package frame_test

import (
	"fmt"
	"maps"
	"math"
	"math/rand"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/deadlines"
	"github.com/insights/insights-reporting-datasource/schema"
)

// groupings have no, one and several groupBy fields, including one that is not in the description.
var groupings = [][]string{nil, {"state"}, {"activityLabel"}, {"region"}, {"activityLabel", "machineId"}, {"finishStatus", "repositoryLabel"}}

// reference is a measure of tasks as a plain loop: which rows it counts, and their value in a period.
type reference struct {
	counts func(r task, in interval) bool
	value  func(rows []task, in interval) *float64
}

// references are those of all measures that follow from the rows which they count. Of the others, package attention decides, and the
// cases of TestMeasures say, which tasks count.
func references(timeField string) map[string]reference {
	found := map[string]reference{}
	for name, value := range referenceTasks {
		isIn := func(r task, in interval) bool {
			at, ok := r.cell(timeField).(time.Time)
			return in.isAll || ok && in.holds(at)
		}
		found[name] = reference{isIn, func(rows []task, in interval) *float64 {
			return value(slices.DeleteFunc(slices.Clone(rows), func(r task) bool { return !isIn(r, in) }))
		}}
	}
	for name, value := range referenceRuns {
		found[name] = reference{spans[name].touches, value}
	}
	return found
}

func TestTasksAgreeWithReference(t *testing.T) {
	var names []string
	for _, m := range schema.All().Get("tasks").Measures() {
		names = append(names, m.Name)
	}
	require.ElementsMatch(t, names, append(slices.Collect(maps.Keys(references(""))), "deadlinesMet", "queuedWork", "queueClearedAt", "lastAnswer", "failureStreaks", "recoveryTime"))
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
		table := tasksTable(rows)
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
				want := referenceNumbers(parts, func(part []task) *float64 { return of[measure].value(part, over) })
				requireSame(t, want, readNumeric(t, mustMake(t, makeNumeric, r), measure), what)
				requireSame(t, want, readNumeric(t, mustMake(t, long, r), measure), what+", in rows")
				if over.isAll {
					continue
				}
				lines := map[string]line{}
				for k, part := range parts {
					lines[k] = line{}
					for begin := floorTo(over.begin, r.Interval); !begin.After(over.to); begin = begin.Add(r.Interval) {
						value := of[measure].value(part, interval{begin: later(begin, over.begin), end: begin.Add(r.Interval), to: over.to})
						if value != nil && *value == 0 && begin.After(now) {
							value = nil // It is to come.
						}
						lines[k][begin] = value
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

// Four weeks of 5 minutes, of which the last one took 30: what is usual is one thing, in the sentence and in the columns.
func TestTwoUsuals(t *testing.T) {
	tasks := changed(hourly(28), 7*24, func(r *task) { *r.dateLastModified = r.dateStart.Add(30 * time.Minute) })
	s := attending(friday, tasks)
	f := mustMake(t, makeAttention, s)
	require.Regexp(t, "usually 00:05:00$", whys(t, f)[0])
	require.Equal(t, []any{300.0}, texts(f, "usual"))
	s.Since, s.From, s.To, s.Limit, s.Columns = time.Time{}, friday.Add(-day), friday, 1, []string{"duration", "usualDuration", "slowness"}
	require.Equal(t, []any{ptr(1800.0), ptr(300.0), ptr(6.0)}, mustMake(t, makeTable, s).RowCopy(0))
}

// The description says which fields decide the value of a measure, and of a derived field: all of these do, and no others. Of tasks
// in a state that is not known, the dates decide that show whether they have ended.
func TestFieldsThatDecideAValue(t *testing.T) {
	set, calendar := schema.All().Get("tasks"), &deadlines.Calendar{Zone: time.UTC}
	lines, _ := deadlines.Parse([]any{map[string]any{"automation": "*", "within": "2h"}, map[string]any{"automation": "*", "by": "12:00", "count": 3.0}}, calendar)
	shown := func(rows *columns.Table, measure, column string) string {
		r := &spec{DataSet: set, Rows: rows, Now: now, Since: now.Add(-96 * time.Hour), TimeField: "dateCreation", Measure: measure, Deadlines: lines, Teams: deadlines.Teams{{Scope: deadlines.Scope{Automation: someLabels[1]}, Team: "HR"}}}
		make := makeNumeric
		if column != "" {
			r.Columns, make = []string{column}, makeTable
		}
		text := ""
		for _, field := range mustMake(t, make, r).Fields {
			for n := range field.Len() {
				value, _ := field.ConcreteAt(n)
				text += fmt.Sprint(value, " ")
			}
		}
		return text
	}
	decides := func(uses []string, measure, column string) {
		if slices.Contains(uses, schema.EndOfOthers) {
			uses = append(uses, "dateLastModified", "dateStartRunning", "dateCreation")
		}
		changes := map[string]bool{}
		for seed := range int64(20) {
			rng := rand.New(rand.NewSource(seed))
			rows := randomTasks(rng, 60)
			for i := range rows {
				rows[i].state = ptr(pick(rng, someStates))
				rows[i].activityLabel = ptr(someLabels[1+i%2])
			}
			all := tableOf("tasks", rows)
			for n, c := range all.Columns {
				without := &columns.Table{Rows: all.Rows, Columns: slices.Clone(all.Columns)}
				without.Columns[n] = columns.Nulls(c.Name, c.Type, all.Rows)
				changes[c.Name] = changes[c.Name] || shown(all, measure, column) != shown(without, measure, column)
			}
		}
		for _, f := range set.Fields {
			assert.Equal(t, slices.Contains(uses, f.Name), changes[f.Name], "%s%s: %s", measure, column, f.Name)
		}
	}
	for _, m := range set.Measures() {
		decides(set.UsesOf(nil, []string{m.Name}, "dateCreation"), m.Name, "")
	}
	for _, f := range set.Derived {
		decides(set.UsesOf([]string{f.Name}, nil, "dateCreation"), "", f.Name)
	}
}
