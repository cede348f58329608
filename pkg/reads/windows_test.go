package reads

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// The first window is read before all others; each is passed on once, one at a time, and shares identical reads.
func TestWindows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := servicetest.NewGate()
		f := servicetest.New().Data(automationsPath, g.Hold(servicetest.OK(servicetest.Envelope(nil, 0, 20))))
		c := startInBubble(t, f, func(s *settings) { s.MaxConcurrent = 32 }, withCache(time.Minute))
		defer c.Close()
		seven := Read{Question: pages.Question{DataSet: automations, Days: 7}}
		panel := arrive(c, seven)
		var taken []int
		done := make(chan error, 1)
		days := []int{30, 20, 10, 7, 5, 4, 3, 2, 1}
		go func() {
			_, err := c.Windows(t.Context(), seven, days, 1, func(n int, _ *Result) { taken = append(taken, n) })
			done <- err
		}()
		synctest.Wait()
		assert.Equal(t, 2, f.Count(automationsPath), "the panel's read, and the first window")
		close(g.Release)
		require.NoError(t, <-done)
		require.NoError(t, <-panel.done)
		assert.Zero(t, taken[0])
		slices.Sort(taken)
		assert.Equal(t, []int{0, 1, 2, 3, 4, 5, 6, 7, 8}, taken)
		assert.Equal(t, len(days), f.Count(automationsPath), "seven days were read once")
	})
}

// A panic while processing a result is an error of the query and does not crash the plugin.
func TestPanicInAWindow(t *testing.T) {
	f := servicetest.New().Data(automationsPath, servicetest.OK(servicetest.Envelope(nil, 0, 20)))
	c := start(t, f)
	_, err := c.Windows(t.Context(), Read{Question: pages.Question{DataSet: automations}}, []int{2, 1}, 1, func(n int, _ *Result) {
		if n == 1 {
			panic(errors.New("a defect"))
		}
	})
	require.ErrorContains(t, err, "a defect")
}
