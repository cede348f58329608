package frame_test

import (
	"context"
	"math/rand"
	"slices"
	"testing"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/frame"
	"github.com/insights/insights-reporting-datasource/schema"
)

// makeAttention builds the frame for panels, with the default thresholds.
func makeAttention(ctx context.Context, s *spec) (*data.Frame, error) {
	return attention(s, true).Frame(ctx)
}

func attention(s *spec, long bool) *frame.Attention {
	thresholds := map[string]float64{}
	for _, reason := range schema.Attention.Reasons {
		thresholds[reason.Name] = reason.Threshold
	}
	return &frame.Attention{Grouping: s.grouping(), Thresholds: thresholds, Long: long}
}

// attending returns a request for what needs attention at a time.
func attending(at time.Time, tasks []task) *spec {
	created := slices.DeleteFunc(tasks, func(r task) bool { return r.dateCreation.After(at) })
	return &spec{DataSet: schema.All().Get("tasks"), Rows: tasksTable(created), Now: at, Since: at.AddDate(0, 0, -30), TimeField: "dateCreation", GroupBy: []string{"activityLabel"}}
}

// friday is a day of hourly tasks: the last of them was created at 14:00, and ended at 14:06.
var friday = time.Date(2026, 11, 20, 14, 40, 0, 0, time.UTC)

// hourly returns tasks of the last days, the oldest first: each waits a minute, and succeeds after five more.
func hourly(days int) []task {
	var tasks []task
	for at := friday.Truncate(time.Hour).AddDate(0, 0, -days); at.Before(friday); at = at.Add(time.Hour) {
		tasks = append(tasks, done(len(tasks), at, "SUCCESS"))
	}
	return tasks
}

func done(id int, at time.Time, status string) task {
	return task{
		id: ptr(int64(id)), state: ptr("FINISHED"), finishStatus: &status, activityLabel: ptr("orders"), machineID: ptr("7"),
		dateCreation: &at, dateStart: ptr(at.Add(time.Minute)), dateLastModified: ptr(at.Add(6 * time.Minute)),
	}
}

// ending replaces the statuses of the last tasks.
func ending(tasks []task, statuses ...string) []task {
	for i, status := range statuses {
		tasks[len(tasks)-len(statuses)+i].finishStatus = &status
	}
	return tasks
}

// open adds a task that was created some time ago, and is in a state.
func open(tasks []task, state string, ago time.Duration) []task {
	added := done(len(tasks), friday.Add(-ago), "")
	added.state, added.finishStatus = &state, nil
	if state == "START" {
		added.dateStart, added.machineID = nil, nil
	} else {
		added.dateStart = added.dateCreation
	}
	return append(slices.Clone(tasks), added)
}

// mornings returns tasks at about seven on the working days of six weeks, the last of them on November 30, but for some
// days.
func mornings(except ...string) []task {
	var tasks []task
	for day := range 42 {
		at := time.Date(2026, 10, 20+day, 7, (day*7)%10, 0, 0, time.UTC)
		if at.Weekday() != time.Saturday && at.Weekday() != time.Sunday && !slices.Contains(except, at.Format("01-02")) {
			tasks = append(tasks, done(len(tasks), at, "SUCCESS"))
		}
	}
	return tasks
}

// batches returns twelve tasks, a minute apart, at several times before a moment.
func batches(at time.Time, ago ...time.Duration) []task {
	var tasks []task
	for _, since := range ago {
		for minute := range 12 {
			tasks = append(tasks, done(len(tasks), at.Add(-since-time.Duration(minute)*time.Minute), "SUCCESS"))
		}
	}
	return tasks
}

func november(day, hour, minute int) time.Time {
	return time.Date(2026, 11, day, hour, minute, 0, 0, time.UTC)
}

func times(n int, status string) []string { return slices.Repeat([]string{status}, n) }

