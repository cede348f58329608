package plugin

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

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
