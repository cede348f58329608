package frame_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/rand"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/deadlines"
	"github.com/insights/insights-reporting-datasource/pkg/filter"
	"github.com/insights/insights-reporting-datasource/pkg/frame"
	"github.com/insights/insights-reporting-datasource/schema"
)

// makeAttention builds the frame for panels, with the default thresholds.
func makeAttention(ctx context.Context, s *spec) (*data.Frame, error) {
	return attention(s, true).Frame(ctx)
}

func mustJudge(t *testing.T, a *frame.Attention) *data.Frame {
	t.Helper()
	f, err := a.Frame(t.Context())
	require.NoError(t, err)
	return f
}

func attention(s *spec, long bool) *frame.Attention {
	return &frame.Attention{Grouping: s.grouping(), Judged: schema.Judged{Reasons: schema.Names(schema.Attention.Reasons), Sensitivity: "usual"}, Long: long}
}

// attending returns a request for what needs attention at a time.
func attending(at time.Time, tasks []task) *spec {
	created := slices.DeleteFunc(tasks, func(r task) bool { return r.dateCreation != nil && r.dateCreation.After(at) })
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

func november(day, hour, minute int) time.Time {
	return time.Date(2026, 11, day, hour, minute, 0, 0, time.UTC)
}

func times(n int, status string) []string { return slices.Repeat([]string{status}, n) }

// changed changes the last tasks.
func changed(tasks []task, n int, change func(*task)) []task {
	for i := range n {
		change(&tasks[len(tasks)-n+i])
	}
	return tasks
}

func withItems(tasks []task, total, failed float64) []task {
	return changed(tasks, len(tasks), func(r *task) { r.totalItems, r.failedItems = &total, &failed })
}

func fail(r *task) { r.finishStatus = ptr("FAILED") }

// itemsFail makes a task one that did not fail, but most of whose items did.
func itemsFail(r *task) { r.finishStatus, r.failedItems = ptr("PARTIALLY_COMPLETED"), ptr(6.0) }

func every(n int64, change func(*task)) func(*task) {
	return func(r *task) {
		if *r.id%n == 0 {
			change(r)
		}
	}
}

// What has failed is one thing: in the sentence, in the measures, and in a table of those that its link shows.
func TestTwoFailures(t *testing.T) {
	for name, change := range map[string]func(*task){
		"failed":           func(r *task) { r.finishStatus = ptr("FAILED") },
		"another status":   func(r *task) { r.finishStatus = ptr("REVIEWED") },
		"another spelling": func(r *task) { r.finishStatus = ptr("failed") },
		"timed out":        becomes("TIMEOUT"),
		"another name":     becomes("TIMED_OUT"),
		"expired":          becomes("EXPIRED"),
		"no such state":    becomes("LOST"), // for a day
	} {
		s := attending(friday.Add(25*time.Hour), changed(hourly(5), 20, change))
		require.Contains(t, whys(t, mustMake(t, makeAttention, s))[0], "20 failures in a row", name)
		s.Since, s.From, s.To = time.Time{}, friday.Add(-25*time.Hour), friday
		for measure, want := range map[string]float64{"tasks": 25, "failedTasks": 20, "successRate": 0.2, "failuresInARow": 20, "failureStreaks": 1} {
			s.Measure, s.GroupBy = measure, nil
			assert.Equal(t, []any{want}, valuesOf(mustMake(t, makeNumeric, s).Fields[0]), "%s, %s", measure, name)
		}
		s.Filters, s.Columns = []*filter.Filter{where(t, "outcome", "=", "FAILED")}, []string{"id", "outcome"}
		table := mustMake(t, makeTable, s)
		assert.Equal(t, 20, table.Rows(), name)
		assert.NotEmpty(t, table.Fields[1].Config.Mappings, "has the colors of a finish status")
	}
}

func becomes(state string) func(*task) {
	return func(r *task) { r.state, r.finishStatus = &state, nil }
}

func TestAttention(t *testing.T) {
	mornings := slices.DeleteFunc(hourly(29), func(r task) bool { return r.dateCreation.Hour() != 7 })
	almostAll := ending(hourly(29), append([]string{"SUCCESS"}, times(250, "FAILED")...)...)
	*almostAll[100].finishStatus, almostAll[len(almostAll)-120].finishStatus = "FAILED", ptr("SUCCESS")
	for name, test := range map[string]struct {
		tasks    []task
		why      string // empty: nothing
		severity float64
		since    time.Time
		id       int    // of the task, from the newest
		filter   string // of the link; empty: the task; of a silence, there is none
	}{
		"all is well": {tasks: hourly(29)},

		"failures":                {ending(hourly(29), times(3, "FAILED")...), "3 failures in a row since Fri 12:06, 0% in the 28 d before (0 of 694)", 3, november(20, 12, 6), 0, "outcome|=|FAILED"},
		"a success among them":    {ending(hourly(29), "FAILED", "FAILED", "FAILED", "SUCCESS", "FAILED", "FAILED"), "83% of tasks failed (5 of 6) since Fri 09:06, 0% in the 28 d before (0 of 691)", 2, november(20, 9, 6), 0, "outcome|=|FAILED"},
		"canceled ones are none":  {changed(ending(hourly(29), times(4, "FAILED")...), 1, func(r *task) { r.state, r.finishStatus = ptr("CANCELED"), nil }), "3 failures in a row since Fri 11:06, 0% in the 28 d before (0 of 693)", 3, november(20, 11, 6), 1, "outcome|=|FAILED"},
		"most of the items":       {changed(withItems(hourly(29), 10, 5), 4, func(r *task) { r.failedItems = ptr(6.0) }), "100% of tasks with mostly failed items (4 of 4) since Fri 11:06, 0% in the 28 d before (0 of 693)", 3, november(20, 11, 6), 0, "failedItems|>|0"},
		"another state for now":   {tasks: changed(hourly(29), 3, func(r *task) { becomes("PAUSED")(r); r.dateLastModified = ptr(friday.Add(-19 * time.Minute)) })},
		"ends not known":          {changed(ending(hourly(29), times(3, "FAILED")...), 29*24+1, func(r *task) { r.dateLastModified = nil }), "3 failures in a row since Fri 12:01, 0% in the 28 d before (0 of 694)", 3, november(20, 12, 1), 0, "outcome|=|FAILED"},
		"all are canceled":        {tasks: changed(hourly(29), 20, becomes("CANCELED"))}, // by a person, who knows
		"canceled after failures": {changed(changed(hourly(29), 400, func(r *task) { r.finishStatus = ptr("FAILED") }), 380, becomes("CANCELED")), "20 failures in a row since 3 Nov, 0% in the 12 d before (0 of 297)", 3, november(3, 23, 6), 380, "outcome|=|FAILED"},
		"two reasons":             {ending(hourly(29)[:26*24], times(20, "FAILED")...), "no task for 3 d, usually 73 in that time; 20 failures in a row since Mon 18:06, 0% in the 25 d before (0 of 604)", 3, november(17, 13, 0), 0, ""},
		"not quite all":           {almostAll, "99.6% of tasks failed (249 of 250) since 10 Nov, 0.2% in the 18 d before (1 of 447)", 3, november(10, 5, 6), 0, "outcome|=|FAILED"},
		"never wholly":            {changed(hourly(29), 29*24+1, func(r *task) { r.finishStatus = ptr([]string{"FAILED", "FAILED", "PARTIALLY_COMPLETED"}[*r.id%3]) }), "67% of tasks failed (465 of 697), the rest in part, for at least 29 d", 2, friday.AddDate(0, 0, -29), 0, "outcome|=|FAILED"},
		"never any success":       {ending(hourly(9), times(9*24+1, "FAILED")...), "217 failures in a row for at least 9 d", 3, november(11, 14, 6), 0, "outcome|=|FAILED"},
		"never any good items":    {withItems(hourly(9), 10, 9), "100% of tasks with mostly failed items (217 of 217) for at least 9 d", 3, november(11, 14, 6), 0, "failedItems|>|0"},

		"failed, or their items": {changed(changed(withItems(hourly(29), 10, 1), 6, fail), 2, itemsFail), "100% of tasks failed or had mostly failed items (4 and 2 of 6) since Fri 09:06, 0% in the 28 d before (0 of 691)", 3, november(20, 9, 6), 0, "outcome|=|FAILED"},
		"all but wholly":         {changed(changed(withItems(hourly(29), 10, 1), 9, func(r *task) { r.finishStatus = ptr([]string{"FAILED", "FAILED", "PARTIALLY_COMPLETED"}[*r.id%3]) }), 2, itemsFail), "78% of tasks failed or had mostly failed items (5 and 2 of 9), the rest in part, since Fri 06:06, 0% in the 28 d before (0 of 688)", 2, november(20, 6, 6), 0, "outcome|=|FAILED"},
		"rather their items":     {changed(changed(withItems(hourly(29), 10, 0), 6, fail), 5, itemsFail), "100% of tasks failed or had mostly failed items (1 and 5 of 6) since Fri 09:06, 0% in the 28 d before (0 of 691)", 3, november(20, 9, 6), 0, "failedItems|>|0"},
		"items before":           {ending(changed(withItems(hourly(29), 10, 0), 29*24, every(12, itemsFail)), times(6, "FAILED")...), "6 failures in a row since Fri 09:06, 8% failed or had mostly failed items in the 28 d before (57 of 691)", 3, november(20, 9, 6), 0, "outcome|=|FAILED"},
		"failures before":        {changed(changed(withItems(hourly(29), 10, 0), 29*24, every(12, fail)), 6, itemsFail), "100% of tasks with mostly failed items (6 of 6) since Fri 09:06, 8% failed or had mostly failed items in the 28 d before (57 of 691)", 3, november(20, 9, 6), 0, "failedItems|>|0"},

		"without items":    {changed(withItems(hourly(29), 10, 0), 4, func(r *task) { r.totalItems = ptr(0.0) }), "4 tasks without items since Fri 11:06, usually 4 with items in that time, 04:40:00", 2, november(20, 11, 6), 0, "totalItems|=|0"},
		"items not known":  {tasks: changed(withItems(hourly(29), 10, 0), 4, func(r *task) { r.totalItems, r.failedItems = nil, nil })},
		"silent":           {hourly(29)[:29*24-5], "no task for 06:40:00, usually 6 in that time", 3, november(20, 8, 0), 0, ""},
		"an odd date":      {tasks: append([]task{done(9999, friday.AddDate(-1, 0, 0), "SUCCESS")}, ending(hourly(29), "FAILED", "FAILED")...)},
		"silent, but new":  {tasks: hourly(8)[:8*24-5]},
		"silent for long":  {hourly(29)[:16*24], "no task for 13 d, usually 215 in 9 d", 3, november(7, 13, 0), 0, ""},
		"a day is skipped": {mornings[:len(mornings)-1], "no task for 1 d 07:40:00, usually 1 in that time", 2, november(19, 7, 0), 0, ""},

		"waits":                   {open(hourly(29), "START", 45*time.Minute), "a task has waited for 00:45:00, usually 00:01:00, 1 in the queue", 1, friday.Add(-45 * time.Minute), 0, "state|=|START"},
		"starts before creation":  {open(changed(hourly(29), 29*24+1, func(r *task) { r.dateStart = ptr(r.dateCreation.Add(-5 * time.Second)) }), "START", 45*time.Minute), "a task has waited for 00:45:00, usually 00:00:00, 1 in the queue", 1, friday.Add(-45 * time.Minute), 0, "state|=|START"},
		"waits, but is new":       {open(open(hourly(1)[:2], "START", 25*time.Hour), "START", time.Hour), "a task has waited for 1 d 01:00:00, 2 in the queue", 2, friday.Add(-25 * time.Hour), 1, "state|=|START"},
		"odd starts":              {tasks: open(changed(hourly(29), 29*24+1, func(r *task) { r.dateStart = ptr(friday.AddDate(150, 0, 0)) }), "START", 29*time.Minute)},
		"waits in its first week": {tasks: open(hourly(2), "START", 2*time.Hour)},
		"nobody takes a task":     {open(open(open(hourly(29), "START", 40*time.Minute), "START", 39*time.Minute), "START", 38*time.Minute), "a task has waited for 00:40:00, usually 00:01:00, 3 in the queue", 3, friday.Add(-40 * time.Minute), 2, "state|=|START"},

		"runs long":          {open(hourly(29), "RUNNING", 40*time.Minute), "a task has run for 00:40:00 on 7, usually 00:05:00", 1, friday.Add(-40 * time.Minute), 0, ""},
		"start not known":    {changed(open(hourly(29), "RUNNING", 4*time.Hour), 1, func(r *task) { r.dateStart = nil }), "a task has run for 04:00:00 on 7, usually 00:05:00", 2, friday.Add(-4 * time.Hour), 0, ""},
		"runs long, and new": {open(hourly(1)[:2], "RUNNING", 30*time.Hour), "a task has run for 1 d 06:00:00 on 7", 2, friday.Add(-30 * time.Hour), 0, ""},
		"two run long":       {open(open(hourly(29), "RUNNING", 5*time.Hour), "RUNNING", 4*time.Hour), "2 tasks have run for too long, the longest for 05:00:00 on 7, usually 00:05:00", 2, friday.Add(-5 * time.Hour), 1, ""},
		"took longer":        {changed(hourly(29), 5, func(r *task) { *r.dateLastModified = r.dateStart.Add(12 * time.Minute) }), "5 of 5 tasks slow since Fri 10:01, the last one took 00:12:00, usually 00:05:00", 2, november(20, 10, 1), 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			f := mustMake(t, makeAttention, attending(friday, test.tasks))
			if test.why == "" {
				require.Empty(t, valuesOf(f.Fields[1]))
				require.Equal(t, "Nothing needs attention", f.Fields[1].Config.DisplayNameFromDS)
				return
			}
			require.Equal(t, 1, f.Rows())
			id := *test.tasks[len(test.tasks)-1-test.id].id
			want := []any{"orders", test.why, test.severity, test.since}
			if strings.Contains(test.why, "at least") { // It began before anything is known.
				want[3] = nil
			}
			assert.Equal(t, want, row(f)[:4])
			assert.Equal(t, id, row(f)[5])
			assert.Equal(t, strings.Contains(strings.Split(test.why, ";")[0], "fail"), row(f)[10] != nil, "the share that failed")
			link, err := url.ParseQuery(row(f)[13].(string))
			require.NoError(t, err)
			which, ago := cmp.Or(test.filter, fmt.Sprintf("id|=|%d", id)), 24*time.Hour
			if row(f)[6] == "silent" { // What came in the two weeks before.
				which, ago = "", 14*24*time.Hour
			}
			if failed := link.Get("var-outcome"); failed != "$__all" { // A variable: what a filter hides is nothing to compare with.
				link.Set("var-Filters", "outcome|=|"+failed)
			}
			assert.Equal(t, which, link.Get("var-Filters"))
			assert.Equal(t, "now", link.Get("to"))
			from, err := strconv.ParseInt(link.Get("from"), 10, 64)
			require.NoError(t, err)
			assert.WithinRange(t, time.UnixMilli(from), test.since.Add(-ago), test.since)
			if row(f)[6] == "failing" { // The sentence says how many tasks the link lists: those that failed or, of most, those whose items did.
				part := strings.Split(which, "|")
				s := attending(friday, test.tasks)
				s.From, s.To, s.Filters = time.UnixMilli(from), friday, []*filter.Filter{where(t, part[0], part[1], part[2])}
				assert.Regexp(t, fmt.Sprintf(`^[^,]*\b%d (failures|of|and) `, mustMake(t, makeTable, s).Rows()), test.why)
			}
		})
	}
}

