package frame_test

import (
	"strings"
	"testing"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/filter"
)

// quiet returns n queued tasks of the last hour, and an older one that has failed.
func quiet(n int) []task {
	rows := make([]task, n, n+1)
	for i := range rows {
		rows[i] = task{id: ptr(int64(i)), state: ptr("START"), activityLabel: ptr("a"), dateCreation: ptr(now.Add(-time.Minute))}
	}
	return append(rows, task{id: ptr(int64(n)), state: ptr("FINISHED"), finishStatus: ptr("FAILED"), dateCreation: ptr(now.AddDate(0, 0, -3))})
}

func TestFilterThatMatchesNothing(t *testing.T) {
	tests := []struct {
		name    string
		queued  int
		filters []*filter.Filter
		want    string
	}{
		{"the only one", 1234, []*filter.Filter{where(t, "finishStatus", "=", "FAIL")},
			`0 of 1234 rows match: no row satisfies finishStatus = "FAIL". Change or remove this filter`},
		{"rows outside of the range do not count", 1234, []*filter.Filter{where(t, "finishStatus", "=", "FAILED")},
			`0 of 1234 rows match: no row satisfies finishStatus = "FAILED". Change or remove this filter`},
		{"two that exclude each other", 1234, []*filter.Filter{where(t, "id", "<", "20"), where(t, "state", "=", "START"), where(t, "id", ">", "1000")},
			`0 of 1234 rows match: of the 20 rows that satisfy the preceding filters, none satisfies id > "1000". Change or remove one of the filters`},
		{"a long one", 1234, []*filter.Filter{where(t, "activityLabel", "=", strings.Repeat("ã", 500))},
			`0 of 1234 rows match: no row satisfies activityLabel = "` + strings.Repeat("ã", 100) + `". Change or remove this filter`},
		{"none that leaves rows", 1234, []*filter.Filter{where(t, "state", "=", "START")}, ""},
		{"none at all", 1234, nil, ""},
		{"any, without rows to filter", 0, []*filter.Filter{where(t, "state", "=", "RUNNING")}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for format, make := range formats {
				r := request("tasks", tasksTable(quiet(test.queued)))
				r.Filters = test.filters
				var want []data.Notice
				if test.want != "" {
					want = []data.Notice{{Severity: data.NoticeSeverityInfo, Text: test.want}}
				}
				require.Equal(t, want, mustMake(t, make, r).Meta.Notices, format)
			}
		})
	}
}
