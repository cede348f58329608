package insights

import (
	"context"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// panels is a dashboard that opens: so many reads at once, each of another window, since equal ones would share.
const panels = 24

// readAtOnce reads as a dashboard of n panels does and returns their errors.
func readAtOnce(c *Client, n int) []error {
	errs := make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { _, errs[i] = c.Read(context.Background(), Read{DataSet: tasks, Days: i + 1}) })
	}
	wg.Wait()
	return errs
}

func requireNoErrors(t *testing.T, errs []error) {
	t.Helper()
	for _, err := range errs {
		require.NoError(t, err)
	}
}

func TestOneLoginForAllWhoWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake().data(tasksPath, ok(envelope(taskRange(1, 3), 0, 20)))
		open := make(chan struct{})
		f.on(loginPath, func(w http.ResponseWriter, r *http.Request) {
			<-open
			f.logIn(w, r)
		})
		c := f.startInBubble(t)
		done := make(chan []error, 1)
		go func() { done <- readAtOnce(c, panels) }()
		synctest.Wait()
		assert.Equal(t, 1, f.count(loginPath))
		assert.Zero(t, f.count(tasksPath))
		close(open)
		requireNoErrors(t, <-done)
		assert.Equal(t, 1, f.count(loginPath))
		assert.Equal(t, panels, f.count(tasksPath))
	})
}

// With one slot for requests, login has to find it free.
func TestLoginWithinOneConcurrentRequest(t *testing.T) {
	f := newFake().data(tasksPath, ok(envelope(taskRange(1, 3), 0, 20)))
	c := f.start(t, func(c *Config) { c.MaxConcurrent = 1 })
	requireNoErrors(t, readAtOnce(c, 4))
	f.expire()
	requireNoErrors(t, readAtOnce(c, 4))
	assert.Equal(t, 2, f.count(loginPath))
}

func TestRefusedTokenLogsInOnceMore(t *testing.T) {
	for _, code := range []int{http.StatusUnauthorized, http.StatusForbidden} {
		t.Run(http.StatusText(code), func(t *testing.T) {
			f := newFake().on(tasksPath, inTurn(status(code, `{"message":"no"}`), ok(envelope(taskRange(1, 3), 0, 20))))
			result, err := f.start(t).Read(t.Context(), Read{DataSet: tasks, Days: 1})
			require.NoError(t, err)
			assert.Equal(t, 3, result.Table.Rows)
			assert.Equal(t, 2, f.count(loginPath))
			sent := f.requests(tasksPath)
			require.Len(t, sent, 2)
			assert.Equal(t, tokenNumber(1), sent[0].header.Get("token"))
			assert.Equal(t, tokenNumber(2), sent[1].header.Get("token"))
		})
	}
}

func TestRefusedTokenNeverLoops(t *testing.T) {
	for _, test := range []struct {
		code int
		kind error
		says string
	}{
		{http.StatusUnauthorized, ErrUnauthorized, "check login and key"},
		{http.StatusForbidden, ErrForbidden, "check the organization"},
	} {
		t.Run(http.StatusText(test.code), func(t *testing.T) {
			f := newFake().on(tasksPath, status(test.code, `{"message":"not for you"}`))
			_, err := f.start(t).Read(t.Context(), Read{DataSet: tasks, Days: 1})
			require.ErrorIs(t, err, test.kind)
			assert.ErrorContains(t, err, test.says)
			assert.ErrorContains(t, err, "not for you")
			assert.Equal(t, 2, f.count(loginPath))
			assert.Equal(t, 2, f.count(tasksPath))
		})
	}
}

// A token ends for all reads at the same time. Only one of them may log in again.
func TestOneLoginForOneExpiry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake().data(tasksPath, ok(envelope(taskRange(1, 3), 0, 20)))
		c := f.startInBubble(t, func(c *Config) { c.MaxConcurrent = 32 })
		requireNoErrors(t, readAtOnce(c, panels))
		for expiry := range 3 {
			f.expire()
			requireNoErrors(t, readAtOnce(c, panels))
			assert.Equal(t, 2+expiry, f.count(loginPath))
		}
	})
}

// A 401 to an old token may arrive when another request has a newer one already. It must not cost that token.
func TestLateRefusalKeepsNewerToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		late := make(chan struct{})
		f := newFake()
		f.on(tasksPath, func(w http.ResponseWriter, r *http.Request) {
			old := r.Header.Get("token") == tokenNumber(1)
			if old && r.URL.Query().Get("days") == "2" {
				<-late
			}
			if old {
				status(http.StatusUnauthorized, `{"message":"token expired"}`)(w, r)
				return
			}
			ok(envelope(taskRange(1, 3), 0, 20))(w, r)
		})
		c := f.startInBubble(t)
		slow := make(chan error, 1)
		go func() {
			_, err := c.Read(context.Background(), Read{DataSet: tasks, Days: 2})
			slow <- err
		}()
		synctest.Wait()
		_, err := c.Read(t.Context(), Read{DataSet: tasks, Days: 1})
		require.NoError(t, err)
		require.Equal(t, 2, f.count(loginPath))
		close(late)
		require.NoError(t, <-slow)
		assert.Equal(t, 2, f.count(loginPath), "the late 401 is of a token that was replaced already")
	})
}

func TestCallerWhoLeavesDoesNotEndTheLoginOfOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake().data(tasksPath, ok(envelope(taskRange(1, 3), 0, 20)))
		open := make(chan struct{})
		f.on(loginPath, func(w http.ResponseWriter, r *http.Request) {
			<-open
			f.logIn(w, r)
		})
		c := f.startInBubble(t)
		ctx, leave := context.WithCancel(t.Context())
		first, second := make(chan error, 1), make(chan error, 1)
		go func() {
			_, err := c.Read(ctx, Read{DataSet: tasks, Days: 1})
			first <- err
		}()
		synctest.Wait()
		go func() {
			_, err := c.Read(context.Background(), Read{DataSet: tasks, Days: 2})
			second <- err
		}()
		synctest.Wait()
		leave()
		require.ErrorIs(t, <-first, context.Canceled)
		close(open)
		require.NoError(t, <-second)
		assert.Equal(t, 1, f.count(loginPath))
	})
}

func TestLoginIsCancelledWhenNobodyWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		gone := make(chan struct{})
		f.on(loginPath, func(_ http.ResponseWriter, r *http.Request) {
			<-r.Context().Done()
			close(gone)
		})
		c := f.startInBubble(t)
		ctx, leave := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() {
			_, err := c.Login(ctx)
			done <- err
		}()
		synctest.Wait()
		leave()
		require.ErrorIs(t, <-done, context.Canceled)
		<-gone
	})
}