func row(f *data.Frame) (cells []any) {
	for _, field := range f.Fields {
		cells = append(cells, valuesOf(field)[0])
	}
	return cells
}

// Every sentence is in the language of the names.
func TestAttentionInLanguages(t *testing.T) {
	cases := [][]task{
		ending(hourly(29), times(3, "FAILED")...),
		ending(hourly(29), "FAILED", "FAILED", "FAILED", "SUCCESS", "FAILED", "FAILED"),
		hourly(29)[:16*24],
		open(hourly(29), "RUNNING", 16*time.Minute),
		changed(changed(withItems(hourly(29), 10, 1), 9, func(r *task) { r.finishStatus = ptr([]string{"FAILED", "FAILED", "PARTIALLY_COMPLETED"}[*r.id%3]) }), 2, itemsFail),
		changed(changed(withItems(hourly(29), 10, 0), 29*24, every(12, fail)), 6, itemsFail),
	}
	for language, want := range map[schema.Language][]string{
		"pt-BR": {"3 falhas consecutivas desde sex. 12:06, 0% nos 28 d anteriores (0 de 694)", "83% das tarefas falharam (5 de 6) desde sex. 09:06, 0% nos 28 d anteriores (0 de 691)", "nenhuma tarefa há 13 d, normalmente 215 em 9 d", "uma tarefa em execução há 00:16:00 em 7, normalmente 00:05:00",
			"78% das tarefas falharam ou tiveram a maioria dos itens com falha (5 e 2 de 9), as demais em parte, desde sex. 06:06, 0% nos 28 d anteriores (0 de 688)",
			"100% das tarefas com a maioria dos itens com falha (6 de 6) desde sex. 09:06, 8% falharam ou tiveram a maioria dos itens com falha nos 28 d anteriores (57 de 691)"},
		"es-ES": {"3 fallos consecutivos desde vie 12:06, 0\u00a0% en los 28 d anteriores (0 de 694)", "83\u00a0% de tareas fallidas (5 de 6) desde vie 09:06, 0\u00a0% en los 28 d anteriores (0 de 691)", "ninguna tarea desde hace 13 d, normalmente 215 en 9 d", "una tarea en ejecución desde hace 00:16:00 en 7, normalmente 00:05:00",
			"78\u00a0% de tareas fallidas o con la mayoría de elementos fallidos (5 y 2 de 9), las demás en parte, desde vie 06:06, 0\u00a0% en los 28 d anteriores (0 de 688)",
			"100\u00a0% de tareas con la mayoría de elementos fallidos (6 de 6) desde vie 09:06, 8\u00a0% fallidas o con la mayoría de elementos fallidos en los 28 d anteriores (57 de 691)"},
	} {
		for i, tasks := range cases {
			r := attending(friday, tasks)
			r.Language = language
			assert.Equal(t, want[i], row(mustMake(t, makeAttention, r))[1])
		}
	}
}