func TestAttention(t *testing.T) {
	partlyForThreeDays := ending(hourly(20), times(72, "PARTIALLY_COMPLETED")...)
	deferred := hourly(20)
	for i := range deferred {
		deferred[i].dateStart = ptr(deferred[i].dateCreation.Add(2 * time.Hour))
	}
	for name, test := range map[string]struct {
		at       time.Time
		tasks    []task
		why      string // empty: nothing
		severity float64
		since    time.Time
		id       int // of the task, from the newest
	}{
		"all is well": {at: friday, tasks: hourly(20)},
		"no tasks":    {at: friday},

		"failures in a row": {friday, ending(hourly(20), times(3, "FAILED")...), "3 failures in a row", 2, november(20, 12, 6), 0},
		"a partial result does not interrupt": {friday, ending(hourly(20), "FAILED", "PARTIALLY_COMPLETED", "FAILED", "FAILED", "PARTIALLY_COMPLETED"),
			"79% succeed, usually 100%; 3 failures in a row", 2, november(19, 14, 40), 0},
		"a success interrupts":           {at: friday, tasks: ending(hourly(20), "FAILED", "FAILED", "FAILED", "SUCCESS")},
		"twice as many failures":         {friday, ending(hourly(20), times(6, "FAILED")...), "6 failures in a row; 75% succeed, usually 100%", 3, november(20, 9, 6), 0},
		"failures of a few tasks":        {at: friday, tasks: ending(hourly(20)[472:], times(3, "FAILED")...)},
		"partial results are no success": {friday, partlyForThreeDays, "0% succeed, usually 89%; no success for 3 days", 3, friday.AddDate(0, 0, -1), 0},
		"never any success":              {friday, ending(hourly(20), times(481, "PARTIALLY_COMPLETED")...), "no success for 20 days", 3, friday.AddDate(0, 0, -20).Truncate(time.Hour).Add(6 * time.Minute), 0},

		"no success before the weekend": {at: november(22, 12, 0), tasks: ending(batches(november(22, 12, 0), 77*time.Hour, 53*time.Hour), times(12, "PARTIALLY_COMPLETED")...)},

		"runs long":                {friday, open(hourly(20), "RUNNING", 4*time.Hour), "running for 4 h, 48 × the usual time", 3, friday.Add(-4 * time.Hour), 0},
		"runs a bit longer":        {at: friday, tasks: open(hourly(20), "RUNNING", 14*time.Minute)},
		"waits":                    {friday, open(hourly(20), "START", 45*time.Minute), "waiting for 45 min", 1, friday.Add(-45 * time.Minute), 0},
		"waits long":               {friday, open(hourly(20), "START", 95*time.Minute), "waiting for 1 h 35 min", 2, friday.Add(-95 * time.Minute), 0},
		"waits until a later time": {at: friday, tasks: open(deferred, "START", 3*time.Hour)},
		"waits longer than that":   {friday, open(deferred, "START", 5*time.Hour), "waiting for 5 h", 2, friday.Add(-5 * time.Hour), 0},

		"silent":                          {friday, hourly(20)[:476], "no new task for 5 h 40 min, usually at most 1 h", 2, november(20, 9, 0), 0},
		"silent with a task in the queue": {at: friday, tasks: open(hourly(20)[:474], "START", 7*time.Hour-5*time.Minute), why: "waiting for 6 h 55 min", severity: 2, since: friday.Add(-415 * time.Minute)},
		"silent, but new":                 {at: friday, tasks: hourly(14)[:300]},
		"on time":                         {at: november(20, 14, 0), tasks: mornings()},
		"a day is skipped":                {november(20, 14, 0), mornings("11-20"), "no new task for 31 h, usually at most 6 h 59 min", 2, november(19, 7, 0), 0},
		"the second Friday is skipped":    {november(20, 14, 0), mornings("11-20", "11-13"), "no new task for 31 h, usually at most 7 h", 2, november(19, 7, 0), 0},
		"an hour late":                    {at: november(20, 8, 0), tasks: mornings("11-20")},
		"on Sunday":                       {at: november(22, 12, 0), tasks: mornings()},
		"on Monday, before work":          {at: november(23, 6, 59), tasks: mornings()},
		"on Monday, just begun":           {at: november(23, 7, 1), tasks: mornings("11-23")},
		"a Monday is skipped":             {november(23, 12, 0), mornings("11-23"), "no new task for 3 days, usually at most 4 h 59 min", 3, november(20, 7, 7), 0},
		"every second week":               {at: friday, tasks: batches(friday, 23*day, 9*day)},
		"at random times":                 {at: friday, tasks: batches(friday, 28*day+20*time.Hour, 21*day+8*time.Hour, 14*day+3*time.Hour, 7*day+5*time.Hour, 26*time.Hour)},
	} {
		t.Run(name, func(t *testing.T) {
			f := mustMake(t, makeAttention, attending(test.at, slices.Clone(test.tasks)))
			if test.why == "" {
				require.Empty(t, valuesOf(f.Fields[1]))
				require.Equal(t, "Nothing needs attention", f.Fields[1].Config.DisplayNameFromDS)
				return
			}
			require.Equal(t, 1, f.Rows())
			assert.Equal(t, []any{"orders"}, valuesOf(f.Fields[0]))
			assert.Equal(t, []any{test.why}, valuesOf(f.Fields[1]))
			assert.Equal(t, []any{test.severity}, valuesOf(f.Fields[2]))
			assert.Equal(t, []any{test.since}, valuesOf(f.Fields[3]))
			newest := len(slices.DeleteFunc(slices.Clone(test.tasks), func(r task) bool { return r.dateCreation.After(test.at) })) - 1
			assert.Equal(t, []any{int64(newest - test.id)}, valuesOf(f.Fields[5]))
		})
	}
}

