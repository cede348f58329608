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
