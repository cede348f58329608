package reads

import (
	"testing"
	"testing/synctest"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// reads returns the reads of tasks so far, by source.
func reads(t *testing.T) map[string]float64 {
	t.Helper()
	families, err := prometheus.DefaultGatherer.Gather()
	require.NoError(t, err)
	found := map[string]float64{}
	for _, family := range families {
		if family.GetName() != "insights_reads_total" {
			continue
		}
		for _, m := range family.GetMetric() {
			labels := map[string]string{}
			for _, label := range m.GetLabel() {
				labels[label.GetName()] = label.GetValue()
			}
			if labels["data_set"] == tasks.Name {
				found[labels["source"]] = m.GetCounter().GetValue()
			}
		}
	}
	return found
}

func TestSharedReadsAreCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := servicetest.NewGate()
		c := startInBubble(t, servicetest.New().Data(tasksPath, g.Hold(servicetest.OK(threeTasks))))
		before := reads(t)
		var callers []*caller
		for range 5 {
			callers = append(callers, arrive(c, lastDays(1)))
		}
		synctest.Wait()
		close(g.Release)
		for _, who := range callers {
			require.NoError(t, <-who.done)
		}
		after := reads(t)
		assert.EqualValues(t, 1, after["service"]-before["service"])
		assert.EqualValues(t, 4, after["shared"]-before["shared"])
		assert.EqualValues(t, 0, after["cache"]-before["cache"])
	})
}
