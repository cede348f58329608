package frame_test

import (
	"math/rand"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
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
