package frame_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
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

// linesOf returns the deadlines of a setting.
func linesOf(t *testing.T, lines string) []*deadlines.Deadline {
	t.Helper()
	calendar, _ := deadlines.ParseCalendar(nil)
	return linesIn(t, calendar, lines)
}

func linesIn(t testing.TB, calendar *deadlines.Calendar, lines string) []*deadlines.Deadline {
	t.Helper()
	var value any
	require.NoError(t, json.Unmarshal([]byte("["+lines+"]"), &value))
	of, problems := deadlines.Parse(value, calendar)
	require.Empty(t, problems)
	return append([]*deadlines.Deadline{}, of...)
}

func makeDue(ctx context.Context, s *spec) (*data.Frame, error) {
	due := frame.DueToday{Grouping: s.grouping()}
	return due.Frame(ctx)
}

// promising are hourly orders until Friday 14:06, and some deadlines.
func promising(t *testing.T, lines string) *spec {
	t.Helper()
	s := attending(friday, hourly(20))
	s.Deadlines = linesOf(t, lines)
	return s
}

const (
	kept   = `{"automation":"ord*","by":"07:00"}`
	absent = `{"automation":"payroll","by":"07:00"}`
	coming = `{"automation":"orders","by":"15:00","count":16}`
)

func whys(t *testing.T, f *data.Frame) (all []string) {
	t.Helper()
	field, _ := f.FieldByName("why")
	for row := range f.Rows() {
		if value, ok := field.ConcreteAt(row); ok {
			all = append(all, fmt.Sprint(value))
		}
	}
	return all
}

// texts returns the values of the field of a name, nil for null.
func texts(f *data.Frame, name string) []any {
	field, _ := f.FieldByName(name)
	return valuesOf(field)
}

func notices(f *data.Frame) (all []string) {
	for _, n := range f.Meta.Notices {
		all = append(all, n.Text)
	}
	return all
}

// An automation with a deadline and no task is late, which is the worst case. With one that is done, nothing needs attention.
func TestAttentionToDeadlines(t *testing.T) {
	f := mustMake(t, makeAttention, promising(t, kept))
	assert.Empty(t, whys(t, f))
	assert.Equal(t, []string{"Nothing needs attention"}, notices(f))

	f = mustMake(t, makeAttention, promising(t, kept+","+absent))
	assert.Equal(t, []any{"payroll"}, texts(f, "activityLabel"))
	assert.Equal(t, []string{"not done by Fri 07:00: no success before"}, whys(t, f))
	assert.Equal(t, []any{3.0}, texts(f, "severity"))
	assert.Equal(t, []any{"deadline"}, texts(f, "reason"))
	assert.Equal(t, []any{friday.Truncate(24 * time.Hour).Add(7 * time.Hour)}, texts(f, "since"))
	rule := mustJudge(t, attention(promising(t, absent), false))
	require.Len(t, rule.Fields, 1)
	assert.Equal(t, data.Labels{"activityLabel": "payroll", "reason": "deadline"}, rule.Fields[0].Labels)

	byTeam := promising(t, absent)
	byTeam.Teams, byTeam.GroupBy = deadlines.Teams{{Scope: deadlines.Scope{Automation: "pay*"}, Team: "HR"}}, []string{"activityLabel", "team"}
	rule = mustJudge(t, attention(byTeam, false))
	require.Len(t, rule.Fields, 1)
	assert.Equal(t, data.Labels{"activityLabel": "payroll", "team": "HR", "reason": "deadline"}, rule.Fields[0].Labels)
	assert.Equal(t, []any{"HR"}, texts(mustMake(t, makeAttention, byTeam), "team"))
	byTeam.Filters = []*filter.Filter{where(t, "team", "!=", "HR")}
	assert.Empty(t, whys(t, mustMake(t, makeAttention, byTeam)))

	assert.Empty(t, whys(t, mustMake(t, makeAttention, promising(t, coming))), "20 minutes are enough")
	f = mustMake(t, makeAttention, promising(t, `{"automation":"orders","by":"14:42","count":16}`))
	assert.Equal(t, []string{"will not be done by Fri 14:42: usually takes 00:05:00, 00:02:00 left"}, whys(t, f))
	assert.Equal(t, []any{2.0}, texts(f, "severity"))
}

