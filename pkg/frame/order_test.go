package frame_test

import (
	"fmt"
	"testing"

	"github.com/grafana/grafana-plugin-sdk-go/data"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/schema"
)

// rated returns tasks by label: "a" has 1 of 2 successful, "b" 2 of 2, "c" none finished, "d" 0 of 3, "e" 1 of 2.
func rated() *columns.Table {
	var rows []task
	for label, statuses := range map[string][]string{
		"a": {"SUCCESS", "FAILED"}, "b": {"SUCCESS", "SUCCESS"}, "c": {""}, "d": {"FAILED", "FAILED", "FAILED"}, "e": {"FAILED", "SUCCESS"},
	} {
		for _, status := range statuses {
			r := task{activityLabel: ptr(label), dateCreation: ptr(now)}
			if status != "" {
				r.finishStatus = ptr(status)
			}
			rows = append(rows, r)
		}
	}
	return tasksTable(rows)
}

// names returns the labels of a frame's groups in their order, in either format.
func names(f *data.Frame, field string) []string {
	var out []string
	if f.Meta.Type == data.FrameTypeNumericLong {
		for i := range f.Rows() {
			out = append(out, f.Fields[0].At(i).(string))
		}
		return out
	}
	for _, series := range f.Fields[1:] {
		out = append(out, series.Labels[field])
	}
	return out
}

func TestOrderOfGroups(t *testing.T) {
	tests := []struct {
		name    string
		measure string
		sort    *schema.Sort
		want    []string
	}{
		{"largest first, equal ones by label, those without a value last", "successRate", nil, []string{"b", "a", "e", "d", "c"}},
		{"by measure, falling", "successRate", &schema.Sort{Field: "successRate", Order: "desc"}, []string{"b", "a", "e", "d", "c"}},
		{"by measure, rising", "successRate", &schema.Sort{Field: "successRate", Order: "asc"}, []string{"d", "a", "e", "b", "c"}},
		{"by label, rising", "successRate", &schema.Sort{Field: "activityLabel", Order: "asc"}, []string{"a", "b", "c", "d", "e"}},
		{"by label, falling", "successRate", &schema.Sort{Field: "activityLabel", Order: "desc"}, []string{"e", "d", "c", "b", "a"}},
		{"counts", "tasks", nil, []string{"d", "a", "b", "e", "c"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := request("tasks", rated())
			r.Measure, r.GroupBy, r.Sort = test.measure, []string{"activityLabel"}, test.sort
			require.Equal(t, test.want, names(mustMake(t, long, r), "activityLabel"))
			require.Equal(t, test.want, names(mustMake(t, makeTimeSeries, r), "activityLabel"))
			r.Limit = 2
			for _, make := range []builder{makeNumeric, makeTimeSeries} {
				f := mustMake(t, make, r)
				require.Equal(t, test.want[:2], names(f, "activityLabel"))
				require.Empty(t, f.Meta.Notices, "as many as the query asks for")
			}
		})
	}
}

func requireNotice(t *testing.T, f *data.Frame, says ...string) {
	t.Helper()
	require.Len(t, f.Meta.Notices, 1)
	for _, text := range says {
		require.Contains(t, f.Meta.Notices[0].Text, text)
	}
}

// More series are too many for Grafana to draw or evaluate. The largest remain.
func TestNeverMoreThanThousandGroups(t *testing.T) {
	var rows []task
	for i := range 1100 {
		for range 1 + i%3 {
			rows = append(rows, task{activityLabel: ptr(fmt.Sprintf("automation %04d", i)), dateCreation: ptr(now)})
		}
	}
	r := request("tasks", tasksTable(rows))
	r.GroupBy, r.Limit = []string{"activityLabel"}, 5000
	lines := mustMake(t, makeTimeSeries, r)
	requireNotice(t, lines, "1000 of 1100 series", "largest tasks")
	all := names(lines, "activityLabel")
	require.Len(t, all, 1000)
	require.Equal(t, "automation 0002", all[0], "the first of those with three")
	require.Equal(t, "automation 0798", all[999], "of those with one, the first by label")
}
