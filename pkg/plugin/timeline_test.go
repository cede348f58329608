package plugin

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// ran is a task of a runner that started some minutes ago.
func ran(id int, machine, automation string, startedAgo, minutes int) string {
	at := func(ago int) string {
		return time.Now().Add(-time.Duration(ago) * time.Minute).UTC().Format("2006-01-02T15:04:05.000Z07:00")
	}
	return fmt.Sprintf(`{"id":%d,"state":"FINISHED","finishStatus":"SUCCESS","activityLabel":%q,"machineId":%q,"dateCreation":%q,"dateStartRunning":%q,"dateLastModified":%q}`,
		id, automation, machine, at(startedAgo+1), at(startedAgo), at(startedAgo-minutes))
}

func runners() *servicetest.Fake {
	return newService().
		Data(tasksPath, servicetest.OK(page(ran(4, "b", "refunds", 10, 5), ran(3, "a", "orders", 20, 10), ran(2, "a", "refunds", 25, 10), ran(1, "a", "orders", 60, 5)))).
		Data(automationsPath, servicetest.OK(page(called)))
}

// Each lane is a frame of the query. Costs and notices are those of the first one.
func TestTimeline(t *testing.T) {
	i := start(t, runners())
	got := ask(t, i, `{"format":"timeline"}`)
	require.NoError(t, got.Error)
	var names []string
	for _, lane := range got.Frames {
		names = append(names, lane.Fields[2].Config.DisplayNameFromDS)
		assert.Equal(t, "A", lane.RefID)
		assert.Contains(t, lane.Meta.ExecutedQueryString, tasksPath+"?days=11")
	}
	assert.Equal(t, []string{"a", "b", "a (2)"}, names)
	assert.NotEmpty(t, got.Frames[0].Meta.Stats)
	assert.Empty(t, got.Frames[1].Meta.Stats)
	assert.Equal(t, []string{"orders", "refunds"}, column(t, got.Frames[0], "state"))
}