// The sentence leads to the tasks that it is about: one that is late, those without a success if there are more, and all of the
// day where successes are missing.
func TestTasksOfDeadlines(t *testing.T) {
	late := func(id int, at time.Time) task {
		r := done(id, at, "FAILED")
		r.state, r.finishStatus, r.dateStart, r.dateLastModified = ptr("START"), nil, nil, nil
		return r
	}
	noon := friday.Truncate(24 * time.Hour).Add(12 * time.Hour)
	within := `{"automation":"orders","within":"30m"}`
	since := func(at time.Time) string { return fmt.Sprintf("from=%d&to=now", at.UnixMilli()) }
	for _, test := range []struct {
		lines string
		late  []task
		want  string
		says  map[schema.Language]string
	}{
		{within, []task{late(9001, noon)}, since(noon) + "&var-Filters=id%7C%3D%7C9001&var-outcome=%24__all", map[schema.Language]string{
			"en-US": "not done by Fri 12:30 (00:30:00 after creation): queued for 02:40:00, no runner has taken it",
			"pt-BR": "não concluído até sex. 12:30 (00:30:00 após a criação): na fila há 02:40:00, nenhum runner a pegou",
			"es-ES": "no terminado antes del vie 12:30 (00:30:00 tras su creación): en cola desde hace 02:40:00, ningún runner la ha tomado",
		}},
		{within, []task{late(9001, noon), late(9002, noon.Add(time.Hour))}, since(noon) + "&var-Filters=outcome%7C%21%3D%7CSUCCESS&var-outcome=%24__all", map[schema.Language]string{
			"en-US": "2 tasks not done within 00:30:00, the first by Fri 12:30: queued for 02:40:00, no runner has taken it",
			"pt-BR": "2 tarefas não concluídas em 00:30:00, a primeira até sex. 12:30: na fila há 02:40:00, nenhum runner a pegou",
			"es-ES": "2 tareas no terminadas en 00:30:00, la primera antes del vie 12:30: en cola desde hace 02:40:00, ningún runner la ha tomado",
		}},
		{absent, nil, since(friday.Truncate(24*time.Hour).Add(-5*time.Hour)) + "&var-outcome=%24__all", map[schema.Language]string{
			"en-US": "not done by Fri 07:00: no success before", "pt-BR": "não concluído até sex. 07:00: sem sucesso antes", "es-ES": "no terminado antes del vie 07:00: sin éxito antes",
		}},
	} {
		s := promising(t, test.lines)
		s.Rows = tasksTable(append(hourly(20), test.late...))
		for language, says := range test.says {
			s.Language = language
			a := attention(s, true)
			a.Reasons = []string{"deadline"}
			f := mustJudge(t, a)
			assert.Equal(t, []any{test.want}, texts(f, "tasks"))
			assert.Equal(t, []string{says}, whys(t, f))
		}
	}
}

func TestDueToday(t *testing.T) {
	within := `{"automation":"orders","within":"5m"}`
	s := promising(t, coming+","+absent+","+kept+","+within)
	f := mustMake(t, makeDue, s)
	assert.Equal(t, []any{"orders", "payroll", "orders"}, texts(f, "activityLabel"))
	assert.Equal(t, []any{"done", "late", "open"}, texts(f, "state"))
	assert.Equal(t, []any{1.0, 0.0, 15.0}, texts(f, "done"))
	assert.Equal(t, []any{1.0, 1.0, 16.0}, texts(f, "required"))
	assert.Equal(t, friday.Truncate(24*time.Hour).Add(-5*time.Hour+6*time.Minute), texts(f, "doneAt")[0], "12 hours before, a task may come")
	assert.Equal(t, []string{"not done by Fri 07:00: no success before"}, whys(t, f))
	assert.Empty(t, notices(f))

	f = mustMake(t, makeDue, promising(t, ""))
	assert.Len(t, f.Fields, 10)
	assert.Zero(t, f.Rows())
	assert.Contains(t, notices(f)[0], "No deadline is set")
	assert.Contains(t, notices(f)[0], "jsonData.deadlines")

	none := promising(t, kept)
	none.Rows = tasksTable(nil)
	assert.Equal(t, []string{"No tasks yet"}, displayed(mustMake(t, makeDue, none))[:1])

	f = mustMake(t, makeDue, promising(t, `{"automation":"orders","by":"07:00","days":["sun"]}`))
	assert.Zero(t, f.Rows())
	assert.Equal(t, []string{"No deadline falls due today"}, notices(f))
}

const forgotten = "What falls due for tasks that may have come before the oldest one that was read, of 2026-11-20T13:00:00Z, is not judged"

