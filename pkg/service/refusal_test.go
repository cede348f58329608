package service

import (
	"context"
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

func TestRefusedLoginIsRemembered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := servicetest.New().Data(tasksPath, servicetest.OK(threeTasks))
		refuse := atomic.Bool{}
		refuse.Store(true)
		f.On(loginPath, func(w http.ResponseWriter, r *http.Request) {
			if refuse.Load() {
				servicetest.Status(http.StatusUnauthorized, `{"message":"Invalid credentials"}`)(w, r)
				return
			}
			f.LogIn(w, r)
		})
		c := startInBubble(t, f)
		for range 2 {
			for _, err := range askAtOnce(c, panels) {
				require.ErrorIs(t, err, ErrLogin)
				require.ErrorContains(t, err, "Invalid credentials")
			}
		}
		assert.Equal(t, 1, f.Count(""), "one login for all panels and their next refresh")

		time.Sleep(time.Minute)
		require.Error(t, askAtOnce(c, 1)[0])
		assert.Equal(t, 2, f.Count(""), "the memory ends")

		refuse.Store(false)
		time.Sleep(time.Minute)
		requireNoErrors(t, askAtOnce(c, panels))
		assert.Equal(t, 3, f.Count(loginPath))
	})
}

// A login that did not reach the service says nothing about login and key. The next query retries at once.
func TestConnectionFailureIsNotRemembered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := servicetest.New().Data(tasksPath, servicetest.OK(threeTasks))
		f.On(loginPath, servicetest.InTurn(servicetest.Drop, servicetest.Drop, servicetest.Drop, servicetest.Drop, f.LogIn))
		c := startInBubble(t, f)
		_, err := ask(t.Context(), c, 1)
		require.ErrorIs(t, err, ErrConnection)
		_, err = ask(t.Context(), c, 1)
		require.NoError(t, err)
	})
}

// The login route would give the next panel the same response.
func TestInvalidLoginResponseIsRemembered(t *testing.T) {
	for name, answer := range map[string]http.HandlerFunc{
		"HTML":         servicetest.OK(`<html>hello</html>`),
		"no token":     servicetest.OK(`{"user":"robot"}`),
		"500":          servicetest.Status(http.StatusInternalServerError, `{"message":"down"}`),
		"500 and HTML": servicetest.Status(http.StatusInternalServerError, `<html>down</html>`),
		"404":          servicetest.Status(http.StatusNotFound, ``),
		"502":          servicetest.Status(http.StatusBadGateway, `<html>down</html>`),
		"503":          servicetest.Status(http.StatusServiceUnavailable, ``),
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := servicetest.New().Data(tasksPath, servicetest.OK(threeTasks)).On(loginPath, answer)
				c := startInBubble(t, f)
				first := askAtOnce(c, panels)
				require.Error(t, first[0])
				attempts := max(1, map[string]int{"502": 4, "503": 4}[name])
				require.Equal(t, attempts, f.Count(loginPath), "one login")
				time.Sleep(time.Second)
				for _, err := range askAtOnce(c, panels) {
					require.EqualError(t, err, first[0].Error())
				}
				assert.Equal(t, attempts, f.Count(loginPath))
				time.Sleep(failureMemory)
				require.Error(t, askAtOnce(c, 1)[0])
				assert.Equal(t, 2*attempts, f.Count(loginPath), "the memory ends")
			})
		})
	}
}

// A wrong organization is rejected on every data request. Each rejection could mean an expired token, but a fresh one
// that was just rejected shows that logging in again does not help.
func TestWrongOrganizationDoesNotLogInForEachPanel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := servicetest.New().On(tasksPath, servicetest.Status(http.StatusForbidden, `{"message":"unknown organization"}`))
		c := startInBubble(t, f)
		for range 2 {
			for _, err := range askAtOnce(c, panels) {
				require.ErrorIs(t, err, ErrForbidden)
				require.ErrorContains(t, err, "unknown organization")
				require.ErrorContains(t, err, "check the organization")
			}
		}
		assert.LessOrEqual(t, f.Count(loginPath), 2)
		time.Sleep(time.Minute)
		for _, err := range askAtOnce(c, panels) {
			require.ErrorIs(t, err, ErrForbidden)
		}
		assert.LessOrEqual(t, f.Count(loginPath), 3, "one retry later, in case it was fixed")
	})
}

// A login may have access to some routes only. The rejections of one must not cost the others a login per panel.
func TestForbiddenRoute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := servicetest.New().Data(tasksPath, servicetest.OK(threeTasks)).On(runnersPath, servicetest.Status(http.StatusForbidden, `{"message":"not for you"}`))
		c := startInBubble(t, f)
		refresh := func() {
			for days := range 5 {
				_, err := ask(t.Context(), c, days+1)
				require.NoError(t, err)
				_, err = askFor(t.Context(), c, Request{Route: "runners", Path: runnersPath})
				require.ErrorIs(t, err, ErrForbidden)
			}
		}
		refresh()
		refresh()
		time.Sleep(time.Hour)
		refresh()
		assert.Equal(t, 1, f.Count(loginPath), "the login works elsewhere, so that another one would not help")
	})
}

// A panel may start just after the token was renewed and be the first to see the new one rejected, too.
func TestRenewedTokenRefusedToNewcomer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		second := make(chan struct{})
		refused := servicetest.Status(http.StatusForbidden, `{"message":"unknown organization"}`)
		f := servicetest.New()
		f.On(tasksPath, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Query().Get("days") == "1" && r.Header.Get("token") == servicetest.Token(2) {
				<-second
			}
			refused(w, r)
		})
		c := startInBubble(t, f)
		first := make(chan error, 1)
		go func() {
			_, err := ask(context.Background(), c, 1)
			first <- err
		}()
		time.Sleep(time.Second) // the login pauses, because the token was fresh
		require.Equal(t, 2, f.Count(loginPath))
		_, err := ask(t.Context(), c, 2)
		require.ErrorIs(t, err, ErrForbidden)
		close(second)
		require.ErrorIs(t, <-first, ErrForbidden)
		assert.Equal(t, 2, f.Count(loginPath))
	})
}

