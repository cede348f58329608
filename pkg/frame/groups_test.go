package frame_test

import (
	"testing"

	"github.com/grafana/grafana-plugin-sdk-go/data"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/schema"
)

// labelled returns queued tasks of which only labels matter. A "-" means null.
func labelled(labels ...[2]string) []task {
	orNil := func(text string) *string {
		if text == "-" {
			return nil
		}
		return &text
	}
	rows := make([]task, len(labels))
	for i, l := range labels {
		rows[i] = task{activityLabel: orNil(l[0]), machineID: orNil(l[1]), dateCreation: ptr(now)}
	}
	return rows
}

// Grafana distinguishes instances by labels alone: they must be unique, and none may be merged with another.
func TestLabels(t *testing.T) {
	two := func(activity, machine string) string {
		return key(map[string]string{"activityLabel": activity, "machineId": machine})
	}
	one := func(activity string) string { return key(map[string]string{"activityLabel": activity}) }
	tests := []struct {
		name    string
		rows    []task
		groupBy []string
		want    instances
	}{
		{"null and empty text are the same label", labelled([2]string{"-"}, [2]string{""}, [2]string{"a"}),
			[]string{"activityLabel"}, instances{one(""): ptr(2.0), one("a"): ptr(1.0)}},
		{"what looks the same when joined is not", labelled([2]string{"a", "bc"}, [2]string{"ab", "c"}, [2]string{"abc", ""}, [2]string{"", "abc"}),
			[]string{"activityLabel", "machineId"},
			instances{two("a", "bc"): ptr(1.0), two("ab", "c"): ptr(1.0), two("abc", ""): ptr(1.0), two("", "abc"): ptr(1.0)}},
		{"lengths and separators in labels", labelled([2]string{"1:a", "b"}, [2]string{"1", ":a1:b"}, [2]string{"a1:b", "-"}, [2]string{"a", "b"}),
			[]string{"activityLabel", "machineId"},
			instances{two("1:a", "b"): ptr(1.0), two("1", ":a1:b"): ptr(1.0), two("a1:b", ""): ptr(1.0), two("a", "b"): ptr(1.0)}},
		{"digits in labels", labelled([2]string{"1", "abcdefghi0"}, [2]string{"10abcdefghi", ""}),
			[]string{"activityLabel", "machineId"}, instances{two("1", "abcdefghi0"): ptr(1.0), two("10abcdefghi", ""): ptr(1.0)}},
		{"case and blanks count", labelled([2]string{"a"}, [2]string{"A"}, [2]string{"a "}),
			[]string{"activityLabel"}, instances{one("a"): ptr(1.0), one("A"): ptr(1.0), one("a "): ptr(1.0)}},
		{"nothing but null", labelled([2]string{"-"}, [2]string{"-"}), []string{"activityLabel"}, instances{one(""): ptr(2.0)}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := request("tasks", tasksTable(test.rows))
			r.GroupBy = test.groupBy
			require.Equal(t, test.want, readNumeric(t, mustMake(t, makeNumeric, r), "tasks"))
			lines := readTimeSeries(t, mustMake(t, makeTimeSeries, r), "tasks")
			require.Len(t, lines, len(test.want))
			for k, want := range test.want {
				require.Equal(t, *want, total(lines[k]), k)
			}
		})
	}
}

// An unknown field may be of any type; its text is the label.
func TestGroupByFieldsThatOnlyTheServiceKnows(t *testing.T) {
	table := tasksTable(make([]task, 3))
	table.Columns = append(table.Columns,
		column("attempt", schema.Number, 1.0, 2.5, nil), column("urgent", schema.Boolean, true, true, false))
	for field, want := range map[string]instances{
		"attempt": {key(map[string]string{"attempt": "1"}): ptr(1.0), key(map[string]string{"attempt": "2.5"}): ptr(1.0), key(map[string]string{"attempt": ""}): ptr(1.0)},
		"urgent":  {key(map[string]string{"urgent": "true"}): ptr(2.0), key(map[string]string{"urgent": "false"}): ptr(1.0)},
	} {
		r := &spec{DataSet: schema.All().Get("tasks"), Rows: table, Measure: "tasks", GroupBy: []string{field}, Now: now}
		require.Equal(t, want, readNumeric(t, mustMake(t, makeNumeric, r), "tasks"))
	}
}

// A typed frame without fields is "no data" in Grafana; a null number is, too, for that instance alone.
func TestNumericWithNothingToShow(t *testing.T) {
	unfinished := tasksTable(labelled([2]string{"a", "7"}, [2]string{"b", "7"}))
	tests := []struct {
		name    string
		set     string
		rows    *columns.Table
		measure string
		groupBy []string
		want    instances
	}{
		{"no rows by group", "tasks", tasksTable(nil), "tasks", []string{"state"}, instances{}},
		{"no rows to count", "tasks", tasksTable(nil), "tasks", nil, instances{key(nil): ptr(0.0)}},
		{"no rows to add up", "tasks", tasksTable(nil), "processedItems", nil, instances{key(nil): ptr(0.0)}},
		{"no rows to divide", "tasks", tasksTable(nil), "successRate", nil, instances{}},
		{"no rows with an age", "tasks", tasksTable(nil), "oldestQueued", nil, instances{}},
		{"no automations", "automations", tableOf[record]("automations", nil), "successRate", []string{"label"}, instances{}},
		{"no automations to add up", "automations", tableOf[record]("automations", nil), "taskCount", nil, instances{}},
		{"no runners", "runners", tableOf[record]("runners", nil), "utilizationRate", []string{"_id"}, instances{}},
		{"rows that give nothing", "tasks", unfinished, "successRate", nil, instances{}},
		{"groups that give nothing", "tasks", unfinished, "successRate", []string{"activityLabel"}, instances{
			key(map[string]string{"activityLabel": "a"}): nil, key(map[string]string{"activityLabel": "b"}): nil,
		}},
		{"unreported items are not 0 items", "tasks", unfinished, "totalItems", nil, instances{}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := mustMake(t, long, &spec{
				DataSet: schema.All().Get(test.set), Rows: test.rows, Measure: test.measure, GroupBy: test.groupBy, Now: now,
			})
			require.Equal(t, test.want, readNumeric(t, f, test.measure))
			require.Equal(t, data.FrameTypeNumericLong, f.Meta.Type)
			require.Equal(t, data.FrameTypeVersion{0, 1}, f.Meta.TypeVersion)
			require.Empty(t, f.Meta.Notices)
		})
	}
}