// of gives tasks an automation and a runner.
func of(automation, runner string, tasks []task) []task {
	return changed(tasks, len(tasks), func(r *task) {
		r.activityLabel = &automation
		if r.machineID != nil {
			r.machineID = &runner
		}
	})
}

// several returns an automation that fails and is silent, one that waits, and one that is well.
func several() *spec {
	failing := of("orders", "7", ending(hourly(29)[:29*24-5], times(3, "FAILED")...))
	waiting := of("invoices", "8", open(hourly(29), "START", 25*time.Hour))
	r := attending(friday, slices.Concat(waiting, failing, of("claims", "9", hourly(29))))
	r.Automations = map[string]string{"invoices": "Read invoices"}
	return r
}

func instance(automation, reason string) string {
	return key(map[string]string{"activityLabel": automation, "reason": reason})
}

// In a rule, each group and reason is an instance; nothing is a single 0, and no task at all is no number.
func TestAttentionOfRules(t *testing.T) {
	rule := func(change func(*frame.Attention)) *data.Frame {
		a := attention(several(), false)
		change(a)
		return mustJudge(t, a)
	}
	f := rule(func(*frame.Attention) {})
	assert.Equal(t, instances{instance("orders", "failing"): ptr(3.0), instance("orders", "silent"): ptr(3.0), instance("invoices", "waiting"): ptr(2.0)}, readNumeric(t, f, "severity"))
	assert.Equal(t, []string{"orders, Silent", "orders, Failing", "Read invoices, Waiting"}, displayed(f), "the most urgent first, of equal ones that of more tasks")

	f = rule(func(a *frame.Attention) {
		a.Rows = tasksTable(slices.Concat(of("orders", "7", open(ending(hourly(29), times(3, "FAILED")...), "RUNNING", 40*time.Minute)), of("invoices", "8", open(hourly(29), "START", 25*time.Hour))))
	})
	assert.Equal(t, []string{"orders, Failing", "Read invoices, Waiting", "orders, Slow"}, displayed(f), "across groups")

	f = rule(func(a *frame.Attention) { a.Limit = 1 })
	assert.Equal(t, instances{instance("orders", "silent"): ptr(3.0)}, readNumeric(t, f, "severity"))
	assert.Equal(t, "1 of 3 findings are shown, the most urgent: filter to see the rest", f.Meta.Notices[0].Text)
	f = rule(func(a *frame.Attention) { a.Reasons = []string{"waiting", "slow"} })
	assert.Equal(t, instances{instance("invoices", "waiting"): ptr(2.0)}, readNumeric(t, f, "severity"))
	f = rule(func(a *frame.Attention) {
		a.Rows, a.Sensitivity = tasksTable(open(hourly(29), "RUNNING", 20*time.Minute)), "fewer"
	})
	assert.Equal(t, instances{key(nil): ptr(0.0)}, readNumeric(t, f, "severity"))
	f = rule(func(a *frame.Attention) { a.Ignored = []string{"orders", "invoices"} })
	assert.Equal(t, instances{key(nil): ptr(0.0)}, readNumeric(t, f, "severity"))
	f = rule(func(a *frame.Attention) { a.Rows = tasksTable(nil) })
	assert.Empty(t, readNumeric(t, f, "severity"))
	assert.Equal(t, "No tasks yet", f.Meta.Notices[0].Text)
	f = rule(func(a *frame.Attention) { a.Contains = "nobody" })
	assert.Empty(t, readNumeric(t, f, "severity"), "nothing was judged")
	assert.Equal(t, "No group matches the filters", f.Meta.Notices[0].Text)
}

