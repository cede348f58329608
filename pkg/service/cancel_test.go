package service

import (
	"context"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// A pause applies to the data source: other requests wait for it, and cancellation ends the wait.
func TestPauseIsForAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := servicetest.New().Data(tasksPath, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Query().Get("days") == "1" {
				servicetest.Status(429, ``, "Retry-After", "9")(w, r)
				return
			}
			servicetest.OK(threeTasks)(w, r)
		})
		c := startInBubble(t, f, func(c *Config) { c.MaxConcurrent = 1 })
		ctx, leave := context.WithCancel(t.Context())
		slow := make(chan error, 1)
		go func() {
			_, err := ask(ctx, c, 1)
			slow <- err
		}()
		synctest.Wait()
		start := time.Now()
		leave()
		require.ErrorIs(t, <-slow, context.Canceled)
		_, err := ask(t.Context(), c, 2)
		require.NoError(t, err)
		assert.Equal(t, 9*time.Second, time.Since(start))
		assert.Equal(t, 2, f.Count(tasksPath))
	})
}

// A request that exceeds the setting Timeout is an error that names it, and is not retried: the user would wait several
// times as long.
func TestTimeoutOfOneRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := servicetest.New().Data(tasksPath, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
		c := startInBubble(t, f)
		start := time.Now()
		_, err := ask(t.Context(), c, 1)
		require.ErrorIs(t, err, ErrTimeout)
		assert.ErrorContains(t, err, "1m0s")
		assert.ErrorContains(t, err, "Timeout")
		assert.ErrorContains(t, err, "127.0.0.1")
		assert.Equal(t, time.Minute, time.Since(start))
		assert.Equal(t, 1, f.Count(tasksPath))
	})
}

// Canceling a request that waits for a slot returns immediately.
func TestCancelWhileWaitingForASlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := servicetest.NewGate()
		f := servicetest.New().Data(tasksPath, g.Hold(servicetest.Paged(20, servicetest.Still(servicetest.TaskRange(1, 20)))))
		c := startInBubble(t, f, func(c *Config) { c.MaxConcurrent = 1 })
		first := make(chan error, 1)
		go func() {
			_, err := ask(context.Background(), c, 1)
			first <- err
		}()
		synctest.Wait()
		ctx, leave := context.WithCancel(t.Context())
		second := make(chan error, 1)
		go func() {
			_, err := ask(ctx, c, 2)
			second <- err
		}()
		synctest.Wait()
		leave()
		require.ErrorIs(t, <-second, context.Canceled)
		close(g.Release)
		require.NoError(t, <-first)
		assert.Equal(t, 1, f.Count(tasksPath))
	})
}
