package frame_test

import (
	"maps"
	"math/rand"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/schema"
)

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