// A group whose newest tasks don't show how they went is not judged: a rule has no 0 for it.
func TestAttentionThatCannotJudge(t *testing.T) {
	noStatus := func(r *task) { r.finishStatus = nil }
	for name, test := range map[string]struct {
		of, newest int
		change     func(*task)
		judged     bool
	}{
		"no creation":            {217, 217, func(r *task) { r.dateCreation = nil }, false},
		"no status":              {217, 217, noStatus, false},
		"no longer a status":     {217, 3, noStatus, false},
		"no status, and new":     {2, 2, noStatus, false},
		"no status for a moment": {217, 1, noStatus, true},
		"no status for an hour":  {217, 2, noStatus, false},
		"neither state":          {217, 3, func(r *task) { r.state, r.finishStatus = nil, nil }, false},
	} {
		well := of("claims", "9", hourly(29))
		unknown := open(changed(hourly(29)[29*24+1-test.of:], test.newest, test.change), "RUNNING", time.Minute)
		panel := mustMake(t, makeAttention, attending(friday, slices.Concat(unknown, well)))
		rule := mustJudge(t, attention(attending(friday, slices.Concat(unknown, well)), false))
		if test.judged {
			assert.Equal(t, "Nothing needs attention", panel.Fields[1].Config.DisplayNameFromDS, name)
			assert.Equal(t, instances{key(nil): ptr(0.0)}, readNumeric(t, rule, "severity"), name)
			continue
		}
		assert.Equal(t, "Cannot be judged: 1", panel.Fields[1].Config.DisplayNameFromDS, name)
		assert.Empty(t, readNumeric(t, rule, "severity"), name)
		for _, f := range []*data.Frame{panel, rule} {
			assert.Equal(t, "Cannot be judged: 1", f.Meta.Notices[0].Text, name)
			assert.Contains(t, f.Meta.Notices[1].Text, "1 of 2 groups by activityLabel can't be judged", name)
		}
		ignoring := attention(attending(friday, slices.Concat(unknown, well)), false)
		ignoring.Ignored = []string{"orders"}
		rule = mustJudge(t, ignoring)
		assert.Equal(t, instances{key(nil): ptr(0.0)}, readNumeric(t, rule, "severity"), name)
	}
}

