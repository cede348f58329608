package service

import (
	"context"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// A token expires for all reads at the same time. Only one of them may log in again, and gets a slot even if there is only
// one.
func TestOneLoginForOneExpiry(t *testing.T) {
	for _, slots := range []int{1, 32} {
		synctest.Test(t, func(t *testing.T) {
			f := servicetest.New().Data(tasksPath, servicetest.OK(threeTasks))
			c := startInBubble(t, f, func(c *Config) { c.MaxConcurrent = slots })
			requireNoErrors(t, askAtOnce(c, panels))
			for expiry := range 3 {
				f.Expire()
				requireNoErrors(t, askAtOnce(c, panels))
				assert.Equal(t, 2+expiry, f.Count(loginPath))
			}
		})
	}
}

// A late 401 to an old token must not evict a newer one.
func TestLateRefusalKeepsNewerToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		late := make(chan struct{})
		f := servicetest.New()
		f.On(tasksPath, func(w http.ResponseWriter, r *http.Request) {
			old := r.Header.Get("token") == servicetest.Token(1)
			if old && r.URL.Query().Get("days") == "2" {
				<-late
			}
			if old {
				servicetest.Status(http.StatusUnauthorized, `{"message":"token expired"}`)(w, r)
				return
			}
			servicetest.OK(threeTasks)(w, r)
		})
		c := startInBubble(t, f)
		slow := make(chan error, 1)
		go func() {
			_, err := ask(context.Background(), c, 2)
			slow <- err
		}()
		synctest.Wait()
		_, err := ask(t.Context(), c, 1)
		require.NoError(t, err)
		require.Equal(t, 2, f.Count(loginPath))
		close(late)
		require.NoError(t, <-slow)
		assert.Equal(t, 2, f.Count(loginPath), "the late 401 is of a token that was replaced already")
	})
}

// A panic in a login fails its callers, and crashes neither them nor the plugin.
func TestPanicInALoginIsAnError(t *testing.T) {
	s := &session{logIn: func(context.Context) (*credential, error) { panic("broken") }}
	_, err := s.get(t.Context())
	require.ErrorContains(t, err, "broken")
	s.logIn = func(context.Context) (*credential, error) { return &credential{token: "t"}, nil }
	c, err := s.get(t.Context())
	require.NoError(t, err)
	assert.Equal(t, "t", c.token)
}

// Two Grafana servers with one login, on a service that keeps one token for it: each login invalidates the token of the
// other. Each request and each response takes a random time. Chance may let a request meet three logins of the other
// server; without pauses between logins, a fifth of them do.
func TestTwoClientsThatInvalidateEachOthersToken(t *testing.T) {
	const seeds = 10
	errs := make(chan error, seeds*2*panels*3)
	for seed := range uint64(seeds) {
		synctest.Test(t, func(t *testing.T) {
			var mu sync.Mutex
			random := rand.New(rand.NewPCG(seed, 0))
			travel := func() {
				mu.Lock()
				took := time.Duration(5+random.IntN(40)) * time.Millisecond
				mu.Unlock()
				time.Sleep(took)
			}
			f := servicetest.New().Data(tasksPath, servicetest.OK(threeTasks))
			address, httpClient := f.StartInBubble(t)
			defer httpClient.CloseIdleConnections()
			network := &http.Client{Timeout: time.Minute, Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
				travel()
				defer travel()
				return httpClient.Transport.RoundTrip(r)
			})}
			var servers sync.WaitGroup
			for range 2 {
				c := New(testConfig(address), network)
				servers.Go(func() {
					for range 3 {
						for _, err := range askAtOnce(c, panels) {
							errs <- err
						}
					}
				})
			}
			servers.Wait()
		})
	}
	failed := 0
	for range cap(errs) {
		if err := <-errs; err != nil {
			require.ErrorIs(t, err, ErrUnauthorized)
			failed++
		}
	}
	assert.Less(t, failed, cap(errs)/100)
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// All callers share one login, which goes on when one of them leaves.
func TestOneLoginForAllCallers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := servicetest.New().Data(tasksPath, servicetest.OK(threeTasks))
		open := make(chan struct{})
		f.On(loginPath, func(w http.ResponseWriter, r *http.Request) {
			<-open
			f.LogIn(w, r)
		})
		c := startInBubble(t, f)
		ctx, leave := context.WithCancel(t.Context())
		first, others := make(chan error, 1), make(chan []error, 1)
		go func() {
			_, err := ask(ctx, c, 1)
			first <- err
		}()
		synctest.Wait()
		go func() { others <- askAtOnce(c, panels) }()
		synctest.Wait()
		leave()
		require.ErrorIs(t, <-first, context.Canceled)
		assert.Zero(t, f.Count(tasksPath))
		close(open)
		requireNoErrors(t, <-others)
		assert.Equal(t, 1, f.Count(loginPath))
		assert.Equal(t, panels, f.Count(tasksPath))
	})
}
