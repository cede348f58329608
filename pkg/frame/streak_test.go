package frame_test

import (
	"testing"
	"time"

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

// A group without a success has no number, so that a rule on it has no data instead of firing or not.
func TestSinceTheLastSuccessAndTask(t *testing.T) {
	at := func(hours int) *time.Time { return ptr(now.Add(-time.Duration(hours) * time.Hour)) }
	rows := tasksTable([]task{
		{activityLabel: ptr("a"), finishStatus: ptr("SUCCESS"), dateCreation: at(5), dateLastModified: at(4)},
		{activityLabel: ptr("a"), finishStatus: ptr("SUCCESS"), dateCreation: at(3), dateLastModified: at(2)},
		{activityLabel: ptr("a"), finishStatus: ptr("PARTIALLY_COMPLETED"), dateCreation: at(1), dateLastModified: at(1)},
		{activityLabel: ptr("b"), finishStatus: ptr("FAILED"), dateCreation: at(3), dateLastModified: at(2)},
	})
	automation := func(label string) string { return key(map[string]string{"activityLabel": label}) }
	for measure, want := range map[string]instances{
		"sinceLastTask":    {automation("a"): ptr(3600.0), automation("b"): ptr(3 * 3600.0)},
		"sinceLastSuccess": {automation("a"): ptr(2 * 3600.0), automation("b"): nil},
	} {
		r := request("tasks", rows)
		r.Measure, r.GroupBy = measure, []string{"activityLabel"}
		f := mustMake(t, makeNumeric, r)
		require.Equal(t, want, readNumeric(t, f, measure))
		require.Equal(t, "s", f.Fields[0].Config.Unit)
	}
	// A task that a runner has taken from a long queue was created long before.
	r := request("tasks", rows)
	r.Measure, r.TimeField = "sinceLastTask", "dateLastModified"
	require.Equal(t, instances{key(nil): ptr(3600.0)}, readNumeric(t, mustMake(t, makeNumeric, r), r.Measure))
	r.TimeField = "dateStartRunning"
	require.Empty(t, readNumeric(t, mustMake(t, makeNumeric, r), r.Measure))
}
