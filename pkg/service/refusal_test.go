package service

import (
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
				_, err = askFor(t.Context(), c, Request{Route: "runners", Path: runnersPath})
				require.ErrorIs(t, err, ErrForbidden)
				require.ErrorContains(t, err, "not for you")
				require.ErrorContains(t, err, "check the organization")
			}
		}
		refresh()
		refresh()
		require.Equal(t, 1, f.Count(loginPath))
		time.Sleep(forbiddenAge)
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
		time.Sleep(forbiddenAge)
		requireNoErrors(t, askAtOnce(c, panels))
		assert.Equal(t, 2, f.Count(loginPath))
	})
}

// Each panel asks a service that rejects every token for two more. They share most of these logins.
func TestUnauthorizedWhateverTheToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := servicetest.New().On(tasksPath, servicetest.Status(http.StatusUnauthorized, `{"message":"not for you"}`))
		f.On(loginPath, func(w http.ResponseWriter, r *http.Request) {
			time.Sleep(100 * time.Millisecond)
			f.LogIn(w, r)
		})
		c := startInBubble(t, f)
		for _, err := range askAtOnce(c, panels) {
			require.ErrorIs(t, err, ErrUnauthorized)
			require.ErrorContains(t, err, "not for you")
			require.ErrorContains(t, err, "check the login and key")
		}
		assert.LessOrEqual(t, f.Count(tasksPath), panels*(1+maxRenewals))
		assert.LessOrEqual(t, f.Count(loginPath), panels/2)
	})
}
