package frame_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/filter"
	"github.com/insights/insights-reporting-datasource/schema"
)

var errLeft = errors.New("the panel was closed")

// watched is a context that counts checks, and ends with one of them.
type watched struct {
	context.Context
	end     context.CancelCauseFunc
	looks   int
	endWith int // 0: never
}

func watch(t *testing.T, endWith int) *watched {
	ctx, end := context.WithCancelCause(t.Context())
	t.Cleanup(func() { end(nil) })
	return &watched{Context: ctx, end: end, endWith: endWith}
}

func (w *watched) Err() error {
	w.looks++
	if w.looks == w.endWith {
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

// waitingTasks returns tasks with different waiting and run times.
func waitingTasks(n int) *columns.Table {
	rows := make([]task, n)
	for i := range rows {
		started := now.Add(-time.Duration(i*7919%n) * time.Second)
		rows[i] = task{dateCreation: ptr(now.Add(-day)), dateStart: &started, dateLastModified: &now, finishStatus: ptr("SUCCESS")}
	}
	return tasksTable(rows)
}

// A query stops between the passes over its rows, and between series or lanes.
func TestCancelMidway(t *testing.T) {
	lines := request("tasks", labelledTasks(300, 9_000, time.Hour))
	lines.GroupBy = []string{"activityLabel"}
	lanes := request("tasks", waitingTasks(9_000))
	for name, test := range map[string]struct {
		make  builder
		r     *spec
		least int // checks
	}{
		"table":    {makeTable, lines, 2},
		"numeric":  {makeNumeric, lines, 3},
		"lines":    {makeTimeSeries, lines, 300},
		"timeline": {timeline, lanes, 3},
	} {
		whole := watch(t, 0)
		_, err := test.make(whole, test.r)
		require.NoError(t, err)
		require.GreaterOrEqual(t, whole.looks, test.least, name)
		for endWith := 1; endWith <= whole.looks; endWith += 1 + whole.looks/12 {
			f, err := test.make(watch(t, endWith), test.r)
			require.Nil(t, f)
			require.ErrorIs(t, err, errLeft, "%s, canceled at check %d of %d", name, endWith, whole.looks)
		}
	}
}

// A pattern may take long for each of many texts.
func TestCancelDuringAnExpensivePattern(t *testing.T) {
	many := make([]any, 50_000)
	for i := range many {
		many[i] = fmt.Sprintf("some text of the length that labels have %d", i)
	}
	ctx, cancel := context.WithTimeoutCause(t.Context(), 200*time.Millisecond, errLeft)
	defer cancel()
	start := time.Now()
	_, err := makeTable(ctx, &spec{
		DataSet: schema.All().Get("tasks"), Rows: &columns.Table{Columns: []*columns.Column{column("field", schema.String, many...)}, Rows: len(many)},
		Filters: []*filter.Filter{where(t, "field", "=~", "(?:.{0,30}){0,33}x")},
	})
	require.ErrorIs(t, err, errLeft)
	require.Less(t, time.Since(start), 5*time.Second)
}
