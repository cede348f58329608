package frame_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/filter"
	"github.com/insights/insights-reporting-datasource/pkg/period"
)

// ago is a task in a state since some seconds.
func ago(state, automation, runner string, seconds float64) task {
	at := ptr(now.Add(-time.Duration(seconds * 1e9)))
	r := task{state: &state, activityLabel: &automation, repositoryLabel: ptr("pool of " + automation), dateCreation: at}
	if state == "RUNNING" {
		r.dateStart, r.machineID = at, &runner
	}
	return r
}

func queued(automation string, seconds float64) task { return ago("START", automation, "", seconds) }

func running(automation, runner string, seconds float64) task {
	return ago("RUNNING", automation, runner, seconds)
}

// takenOf is a task that a runner took some minutes ago, and ended after one.
func takenOf(automation, runner string, minutes int) task {
	at := now.Add(-time.Duration(minutes) * time.Minute)
	return task{state: ptr("CANCELED"), activityLabel: &automation, machineID: &runner, dateCreation: &at, dateStart: &at, dateLastModified: ptr(at.Add(time.Minute))}
}

func taken(runner string, minutes int) task { return takenOf("a", runner, minutes) }

// measured returns the total of a measure over the last six hours, nil for null, and what its notices say.
func measured(t *testing.T, measure string, rows []task, filters ...*filter.Filter) (*float64, []data.Notice) {
	t.Helper()
	r := request("tasks", tasksTable(rows))
	r.Measure, r.Filters = measure, filters
	f := mustMake(t, makeNumeric, r)
	return readNumeric(t, f, measure)[key(nil)], f.Meta.Notices
}

func TestWork(t *testing.T) {
	known := append(finishedIn("a", 100, 100, 100, 100, 100), finishedIn("b", 7200, 7200, 7200, 7200, 7200)...)
	took := func(created, started, ended float64) task { // seconds ago
		r := queued("a", created)
		r.state, r.machineID = ptr("FINISHED"), ptr("1")
		r.dateStart, r.dateLastModified = queued("a", started).dateCreation, queued("a", ended).dateCreation
		return r
	}
	for _, test := range []struct {
		name  string
		tasks []task
		work  float64
	}{
		{"nothing waits", nil, 0},
		{"what waits, and what is left of what runs", []task{queued("a", 5), queued("a", 60), queued("b", 70), taken("1", 50), running("a", "3", 20)}, 7480},
		{"nobody takes tasks", []task{queued("a", 5), taken("1", 61)}, 100},
		{"longer than usual is not negative", []task{running("a", "1", 18*3600), queued("a", 5), taken("2", 5)}, 100},
		{"the service's clock is ahead", []task{queued("a", -30), running("a", "1", -30)}, 200},
		{"others tell what is usual", []task{queued("new", 5), taken("1", 5)}, 3650},
		{"its clock is ahead of what has ended, too", []task{took(10, -20, -25), took(60, 50, -20), taken("1", 5)}, 0},
		{"nobody knows when one began", []task{func() task { r := running("a", "1", 20); r.dateStart = nil; return r }()}, 80},
	} {
		t.Run(test.name, func(t *testing.T) {
			work, notices := measured(t, "queuedWork", append(test.tasks, known...))
			assert.Equal(t, &test.work, work)
			if test.work == 3650 {
				requireSaid(t, notices, `1h0m50s, stands in for that of ["new"]`)
			} else {
				assert.Empty(t, notices)
			}
		})
	}
}

