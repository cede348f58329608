package frame_test

import (
	"math/rand"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/filter"
	"github.com/insights/insights-reporting-datasource/schema"
)

// referenceUsual is what is usual for a task, and how many times that it took.
func referenceUsual(row task, all *readTasks) (usual, slowness *float64) {
	if row.activityLabel == nil {
		return nil, nil
	}
	of, known := all.usual[key(map[string]string{"activityLabel": *row.activityLabel})]
	took := secondsOf(row, hasRun)
	if !known || took == nil || of <= 0 {
		return pointerIf(of, known), nil
	}
	return &of, ptr(*took / of)
}

func pointerIf(value float64, known bool) *float64 {
	if !known {
		return nil
	}
	return &value
}

// secondsOf returns the seconds between two dates of a task.
func secondsOf(row task, dates func(task) (from, to *time.Time)) *float64 {
	return largest(between([]task{row}, dates))
}

// waitedOrWaits are the dates that a task was in the queue between, until now if it still is.
func waitedOrWaits(r task) (from, to *time.Time) {
	if doing(r) == "START" {
		return waitsNow(r)
	}
	return waited(r)
}

func TestDerivedNumbersAgreeWithReference(t *testing.T) {
	forSizes(t, func(t *testing.T, rng *rand.Rand, n int) {
		rows := randomTasks(rng, min(n, 1000)) // the reference takes all rows for each
		r := request("tasks", tasksTable(rows))
		r.From, r.To, r.Columns = time.Time{}, time.Time{}, []string{"queueTime", "duration", "turnaround", "usualDuration", "slowness"}
		got, all := mustMake(t, makeTable, r), readAll(rows)
		require.Equal(t, "s", got.Fields[0].Config.Unit)
		for i, row := range rows {
			usual, slowness := referenceUsual(row, all)
			want := []*float64{secondsOf(row, waitedOrWaits), secondsOf(row, hasRun), secondsOf(row, turned), usual, slowness}
			for n, field := range got.Fields {
				require.True(t, closeTo(want[n], field.At(i).(*float64)), "%s of row %d", field.Name, i)
			}
		}
	})
}

// finishedIn returns tasks of an automation that took the given seconds each.
func finishedIn(automation string, seconds ...int) []task {
	var rows []task
	for _, s := range seconds {
		started := now.Add(-day)
		rows = append(rows, task{state: ptr("FINISHED"), finishStatus: ptr("SUCCESS"), activityLabel: &automation, dateCreation: &started, dateStart: &started, dateLastModified: ptr(started.Add(time.Duration(s) * time.Second))})
	}
	return rows
}

// What is usual follows from all tasks that were read, and not from those in the time range or of a filter.
func TestSlowTasks(t *testing.T) {
	rows := append(finishedIn("a", 100, 100, 100, 100, 100), finishedIn("b", 1, 1, 1, 1)...)
	running := func(automation string, seconds int) task {
		started := now.Add(-time.Duration(seconds) * time.Second)
		return task{state: ptr("RUNNING"), activityLabel: &automation, dateCreation: &started, dateStart: &started}
	}
	rows = append(rows, running("a", 320), running("a", 50), running("b", 5000), task{state: ptr("START"), activityLabel: ptr("a"), dateCreation: &now})
	for i := range rows {
		rows[i].id = ptr(int64(i))
	}
	r := request("tasks", tasksTable(rows))
	r.Columns = []string{"id", "usualDuration", "slowness"}
	r.Filters = []*filter.Filter{where(t, "state", "=|", "RUNNING", "START")}
	r.Sort = &schema.Sort{Field: "slowness", Order: "desc"}
	require.Equal(t, []int64{9, 10, 11, 12}, ids(t, r))
	got := mustMake(t, makeTable, r)
	for i, want := range []*float64{ptr(3.2), ptr(0.5), nil, nil} {
		require.Equal(t, want, got.Fields[2].At(i))
	}
	for i, want := range []*float64{ptr(100.0), ptr(100.0), nil, ptr(100.0)} {
		require.Equal(t, want, got.Fields[1].At(i), "four ended tasks do not tell, and a queued one is not slow")
	}
	r.Filters = append(r.Filters, where(t, "slowness", ">", "3"))
	require.Equal(t, []int64{9}, ids(t, r))
}

// Four weeks of 5 minutes, of which the last one took 30: what is usual is one thing, in the sentence and in the columns.
func TestTwoUsuals(t *testing.T) {
	tasks := changed(hourly(28), 7*24, func(r *task) { *r.dateLastModified = r.dateStart.Add(30 * time.Minute) })
	s := attending(friday, tasks)
	f := mustMake(t, makeAttention, s)
	require.Regexp(t, "usually 5 min$", whys(t, f)[0])
	require.Equal(t, []any{300.0}, texts(f, "usual"))
	s.Since, s.From, s.To, s.Limit, s.Columns = time.Time{}, friday.Add(-day), friday, 1, []string{"duration", "usualDuration", "slowness"}
	require.Equal(t, []any{ptr(1800.0), ptr(300.0), ptr(6.0)}, mustMake(t, makeTable, s).RowCopy(0))
}
