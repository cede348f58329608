package service

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// arrivals records when requests arrive at a service.
type arrivals struct {
	http.Handler
	mu sync.Mutex
	at []time.Time
}

func (a *arrivals) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	a.at = append(a.at, time.Now())
	a.mu.Unlock()
	a.Handler.ServeHTTP(w, r)
}

// inASecond returns the most arrivals within a second.
func (a *arrivals) inASecond() (most int) {
	for first, at := range a.at {
		n := 0
		for ; first+n < len(a.at) && a.at[first+n].Sub(at) < time.Second; n++ {
		}
		most = max(most, n)
	}
	return most
}

// Every request counts: logins, retries, and those of the proxy route. None fails.
func TestRequestsPerSecond(t *testing.T) {
	const perSecond = 20
	f := servicetest.New()
	f.Data(tasksPath, servicetest.InTurn(servicetest.OK(threeTasks), servicetest.Status(http.StatusTooManyRequests, ``, "Retry-After", "0"), servicetest.OK(threeTasks)))
	service := &arrivals{Handler: f}
	server := httptest.NewServer(service)
	t.Cleanup(server.Close)
	c := newClient(t, server, func(c *Config) { c.PerSecond = perSecond })
	began := time.Now()
	requireNoErrors(t, askAtOnce(c, panels))
	f.Expire()
	for range 10 {
		answer, err := c.Forward(t.Context(), tasksRequest(1, 0))
		require.NoError(t, err)
		bodyOf(t, answer)
	}
	took := time.Since(began)
	assert.Equal(t, 2, f.Count(loginPath))
	requests := panels + 1 + 10 + 1 + 2 // one is repeated, one was answered with 401
	assert.Len(t, service.at, requests)
	assert.GreaterOrEqual(t, took, time.Second*time.Duration(requests-1)/perSecond)
	// On a busy machine, some arrive late, and those after them do not.
	assert.LessOrEqual(t, service.inASecond(), perSecond*3/2)
	assert.WithinRange(t, c.LimitedAt(), began, began.Add(took))
}

// Neither the wait for a turn counts for the setting Timeout, nor a request whose caller has left. A redirect counts.
func TestWaitingForATurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := servicetest.New().Data(tasksPath, servicetest.OK(threeTasks)).Data("/moved", redirectTo(http.StatusFound, tasksPath))
		c := startInBubble(t, f, func(c *Config) { c.PerSecond, c.Timeout = 1, time.Second })
		start := time.Now()
		requireNoErrors(t, askAtOnce(c, panels))
		assert.Equal(t, panels*time.Second, time.Since(start), "the login was first")

		ctx, leave := context.WithCancel(t.Context())
		var left sync.WaitGroup
		for days := range 3 * panels {
			left.Go(func() {
				_, err := ask(ctx, c, days)
				assert.ErrorIs(t, err, context.Canceled)
			})
		}
		synctest.Wait()
		leave()
		left.Wait()
		requireNoErrors(t, askAtOnce(c, 1))
		assert.Equal(t, (panels+1)*time.Second, time.Since(start))

		_, err := askFor(t.Context(), c, Request{Path: "/moved"})
		require.NoError(t, err)
		requireNoErrors(t, askAtOnce(c, 1))
		assert.Equal(t, (panels+4)*time.Second, time.Since(start))
		assert.Zero(t, c.LimitedAt())
	})
}

// A request that waits for its turn takes no slot from one that could be sent: the rate alone limits what is sent.
func TestTurnsAndSlots(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := servicetest.New().Data(tasksPath, func(w http.ResponseWriter, r *http.Request) {
			time.Sleep(900 * time.Millisecond)
			servicetest.OK(threeTasks)(w, r)
		})
		c := startInBubble(t, f, func(c *Config) { c.PerSecond, c.MaxConcurrent = 2, 2 })
		start := time.Now()
		requireNoErrors(t, askAtOnce(c, panels))
		assert.Equal(t, panels*time.Second/2+900*time.Millisecond, time.Since(start))
	})
}

// Neither the wait for a turn counts for the time within which a request is repeated, whatever the rate.
func TestRetriesOfWhatWaited(t *testing.T) {
	for _, perSecond := range []float64{0.05, 0.5, 2} {
		synctest.Test(t, func(t *testing.T) {
			f := servicetest.New()
			busy := servicetest.Status(http.StatusServiceUnavailable, ``, "Retry-After", "9")
			f.Data(tasksPath, servicetest.InTurn(servicetest.OK(threeTasks), busy, busy, busy, servicetest.OK(threeTasks)))
			c := startInBubble(t, f, func(c *Config) { c.PerSecond, c.MaxConcurrent = perSecond, panels })
			start := time.Now()
			requireNoErrors(t, askAtOnce(c, panels))
			requests := panels + 1 + 3
			assert.GreaterOrEqual(t, time.Since(start).Seconds(), float64(requests-1)/perSecond)
			assert.Equal(t, panels+3, f.Count(tasksPath))
		})
	}
}

// What the service takes counts, and so does a pause that it asks for, however long.
func TestRetriesEnd(t *testing.T) {
	for after, retries := range map[string]int{"16": 1, "Fri, 31 Dec 9999 23:59:59 GMT": 0} {
		synctest.Test(t, func(t *testing.T) {
			busy := servicetest.Status(http.StatusServiceUnavailable, ``, "Retry-After", after)
			f := servicetest.New().Data(tasksPath, func(w http.ResponseWriter, r *http.Request) {
				time.Sleep(time.Second)
				busy(w, r)
			})
			ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
			defer cancel()
			start := time.Now()
			_, err := ask(ctx, startInBubble(t, f, func(c *Config) { c.PerSecond = 0.1 }), 1)
			require.ErrorIs(t, err, ErrUnavailable)
			assert.Equal(t, 1+retries, f.Count(tasksPath))
			assert.Equal(t, time.Duration(11+retries*(16+1))*time.Second, time.Since(start))
		})
	}
}