// Runners take what waits in the order of its creation, whatever filters and groups exclude, like what deadlines expect.
func TestQueueCleared(t *testing.T) {
	known := append(finishedIn("a", 100, 100, 100, 100, 100), finishedIn("b", 7200, 7200, 7200, 7200, 7200)...)
	dead := takenOf("b", "9", 120)
	for _, test := range []struct {
		name    string
		tasks   []task
		seconds float64 // of automation a, until it is done; -1: nobody knows
		all     float64
	}{
		{"nothing waits", nil, 0, 0},
		{"two runners share it", []task{queued("a", 5), queued("a", 60), queued("a", 70), taken("1", 50), taken("2", 3)}, 200, 200},
		{"what runs ends first", []task{queued("a", 5), taken("1", 50), running("a", "1", 20)}, 180, 180},
		{"others of the same runner come in their order", []task{queued("a", 5), queued("b", 60), taken("1", 5), takenOf("b", "1", 59)}, 7300, 7300},
		{"what comes later waits longer", []task{queued("a", 60), queued("b", 5), taken("1", 5), takenOf("b", "1", 59)}, 100, 7300},
		{"nobody takes tasks", []task{queued("a", 5), taken("1", 61)}, -1, -1},
		{"others wait for a runner that is dead", []task{queued("b", 5), dead, queued("a", 5), taken("1", 5)}, 100, 100},
		{"what hangs is about to end", []task{running("a", "1", 18*3600)}, 0, 0},
		{"nobody knows how long it takes", []task{queued("new", 5), takenOf("new", "1", 5), queued("a", 4), taken("1", 5)}, 100, 100},
	} {
		t.Run(test.name, func(t *testing.T) {
			for wanted, filters := range map[*float64][]*filter.Filter{&test.seconds: {where(t, "activityLabel", "=", "a")}, &test.all: nil} {
				cleared, notices := measured(t, "queueClearedAt", append(test.tasks, known...), filters...)
				if *wanted < 0 {
					assert.Nil(t, cleared)
					requireSaid(t, notices, `Nobody knows when the queue of ["a"] is done`)
					continue
				}
				require.NotNil(t, cleared)
				assert.InDelta(t, float64(now.UnixMilli())+1000**wanted, *cleared, 1)
			}
		})
	}
	_, notices := measured(t, "queueClearedAt", append(known, dead, queued("b", 5), queued("a", 5), taken("1", 5)))
	requireSaid(t, notices, `Nobody knows when the queue of ["b"] is done`)
}

func requireSaid(t *testing.T, notices []data.Notice, text string) {
	t.Helper()
	all := ""
	for _, n := range notices {
		all += n.Text
	}
	require.Contains(t, all, text)
}

// Where nobody knows how long a task takes, there is no number.
func TestWorkThatNobodyKnows(t *testing.T) {
	for _, measure := range []string{"queuedWork", "queueClearedAt"} {
		got, notices := measured(t, measure, []task{queued("a", 5), taken("1", 5)})
		assert.Nil(t, got, measure)
		requireSaid(t, notices, "Nobody knows")
	}
}

// What is usual follows from all tasks, and each pool has its own runners.
func TestWorkOfPools(t *testing.T) {
	rows := append(finishedIn("a", 100, 100, 100, 100, 100), finishedIn("b", 10, 10, 10, 10, 10)...)
	rows = append(rows, queued("a", 5), queued("b", 5), queued("b", 5), running("b", "1", 4))
	got, notices := measured(t, "queuedWork", rows, where(t, "state", "=", "START"))
	assert.Equal(t, ptr(120.0), got)
	assert.Empty(t, notices)

	r := request("tasks", tasksTable(rows))
	r.Measure, r.GroupBy = "queuedWork", []string{"repositoryLabel"}
	of := func(automation string) string {
		return key(map[string]string{"repositoryLabel": "pool of " + automation})
	}
	assert.Equal(t, instances{of("a"): ptr(100.0), of("b"): ptr(26.0)}, readNumeric(t, mustMake(t, makeNumeric, r), r.Measure))
	r.Measure = "queueClearedAt"
	assert.Equal(t, instances{of("a"): nil, of("b"): ptr(float64(now.UnixMilli() + 26_000))}, readNumeric(t, mustMake(t, makeNumeric, r), r.Measure))
}

