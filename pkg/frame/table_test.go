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

// Search, range and filters must all match; sort and filters may use a column that is not shown.
func TestTableKeepsWhatEveryConditionKeeps(t *testing.T) {
	row := func(id int64, label string, at time.Time, state string) task {
		return task{id: &id, activityLabel: &label, dateCreation: &at, state: &state}
	}
	r := request("tasks", tasksTable([]task{
		row(1, "Invoices", now, "START"), row(2, "INVOICES BR", now.Add(-time.Hour), "START"), row(3, "invoices", now.Add(-7*time.Hour), "START"),
		row(4, "invoices", now, "RUNNING"), row(5, "orders", now, "START"), {id: ptr(int64(6)), state: ptr("START"), dateCreation: ptr(now)},
	}))
	r.Contains, r.Filters = "invoiceS", []*filter.Filter{where(t, "state", "=", "START"), where(t, "id", ">", "0")}
	r.Columns, r.Sort = []string{"id"}, &schema.Sort{Field: "dateCreation", Order: "asc"}
	require.Equal(t, []int64{2, 1}, ids(t, r))
	r.From, r.To = time.Time{}, time.Time{}
	require.Equal(t, []int64{3, 2, 1}, ids(t, r), "no range")
}

// ids returns the ids of a table's rows, in order.
func ids(t testing.TB, r *spec) []int64 {
	t.Helper()
	field, _ := mustMake(t, makeTable, r).FieldByName("id")
	out := []int64{}
	for _, id := range valuesOf(field) {
		out = append(out, id.(int64))
	}
	return out
}

// Nulls come last in either direction, and equal rows keep their order.
func TestSort(t *testing.T) {
	at := func(hours int) any { return now.Add(time.Duration(hours) * time.Hour) }
	tests := []struct {
		typ       schema.Type
		cells     []any
		asc, desc []int64
	}{
		{schema.String, []any{nil, "b", "a", "", "b", nil, "B", "ä"}, []int64{3, 6, 2, 1, 4, 7, 0, 5}, []int64{7, 1, 4, 2, 6, 3, 0, 5}},
		{schema.Integer, []any{int64(10), nil, int64(9), int64(-1), int64(9)}, []int64{3, 2, 4, 0, 1}, []int64{0, 2, 4, 3, 1}},
		{schema.Number, []any{2.5, nil, -1.0, 2.5, 10.0}, []int64{2, 0, 3, 4, 1}, []int64{4, 0, 3, 2, 1}},
		{schema.Time, []any{at(0), nil, at(-1), at(2), at(-1)}, []int64{2, 4, 0, 3, 1}, []int64{3, 0, 2, 4, 1}},
		{schema.String, []any{nil, nil, nil}, []int64{0, 1, 2}, []int64{0, 1, 2}},
		{schema.Number, []any{}, []int64{}, []int64{}},
	}
	for _, test := range tests {
		t.Run(string(test.typ), func(t *testing.T) {
			id := column("id", schema.Integer)
			for i := range test.cells {
				id.Valid, id.Integers = append(id.Valid, true), append(id.Integers, int64(i))
			}
			rows := &columns.Table{Columns: []*columns.Column{id, column("field", test.typ, test.cells...)}, Rows: len(test.cells)}
			for order, want := range map[string][]int64{"asc": test.asc, "desc": test.desc} {
				r := &spec{DataSet: schema.All().Get("tasks"), Rows: rows, Sort: &schema.Sort{Field: "field", Order: order}}
				require.Equal(t, want, ids(t, r), order)
				r.Limit = 2
				require.Equal(t, want[:min(2, len(want))], ids(t, r), "the limit comes after the sort")
			}
		})
	}
}

// linksOf returns the address of each link of a frame, by its field.
func linksOf(t *testing.T, f *data.Frame) map[string][]string {
	t.Helper()
	links := map[string][]string{}
	for _, field := range f.Fields {
		if field.Config == nil {
			continue
		}
		for _, link := range field.Config.Links {
			require.NotEmpty(t, link.Title)
			require.True(t, link.TargetBlank)
			links[field.Name] = append(links[field.Name], link.URL)
		}
	}
	return links
}

func TestLinks(t *testing.T) {
	const cell = "${__value.raw:percentencode}"
	pages := map[string]string{
		"taskUrl": "https://o/task/${id}?x=${id}", "automationUrl": "https://o/#/a/${label}", "runnerUrl": "https://o/r/${machineId}",
	}
	taken := task{
		id: ptr(int64(1)), state: ptr("FINISHED"), activityLabel: ptr("a/b & ${c}+"), machineID: ptr("r 1"), region: ptr("south"),
		dateCreation: ptr(now), dateStart: ptr(now), dateLastModified: ptr(now),
	}
	unassigned := taken
	unassigned.machineID = nil
	automation, runner := "https://o/#/a/a%2Fb%20%26%20%24%7Bc%7D%2B", "https://o/r/r%201"
	both := []string{"activityLabel", "machineId"}
	tests := []struct {
		name    string
		make    builder
		groupBy []string
		want    map[string][]string
	}{
		{"table", makeTable, nil, map[string][]string{
			"id": {"https://o/task/" + cell + "?x=" + cell}, "activityLabel": {"https://o/#/a/" + cell}, "machineId": {"https://o/r/" + cell},
		}},
		{"wide", makeNumeric, both, map[string][]string{"tasks": {automation, automation, runner}}},
		{"wide by a field without pages", makeNumeric, []string{"region"}, map[string][]string{}},
		{"time series", makeTimeSeries, both, map[string][]string{"tasks": {automation, automation, runner}}},
		{"timeline", timeline, []string{"machineId"}, map[string][]string{"state": {"https://o/#/a/" + cell}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			build := func(links map[string]string) map[string][]string {
				r := request("tasks", tasksTable([]task{unassigned, taken}))
				r.GroupBy, r.Links = test.groupBy, links
				return linksOf(t, sent(t, mustMake(t, test.make, r)))
			}
			require.Empty(t, build(nil))
			require.Equal(t, test.want, build(pages))
		})
	}
}

// Without columns, a table has the record of the service. A service that sends a field itself knows better.
func TestDerivedFieldsAreNotPartOfTheRecord(t *testing.T) {
	table := tasksTable([]task{{id: ptr(int64(1)), dateCreation: ptr(now)}})
	_, at := mustMake(t, makeTable, request("tasks", table)).FieldByName("duration")
	require.Negative(t, at)

	for _, name := range []string{"duration", "organizationLabel"} {
		r := request("tasks", &columns.Table{Columns: append(table.Columns, column(name, schema.String, "own")), Rows: 1})
		r.Workspace, r.Columns = map[string]string{"organizationLabel": "acme"}, []string{name}
		require.Equal(t, ptr("own"), mustMake(t, makeTable, r).Fields[0].At(0))
	}

	r := request("runners", tableOf("runners", make([]record, 1)))
	r.Columns = []string{"duration"}
	_, err := makeTable(t.Context(), r)
	require.ErrorIs(t, err, inputerror.Err)
}

// Of a field of the service, only its own values are known.
func TestServiceFieldNamedLikeAPartOfTheCalendar(t *testing.T) {
	r := request("tasks", tableOf("tasks", []record{{"weekday": "seg", "dateCreation": now}, {"weekday": "ter", "dateCreation": now}}, "weekday"))
	r.GroupBy, r.From = []string{"weekday"}, now.Add(-10*day)
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
	teams := deadlines.Teams{{Scope: deadlines.Scope{Automation: "payroll"}, Team: "HR"}, {Scope: deadlines.Scope{Automation: "pay*"}, Team: "Finance"}}
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
