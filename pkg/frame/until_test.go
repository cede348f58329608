package frame_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
)

var errLeft = errors.New("the panel was closed")

// watched is a context that ends when it is checked for the n-th time.
type watched struct {
	context.Context
	end    context.CancelCauseFunc
	checks int
}

func (w *watched) Err() error {
	if w.checks--; w.checks == 0 {
		w.end(errLeft)
	}
	return w.Context.Err()
}

// labelledTasks returns tasks with a number of labels, over a range that ends now.
func labelledTasks(labels, tasks int, span time.Duration) *columns.Table {
	rows := make([]task, tasks)
	for i := range rows {
		rows[i] = task{activityLabel: ptr(fmt.Sprintf("automation %04d", i%labels)), dateCreation: ptr(now.Add(-span / time.Duration(tasks) * time.Duration(i)))}
	}
	return tasksTable(rows)
}

// A query stops between the passes over its rows, between series or lanes, and while patterns are matched.
func TestCancelMidway(t *testing.T) {
	for name, make := range map[string]builder{"table": makeTable, "numeric": makeNumeric, "lines": makeTimeSeries, "timeline": timeline, "attention": makeAttention} {
		r := request("tasks", labelledTasks(30, 900, time.Hour))
		r.GroupBy = []string{"activityLabel"}
		for _, checks := range []int{1, 2, 901, 902} {
			ctx, end := context.WithCancelCause(t.Context())
			f, err := make(&watched{ctx, end, checks}, r)
			end(nil)
			require.Nil(t, f, "%s, canceled at check %d", name, checks)
			require.ErrorIs(t, err, errLeft, "%s, canceled at check %d", name, checks)
		}
	}
}