// Where the tasks begin today, nobody knows what had been done before: it is not late, but nothing says that nothing needs
// attention either. Each task is judged.
func TestDeadlinesBeforeTheOldestTask(t *testing.T) {
	young := func(lines string) *spec {
		s := promising(t, lines)
		s.Rows = tasksTable(hourly(20)[479:])
		return s
	}
	within := `{"automation":"orders","within":"2m"}`
	for name, test := range map[string]struct {
		of    *spec
		says  string // instead of rows
		known bool
	}{
		"by a time, whoever has it":   {young(absent), "Nothing needs attention in what could be read", false},
		"beside one that is judged":   {young(kept + "," + within), "Nothing needs attention in what could be read", false},
		"each task":                   {young(within), "Nothing needs attention", true},
		"the day began with a task":   {promising(t, kept), "Nothing needs attention", true},
		"a weekday since which it is": {promising(t, `{"automation":"orders","by":"07:00","days":["sun"]}`), "Nothing needs attention", true},
	} {
		t.Run(name, func(t *testing.T) {
			of := func() *frame.Attention {
				a := attention(test.of, true)
				a.Reasons = []string{"deadline"}
				return a
			}
			f := mustJudge(t, of())
			assert.Equal(t, test.says, f.Fields[1].Config.DisplayNameFromDS)
			assert.Contains(t, notices(f), test.says)
			assert.Equal(t, !test.known, slices.Contains(notices(f), forgotten))

			a := of()
			a.GroupBy, a.Counted = []string{"activityLabel", "organizationLabel"}, true
			f = mustJudge(t, a)
			_, counts := f.Fields[1].ConcreteAt(0)
			assert.Equal(t, test.known, counts)
			assert.Equal(t, !test.known, slices.Contains(notices(f), forgotten))

			assert.Equal(t, !test.known, slices.Contains(notices(mustMake(t, makeDue, test.of)), forgotten))
		})
	}
	rule := mustJudge(t, attention(young(kept), false))
	require.Len(t, rule.Fields, 2, "nothing is claimed, and what was late is not repaired")
	assert.Equal(t, []any{0.0}, valuesOf(rule.Fields[0]))
	assert.Equal(t, data.Labels{"activityLabel": "orders", "reason": "deadline"}, rule.Fields[1].Labels)
	assert.Equal(t, []any{nil}, valuesOf(rule.Fields[1]))
	assert.Contains(t, notices(rule), forgotten)
	s := young(kept + "," + within)
	s.Rows = tasksTable(open(hourly(20)[479:], "RUNNING", 30*time.Minute))
	f := mustMake(t, makeDue, s)
	assert.Equal(t, []any{"late"}, texts(f, "state"), "beside one that is not judged")
	assert.Equal(t, []string{forgotten}, notices(f))

	s = promising(t, kept+","+absent)
	s.Rows.Column("dateCreation").Valid = make([]bool, s.Rows.Rows)
	const unknown = "What falls due is not judged: no task that was read has a dateCreation"
	assert.Contains(t, notices(mustMake(t, makeAttention, s)), unknown)
	assert.Contains(t, notices(mustMake(t, makeDue, s)), unknown)
}

// A runner works each hour, and never takes one of the tasks. Once it took others for an hour, nobody says when it is
// done, neither the measure nor its deadline. After a day, it is left out.
func TestNobodyKnowsWhenWhatNobodyTakesIsDone(t *testing.T) {
	forgotten := open(nil, "START", 30*time.Hour)[0]
	forgotten.id = ptr(int64(9999))
	for waited := 5 * time.Minute; waited < 30*time.Hour; waited += 10 * time.Minute {
		at := forgotten.dateCreation.Add(waited)
		known, _ := asOf(hourly(20), at)
		s := attending(at, append(known, forgotten))
		s.Measure, s.Deadlines = "queueClearedAt", linesOf(t, `{"automation":"orders","within":"36h"}`)
		f := mustMake(t, makeDue, s)
		require.Equal(t, []any{"queued"}, texts(f, "state"), waited)
		require.Empty(t, whys(t, f), waited)
		f = mustMake(t, makeNumeric, s)
		isKnown := f.Fields != nil && valuesOf(f.Fields[0])[0] != nil
		if waited > 90*time.Minute && isKnown {
			require.Contains(t, strings.Join(notices(f), ""), "Left out", waited)
		}
		require.True(t, isKnown || waited > 10*time.Minute, "at first, it is next")
	}
}
