package frame_test

import (
	"testing"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/filter"
	"github.com/insights/insights-reporting-datasource/pkg/inputerror"
	"github.com/insights/insights-reporting-datasource/schema"
)

// Without columns, a table has the record of the service; a field of the service takes precedence over a derived one.
func TestDerivedFieldsAreNotPartOfTheRecord(t *testing.T) {
	table := tasksTable([]task{{id: ptr(int64(1)), dateCreation: ptr(now)}})
	_, at := mustMake(t, makeTable, request("tasks", table)).FieldByName("duration")
	require.Negative(t, at)

	own := &columns.Table{Columns: append(table.Columns, column("duration", schema.String, "long")), Rows: 1}
	r := request("tasks", own)
	r.Columns = []string{"duration"}
	require.Equal(t, ptr("long"), mustMake(t, makeTable, r).Fields[0].At(0))

	r = request("runners", tableOf("runners", make([]record, 1)))
	r.Columns = []string{"duration"}
	_, err := makeTable(t.Context(), r)
	require.ErrorIs(t, err, inputerror.Err)
}

// A task at 23:30 UTC on a Sunday is one of Sunday evening in São Paulo, and of Monday morning in Berlin.
func TestWeekdayAndHour(t *testing.T) {
	created := time.Date(2026, 11, 1, 23, 30, 0, 0, time.UTC)
	tests := []struct {
		zone          string
		weekday, hour string
	}{
		{"UTC", "Sunday", "23"},
		{"America/Sao_Paulo", "Sunday", "20"},
		{"Europe/Berlin", "Monday", "00"},
		{"Asia/Kolkata", "Monday", "05"},
	}
	for _, test := range tests {
		t.Run(test.zone, func(t *testing.T) {
			r := request("tasks", tasksTable([]task{{dateCreation: &created}, {}}))
			location, err := time.LoadLocation(test.zone)
			require.NoError(t, err)
			r.Location, r.From, r.To = location, created, created.Add(time.Minute)
			r.Columns = []string{"weekday", "hour"}
			got := mustMake(t, makeTable, r)
			require.Equal(t, ptr(test.weekday), got.Fields[0].At(0))
			require.Equal(t, ptr(test.hour), got.Fields[1].At(0))

			r.GroupBy = r.Columns
			require.Equal(t, instances{key(map[string]string{"weekday": test.weekday, "hour": test.hour}): ptr(1.0)}, readNumeric(t, mustMake(t, makeNumeric, r), "tasks"))
		})
	}
}

// Hours of the time range without tasks are 0, those outside are absent.
func TestHoursWithoutTasks(t *testing.T) {
	begin := time.Date(2026, 11, 1, 21, 50, 0, 0, time.UTC)
	r := request("tasks", tasksTable([]task{{dateCreation: ptr(begin.Add(time.Hour))}}))
	r.From, r.To, r.GroupBy = begin, begin.Add(150*time.Minute), []string{"hour"}
	r.Sort = &schema.Sort{Field: "hour", Order: "asc"}
	require.Equal(t, []string{"00", "21", "22", "23"}, names(mustMake(t, long, r), "hour"))

	r.From, r.GroupBy = begin.AddDate(0, 0, -30), []string{"weekday", "hour"}
	r.Sort = nil
	got := readNumeric(t, mustMake(t, makeNumeric, r), "tasks")
	require.Len(t, got, 7*24)
	require.Equal(t, ptr(1.0), got[key(map[string]string{"weekday": "Sunday", "hour": "22"})])
	require.Equal(t, ptr(0.0), got[key(map[string]string{"weekday": "Monday", "hour": "09"})])

	r.Filters = []*filter.Filter{where(t, "weekday", "=|", "Monday", "Sunday"), where(t, "hour", ">=", "20"), where(t, "activityLabel", "=", "")}
	require.Len(t, readNumeric(t, mustMake(t, makeNumeric, r), "tasks"), 2*4, "a filter excludes the other hours")
	r.GroupBy = []string{"weekday"}
	require.Equal(t, []string{"Sunday", "Monday"}, names(mustMake(t, long, r), "weekday"))

	r.Filters, r.Sort = nil, &schema.Sort{Field: "weekday", Order: "asc"}
	require.Equal(t, schema.English.Words().Weekdays[1:], names(mustMake(t, long, r), "weekday")[:6], "from Monday on")
	r.Language, r.Columns = "pt-BR", []string{"weekday"}
	for name, make := range map[string]builder{"table": makeTable, "long": long} {
		mapped := mustMake(t, make, r).Fields[0].Config.Mappings[0].(data.ValueMapper)
		require.Equal(t, "segunda-feira", mapped["Monday"].Text, "%s, as in the names of series", name)
	}

	r.Filters, r.GroupBy = nil, []string{"weekday", "activityLabel"}
	require.Len(t, readNumeric(t, mustMake(t, makeNumeric, r), "tasks"), 1, "the automations of an hour without tasks are unknown")
}