// A remembered rejection must not affect a token that works again and then expires.
func TestExpirySoonAfterRefusalLogsIn(t *testing.T) {
	f := servicetest.New()
	refused := servicetest.Status(http.StatusForbidden, `{"message":"no"}`)
	f.On(tasksPath, servicetest.InTurn(refused, refused, servicetest.OK(servicetest.Envelope(nil, 0, 20))))
	c := start(t, f)
	_, err := ask(t.Context(), c, 1)
	require.ErrorIs(t, err, ErrForbidden)
	_, err = ask(t.Context(), c, 1)
	require.NoError(t, err)
}

// A token that expired is answered with a 403 by some services, also by a route that it never reached. As long as another
// route accepts it, the login may not use the route. Once it has been accepted by none for a minute, it may have
// expired.
func TestExpiredTokenAnsweredWithForbidden(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := servicetest.New()
		guarded := func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("token") != servicetest.Token(f.Count(loginPath)) || r.Header.Get("token") == servicetest.Token(1) && f.Count("") > 3 {
				servicetest.Status(http.StatusForbidden, `{"message":"Access Denied"}`)(w, r)
				return
			}
			servicetest.OK(threeTasks)(w, r)
		}
		f.On(tasksPath, guarded).On(runnersPath, guarded)
		c := startInBubble(t, f)
		askRunners := func() error {
			_, err := askFor(t.Context(), c, Request{Route: "runners", Path: runnersPath})
			return err
		}
		for range 2 {
			_, err := ask(t.Context(), c, 1)
			require.NoError(t, err)
		}
		// The token has expired, but only the tasks have accepted it so far.
		require.ErrorIs(t, askRunners(), ErrForbidden)
		assert.Equal(t, 1, f.Count(loginPath))
		time.Sleep(lately)
		for range 1_440 {
			require.NoError(t, askRunners())
			time.Sleep(time.Minute)
		}
		assert.Equal(t, 2, f.Count(loginPath))
	})
}

// The same over real connections, with a clock that is put forward.
func TestExpiredTokenAnsweredWithForbiddenOverTheNetwork(t *testing.T) {
	f := servicetest.New().Data(tasksPath, servicetest.OK(threeTasks))
	f.On(runnersPath, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("token") == servicetest.Token(1) {
			servicetest.Status(http.StatusForbidden, `{"message":"Access Denied"}`)(w, r)
			return
		}
		servicetest.OK(threeTasks)(w, r)
	})
	c := start(t, f)
	require.NoError(t, get(t, c, tasksRequest(1, 0)))
	c.session.current.issued, c.session.current.accepted = time.Now().Add(-2*time.Hour), time.Now().Add(-lately)
	require.NoError(t, get(t, c, Request{Route: "runners", Path: runnersPath}))
	require.NoError(t, get(t, c, tasksRequest(1, 0)))
	assert.Equal(t, 2, f.Count(loginPath))
}

// If a route rejects every token with a 401, the others keep theirs but for a login now and then.
func TestRouteThatRejectsEveryToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := servicetest.New().Data(tasksPath, servicetest.OK(threeTasks)).On(runnersPath, servicetest.Status(http.StatusUnauthorized, `{}`))
		c := startInBubble(t, f)
		for range 360 {
			require.NoError(t, get(t, c, tasksRequest(1, 0)))
			require.ErrorIs(t, get(t, c, Request{Route: "runners", Path: runnersPath}), ErrUnauthorized)
			time.Sleep(10 * time.Second)
		}
		assert.LessOrEqual(t, f.Count(loginPath), 2+10, "in an hour, of which the back-off takes the most")
	})
}

// If it is unknown whether the login has access to anything, further logins become less and less frequent.
func TestPausesBetweenLogins(t *testing.T) {
	for _, code := range []int{http.StatusUnauthorized, http.StatusForbidden} {
		synctest.Test(t, func(t *testing.T) {
			f := servicetest.New().On(tasksPath, servicetest.Status(code, `{"message":"no"}`))
			c := startInBubble(t, f)
			begun := time.Now()
			require.Error(t, askAtOnce(c, 1)[0])
			require.Equal(t, 2, f.Count(loginPath))
			logins, next, rest := 2, begun.Add(firstBackOff), firstBackOff
			for range 12 {
				time.Sleep(time.Until(next) - time.Millisecond)
				require.Error(t, askAtOnce(c, 1)[0])
				require.Equal(t, logins, f.Count(loginPath), "%d, within %s", code, rest)
				time.Sleep(time.Millisecond)
				begun = time.Now()
				require.Error(t, askAtOnce(c, 1)[0])
				logins++
				require.Equal(t, logins, f.Count(loginPath), "%d, after %s", code, rest)
				rest = min(2*rest, longestBackOff)
				next = begun.Add(rest)
			}
		})
	}
}

// A token that is rejected with 403 by a route that accepted it before has expired, whatever other routes accept.
func TestForbiddenWhereItWorkedLogsIn(t *testing.T) {
	f := servicetest.New()
	f.On(tasksPath, servicetest.InTurn(servicetest.OK(threeTasks), servicetest.Status(http.StatusForbidden, `old`), servicetest.OK(threeTasks)))
	c := start(t, f)
	for range 2 {
		_, err := ask(t.Context(), c, 1)
		require.NoError(t, err)
	}
	assert.Equal(t, 2, f.Count(loginPath))
}
