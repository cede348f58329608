package frame_test

import (
	"fmt"
	"testing"

	"github.com/grafana/grafana-plugin-sdk-go/data"
	"github.com/stretchr/testify/require"
)

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
	requireNotice(t, lines, "1000 of 1100 series")
	all := names(lines, "activityLabel")
	require.Len(t, all, 1000)
	require.Equal(t, "automation 0002", all[0], "the first of those with three")
	require.Equal(t, "automation 0798", all[999], "of those with one, the first by label")
	r.Limit = 2
	require.Equal(t, all[:2], names(mustMake(t, makeTimeSeries, r), "activityLabel"))
	require.Empty(t, mustMake(t, makeTimeSeries, r).Meta.Notices, "as many as the query asks for")
}