// A rule doesn't resolve what it can no longer judge because another group has a finding: it has no data then, for each of
// its reasons.
func TestAttentionThatCannotJudgeAnymore(t *testing.T) {
	severities := func(showsResults bool, limit int) instances {
		orders := ending(hourly(29), times(5, "FAILED")...)
		if !showsResults {
			orders = changed(orders, 5, func(r *task) { r.finishStatus = nil })
		}
		claims := of("claims", "9", ending(hourly(29), times(5, "FAILED")...))
		a := attention(attending(friday, slices.Concat(orders, claims)), false)
		a.Reasons, a.Limit = []string{"failing", "silent"}, limit
		return readNumeric(t, mustJudge(t, a), "severity")
	}
	assert.Equal(t, instances{instance("claims", "failing"): ptr(3.0), instance("orders", "failing"): ptr(3.0)}, severities(true, 0))
	assert.Equal(t, instances{instance("claims", "failing"): ptr(3.0), instance("orders", "failing"): nil, instance("orders", "silent"): nil}, severities(false, 0))
	assert.Equal(t, instances{instance("claims", "failing"): ptr(3.0), instance("orders", "failing"): nil}, severities(false, 2))
}

// Of a group whose newest tasks have no results, a queue and a silence are known. Without dates, a silence isn't.
func TestAttentionOfWhatIsKnown(t *testing.T) {
	reasons := func(tasks []task) []any {
		return valuesOf(mustMake(t, makeAttention, attending(friday, tasks)).Fields[6])
	}
	assert.Equal(t, []any{"waiting"}, reasons(open(changed(hourly(29), 5, func(r *task) { r.finishStatus = nil }), "START", 45*time.Minute)))
	assert.Equal(t, []any{"silent"}, reasons(changed(hourly(29)[:29*24-5], 5, func(r *task) { r.finishStatus = nil })))
	assert.Empty(t, reasons(changed(hourly(29), 5, func(r *task) { r.dateCreation = nil })), "tasks come")
	young := slices.Concat(ending(hourly(9), times(9*24+1, "FAILED")...), of("claims", "9", hourly(29)))
	assert.Equal(t, []string{"217 failures in a row since the first task, 11 Nov"}, whys(t, mustMake(t, makeAttention, attending(friday, young))))
}

// What could not be read, and who is ignored although there is no such automation, is said.
func TestAttentionSaysWhatIsMissing(t *testing.T) {
	for search, want := range map[string][]string{
		"nobody": {"No group matches the filters", `Ignore lists "old-intake", but no task has this activityLabel`},
		"":       {"Nothing needs attention in what could be read", `Ignore lists "old-intake", but no task has this activityLabel`},
	} {
		a := attention(attending(friday, hourly(29)), true)
		a.Incomplete, a.Ignored, a.Contains = true, []string{"orders", "old-intake"}, search
		f := mustJudge(t, a)
		assert.Equal(t, want, notices(f))
		assert.Equal(t, want[0], f.Fields[1].Config.DisplayNameFromDS)
	}
}

// Filters and search choose groups. All rows of a group decide, whatever they are.
func TestAttentionOfChosenGroups(t *testing.T) {
	for name, test := range map[string]struct {
		filter *filter.Filter
		search string
		want   []any
	}{
		"a status": {filter: where(t, "finishStatus", "=", "FAILED"), want: []any{"orders"}},
		"a runner": {filter: where(t, "machineId", "=", "8"), want: []any{"invoices"}},
		"a search": {search: "VOICE", want: []any{"invoices"}},
		"none":     {want: []any{"orders", "invoices"}},
	} {
		r := several()
		r.Contains = test.search
		if test.filter != nil {
			r.Filters = []*filter.Filter{test.filter}
		}
		f := mustMake(t, makeAttention, r)
		assert.Equal(t, append([]any{}, test.want...), valuesOf(f.Fields[0]), name)
	}
	r := several()
	r.Limit = 1
	assert.Equal(t, []any{"orders"}, valuesOf(mustMake(t, makeAttention, r).Fields[0]))
	r.Limit = 0
	r.GroupBy = []string{"machineId"}
	f := mustMake(t, makeAttention, r)
	assert.Equal(t, []any{"7"}, valuesOf(f.Fields[0]), "a task without a runner belongs to none")
	assert.Equal(t, "activityLabel", f.Fields[4].Name)
}

// A runner is silent if it starts nothing, whatever is created for it.
func TestAttentionOfRunners(t *testing.T) {
	queue := changed(hourly(29), 6, func(r *task) { r.dateCreation = ptr(friday.Add(-8 * time.Hour)) })
	r := attending(friday, queue)
	assert.Equal(t, "slow", row(mustMake(t, makeAttention, attending(friday, open(queue, "RUNNING", 20*time.Minute))))[6])
	r.GroupBy = []string{"machineId"}
	assert.Empty(t, valuesOf(mustMake(t, makeAttention, r).Fields[0]), "it was started all the time")

	r = attending(friday, changed(hourly(29)[:29*24-5], 29*24-5, func(r *task) { r.dateStart = nil }))
	r.GroupBy = []string{"machineId"}
	assert.Equal(t, "silent", row(mustMake(t, makeAttention, r))[6], "starts are not known, but creations")
}

// robots builds the frame for panels with a row for each runner.
func robots(ctx context.Context, s *spec) (*data.Frame, error) {
	s.GroupBy = []string{"machineId"}
	a := attention(s, true)
	a.All = true
	return a.Frame(ctx)
}