// Every sentence is in the language of the names.
func TestAttentionInLanguages(t *testing.T) {
	slow := open(hourly(20), "RUNNING", 16*time.Minute)
	for language, want := range map[schema.Language][]string{
		"en-US": {"79% succeed, usually 100%", "running for 16 min, 3.2 × the usual time"},
		"pt-BR": {"79% com sucesso, normalmente 100%", "em execução há 16 min, 3,2 × o tempo habitual"},
		"es-ES": {"79\u00a0% con éxito, normalmente 100\u00a0%", "en ejecución desde hace 16 min, 3,2 × el tiempo habitual"},
		"api":   {"79% succeed, usually 100%", "running for 16 min, 3.2 × the usual time"},
	} {
		partly := attending(friday, ending(hourly(20), times(5, "PARTIALLY_COMPLETED")...))
		running := attending(friday, slices.Clone(slow))
		partly.Language, running.Language = language, language
		assert.Equal(t, []any{want[0]}, valuesOf(mustMake(t, makeAttention, partly).Fields[1]))
		assert.Equal(t, []any{want[1]}, valuesOf(mustMake(t, makeAttention, running).Fields[1]))
	}
}

// In a rule, each group is an instance with its reason; without any, there is a 0, because no number would be no data.
func TestAttentionOfRules(t *testing.T) {
	tasks := ending(hourly(20), times(3, "FAILED")...)
	for _, other := range open(hourly(20), "START", time.Hour)[400:] {
		other.activityLabel = ptr("invoices")
		if other.machineID != nil {
			other.machineID = ptr("8")
		}
		tasks = append(tasks, other)
	}
	r := attending(friday, tasks)
	r.Automations = map[string]string{"invoices": "Read invoices"}
	f, err := attention(r, false).Frame(t.Context())
	require.NoError(t, err)
	assert.Equal(t, instances{
		key(map[string]string{"activityLabel": "orders", "reason": "failures"}):  ptr(2.0),
		key(map[string]string{"activityLabel": "invoices", "reason": "waiting"}): ptr(2.0),
	}, readNumeric(t, f, "severity"))
	assert.Equal(t, "Read invoices", f.Fields[0].Config.DisplayNameFromDS, "twice its threshold is more urgent than once")

	off := attention(r, false)
	off.Thresholds = map[string]float64{}
	f, err = off.Frame(t.Context())
	require.NoError(t, err)
	assert.Equal(t, instances{key(nil): ptr(0.0)}, readNumeric(t, f, "severity"))

	r.GroupBy, r.Limit = []string{"machineId"}, 1
	assert.Equal(t, []any{"7"}, valuesOf(mustMake(t, makeAttention, r).Fields[0]), "a task without a runner belongs to none")
}

// Whatever the rows are, each group has one row, and the most urgent come first.
func TestAttentionOfAnyRows(t *testing.T) {
	forSizes(t, func(t *testing.T, rng *rand.Rand, n int) {
		r := attending(now, nil)
		r.Rows = tasksTable(randomTasks(rng, n))
		f := mustMake(t, makeAttention, r)
		severities, labels := valuesOf(f.Fields[2]), valuesOf(f.Fields[0])
		assert.True(t, slices.IsSortedFunc(severities, func(a, b any) int { return int(b.(float64) - a.(float64)) }))
		for i, label := range labels {
			assert.NotContains(t, labels[:i], label)
		}
	})
}
