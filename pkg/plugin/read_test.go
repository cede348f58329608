package plugin

import (
	"fmt"
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// What is shown does not depend on which list is kept: a task that was created long before the range does not count although
// it ran in it, and a task that was created three days before does.
func TestMoreDaysChangeNothing(t *testing.T) {
	at := func(ago time.Duration) string { return time.Now().Add(-ago).UTC().Format(time.RFC3339) }
	listed := func(w http.ResponseWriter, r *http.Request) {
		days, _ := strconv.Atoi(r.URL.Query().Get("days"))
		var rows []string
		for id, ago := range []time.Duration{20 * time.Hour, 80 * time.Hour, 110 * time.Hour, 20 * day} {
			if ago < time.Duration(days)*day {
				rows = append(rows, fmt.Sprintf(`{"id":%d,"state":"FINISHED","finishStatus":"SUCCESS","machineId":"m%d","dateCreation":%q,"dateStartRunning":%q,"dateLastModified":%q}`,
					9-id, id, at(ago), at(time.Hour), at(time.Minute)))
			}
		}
		servicetest.OK(page(rows...))(w, r)
	}
	last := func(query string) backend.DataQuery {
		dq := dataQuery("A", query)
		dq.TimeRange = backend.TimeRange{From: time.Now().Add(-day), To: time.Now()}
		return dq
	}
	for query, want := range map[string]int{
		`{"format":"timeline"}`:                                                               2, // lanes of a bar
		`{"columns":["id"],"timeField":"dateStartRunning"}`:                                   2,
		`{"format":"numeric","measure":"concurrency","groupBy":["machineId"],"shape":"long"}`: 2,
	} {
		for _, first := range []string{query, `{"format":"attention"}`} {
			s := newService().Data(tasksPath, listed)
			i := start(t, s)
			askAll(t, t.Context(), i, last(first))
			rows := 0
			for _, f := range askAll(t, t.Context(), i, last(query))["A"].Frames {
				rows += f.Rows()
			}
			assert.Equal(t, want, rows, "%s after %s", query, first)
			assert.Equal(t, 1, s.Count(tasksPath), "the rows of 30 days answer %s", query)
		}
	}
}

// A task whose creation is not known may be in any range of another time.
func TestRowsWithoutCreation(t *testing.T) {
	ended := time.Now().Add(-10 * time.Minute).UTC().Format(time.RFC3339)
	row := `{"id":%d,"state":"FINISHED","finishStatus":"FAILED","activityLabel":"orders","dateCreation":%s,"dateLastModified":%q}`
	rows := []string{fmt.Sprintf(row, 2, "null", ended), fmt.Sprintf(row, 1, strconv.Quote(ended), ended)}
	i := start(t, newService().Data(tasksPath, servicetest.OK(page(rows...))))
	q := dataQuery("A", `{"format":"numeric","measure":"failedTasks","timeField":"dateLastModified"}`)
	q.TimeRange = backend.TimeRange{From: time.Now().Add(-time.Hour), To: time.Now()}
	frames := askAll(t, t.Context(), i, q)["A"].Frames
	require.Len(t, frames, 1)
	require.Equal(t, 2.0, *frames[0].Fields[0].At(0).(*float64))
}
