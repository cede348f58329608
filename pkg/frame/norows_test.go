package frame_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/filter"
	"github.com/insights/insights-reporting-datasource/pkg/inputerror"
	"github.com/insights/insights-reporting-datasource/schema"
)

// unknownField lists the places where a saved query can name a field that is not in the description.
var unknownField = map[string]func(t *testing.T, r *spec){
	"column":  func(_ *testing.T, r *spec) { r.Columns = []string{"state", "colour"} },
	"sort":    func(_ *testing.T, r *spec) { r.Sort = &schema.Sort{Field: "colour", Order: "desc"} },
	"groupBy": func(_ *testing.T, r *spec) { r.GroupBy = []string{"state", "colour"} },
	"filter =": func(t *testing.T, r *spec) {
		r.Filters = []*filter.Filter{where(t, "colour", "=", "red"), where(t, "colour", "<", "5")}
	},
	"filter =~": func(t *testing.T, r *spec) { r.Filters = []*filter.Filter{where(t, "colour", "=~", "r.*")} },
}

// Without rows, it is unknown which fields the service has: a rule that uses one of them has no data then, and no
// error.
func TestFieldsThatOnlyTheServiceKnowsWithoutRows(t *testing.T) {
	for place, change := range unknownField {
		t.Run(place, func(t *testing.T) {
			for format, make := range formats {
				r := request("tasks", tasksTable(nil))
				r.GroupBy = []string{"state"}
				change(t, r)
				f := mustMake(t, make, r)
				require.Zero(t, f.Rows(), format)
				require.Empty(t, f.Meta.Notices, format)
			}
		})
	}
	r := request("tasks", tasksTable(nil))
	require.Len(t, mustMake(t, makeTable, r).Fields, len(r.Rows.Columns))
}

// If there are rows, a field that none of them has is an error, even if no row is kept.
func TestFieldsThatOnlyTheServiceKnowsWithRows(t *testing.T) {
	uses := map[string][]string{"column": {"table"}, "groupBy": {"numeric", "timeseries"}}
	for place, change := range unknownField {
		of := uses[place]
		if of == nil {
			of = []string{"table", "numeric", "timeseries"}
		}
		for _, format := range of {
			t.Run(place+" of "+format, func(t *testing.T) {
				r := request("tasks", tasksTable([]task{{}}))
				change(t, r)
				_, err := formats[format](t.Context(), r)
				require.ErrorIs(t, err, inputerror.Err)
				require.ErrorContains(t, err, `"colour"`)
				require.ErrorContains(t, err, "activityLabel")
			})
		}
	}
}
