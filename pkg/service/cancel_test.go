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

// While one request waits as long as the service asks for, others wait for its slot. Canceling ends both kinds of waiting.
func TestWaitingForASlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		busy := servicetest.Status(http.StatusTooManyRequests, ``, "Retry-After", "9")
		f := servicetest.New().Data(tasksPath, servicetest.InTurn(busy, busy, servicetest.OK(threeTasks)))
		c := startInBubble(t, f, func(c *Config) { c.MaxConcurrent = 1 })
		begin := func(ctx context.Context, days int) chan error {
			done := make(chan error, 1)
			go func() {
				_, err := ask(ctx, c, days)
				done <- err
			}()
			synctest.Wait()
			return done
		}
		ctx, leave := context.WithCancel(t.Context())
		pausing, waiting := begin(ctx, 1), begin(ctx, 2)
		leave()
		require.ErrorIs(t, <-pausing, context.Canceled)
		require.ErrorIs(t, <-waiting, context.Canceled)
		start := time.Now()
		first, second := begin(t.Context(), 3), begin(t.Context(), 4)
		require.NoError(t, <-first)
		require.NoError(t, <-second)
		assert.Equal(t, 9*time.Second, time.Since(start))
		assert.Equal(t, 4, f.Count(tasksPath))
	})
}