// Each runner has a row: first those that need attention, then those that are quiet, for long. One whose state is not known is last.
func TestRobots(t *testing.T) {
	well := hourly(29)
	moved := func(tasks []task, by time.Duration) []task {
		return changed(tasks, len(tasks), func(r *task) {
			for _, at := range []**time.Time{&r.dateCreation, &r.dateStart, &r.dateLastModified} {
				*at = ptr((*at).Add(by))
			}
		})
	}
	s := attending(friday, slices.Concat(
		of("orders", "works", open(well, "RUNNING", 4*time.Minute)), of("orders", "hung", open(moved(hourly(29), time.Second), "RUNNING", 4*time.Hour)),
		of("bills", "idle", hourly(29)), of("bills", "idle for longer", slices.Delete(hourly(29)[:29*24], 100, 101)),
		of("rare", "quiet", hourly(29)[5*24:5*24+1]), of("claims", "gone", hourly(29)[:24*24]),
		of("claims", "takes nothing", changed(open(nil, "START", 48*time.Hour), 1, func(r *task) { r.machineID = ptr("") })),
		of("bills", "ends later", changed(hourly(0), 1, func(r *task) { r.dateLastModified = ptr(friday.Add(2 * time.Hour)) })),
	))
	f := mustMake(t, robots, s)
	assert.Equal(t, []any{"gone", "takes nothing", "hung", "quiet", "idle for longer", "idle", "works", "ends later"}, texts(f, "machineId"))
	assert.Equal(t, []any{"quiet", "quiet", "hung", "quiet", "idle", "idle", "working", nil}, texts(f, "state"))
	assert.Equal(t, []any{november(15, 13, 6), nil, friday.Add(-4 * time.Hour), november(-4, 14, 6), november(20, 13, 6), november(20, 14, 6), friday.Add(-4 * time.Minute), nil}, texts(f, "since"))
	assert.Equal(t, []any{"silent", "waiting", "slow", nil, nil, nil, nil, nil}, texts(f, "reason"))
	assert.Equal(t, []any{"claims", "claims", "orders", "rare", "bills", "bills", "orders", "bills"}, texts(f, "activityLabel"), "of the last task")
	assert.Equal(t, []any{"no task for 5 d, usually 121 in that time", "a task has waited for 2 d, 1 in the queue", "a task has run for 04:00:00, usually 00:05:00 on this runner", nil, nil, nil, nil, nil}, texts(f, "why"))
	before := func(at time.Time) string {
		return fmt.Sprintf("from=%d&to=now&var-outcome=%%24__all", at.AddDate(0, 0, -14).UnixMilli())
	}
	assert.Equal(t, before(november(15, 13, 6)), texts(f, "tasks")[0], "of a silence")
	assert.Equal(t, before(november(20, 14, 6)), texts(f, "tasks")[5], "of one that is well")
	field, _ := f.FieldByName("state")
	for state, want := range map[string]string{"hung": "Hung", "quiet": "Quiet"} {
		assert.Equal(t, want, field.Config.Mappings[0].(data.ValueMapper)[state].Text)
	}

	s.Limit = 3
	assert.Equal(t, []any{"gone", "takes nothing", "hung"}, texts(mustMake(t, robots, s), "machineId"))
	s.Limit, s.Filters = 0, []*filter.Filter{where(t, "machineId", "=~", "idle.*")}
	f = mustMake(t, robots, s)
	assert.Equal(t, []any{"idle for longer", "idle"}, texts(f, "machineId"))
	assert.Equal(t, []string{"Nothing needs attention"}, notices(f))

	unknown := attending(friday, changed(of("orders", "7", hourly(9)), 20, func(r *task) { r.dateCreation = nil }))
	f = mustMake(t, robots, unknown)
	assert.Equal(t, []any{nil}, texts(f, "state"), "tasks may have come whose dates are missing")
}

// A clock that is somewhat ahead tells what a robot does. Dates that are far ahead tell nothing, and are said.
func TestRobotsWithDatesAfterNow(t *testing.T) {
	later := func(by time.Duration) func(*task) {
		return func(r *task) { *r.dateLastModified = friday.Add(by) }
	}
	for name, test := range map[string]struct {
		tasks        []task
		state, since any
		says         string
	}{
		"by a minute":    {changed(hourly(9), 1, later(time.Minute)), "idle", friday, "Nothing needs attention"},
		"by years":       {changed(hourly(9), 1, later(9e8*time.Second)), nil, nil, "Runners whose state is not known: 1"},
		"as a zone is":   {changed(hourly(9), 1, func(r *task) { later(3 * time.Hour)(r); r.dateStart = r.dateLastModified }), nil, nil, "Runners whose state is not known: 1"},
		"of an old task": {append(changed(hourly(9), 1, later(9e8*time.Second)), done(9999, friday.Add(-10*time.Minute), "SUCCESS")), "idle", friday.Add(-4 * time.Minute), "Nothing needs attention"},
		"of a runner of which nothing else is known": {changed(hourly(0), 1, later(2*time.Hour)), nil, nil, "Runners whose state is not known: 1"},
		"of one that works":                          {open(changed(hourly(9), 1, later(2*time.Hour)), "RUNNING", 5*time.Minute), "working", friday.Add(-5 * time.Minute), "Nothing needs attention"},
	} {
		f := mustMake(t, robots, attending(friday, test.tasks))
		assert.Equal(t, []any{test.state, test.since}, []any{row(f)[1], row(f)[4]}, name)
		assert.Contains(t, strings.Join(notices(f), " "), test.says, name)
	}
}

// busy says in which minutes since a time a task of a runner ran, and which one runs: the oldest.
func busy(tasks []task, since, at time.Time) (busy []bool, runs *task) {
	busy = make([]bool, int(at.Sub(since).Minutes()))
	for _, r := range tasks {
		end := r.dateLastModified
		if *r.state == "RUNNING" && (runs == nil || r.dateStart.Before(*runs.dateStart)) {
			runs = &r
		}
		if *r.state == "RUNNING" {
			end = &at
		}
		for m := r.dateStart; m != nil && m.Before(*end); m = ptr(m.Add(time.Minute)) {
			busy[int(m.Sub(since).Minutes())] = true
		}
	}
	return busy, runs
}

