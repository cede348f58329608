package insights

import (
	"context"
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRefusedLoginIsRemembered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake().data(tasksPath, ok(envelope(taskRange(1, 3), 0, 20)))
		refuse := atomic.Bool{}
		refuse.Store(true)
		f.on(loginPath, func(w http.ResponseWriter, r *http.Request) {
			if refuse.Load() {
				status(http.StatusUnauthorized, `{"message":"Invalid credentials"}`)(w, r)
				return
			}
			f.logIn(w, r)
		})
		c := f.startInBubble(t)
		for range 2 {
			for _, err := range readAtOnce(c, panels) {
				require.ErrorIs(t, err, ErrLogin)
				require.ErrorContains(t, err, "Invalid credentials")
			}
		}
		assert.Equal(t, 1, f.count(""), "one knock for all panels and their next refresh")

		time.Sleep(time.Minute)
		require.Error(t, readAtOnce(c, 1)[0])
		assert.Equal(t, 2, f.count(""), "the memory ends")

		refuse.Store(false)
		time.Sleep(time.Minute)
		requireNoErrors(t, readAtOnce(c, panels))
		assert.Equal(t, 3, f.count(loginPath))
	})
}

// A login that the service could not answer says nothing of login and key. The next query tries again at once.
func TestFailureOfTheWayIsNotRemembered(t *testing.T) {
	f := newFake().data(tasksPath, ok(envelope(taskRange(1, 3), 0, 20)))
	f.on(loginPath, inTurn(status(http.StatusInternalServerError, `{"message":"down"}`), f.logIn))
	c := f.start(t)
	_, err := c.Read(t.Context(), Read{DataSet: tasks, Days: 1})
	require.ErrorIs(t, err, ErrUnavailable)
	_, err = c.Read(t.Context(), Read{DataSet: tasks, Days: 1})
	require.NoError(t, err)
}

// A wrong organization is refused on every data request. Each refusal could mean an old token, but a fresh one that
// was refused a moment ago tells that logging in again does not help.
func TestWrongOrganizationDoesNotLogInForEachPanel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake().on(tasksPath, status(http.StatusForbidden, `{"message":"unknown organization"}`))
		c := f.startInBubble(t)
		for range 2 {
			for _, err := range readAtOnce(c, panels) {
				require.ErrorIs(t, err, ErrForbidden)
				require.ErrorContains(t, err, "unknown organization")
				require.ErrorContains(t, err, "check the organization")
			}
		}
		assert.LessOrEqual(t, f.count(loginPath), 2)
		time.Sleep(time.Minute)
		for _, err := range readAtOnce(c, panels) {
			require.ErrorIs(t, err, ErrForbidden)
		}
		assert.LessOrEqual(t, f.count(loginPath), 3, "after a while one more try, in case it was put right")
	})
}

// A login may read some routes and not others. The refusals of one must not cost the others a login for each panel.
func TestOneRouteThatIsForbidden(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake().data(tasksPath, ok(threeTasks)).on(runnersPath, status(http.StatusForbidden, `{"message":"not for you"}`))
		c := f.startInBubble(t)
		refresh := func() {
			for days := range 5 {
				_, err := c.Read(t.Context(), Read{DataSet: tasks, Days: days + 1})
				require.NoError(t, err)
				_, err = c.Read(t.Context(), Read{DataSet: runners, Days: days + 1})
				require.ErrorIs(t, err, ErrForbidden)
			}
		}
		refresh()
		refresh()
		assert.Equal(t, 2, f.count(loginPath))
		time.Sleep(time.Minute)
		refresh()
		assert.Equal(t, 3, f.count(loginPath), "after a while one more try, in case it was put right")
	})
}

// A panel may come just when the token has been renewed, and be the first to see that the new one is refused too.
func TestRenewedTokenRefusedToNewcomer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		second := make(chan struct{})
		refused := status(http.StatusForbidden, `{"message":"unknown organization"}`)
		f := newFake()
		f.on(tasksPath, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Query().Get("days") == "1" && r.Header.Get("token") == tokenNumber(2) {
				<-second
			}
			refused(w, r)
		})
		c := f.startInBubble(t)
		first := make(chan error, 1)
		go func() {
			_, err := c.Read(context.Background(), Read{DataSet: tasks, Days: 1})
			first <- err
		}()
		synctest.Wait()
		require.Equal(t, 2, f.count(loginPath))
		_, err := c.Read(t.Context(), Read{DataSet: tasks, Days: 2})
		require.ErrorIs(t, err, ErrForbidden)
		close(second)
		require.ErrorIs(t, <-first, ErrForbidden)
		assert.Equal(t, 2, f.count(loginPath))
	})
}

// The memory of a refused token must not last for a token that works again and then expires.
func TestExpirySoonAfterRefusalLogsIn(t *testing.T) {
	f := newFake()
	refused := status(http.StatusForbidden, `{"message":"no"}`)
	f.on(tasksPath, inTurn(refused, refused, ok(envelope(nil, 0, 20))))
	c := f.start(t)
	_, err := c.Read(t.Context(), Read{DataSet: tasks, Days: 1})
	require.ErrorIs(t, err, ErrForbidden)
	_, err = c.Read(t.Context(), Read{DataSet: tasks, Days: 1})
	require.NoError(t, err)
}