// A point is what was to be expected at its end: not how long the tasks took in the end, and nothing that is to come.
func TestWorkOverTime(t *testing.T) {
	hours := func(n float64) *time.Time { return ptr(now.Add(-time.Duration(n * float64(time.Hour)))) }
	rows := append(finishedIn("a", 3600, 3600, 3600, 3600, 3600), task{
		state: ptr("FINISHED"), finishStatus: ptr("FAILED"), activityLabel: ptr("a"), machineID: ptr("1"),
		dateCreation: hours(3.5), dateStart: hours(2.5), dateLastModified: hours(0.5),
	})
	r := request("tasks", tasksTable(rows))
	r.Measure, r.Now = "queuedWork", now
	r.From, r.To = now.Add(-5*time.Hour).Truncate(time.Hour), now.Add(2*time.Hour)
	got := valuesOf(mustMake(t, makeTimeSeries, r).Fields[1])
	minutes := func(n int) float64 { return float64(n) * 60 } // now is 14:37:11
	assert.Equal(t, []any{0.0, 0.0, minutes(60), minutes(60) - (minutes(52) + 49), 0.0, 0.0, nil, nil}, got)
}

// Whether a queue grows: the work is as of the end of each range, and a number of tasks is the most of the whole range, so
// that only the one of a minute is as of its end.
func TestWorkOfTheHourBefore(t *testing.T) {
	waited := func(from, to int) task { // minutes ago
		created, started := now.Add(-time.Duration(from)*time.Minute), now.Add(-time.Duration(to)*time.Minute)
		return task{state: ptr("FINISHED"), activityLabel: ptr("a"), machineID: ptr("1"), dateCreation: &created, dateStart: &started, dateLastModified: &started}
	}
	rows := append(finishedIn("a", 100, 100, 100, 100, 100), waited(100, 45), waited(170, 110), waited(165, 110), queued("a", 40*60), queued("a", 30*60), queued("a", 20*60))
	for name, test := range map[string]struct {
		measure        string
		length, ended  time.Duration
		queued, before float64
	}{
		"tasks of the last minute":    {"queued", time.Minute, 0, 3, 1},
		"of two hours, the most":      {"queued", 2 * time.Hour, 0, 3, 2},
		"of a minute an hour ago":     {"queued", time.Minute, time.Hour, 1, 2},
		"work of two hours":           {"queuedWork", 2 * time.Hour, 0, 300, 100},
		"of a day":                    {"queuedWork", day, 0, 300, 100},
		"of two hours, of which one":  {"queuedWork", 2 * time.Hour, -time.Hour, 300, 100},
		"of a day that ended at 13 h": {"queuedWork", day, time.Hour, 100, 200},
	} {
		t.Run(name, func(t *testing.T) {
			r := request("tasks", tasksTable(rows))
			r.Measure, r.To = test.measure, now.Add(-test.ended)
			r.From = r.To.Add(-test.length)
			shift := func(t time.Time) time.Time { return t.Add(-time.Hour) }
			r.Compare = &period.Comparison{Name: "hour", From: shift(r.From), To: shift(columns.Earlier(r.To, now)), Shift: shift}
			f := mustMake(t, makeNumeric, r)
			assert.Equal(t, []any{test.before, test.queued}, valuesOf(f.Fields[1]))
			f = mustMake(t, long, r)
			assert.Contains(t, f.Fields[1].Config.DisplayNameFromDS, "(previous hour)")
		})
	}
}

