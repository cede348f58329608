package frame_test

import (
	"testing"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/deadlines"
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

// The team of an automation follows from its label, in each data set that has it, and also without tasks.
func TestTeam(t *testing.T) {
	teams := deadlines.Teams{{Automation: "payroll", Team: "HR"}, {Automation: "pay*", Team: "Finance"}}
	for set, label := range map[string]string{"tasks": "activityLabel", "automations": "label"} {
		table := tableOf(set, make([]record, 3))
		for row, text := range []string{"payroll", "payments", "orders"} {
			c := table.Column(label)
			c.Valid[row], c.Strings[row] = true, text
		}
		r := request(set, table)
		r.Teams, r.Columns, r.GroupBy, r.From = teams, []string{label, "team"}, []string{"team"}, time.Time{}
		frame := mustMake(t, makeTable, r)
		require.Equal(t, []any{ptr("HR"), ptr("Finance"), (*string)(nil)}, []any{frame.At(1, 0), frame.At(1, 1), frame.At(1, 2)}, set)
		require.ElementsMatch(t, []string{"HR", "Finance", ""}, names(mustMake(t, long, r), "team"), set)
		r.Filters = []*filter.Filter{where(t, "team", "=", "HR")}
		require.Equal(t, []any{ptr("payroll"), ptr("HR")}, mustMake(t, makeTable, r).RowCopy(0), set)
	}
	_, err := makeTable(t.Context(), &spec{DataSet: schema.All().Get("runners"), Rows: tableOf("runners", make([]record, 1)), Columns: []string{"team"}, Now: now})
	require.ErrorIs(t, err, inputerror.Err, "an automation's, not a runner's")
}

// A service that sends the field itself knows better.
func TestServiceFieldNamedLikeTheWorkspace(t *testing.T) {
	own := tableOf("runners", make([]record, 1))
	own.Columns = append(own.Columns, column("organizationLabel", schema.String, "north"))
	r := request("runners", own)
	r.Workspace, r.Columns = map[string]string{"organizationLabel": "acme"}, []string{"organizationLabel"}
	require.Equal(t, ptr("north"), mustMake(t, makeTable, r).Fields[0].At(0))
}

// Weekdays are translated, as in the names of series.
func TestWeekdaysAreTranslated(t *testing.T) {
	r := request("tasks", tasksTable([]task{{dateCreation: &now}}))
	r.GroupBy, r.Columns, r.Language = []string{"weekday"}, []string{"weekday"}, "pt-BR"
	for name, make := range map[string]builder{"table": makeTable, "long": long} {
		mapped := mustMake(t, make, r).Fields[0].Config.Mappings[0].(data.ValueMapper)
		require.Equal(t, "segunda-feira", mapped["Monday"].Text, name)
	}
}
