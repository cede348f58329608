package service

import (
	"context"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

func TestOneLoginForAllCallers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := servicetest.New().Data(tasksPath, servicetest.OK(threeTasks))
		open := make(chan struct{})
		f.On(loginPath, func(w http.ResponseWriter, r *http.Request) {
			<-open
			f.LogIn(w, r)
		})
		c := startInBubble(t, f)
		done := make(chan []error, 1)
		go func() { done <- askAtOnce(c, panels) }()
		synctest.Wait()
		assert.Equal(t, 1, f.Count(loginPath))
		assert.Zero(t, f.Count(tasksPath))
		close(open)
		requireNoErrors(t, <-done)
		assert.Equal(t, 1, f.Count(loginPath))
		assert.Equal(t, panels, f.Count(tasksPath))
	})
}

// The login must get a slot even if there is only one.
func TestLoginWithinOneConcurrentRequest(t *testing.T) {
	f := servicetest.New().Data(tasksPath, servicetest.OK(threeTasks))
	c := start(t, f, func(c *Config) { c.MaxConcurrent = 1 })
	requireNoErrors(t, askAtOnce(c, 4))
	f.Expire()
	requireNoErrors(t, askAtOnce(c, 4))
	assert.Equal(t, 2, f.Count(loginPath))
}

func TestRejectedTokenLogsInAgain(t *testing.T) {
	for _, code := range []int{http.StatusUnauthorized, http.StatusForbidden} {
		t.Run(http.StatusText(code), func(t *testing.T) {
			f := servicetest.New().On(tasksPath, servicetest.InTurn(servicetest.Status(code, `{"message":"no"}`), servicetest.OK(threeTasks)))
			result, err := ask(t.Context(), start(t, f), 1)
			require.NoError(t, err)
			assert.Len(t, result.ids, 3)
			assert.Equal(t, 2, f.Count(loginPath))
			sent := f.Requests(tasksPath)
			require.Len(t, sent, 2)
			assert.Equal(t, servicetest.Token(1), sent[0].Header.Get("token"))
			assert.Equal(t, servicetest.Token(2), sent[1].Header.Get("token"))
		})
	}
}

func TestRefusedTokenNeverLoops(t *testing.T) {
	for _, test := range []struct {
		code int
		kind error
		says string
	}{
		{http.StatusUnauthorized, ErrUnauthorized, "check the login and key"},
		{http.StatusForbidden, ErrForbidden, "check the organization"},
	} {
		t.Run(http.StatusText(test.code), func(t *testing.T) {
			f := servicetest.New().On(tasksPath, servicetest.Status(test.code, `{"message":"not for you"}`))
			_, err := ask(t.Context(), start(t, f), 1)
			require.ErrorIs(t, err, test.kind)
			assert.ErrorContains(t, err, test.says)
			assert.ErrorContains(t, err, "not for you")
			assert.Equal(t, 2, f.Count(loginPath))
			assert.Equal(t, 2, f.Count(tasksPath))
		})
	}
}

// A token expires for all reads at the same time. Only one of them may log in again.
func TestOneLoginForOneExpiry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := servicetest.New().Data(tasksPath, servicetest.OK(threeTasks))
		c := startInBubble(t, f, func(c *Config) { c.MaxConcurrent = 32 })
		requireNoErrors(t, askAtOnce(c, panels))
		for expiry := range 3 {
			f.Expire()
			requireNoErrors(t, askAtOnce(c, panels))
			assert.Equal(t, 2+expiry, f.Count(loginPath))
		}
	})
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

func TestCanceledCallerDoesNotCancelASharedLogin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := servicetest.New().Data(tasksPath, servicetest.OK(threeTasks))
		open := make(chan struct{})
		f.On(loginPath, func(w http.ResponseWriter, r *http.Request) {
			<-open
			f.LogIn(w, r)
		})
		c := startInBubble(t, f)
		ctx, leave := context.WithCancel(t.Context())
		first, second := make(chan error, 1), make(chan error, 1)
		go func() {
			_, err := ask(ctx, c, 1)
			first <- err
		}()
		synctest.Wait()
		go func() {
			_, err := ask(context.Background(), c, 2)
			second <- err
		}()
		synctest.Wait()
		leave()
		require.ErrorIs(t, <-first, context.Canceled)
		close(open)
		require.NoError(t, <-second)
		assert.Equal(t, 1, f.Count(loginPath))
	})
}

// A panic in a login fails its callers, and crashes neither them nor the plugin.
func TestPanicInALoginIsAnError(t *testing.T) {
	s := &session{login: func(context.Context) (*credential, error) { panic("broken") }}
	_, err := s.get(t.Context())
	require.ErrorContains(t, err, "broken")
	s.login = func(context.Context) (*credential, error) { return &credential{token: "t"}, nil }
	c, err := s.get(t.Context())
	require.NoError(t, err)
	assert.Equal(t, "t", c.token)
}

// Two Grafana servers with one login, on a service that keeps one token for it: each login invalidates the token of the
// other.
func TestTwoClientsThatInvalidateEachOthersToken(t *testing.T) {
	for seed := range 6 {
		synctest.Test(t, func(t *testing.T) {
			f := servicetest.New()
			f.Data(tasksPath, func(w http.ResponseWriter, r *http.Request) {
				time.Sleep(time.Duration(10+seed) * time.Millisecond)
				servicetest.OK(threeTasks)(w, r)
			})
			answer := f.LogIn
			f.On(loginPath, func(w http.ResponseWriter, r *http.Request) {
				time.Sleep(10 * time.Millisecond)
				answer(w, r)
			})
			one, other := startInBubble(t, f), startInBubble(t, f)
			done := make(chan []error, 2)
			for _, c := range []*Client{one, other} {
				go func() {
					var errs []error
					for range 3 {
						errs = append(errs, askAtOnce(c, 40)...)
					}
					done <- errs
				}()
			}
			requireNoErrors(t, <-done)
			requireNoErrors(t, <-done)
		})
	}
}

// The same over real connections, with the pages of one read, which take time in both directions.
func TestTwoServersWithOneTokenOverTheNetwork(t *testing.T) {
	page := servicetest.Paged(20, servicetest.Still(servicetest.TaskRange(1, 400)))
	f := servicetest.New()
	slowly := func(answer http.HandlerFunc) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			time.Sleep(5 * time.Millisecond)
			answer(w, r)
		}
	}
	f.On(loginPath, slowly(f.LogIn)).Data(tasksPath, slowly(page))
	server := f.Start(t)
	var both sync.WaitGroup
	for _, c := range []*Client{newClient(t, server), newClient(t, server)} {
		both.Go(func() {
			for range 3 {
				assert.Equal(t, 400, askPages(t, c, 20))
			}
		})
	}
	both.Wait()
	t.Logf("%d logins for 120 requests", f.Count(loginPath))
}
