package service

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

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
func TestFailedLoginIsRemembered(t *testing.T) {
	for name, test := range map[string]struct {
		answer   http.HandlerFunc
		attempts int
	}{
		"401":      {servicetest.Status(http.StatusUnauthorized, `{"message":"Invalid credentials"}`), 1},
		"HTML":     {servicetest.OK(`<html>hello</html>`), 1},
		"no token": {servicetest.OK(`{"user":"robot"}`), 1},
		"500":      {servicetest.Status(http.StatusInternalServerError, `{"message":"down"}`), 1},
		"503":      {servicetest.Status(http.StatusServiceUnavailable, ``), maxTries},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := servicetest.New().Data(tasksPath, servicetest.OK(threeTasks)).On(loginPath, test.answer)
				c := startInBubble(t, f)
				first := askAtOnce(c, panels)
				require.Error(t, first[0])
				require.Equal(t, test.attempts, f.Count(""), "one login for all panels")
				time.Sleep(time.Second)
				for _, err := range askAtOnce(c, panels) {
					require.EqualError(t, err, first[0].Error())
				}
				assert.Equal(t, test.attempts, f.Count(""))
				f.On(loginPath, f.LogIn)
				time.Sleep(loginRest)
				requireNoErrors(t, askAtOnce(c, panels))
			})
		})
	}
}

// A wrong organization, or a route that this login may not use, is answered with a 403. In case the token expired,
// there is another login, but not before a minute has passed: neither for each panel, nor for each refresh.
func TestForbidden(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := servicetest.New().Data(tasksPath, servicetest.OK(threeTasks)).On(runnersPath, servicetest.Status(http.StatusForbidden, `{"message":"not for you"}`))
		c := startInBubble(t, f)
		refresh := func() {
			for days := range 5 {
				_, err := ask(t.Context(), c, days+1)
				require.NoError(t, err)
				_, err = askFor(t.Context(), c, Request{Path: runnersPath})
				require.ErrorIs(t, err, ErrForbidden)
				require.ErrorContains(t, err, "not for you")
				require.ErrorContains(t, err, "check the organization")
			}
		}
		refresh()
		refresh()
		require.Equal(t, 1, f.Count(loginPath))
		time.Sleep(youngAge)
		refresh()
		require.Equal(t, 2, f.Count(loginPath))
	})
}

// Some services answer an expired token with a 403.
func TestExpiredTokenAnsweredWithForbidden(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := servicetest.New()
		f.On(tasksPath, func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("token") == servicetest.Token(1) && f.Count("") > 2 {
				servicetest.Status(http.StatusForbidden, `{"message":"Access Denied"}`)(w, r)
				return
			}
			servicetest.OK(threeTasks)(w, r)
		})
		c := startInBubble(t, f)
		requireNoErrors(t, askAtOnce(c, 1))
		time.Sleep(youngAge)
		requireNoErrors(t, askAtOnce(c, panels))
		assert.Equal(t, 2, f.Count(loginPath))
	})
}
