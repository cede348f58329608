package frame_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/schema"
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

// Queries that share a read build frames from the same columns concurrently, and leave them as they are. The race detector checks, too.
func TestFramesOfSharedColumns(t *testing.T) {
	read := func() *columns.Table { return tasksTable(randomTasks(rand.New(rand.NewSource(1)), 400)) }
	table := read()
	started := where(t, "state", "=~", "START|RUNNING")
	var all sync.WaitGroup
	for range 4 {
		for _, make := range append(slices.Collect(maps.Values(formats)), timeline) {
			all.Go(func() {
				r := request("tasks", table)
				r.GroupBy, r.Sort, r.Filters = []string{"activityLabel"}, &schema.Sort{Field: "activityLabel", Order: "desc"}, append(r.Filters, started)
				f, err := make(t.Context(), r)
				if assert.NoError(t, err) {
					_, err = f.MarshalArrow()
					assert.NoError(t, err)
				}
			})
		}
	}
	all.Wait()
	assert.Equal(t, read(), table)
}
