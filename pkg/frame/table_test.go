package frame_test

import (
	"testing"

	"github.com/grafana/grafana-plugin-sdk-go/data"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/inputerror"
	"github.com/insights/insights-reporting-datasource/schema"
)

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

	for _, of := range []string{"duration", "team"} { // These are tasks' and automations', not a runner's.
		r := request("runners", tableOf("runners", make([]record, 1)))
		r.Columns = []string{of}
		_, err := makeTable(t.Context(), r)
		require.ErrorIs(t, err, inputerror.Err)
	}
}