// A failure that ended at the same moment as a success is not after it.
func TestFailureAtTheTimeOfASuccess(t *testing.T) {
	r := request("tasks", tasksTable([]task{
		{finishStatus: ptr("FAILED"), dateCreation: &now, dateLastModified: &now}, {finishStatus: ptr("SUCCESS"), dateCreation: &now, dateLastModified: &now},
		{finishStatus: ptr("FAILED"), dateCreation: &now},
	}))
	r.Measure = "failuresInARow"
	require.Equal(t, instances{key(nil): ptr(0.0)}, readNumeric(t, mustMake(t, makeNumeric, r), r.Measure))
}

// Of a field of the service, only its own values are known.
func TestServiceFieldNamedLikeAPartOfTheCalendar(t *testing.T) {
	table := labelledTasks(3, 12, 5*day)
	weekday := columns.New("weekday", schema.String, 0)
	weekday.Resize(table.Rows)
	for i := range table.Rows {
		weekday.Valid[i], weekday.Strings[i] = true, []string{"seg", "ter"}[i%2]
	}
	table.Columns = append(table.Columns, weekday)
	r := request("tasks", table)
	r.Measure, r.GroupBy, r.From, r.To = "tasks", []string{"weekday"}, now.Add(-10*day), now
	var found []string
	for _, f := range mustMake(t, makeNumeric, r).Fields {
		found = append(found, f.Labels["weekday"])
	}
	require.ElementsMatch(t, []string{"seg", "ter"}, found)
}

// Whose rows they are is known of each data set, and also without rows: a workspace where nothing waits has 0 tasks in the queue.
func TestWorkspace(t *testing.T) {
	whose := map[string]string{"organizationLabel": "acme", "dataSource": "Insights acme"}
	both := []string{"organizationLabel", "dataSource"}
	for _, set := range []string{"tasks", "runners"} {
		for _, rows := range []int{0, 2} {
			r := request(set, tableOf(set, make([]record, rows)))
			r.Workspace, r.Columns, r.GroupBy, r.Measure = whose, both, both, "tasks"
			if set == "tasks" {
				r.From, r.Since = time.Time{}, now.Add(-7*day)
			}
			table := mustMake(t, makeTable, r)
			require.Equal(t, rows, table.Rows())
			for row := range rows {
				require.Equal(t, []any{ptr("acme"), ptr("Insights acme")}, table.RowCopy(row))
			}
			require.Contains(t, readNumeric(t, mustMake(t, makeNumeric, r), "tasks"), key(whose), "%d rows of %s", rows, set)
			require.Equal(t, []string{"acme"}, names(mustMake(t, long, r), "organizationLabel"))

			r.Filters = []*filter.Filter{where(t, "organizationLabel", "=", "acme"), where(t, "dataSource", "!=", "Insights acme")}
			require.Empty(t, readNumeric(t, mustMake(t, makeNumeric, r), "tasks"), "%d rows of %s", rows, set)
		}
	}
}

// A group of the workspace and another field exists only where there are rows: which automations there are is not known without.
func TestWorkspaceWithOtherGroups(t *testing.T) {
	r := request("tasks", tasksTable(nil))
	r.Workspace = map[string]string{"organizationLabel": "acme"}
	r.GroupBy = []string{"organizationLabel", "activityLabel"}
	require.Empty(t, readNumeric(t, mustMake(t, makeNumeric, r), "tasks"))

	r.GroupBy = []string{"organizationLabel"}
	line := mustMake(t, makeTimeSeries, r)
	require.Equal(t, data.Labels{"organizationLabel": "acme"}, line.Fields[1].Labels, "a line of zeros")
	require.Equal(t, ptr(0.0), line.Fields[1].At(0))

	r.Workspace = nil
	require.Empty(t, readNumeric(t, mustMake(t, makeNumeric, r), "tasks"), "rows of different organizations, or of none that is known")
}

// A service that sends the field itself knows better.
func TestServiceFieldNamedLikeTheWorkspace(t *testing.T) {
	own := tableOf("runners", make([]record, 1))
	own.Columns = append(own.Columns, column("organizationLabel", schema.String, "north"))
	r := request("runners", own)
	r.Workspace, r.Columns = map[string]string{"organizationLabel": "acme"}, []string{"organizationLabel"}
	require.Equal(t, ptr("north"), mustMake(t, makeTable, r).Fields[0].At(0))
}
