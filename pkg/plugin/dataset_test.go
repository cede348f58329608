package plugin

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
	"github.com/insights/insights-reporting-datasource/schema"
)

// logs is a data set that does not exist: another route, with times of its own.
const logs = `{
	"name": "logs", "label": "Logs", "description": "One row per line that a task has logged",
	"path": "/api/v1/insights/logs", "key": "id",
	"parameters": {"page": "page", "size": "size", "days": "filterBy"},
	"searchField": "activityLabel", "automationField": "activityLabel",
	"timeFields": ["loggedAt", "receivedAt"],
	"fields": [
		{"name": "id", "label": "Line", "type": "integer", "description": "Line identifier"},
		{"name": "level", "label": "Level", "type": "string", "groupable": true, "description": "Severity"},
		{"name": "activityLabel", "label": "Automation", "type": "string", "groupable": true, "description": "Automation label"},
		{"name": "text", "label": "Text", "type": "string", "description": "What was logged"},
		{"name": "bytes", "label": "Size", "type": "number", "aggregate": "sum", "unit": "decbytes", "description": "Bytes of the text"},
		{"name": "loggedAt", "label": "Logged at", "type": "time", "description": "When it was logged"},
		{"name": "receivedAt", "label": "Received at", "type": "time", "description": "When the service had it"}
	],
	"measures": [{"name": "logs", "label": "Lines", "description": "Number of lines", "aggregate": "count", "empty": "zero", "unit": "locale"}]
}`

const logsPath = "/api/v1/insights/logs"

func withLogs(t *testing.T) (*Instance, *servicetest.Fake) {
	t.Helper()
	set := &schema.DataSet{}
	require.NoError(t, json.Unmarshal([]byte(logs), set))
	now := time.Now()
	var rows []string
	for n := range 45 {
		level, at := []string{"ERROR", "INFO", "INFO"}[n%3], now.Add(-time.Duration(n)*time.Minute).UTC().Format(time.RFC3339)
		rows = append(rows, fmt.Sprintf(`{"id":%d,"level":%q,"activityLabel":"intake","text":"line","bytes":10,"loggedAt":%q,"receivedAt":%q}`, 1000-n, level, at, at))
	}
	s := newService().Data(logsPath, servicetest.Paged(20, servicetest.Still(rows)))
	i := newInstance(t.Context(), source(s.Start(t).URL, "names", "en-US"), append(slices.Clone(schema.All()), set))
	t.Cleanup(i.Dispose)
	return i, s
}

// A data set needs its description, and no code: pages, frames, resources, the proxy route and Save & test follow from it.
func TestDescribedDataSet(t *testing.T) {
	i, s := withLogs(t)
	table := askFrame(t, i, `{"queryType":"logs"}`)
	assert.Equal(t, 45, table.Rows(), "of three pages, in the time range")
	assert.Equal(t, 3, len(s.Requests(logsPath)))
	assert.Equal(t, "8", s.Requests(logsPath)[0].URL.Query().Get("filterBy"))
	assert.Equal(t, "Logged at", table.Fields[5].Config.DisplayNameFromDS)
	assert.Equal(t, 15, askFrame(t, i, `{"queryType":"logs","filters":[{"key":"level","operator":"=","value":"ERROR"}]}`).Rows())
	assert.Equal(t, []string{"1000"}, column(t, askFrame(t, i, `{"queryType":"logs","limit":1}`), "id"))

	numbers := askFrame(t, i, `{"queryType":"logs","format":"numeric","measure":"logs","groupBy":["level"],"shape":"long"}`)
	assert.Equal(t, []string{"INFO", "ERROR"}, column(t, numbers, "level"))
	assert.Equal(t, []string{"30", "15"}, column(t, numbers, "logs"))
	lines := askFrame(t, i, `{"queryType":"logs","format":"timeseries","measure":"logs","groupBy":["level"],"timeField":"receivedAt","compare":"day"}`)
	assert.Equal(t, "INFO", lines.Fields[1].Labels["level"])
	assert.GreaterOrEqual(t, lines.Rows(), 7*24)

	response := ask(t, i, `{"queryType":"logs","timeField":"dateCreation"}`)
	assert.Equal(t, backend.StatusBadRequest, response.Status)
	require.ErrorContains(t, response.Error, "use one of loggedAt, receivedAt")
	response = ask(t, i, `{"queryType":"logs","format":"numeric","measure":"tasks"}`)
	assert.ErrorContains(t, response.Error, "use one of logs")

	assert.JSONEq(t, `[{"value":"ERROR","text":"ERROR"},{"value":"INFO","text":"INFO"}]`, string(get(t, i, "values?queryType=logs&field=level").Body))
	assert.Contains(t, string(get(t, i, "api/v1/insights/logs?page=2").Body), `"number":2`)
	assert.Equal(t, 404, get(t, i, "logs").Status, "its rows are events, and have no names")

	assert.Contains(t, string(check(t, i).result.JSONDetails), "Logs: 45 in the last 30 days.")
}
