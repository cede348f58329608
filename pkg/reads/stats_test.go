package reads

import (
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

func TestStatsCountEveryTry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := servicetest.New().Data(tasksPath, servicetest.InTurn(servicetest.Status(503, ``), servicetest.Status(429, ``), servicetest.OK(threeTasks)))
		result, err := startInBubble(t, f).Read(t.Context(), lastDays(1))
		require.NoError(t, err)
		assert.EqualValues(t, 3, result.Stats.Requests)
		assert.Equal(t, 1, result.Stats.Pages)
		assert.Positive(t, result.Stats.Took, "with the pauses")
	})
}
