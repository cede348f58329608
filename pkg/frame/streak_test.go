package frame_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A failure that ended at the same moment as a success is not after it.
func TestFailureAtTheTimeOfASuccess(t *testing.T) {
	r := request("tasks", tasksTable([]task{
		{finishStatus: ptr("FAILED"), dateCreation: &now, dateLastModified: &now}, {finishStatus: ptr("SUCCESS"), dateCreation: &now, dateLastModified: &now},
		{finishStatus: ptr("FAILED"), dateCreation: &now},
	}))
	r.Measure = "failuresInARow"
	require.Equal(t, instances{key(nil): ptr(0.0)}, readNumeric(t, mustMake(t, makeNumeric, r), r.Measure))
}