// TestRecovery has a letter for each task of an automation, one an hour until now, that succeeded, failed or is running.
func TestRecovery(t *testing.T) {
	make := func(ends map[string]string) (rows []task) {
		for automation, letters := range ends {
			for i, letter := range letters {
				at := ptr(now.Add(-time.Duration(len(letters)-i) * time.Hour))
				r := task{activityLabel: ptr(automation), dateCreation: at, dateStart: at, dateLastModified: at, state: ptr("FINISHED")}
				switch letter {
				case 'S':
					r.finishStatus = ptr("SUCCESS")
				case 'F':
					r.finishStatus = ptr("FAILED")
				case 'P':
					r.finishStatus = ptr("PARTIALLY_COMPLETED")
				default:
					r.state, r.dateLastModified = ptr("RUNNING"), nil
				}
				rows = append(rows, r)
			}
		}
		return rows
	}
	for _, test := range []struct {
		name     string
		ends     map[string]string
		streaks  float64
		recovery *float64 // hours
		says     string
	}{
		{"no failure", map[string]string{"a": "SSS"}, 0, nil, ""},
		{"from the first failure", map[string]string{"a": "SFFFS"}, 1, ptr(3.0), ""},
		{"another automation's success is no recovery", map[string]string{"a": "FFFF", "b": "SSSS"}, 1, ptr(4.0), "1 of 1 streaks"},
		{"mean of all", map[string]string{"a": "FSFFFS", "b": "SSSSFS"}, 3, ptr(5.0 / 3), ""},
		{"one that lasts counts until now", map[string]string{"a": "SFS", "b": "SFR"}, 2, ptr(1.5), "1 of 2 streaks"},
		{"it began before the range", map[string]string{"a": "SFFFFFFFFFFS"}, 0, nil, ""},
		{"and the next one in it", map[string]string{"a": "SFFFFFFFFFSFS"}, 1, ptr(1.0), ""},
		{"a partial success is none", map[string]string{"a": "FPS"}, 1, ptr(2.0), ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			rows := make(test.ends)
			count, notices := measured(t, "failureStreaks", rows)
			assert.Equal(t, &test.streaks, count)
			assert.Empty(t, notices)
			recovery, notices := measured(t, "recoveryTime", rows)
			require.Equal(t, test.recovery == nil, recovery == nil)
			if recovery != nil {
				assert.InDelta(t, *test.recovery*3600, *recovery, 1e-6)
			}
			if test.says == "" {
				assert.Empty(t, notices)
			} else {
				requireSaid(t, notices, test.says)
			}
		})
	}

	rows := append(make(map[string]string{"old": "FFFFFFFFFFF"})[:4], make(map[string]string{"new": "SF"})...)
	r := request("tasks", tasksTable(rows))
	r.Measure, r.GroupBy = "failureStreaks", []string{"activityLabel"}
	assert.Equal(t, instances{key(map[string]string{"activityLabel": "new"}): ptr(1.0)}, readNumeric(t, mustMake(t, makeNumeric, r), r.Measure),
		"an automation of which no task ended in the range is absent, as for other measures")
}

// An automation has recovered wherever its next task succeeds: filters and groups choose the streak, and not its end.
func TestRecoveryOfWhatIsChosen(t *testing.T) {
	midnight := time.Date(2026, 11, 16, 0, 0, 0, 0, time.UTC)
	var rows []task
	for hour, status := range map[int]string{1: "FAILED", 2: "FAILED", 3: "FAILED", 5: "SUCCESS"} {
		at := midnight.Add(time.Duration(hour) * time.Hour)
		r := ranOn(strconv.Itoa(hour), at, at)
		r.finishStatus = &status
		rows = append(rows, r)
	}
	r := request("tasks", tasksTable(rows))
	r.From, r.To, r.Now, r.Measure = midnight, midnight.Add(day), midnight.Add(day), "recoveryTime"
	for _, field := range []string{"hour", "weekday", "machineId", "finishStatus"} {
		r.GroupBy = []string{field}
		found := []float64{}
		for _, value := range readNumeric(t, mustMake(t, makeNumeric, r), r.Measure) {
			if value != nil {
				found = append(found, *value)
			}
		}
		assert.Equal(t, []float64{4 * 3600}, found, field)
	}
	r.GroupBy, r.Filters = nil, []*filter.Filter{where(t, "machineId", "=", "1")}
	f := mustMake(t, makeNumeric, r)
	assert.Equal(t, []any{4 * 3600.0}, valuesOf(f.Fields[0]))
	assert.Empty(t, f.Meta.Notices)
	r.Filters = []*filter.Filter{where(t, "machineId", "=", "2")}
	assert.Empty(t, mustMake(t, makeNumeric, r).Fields, "no streak began there")
}
