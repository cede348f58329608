package frame_test

import (
	"strconv"
	"strings"
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

// since is a task that was created some minutes ago.
func since(minutes int, t task) task {
	t.dateCreation = ptr(now.Add(-time.Duration(minutes) * time.Minute))
	return t
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
	in := func(seconds float64) *float64 { return ptr(float64(now.UnixMilli()) + 1000*seconds) }
	for _, test := range []struct {
		name    string
		tasks   []task
		work    *float64
		cleared *float64
		says    []string // of both
	}{
		{"nothing waits", nil, ptr(0.0), in(0), nil},
		{"two runners share it", []task{queued("a", 5), queued("a", 60), queued("a", 70), taken("1", 50), taken("2", 3), running("a", "3", 20)},
			ptr(380.0), in(380.0 / 3), nil},
		{"no faster than the longest task", []task{queued("a", 5), queued("b", 5), taken("1", 5), taken("2", 3), taken("3", 59)}, ptr(7300.0), in(7200), nil},
		{"a runner counts for an hour", []task{queued("a", 5), queued("a", 5), taken("1", 5), taken("2", 60)}, ptr(200.0), in(200), nil},
		{"and once, however many it took", []task{queued("a", 5), queued("a", 5), taken("1", 5), taken("1", 9)}, ptr(200.0), in(200), nil},
		{"nobody takes tasks", []task{queued("a", 5), taken("1", 61)}, ptr(100.0), nil, []string{": 1", "in the last hour, the runners of their automations took none"}},
		{"what waits for a dead runner is left out", []task{queued("b", 5), takenOf("b", "9", 120), queued("a", 5), queued("a", 5), taken("1", 5)}, ptr(7400.0), in(200), []string{": 1", "leaves out queued"}},
		{"as long as each of its runners is dead", []task{queued("b", 5), takenOf("b", "9", 120), takenOf("b", "8", 59), taken("1", 5)}, ptr(7200.0), in(7200), nil},
		{"a runner takes others, too", []task{queued("b", 5), takenOf("b", "9", 120), queued("a", 5), taken("9", 5)}, ptr(7300.0), in(7300), nil},
		{"what others pass over is left out", []task{queued("b", 2*3600), takenOf("b", "9", 30), queued("a", 5), taken("1", 5)}, ptr(7300.0), in(100), []string{": 1", "created over an hour later"}},
		{"a runner takes what is as old", []task{queued("b", 2*3600), takenOf("b", "9", 30), since(130, taken("9", 20)), queued("a", 5), taken("1", 5)}, ptr(7300.0), in(7200), nil},
		{"within an hour, others may be first", []task{queued("b", 3600), takenOf("b", "9", 30), taken("1", 5)}, ptr(7200.0), in(7200), nil},
		{"the queue is not cleared when what runs is done", []task{queued("b", 5), takenOf("b", "9", 120), running("a", "1", 20)}, ptr(7280.0), nil, []string{": 1", "leaves out queued"}},
		{"what nobody has run may be taken by any", []task{queued("b", 5), takenOf("a", "9", 120), taken("1", 5)}, ptr(7200.0), in(7200), nil},
		{"what is left out needs no usual duration", []task{queued("new", 5), takenOf("new", "9", 120), queued("a", 5), taken("1", 5)}, ptr(3750.0), in(100), []string{": 1", "leaves out queued"}},
		{"nothing waits, and who runs needs no other runner", []task{running("b", "1", 3000), running("b", "2", 1800)}, ptr(9600.0), in(5400), nil},
		{"what began long ago needs no other runner", []task{running("b", "1", 7000), queued("a", 5), queued("a", 5), queued("a", 5), taken("2", 5)}, ptr(500.0), in(300), nil},
		{"longer than usual is not negative", []task{running("a", "1", 18*3600), queued("a", 5), taken("2", 5)}, ptr(100.0), in(100), []string{": 1", "longer than usual"}},
		{"and nobody knows when it ends", []task{running("a", "1", 18*3600)}, ptr(0.0), nil, []string{": 1", "longer than usual"}},
		{"the service's clock is ahead", []task{queued("a", -30), running("a", "1", -30)}, ptr(200.0), in(100 + 100), nil},
		{"others tell what is usual", []task{queued("new", 5), taken("1", 5)}, ptr(3650.0), in(3650), []string{"[\"new\"]", "1h0m50s"}},
		{"its clock is ahead of what has ended, too", []task{took(10, -20, -25), took(60, 50, -20), taken("1", 5)}, ptr(0.0), in(0), nil},
		{"a runner that took one, although nobody knows when it ended", []task{queued("a", 5), func() task { r := taken("1", 5); r.dateLastModified = nil; return r }()}, ptr(100.0), in(100), nil},
		{"nobody knows when one began", []task{func() task { r := running("a", "1", 20); r.dateStart = nil; return r }()}, ptr(80.0), in(80), nil},
		{"a runner has just begun what usually takes no time", append(finishedIn("quick", 0, 0, 0, 0, 0), running("quick", "1", 0)), ptr(0.0), in(0), nil},
		{"and what waits beside one that hangs takes none", append(finishedIn("quick", 0, 0, 0, 0, 0), queued("quick", 0), running("a", "1", 18*3600), taken("1", 5)), ptr(0.0), in(0), []string{": 1", "longer than usual"}},
		{"neither without a runner", []task{queued("a", 5), func() task { r := taken("", 5); r.machineID = nil; return r }()}, ptr(100.0), nil, []string{"no runner took a task in the last hour"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			rows := append(test.tasks, known...)
			work, _ := measured(t, "queuedWork", rows)
			assert.Equal(t, test.work, work)
			cleared, notices := measured(t, "queueClearedAt", rows)
			require.Equal(t, test.cleared == nil, cleared == nil)
			if cleared != nil {
				assert.InDelta(t, *test.cleared, *cleared, 1)
			}
			for _, text := range test.says {
				requireSaid(t, notices, text)
			}
			assert.Equal(t, len(test.says) > 0, len(notices) > 0)
		})
	}
}

// What filters and groups exclude keeps the same runners busy.
func TestForecastSaysWhatItExcludes(t *testing.T) {
	known := append(finishedIn("a", 100, 100, 100, 100, 100), finishedIn("b", 3600, 3600, 3600, 3600, 3600)...)
	rows := append(known, queued("a", 5), taken("1", 5), running("b", "1", 60), queued("b", 60), // of the same runner
		queued("b", 3*3600), running("b", "2", 60), queued("c", 5), finishedIn("c", 5)[0]) // passed over, and of others
	excluded := func(filters ...*filter.Filter) string {
		r := request("tasks", tasksTable(rows))
		r.Measure, r.Filters = "queueClearedAt", filters
		if filters == nil {
			r.GroupBy = []string{"activityLabel"}
		}
		text := ""
		for _, n := range mustMake(t, makeNumeric, r).Meta.Notices {
			if _, count, ok := strings.Cut(n.Text, "that filters or groups exclude: "); ok {
				text = count
			}
		}
		return text
	}
	assert.Equal(t, "2", excluded(where(t, "activityLabel", "=", "a")))
	assert.Equal(t, "2", excluded(where(t, "machineId", "=", "1")), "queued tasks have no runner")
	assert.Equal(t, "", excluded(where(t, "state", "!=", "CANCELED"), where(t, "machineId", "!=", "none")))
	assert.Equal(t, "3", excluded(), "the queue of each automation is one that the other keeps waiting")
}

// Filters choose the runners, too: that they took nothing says nothing of the others.
func TestWorkOfAnAutomationWhoseRunnersDoOthers(t *testing.T) {
	rows := append(finishedIn("a", 100, 100, 100, 100, 100), queued("a", 5), takenOf("a", "1", 120), takenOf("b", "1", 5))
	got, notices := measured(t, "queueClearedAt", rows, where(t, "activityLabel", "=", "a"))
	assert.Nil(t, got)
	requireSaid(t, notices, "Of what is selected, no runner took a task in the last hour, so nobody knows when the queued tasks are done: 1")
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
		requireSaid(t, notices, "Nobody knows how long")
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

// A point leaves out what no runner could be expected to take then.
func TestForecastOverTime(t *testing.T) {
	rows := append(finishedIn("a", 600, 600, 600, 600, 600), queued("a", 4*3600), takenOf("a", "1", 4*60+10), since(250, takenOf("a", "1", 40)))
	r := request("tasks", tasksTable(rows))
	r.Measure, r.From, r.Interval = "queueClearedAt", now.Add(-5*time.Hour).Truncate(time.Hour), time.Hour
	points := readTimeSeries(t, mustMake(t, makeTimeSeries, r), r.Measure)[key(nil)]
	hour := r.From
	for at, isKnown := range []bool{true, true, false, false, true, true} { // 10:00, 11:00, ... and now, 14:37
		point := points[hour.Add(time.Duration(at)*time.Hour).UTC()]
		require.Equal(t, isKnown, point != nil, "%d", at)
		if end := hour.Add(time.Duration(at+1) * time.Hour); isKnown && at > 0 && at < 5 {
			queued := time.Duration(2 - at/4) // One is taken in between.
			assert.InDelta(t, float64(end.Add(queued*10*time.Minute).UnixMilli()), *point, 1)
		}
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