// The state of a robot is what a plain reading of its tasks says, minute by minute. That all robots have a row changes nothing of what
// needs attention, nor of what a rule says.
func TestStatesOfRobotsAgreeWithTheirTasks(t *testing.T) {
	seen := map[any]int{}
	for seed := range int64(60) {
		r := rand.New(rand.NewSource(seed))
		at, byRunner, all := friday.Add(time.Duration(r.Intn(1440))*time.Minute), map[any][]task{}, []task{}
		for n := range 5 {
			runner, takes, own := fmt.Sprint("r", n), []int{1, 20, 200}[r.Intn(3)], []task{}
			for start := at.AddDate(0, 0, -r.Intn(6)-1); start.Before(at); start = start.Add(time.Duration(1+r.Intn(8*takes)) * time.Minute) {
				one := done(len(all)+len(own), start.Add(-time.Minute), []string{"SUCCESS", "FAILED"}[r.Intn(2)])
				one.dateLastModified = ptr(start.Add(time.Duration(1+r.Intn(takes)) * time.Minute))
				own = append(own, one)
			}
			if r.Intn(3) == 0 { // It rests, or hangs.
				own = own[:1+r.Intn(len(own))]
			}
			for n := range own {
				if one := &own[n]; one.dateLastModified.After(at) || n == len(own)-1 && r.Intn(4) == 0 {
					one.state, one.finishStatus, one.dateLastModified = ptr("RUNNING"), nil, one.dateStart
				}
			}
			byRunner[runner] = of("orders", runner, own)
			all = append(all, own...)
			waits := open(nil, "START", time.Duration(r.Intn(100))*time.Hour) // does not count
			waits[0].machineID = &runner
			all = append(all, waits...)
		}
		s := attending(at, all)
		f := mustMake(t, robots, s)
		require.ElementsMatch(t, slices.Collect(maps.Keys(byRunner)), texts(f, "machineId"))
		for n, runner := range texts(f, "machineId") {
			ran, runs := busy(byRunner[runner], at.AddDate(0, 0, -8), at)
			rests, works, longest, rest := 0, 0, 0, 0 // minutes
			for m := len(ran) - 1; m >= 0 && ran[m]; m-- {
				works++
			}
			for m := len(ran) - 1; m >= 0 && !ran[m]; m-- {
				rests++
			}
			for _, is := range ran[slices.Index(ran, true) : len(ran)-rests] {
				if rest++; is {
					rest = 0
				}
				longest = max(longest, rest)
			}
			want, since := "idle", at.Add(-time.Duration(rests)*time.Minute)
			switch {
			case runs != nil && (at.Sub(*runs.dateStart) >= day || at.Sub(*runs.dateStart) > 15*time.Minute && texts(f, "state")[n] == "hung"):
				want, since = "hung", *runs.dateStart // TestHang of package attention says after how much of that day
			case runs != nil:
				want, since = "working", at.Add(-time.Duration(works)*time.Minute)
			case rests > 24*60 || longest > 0 && rests > longest:
				want = "quiet"
			}
			require.Equal(t, want, texts(f, "state")[n], "%d: %s", seed, runner)
			require.Equal(t, since, texts(f, "since")[n], "%d: %s", seed, runner)
			seen[want]++
		}
		few := mustMake(t, makeAttention, s)
		for _, name := range []string{"machineId", "why", "reason", "severity"} {
			require.Equal(t, texts(few, name), append([]any(nil), texts(f, name)[:few.Rows()]...), name)
		}
		rule := attention(s, false)
		want := mustJudge(t, rule)
		rule.All = true
		require.Equal(t, want.Fields, mustJudge(t, rule).Fields)
	}
	for _, state := range []string{"working", "hung", "idle", "quiet"} {
		require.Greater(t, seen[state], 10, state)
	}
}

// On holidays of the calendar, in its time zone, nothing is expected.
func TestAttentionOnHolidays(t *testing.T) {
	mornings := slices.DeleteFunc(hourly(29), func(r task) bool { return r.dateCreation.Hour() != 7 || r.dateCreation.Day() == 20 })
	for holiday, want := range map[string][]any{"2026-11-20 Zumbi": {}, "11-20": {}, "2026-11-19": {"silent"}} {
		s := attending(friday, mornings)
		s.Calendar, _ = deadlines.ParseCalendar(map[string]any{"timezone": "America/Sao_Paulo", "holidays": []any{holiday}})
		assert.Equal(t, want, append([]any{}, texts(mustMake(t, makeAttention, s), "reason")...), holiday)
	}
}

// A short memory is said once, and not denied by a silence that is found in spite of it.
func TestAttentionWithAShortMemory(t *testing.T) {
	silence := func(days int) []string {
		return notices(mustMake(t, makeAttention, attending(friday, hourly(days))))
	}
	short := "Not every silence is judged: the tasks go back 8 days, and it takes 9"
	assert.Equal(t, []string{"Nothing needs attention", short}, silence(8))
	assert.Equal(t, []string{"Nothing needs attention"}, silence(9))
	stopped := hourly(9)[1 : 9*24-11]
	panel := mustMake(t, makeAttention, attending(friday, append(of("other", "b", hourly(8)), stopped...)))
	assert.Equal(t, []any{"silent"}, texts(panel, "reason"))
	assert.Equal(t, []string{short}, notices(panel))
}

