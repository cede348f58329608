package plugin

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/list"
	"github.com/insights/insights-reporting-datasource/pkg/query"
	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
	"github.com/insights/insights-reporting-datasource/schema"
)

// The queries that need only the newest tasks, and which of them.
func TestGoal(t *testing.T) {
	now := time.Date(2026, time.November, 20, 12, 0, 0, 0, time.UTC)
	ago := func(hours float64) time.Time { return now.Add(-time.Duration(hours * float64(time.Hour))) }
	for _, test := range []struct {
		query    string
		from, to time.Time
		want     list.Goal
	}{
		{`{}`, ago(6), now, list.Goal{From: ago(6)}},
		{`{}`, ago(6).Add(59 * time.Second), now, list.Goal{From: ago(6)}},
		{`{"format":"numeric","measure":"successRate"}`, ago(6), now, list.Goal{From: ago(6)}},
		{`{"format":"numeric","measure":"occupancy"}`, ago(6), now, list.Goal{}},
		{`{"format":"timeseries","measure":"concurrency"}`, ago(6), now, list.Goal{}},
		{`{"format":"timeseries","measure":"tasks","days":30}`, ago(6), now, list.Goal{From: ago(6)}},
		{`{"search":"x","filters":[{"key":"state","operator":"=","value":"START"}],"limit":5}`, ago(6), now, list.Goal{From: ago(6)}},
		{`{"format":"numeric","measure":"tasks","compare":"previous"}`, ago(1), now, list.Goal{From: ago(2)}},
		{`{"limit":50}`, ago(30 * 24), now, list.Goal{From: ago(30 * 24), To: now, Rows: 50}},
		{`{"limit":50}`, ago(30 * 24), now.Add(59 * time.Second), list.Goal{From: ago(30 * 24), To: now, Rows: 50}},
		{`{}`, ago(6), ago(1), list.Goal{From: ago(6)}},
		{`{"limit":50}`, ago(30 * 24), ago(48), list.Goal{From: ago(30 * 24), To: ago(48), Rows: 50}},
		{`{"limit":50,"sort":{"field":"dateCreation","order":"desc"}}`, ago(30 * 24), now, list.Goal{From: ago(30 * 24), To: now, Rows: 50}},
		{`{"limit":50,"sort":{"field":"dateCreation","order":"desc"},"days":30}`, ago(6), now, list.Goal{Rows: 50}},
		{`{"limit":50,"sort":{"field":"dateCreation","order":"asc"}}`, ago(30 * 24), now, list.Goal{From: ago(30 * 24)}},
		{`{"limit":50,"sort":{"field":"id","order":"desc"}}`, ago(30 * 24), now, list.Goal{From: ago(30 * 24)}},
		{`{"limit":50,"search":"x"}`, ago(30 * 24), now, list.Goal{From: ago(30 * 24)}},
		{`{"limit":50,"timeField":"dateLastModified"}`, ago(6), now, list.Goal{}},
		{`{"limit":50,"timeField":"dateStartRunning"}`, ago(6), now, list.Goal{}},
		{`{"limit":50,"queryType":"automations"}`, ago(6), now, list.Goal{Rows: 50}},
		{`{"limit":50,"queryType":"automations","sort":{"field":"description","order":"asc"}}`, ago(6), now, list.Goal{}},
		{`{"limit":50,"queryType":"automations","columns":["zone"]}`, ago(6), now, list.Goal{}},
		{`{"days":30}`, ago(6), now, list.Goal{}},
		{`{"limit":50,"columns":["id","zone"]}`, ago(6), now, list.Goal{}},
		{`{"filters":[{"key":"zone","operator":"=","value":"a"}]}`, ago(6), now, list.Goal{}},
		{`{"sort":{"field":"zone","order":"asc"}}`, ago(6), now, list.Goal{}},
		{`{"format":"numeric","measure":"tasks","groupBy":["zone"]}`, ago(6), now, list.Goal{}},
		{`{"format":"numeric","measure":"tasks","groupBy":["state"],"sort":{"field":"tasks","order":"desc"}}`, ago(6), now, list.Goal{From: ago(6)}},
	} {
		q, err := query.Parse(schema.All(), backend.DataQuery{JSON: json.RawMessage(test.query), TimeRange: backend.TimeRange{From: test.from, To: test.to}, Interval: time.Hour}, now, schema.English)
		require.NoError(t, err)
		if !test.want.All() && q.Set.HasTimes() {
			test.want.Field = "dateCreation"
		}
		assert.Equal(t, test.want, goal(q), test.query)
	}
}

// endedTasks returns tasks of the last hours, the newest first.
func endedTasks(n int) []string {
	rows := make([]string, n)
	for i := range rows {
		rows[i] = strings.Replace(today(i, time.Duration(i+1)*time.Minute, "x"), `"START"`, `"FINISHED","finishStatus":"SUCCESS"`, 1)
	}
	return rows
}

// Tasks created after the end of the range do not displace those within.
func TestNewestUpToTheEndOfTheRange(t *testing.T) {
	rows := make([]string, 200)
	for i := range rows {
		rows[i] = today(200-i, time.Duration(i)*time.Second, "x")
	}
	i := start(t, newService().Data(tasksPath, servicetest.Paged(20, servicetest.Still(rows))))
	q := dataQuery("A", `{"limit":15}`)
	q.TimeRange.To = time.Now().Add(-30 * time.Second)
	response := askAll(t, t.Context(), i, q)["A"]
	require.NoError(t, response.Error)
	assert.Len(t, column(t, response.Frames[0], "id"), 15)
}
