package frame_test

import (
	"flag"
	"testing"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/experimental"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/frame"
	"github.com/insights/insights-reporting-datasource/pkg/period"
)

// go test ./pkg/frame -run TestGoldenFrames -update writes the current frames. The run that changes a file fails;
// review the difference before you commit it.
var update = flag.Bool("update", false, "write the golden frames")

// goldenTasks are a queued, a running, three finished and a canceled task, as sent by the service.
func goldenTasks() *columns.Table {
	at := func(hour, minute int) *time.Time {
		return ptr(time.Date(2026, 11, 20, hour, minute, 0, 250e6, time.UTC))
	}
	n := func(v float64) *float64 { return &v }
	return tasksTable([]task{
		{id: ptr(int64(106)), state: ptr("START"), activityLabel: ptr("invoices"), repositoryLabel: ptr("finance"), dateCreation: at(14, 30)},
		{id: ptr(int64(105)), state: ptr("RUNNING"), activityLabel: ptr("orders"), repositoryLabel: ptr("sales"), machineID: ptr("7"),
			dateCreation: at(14, 0), dateStart: at(14, 20), dateLastModified: at(14, 20), region: ptr("south")},
		{id: ptr(int64(104)), state: ptr("FINISHED"), finishStatus: ptr("SUCCESS"), activityLabel: ptr("invoices"), repositoryLabel: ptr("finance"),
			machineID: ptr("7"), dateCreation: at(12, 5), dateStart: at(12, 6), dateLastModified: at(12, 36), processedItems: n(40), failedItems: n(2), totalItems: n(42)},
		{id: ptr(int64(103)), state: ptr("FINISHED"), finishStatus: ptr("FAILED"), activityLabel: ptr("invoices"), repositoryLabel: ptr("finance"),
			machineID: ptr("8"), dateCreation: at(11, 0), dateStart: at(11, 30), dateLastModified: at(11, 31)},
		{id: ptr(int64(102)), state: ptr("FINISHED"), finishStatus: ptr("PARTIALLY_COMPLETED"), activityLabel: ptr("orders"), repositoryLabel: ptr("sales"),
			machineID: ptr("8"), dateCreation: at(10, 59), dateStart: at(11, 0), dateLastModified: at(12, 0), processedItems: n(1), failedItems: n(3), totalItems: n(4)},
		{id: ptr(int64(101)), state: ptr("CANCELED"), activityLabel: ptr("orders"), repositoryLabel: ptr("sales"), dateCreation: at(9, 0), dateLastModified: at(9, 1)},
	})
}

// olderTasks are goldenTasks, and one from before the periods that they are compared with.
func olderTasks() *columns.Table {
	rows, older := goldenTasks(), tasksTable([]task{{id: ptr(int64(100)), dateCreation: ptr(time.Date(2026, 11, 20, 5, 0, 0, 0, time.UTC))}})
	rows.Append(older, []int{0})
	return rows
}

func goldenAutomations() *columns.Table {
	return tableOf("automations", []record{
		{
			"label": "invoices", "name": "Invoices", "machineId": "7", "description": "Reads invoices", "organizationLabel": "acme", "repositoryLabel": "finance",
			"taskCount": 12.0, "sumItems": 480.0, "sumItemsError": 12.0, "sumItemsProcessed": 468.0, "uptimeRate": 0.25,
			"downtimeRate": 0.75, "successRate": 0.975, "roi": 2.35, "fte": 1.5, "savings": 10500.25,
			"date": time.Date(2026, 11, 19, 8, 0, 0, 0, time.UTC),
		},
		{
			"label": "orders", "name": "Orders", "description": "", "organizationLabel": "acme", "repositoryLabel": "sales",
			"taskCount": 0.0, "uptimeRate": 0.0, "downtimeRate": 0.0,
		},
	})
}

// covering sets the period of a request.
func covering(words string, r *spec) *spec {
	r.Covers = words
	return r
}

