package service

import (
	"context"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
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
	s := &session{logIn: func() (*credential, error) { panic("broken") }}
	_, err := s.after(t.Context(), nil)
	require.ErrorContains(t, err, "broken")
	s.logIn = func() (*credential, error) { return &credential{token: "t"}, nil }
	c, err := s.after(t.Context(), nil)
	require.NoError(t, err)
	assert.Equal(t, "t", c.token)
}

// Grafana servers with one login, on a service that keeps one token for it: each login invalidates the token of the others.
// Each request and each response takes a random time.
func TestClientsThatInvalidateEachOthersToken(t *testing.T) {
	for name, test := range map[string]struct {
		servers int
		travels time.Duration // at least, and at most twice as long
		most    int           // of 10,000 requests that may fail
	}{
		"two, nearby":               {2, 5 * time.Millisecond, 0},
		"two, round trips of 1-2 s": {2, 500 * time.Millisecond, 0},
		// Chance may let a request meet the logins of the others each time.
		"three, round trips of 1-2 s": {3, 500 * time.Millisecond, 50},
	} {
		t.Run(name, func(t *testing.T) {
			const seeds = 30
			var failed, all atomic.Int64
			for seed := range uint64(seeds) {
				synctest.Test(t, func(t *testing.T) {
					var mu sync.Mutex
					random := rand.New(rand.NewPCG(seed, 0))
					travel := func() {
						mu.Lock()
						took := test.travels + time.Duration(random.Int64N(int64(test.travels)))
						mu.Unlock()
						time.Sleep(took)
					}
					f := servicetest.New().Data(tasksPath, servicetest.OK(threeTasks))
					address, httpClient := f.StartInBubble(t)
					defer httpClient.CloseIdleConnections()
					network := &http.Client{Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
						travel()
						defer travel()
						return httpClient.Transport.RoundTrip(r)
					})}
					var servers sync.WaitGroup
					for range test.servers {
						c := New(testConfig(address), network)
						servers.Go(func() {
							for range 3 {
								for _, err := range askAtOnce(c, panels) {
									all.Add(1)
									if err != nil {
										assert.ErrorIs(t, err, ErrUnauthorized)
										failed.Add(1)
									}
								}
							}
						})
					}
					servers.Wait()
				})
			}
			assert.LessOrEqual(t, 10_000*failed.Load(), int64(test.most)*all.Load(), "%d of %d", failed.Load(), all.Load())
		})
	}
}

// A slow login delays the next one no longer than anybody waits for a panel.
func TestPauseAfterASlowLogin(t *testing.T) {
	for range 50 {
		synctest.Test(t, func(t *testing.T) {
			const took = 25 * time.Second
			s := &session{key: "k", logIn: func() (*credential, error) {
				time.Sleep(took)
				return &credential{token: "t", issued: time.Now(), took: took}, nil
			}}
			first, err := s.after(t.Context(), nil)
			require.NoError(t, err)
			require.True(t, s.renews(&Error{Kind: ErrUnauthorized, Status: http.StatusUnauthorized}, tasksPath, first, 0))
			start := time.Now()
			_, err = s.after(t.Context(), first)
			require.NoError(t, err)
			assert.LessOrEqual(t, time.Since(start), took+contestedPause)
		})
	}
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