// Attention with the fields of the workspace says where. Without automations or runners, it is how many of them there are.
func TestAttentionOfAWorkspace(t *testing.T) {
	whose := map[string]string{"organizationLabel": "acme", "dataSource": "Insights acme"}
	incomplete := false
	of := func(tasks []task, counted, long bool) *data.Frame {
		s := attending(friday, tasks)
		s.Workspace, s.GroupBy = whose, []string{"activityLabel", "organizationLabel", "dataSource"}
		a := attention(s, long)
		a.Counted, a.Incomplete = counted, incomplete
		return mustJudge(t, a)
	}
	failing := ending(hourly(29), times(3, "FAILED")...)
	unknown := changed(hourly(9), 9*24+1, func(r *task) { r.activityLabel, r.dateCreation = ptr("invoices"), nil })
	for name, test := range map[string]struct {
		tasks       []task
		panel, rule any
		why         string // there is no number
	}{
		"one":            {failing, ptr(1.0), ptr(1.0), ""},
		"none":           {hourly(29), ptr(0.0), ptr(0.0), ""},
		"no task at all": {nil, (*float64)(nil), (*float64)(nil), "No tasks yet"},
		"some unknown":   {slices.Concat(failing, unknown), ptr(1.0), (*float64)(nil), ""},
		"all unknown":    {changed(hourly(29), 29*24+1, func(r *task) { r.dateCreation = nil }), (*float64)(nil), (*float64)(nil), "Cannot be judged: 1"},
	} {
		t.Run(name, func(t *testing.T) {
			panel := of(test.tasks, true, true)
			require.Equal(t, []any{"acme", "Insights acme", test.panel}, panel.RowCopy(0))
			require.Equal(t, test.why, panel.Fields[2].Config.NoValue)
			rule := of(test.tasks, true, false)
			require.Equal(t, instances{key(whose): test.rule.(*float64)}, readNumeric(t, rule, "needsAttention"))
		})
	}

	incomplete = true
	require.Equal(t, (*float64)(nil), of(hourly(29), true, true).Fields[2].At(0), "a missing row may need attention")
	require.Equal(t, "Nothing needs attention in what could be read", of(hourly(29), true, true).Fields[2].Config.NoValue)
	require.Equal(t, ptr(1.0), of(failing, true, true).Fields[2].At(0))
	incomplete = false

	row := of(failing, false, true)
	for name, value := range whose {
		f, at := row.FieldByName(name)
		require.NotEqual(t, -1, at)
		require.Equal(t, &value, f.At(0))
	}
	require.Equal(t, data.Labels{"activityLabel": "orders", "organizationLabel": "acme", "dataSource": "Insights acme", "reason": "failing"}, of(failing, false, false).Fields[0].Labels)
	require.Len(t, of(hourly(29), false, true).Fields, len(row.Fields), "the same columns without a row")
}

// A strike, or an outage of the orchestrator, is one finding, of the first that fell silent, whatever else runs and whoever comes
// back first. What was silent before is another one.
func TestOneSilence(t *testing.T) {
	tasks := of("gone", "gone", hourly(29)[:24*24])
	for n := range 20 {
		tasks = append(tasks, of(fmt.Sprintf("a%02d", n), fmt.Sprintf("r%02d", n), hourly(29))...)
	}
	s := attending(friday.Add(6*time.Hour), tasks)
	panel := mustMake(t, makeAttention, s)
	assert.Equal(t, []any{"gone", "a00"}, texts(panel, "activityLabel"))
	assert.Equal(t, "no task of any automation since Fri 14:00, usually 20 run by now", whys(t, panel)[1])
	assert.Equal(t, []any{120.0}, texts(panel, "count")[1:])
	rule := mustJudge(t, attention(s, false))
	require.Len(t, rule.Fields, 2)
	assert.Equal(t, data.Labels{"activityLabel": "a00", "reason": "silent"}, rule.Fields[1].Labels)

	s.Language = "pt-BR"
	assert.Equal(t, "nenhuma tarefa de nenhuma automação desde sex. 14:00, normalmente 20 já teriam sido executadas", whys(t, mustMake(t, makeAttention, s))[1])
	s.GroupBy, s.Language = []string{"machineId"}, "es-ES"
	assert.Equal(t, "ninguna tarea en ningún runner desde vie 14:01, normalmente 20 ya habrían tomado una", whys(t, mustMake(t, makeAttention, s))[1])
	s.GroupBy, s.Language, s.Filters = []string{"activityLabel"}, "", []*filter.Filter{where(t, "activityLabel", "=", "a07")}
	assert.Equal(t, []string{"no task for 06:40:00, usually 6 in that time"}, whys(t, mustMake(t, makeAttention, s)))

	back := slices.Clone(tasks)
	for n := range 19 {
		name := fmt.Sprintf("a%02d", n)
		at := friday.Add(5*time.Hour + time.Duration(n)*time.Minute)
		back = append(back, of(name, "r", []task{done(9000+n, at, "SUCCESS")})...)
		panel := mustMake(t, makeAttention, attending(friday.Add(6*time.Hour), slices.Clone(back)))
		left, names := 19-n, "a01, a02, a03, a04, a05, …"
		switch {
		case left < 3: // Two that are silent beside others are two.
			assert.Len(t, whys(t, panel), 1+left)
			continue
		case n > 0:
			require.Equal(t, []any{"gone", fmt.Sprintf("a%02d", n+1)}, texts(panel, "activityLabel"))
			continue
		}
		assert.Equal(t, []any{"gone", "a01"}, texts(panel, "activityLabel"), "a manual task, or the first that comes back")
		assert.Equal(t, "no task of 19 automations since Fri 14:00: "+names, whys(t, panel)[1])
	}
}

// An instance doesn't change when another joins it: its beginning is that of the first that fell silent.
func TestSinceOfOneSilence(t *testing.T) {
	daily := slices.DeleteFunc(hourly(29), func(r task) bool { return r.dateCreation.Hour() != 15 })
	some := slices.DeleteFunc(hourly(29), func(r task) bool { return r.dateCreation.Hour()%4 != 2 })
	var since []any
	for _, after := range []time.Duration{4 * time.Hour, 12 * time.Hour} {
		panel := mustMake(t, makeAttention, attending(friday.Add(after), slices.Concat(of("daily", "r", daily), of("some", "r", some))))
		require.Equal(t, []any{"daily"}, texts(panel, "activityLabel"))
		since = append(since, texts(panel, "since")[0])
		if after > 10*time.Hour {
			assert.Equal(t, []string{"no task of any automation since Fri 14:00, usually 2 run by now"}, whys(t, panel))
		}
	}
	assert.Equal(t, since[0], since[1])
}