// ofWorkspace sets whose rows a request is about.
func ofWorkspace(r *spec) *spec {
	r.Workspace = map[string]string{"organizationLabel": "acme", "dataSource": "Insights acme"}
	return r
}

// perDay requests days of a zone, in one of which the range ends.
func perDay(r *spec) *spec {
	r.Per, r.Location = period.Day, time.FixedZone("west", -int((12*time.Hour).Seconds()))
	return r
}

func comparedSums(r *spec) *spec {
	r.Compare = &period.Comparison{Name: "previous"}
	return r
}

// goldenDifferences has three days of two automations, one of which saves more each day, and the days before.
func goldenDifferences(before ...int) *frame.Differences {
	steps := daily(3)
	steps.Before = before
	var windows []*columns.Table
	for _, days := range steps.Windows() {
		windows = append(windows, windowTable(window{"invoices": 10.5 * float64(days), "orders": float64(100*days - days*days)}, "invoices", "orders"))
	}
	return differencesOf(steps, "savings", windows...)
}

func TestGoldenFrames(t *testing.T) {
	tests := []struct {
		name    string
		make    builder
		request *spec
		measure string
		groupBy []string
	}{
		{"table_tasks", makeTable, request("tasks", goldenTasks()), "", nil},
		{"table_automations", makeTable, request("automations", goldenAutomations()), "", nil},
		{"numeric_tasks_by_automation_and_machine", makeNumeric, request("tasks", goldenTasks()), "duration", []string{"activityLabel", "machineId"}},
		{"numeric_long_tasks_by_automation_and_machine", long, request("tasks", goldenTasks()), "successRate", []string{"activityLabel", "machineId"}},
		{"timeseries_tasks_by_status", makeTimeSeries, request("tasks", goldenTasks()), "tasks", []string{"finishStatus"}},
		{"numeric_tasks_of_days", makeNumeric, covering("last 30 days", request("tasks", goldenTasks())), "tasks", []string{"finishStatus"}},
		{"numeric_tasks_compared", makeNumeric, compareWith(request("tasks", olderTasks()), 3*time.Hour), "tasks", []string{"activityLabel"}},
		{"numeric_long_tasks_compared", long, compareWith(request("tasks", olderTasks()), 3*time.Hour), "tasks", []string{"activityLabel"}},
		{"timeseries_tasks_compared", makeTimeSeries, compareWith(request("tasks", olderTasks()), 3*time.Hour), "tasks", []string{"finishStatus"}},
		{"timeseries_tasks_per_day", makeTimeSeries, perDay(request("tasks", goldenTasks())), "tasks", nil},
		{"past_line_of_savings", lineOf(goldenDifferences()), savingsBy(), "savings", []string{"label"}},
		{"past_line_of_savings_compared", lineOf(goldenDifferences(6, 5, 4, 3)), comparedSums(savingsBy()), "savings", nil},
		{"past_savings_of_a_range", numericOf(goldenDifferences()), covering("17 Nov – 20 Nov", savingsBy()), "savings", []string{"label"}},
		{"past_savings_compared", numericOf(goldenDifferences(6, 5, 4, 3)), comparedSums(savingsBy()), "savings", []string{"label"}},
		{"numeric_tasks_by_workspace", makeNumeric, ofWorkspace(request("tasks", goldenTasks())), "successRate", []string{"organizationLabel", "dataSource"}},
		{"numeric_long_runners_by_workspace", long, ofWorkspace(request("runners", tableOf("runners", []record{}))), "tasks", []string{"organizationLabel", "dataSource"}},
		{"deadlines", makeDue, promising(t, coming+","+absent), "", []string{"activityLabel"}},
		{"attention", makeAttention, attending(friday, ending(hourly(20), times(3, "FAILED")...)), "", []string{"activityLabel"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.request.Measure, test.request.GroupBy = test.measure, test.groupBy
			experimental.CheckGoldenJSONFrame(t, "testdata", test.name, mustMake(t, test.make, test.request), *update)
		})
	}
}
