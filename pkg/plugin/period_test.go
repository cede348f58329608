package plugin

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

const (
	savingsLine   = `{"queryType":"automations","format":"timeseries","measure":"savings"}`
	savingsNumber = `{"queryType":"automations","format":"numeric","measure":"savings"}`

	day = 24 * time.Hour
)

// An hour that clocks skip has nothing to compare with, and the hour after it has its own: a task every quarter of an hour
// is four in each hour that there was.
func TestComparisonWithADayOf23Hours(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Berlin")
	require.NoError(t, err)
	from := time.Date(2026, time.March, 30, 0, 0, 0, 0, zone)
	to := from.AddDate(0, 0, 1).Add(-time.Millisecond)
	var rows []string
	for at := to; at.After(from.AddDate(0, 0, -3)); at = at.Add(-15 * time.Minute) {
		rows = append(rows, fmt.Sprintf(`{"id":%d,"dateCreation":%q}`, at.Unix(), at.UTC().Format(time.RFC3339)))
	}
	q := dataQuery("A", `{"format":"timeseries","per":"hour","measure":"tasks","compare":"day","timezone":"Europe/Berlin"}`)
	q.TimeRange = backend.TimeRange{From: from, To: to}
	before := askOf(t, start(t, newService().Data(tasksPath, servicetest.OK(page(rows...)))), nil, q).Frames[0].Fields[2]
	require.Equal(t, "day", before.Labels["compare"])
	for hour := range 24 {
		count, known := before.ConcreteAt(hour)
		assert.Equal(t, hour != 2, known, "%d:00", hour)
		assert.True(t, !known || count == 4.0, "%d:00", hour)
	}
}

// Rows are dated by the service's clock, which its responses show: the last five minutes are those of that clock.
func TestRangeOfAnotherClock(t *testing.T) {
	for _, ahead := range []time.Duration{-10 * time.Minute, 0, 10 * time.Minute} {
		i := start(t, newService().Data(tasksPath, func(w http.ResponseWriter, r *http.Request) {
			now := time.Now().Add(ahead).UTC()
			w.Header().Set("Date", now.Format(http.TimeFormat))
			var rows []string
			for n := range 5 { // every two minutes, none of them where the range begins
				rows = append(rows, fmt.Sprintf(`{"id":%d,"state":"FINISHED","finishStatus":"FAILED","dateCreation":%q}`, n, now.Add(-time.Duration(2*n+2)*time.Minute).Format(time.RFC3339)))
			}
			servicetest.OK(page(rows...))(w, r)
		}))
		q := dataQuery("A", `{"format":"numeric","measure":"failedTasks"}`)
		q.TimeRange.From = q.TimeRange.To.Add(-5 * time.Minute)
		answer := askOf(t, i, asRule, q)
		require.NoError(t, answer.Error)
		value, err := answer.Frames[0].Fields[0].FloatAt(0)
		require.NoError(t, err)
		assert.InDelta(t, 2, value, 0, "of a clock that is %s ahead", ahead)
	}
}
