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

// httpDate responds with 429 and a date so long from now.
func httpDate(in time.Duration) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		servicetest.Status(http.StatusTooManyRequests, ``, "Retry-After", time.Now().Add(in).UTC().Format(http.TimeFormat))(w, r)
	}
}

// Transient failures are retried, after the pause that the service requests or a short one of our own.
func TestTransientFailures(t *testing.T) {
	for _, test := range []struct {
		name        string
		fails       http.HandlerFunc
		least, most time.Duration
	}{
		{"429 with seconds", servicetest.Status(429, `{"message":"slow"}`, "Retry-After", "7"), 7 * time.Second, 7 * time.Second},
		{"429 with a date", httpDate(5 * time.Second), 4 * time.Second, 5 * time.Second},
		{"429 with a date that is past", httpDate(-time.Hour), 0, 0},
		{"429 with 0", servicetest.Status(429, ``, "Retry-After", "0"), 0, 0},
		{"429 without a pause", servicetest.Status(429, ``), time.Millisecond, 2 * time.Second},
		{"429 with nonsense", servicetest.Status(429, ``, "Retry-After", "soon"), time.Millisecond, 2 * time.Second},
		{"502", servicetest.Status(502, `<html>bad gateway</html>`), time.Millisecond, 2 * time.Second},
		{"503", servicetest.Status(503, ``), time.Millisecond, 2 * time.Second},
		{"503 with seconds", servicetest.Status(503, ``, "Retry-After", "3"), 3 * time.Second, 3 * time.Second},
		{"504", servicetest.Status(504, ``), time.Millisecond, 2 * time.Second},
		// The HTTP client itself retries if an idle connection turns out to be closed.
		{"dropped connection", servicetest.Drop, 0, 2 * time.Second},
		{"body cut short of its length", servicetest.CutLength(threeTasks), time.Millisecond, 2 * time.Second},
		{"body cut between chunks", servicetest.CutChunks(threeTasks), time.Millisecond, 2 * time.Second},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := servicetest.New().Data(tasksPath, servicetest.InTurn(test.fails, servicetest.OK(threeTasks)))
				c := startInBubble(t, f)
				start := time.Now()
				result, err := ask(t.Context(), c, 1)
				require.NoError(t, err)
				took := time.Since(start)
				assert.GreaterOrEqual(t, took, test.least)
				assert.LessOrEqual(t, took, test.most)
				assert.Equal(t, []int64{1, 2, 3}, result.ids, "a partial response leaves nothing behind")
				assert.Equal(t, 2, f.Count(tasksPath))
				assert.Equal(t, 1, f.Count(loginPath))
			})
		})
	}
}

// A retry would only burden the service.
func TestPermanentFailures(t *testing.T) {
	for _, test := range []struct {
		name   string
		answer http.HandlerFunc
		kind   error
	}{
		{"400", servicetest.Status(400, `{"message":"days too large"}`), ErrRejected},
		{"404", servicetest.Status(404, ``), ErrNotFound},
		{"405", servicetest.Status(405, ``), ErrRejected},
		{"500", servicetest.Status(500, ``), ErrUnavailable},
		{"501", servicetest.Status(501, ``), ErrUnavailable},
		{"HTML", servicetest.OK(`<html><body>Sign in</body></html>`), ErrUnreadable},
		{"another shape", servicetest.OK(`{"data":[]}`), ErrUnreadable},
		{"no JSON", servicetest.OK(`hello`), ErrUnreadable},
		{"429 that asks for too long a pause", servicetest.Status(429, ``, "Retry-After", "3600"), ErrRateLimited},
		{"429 that asks for more than a duration can hold", servicetest.Status(429, ``, "Retry-After", "10000000000"), ErrRateLimited},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := servicetest.New().Data(tasksPath, test.answer)
				c := startInBubble(t, f)
				start := time.Now()
				_, err := ask(t.Context(), c, 1)
				require.ErrorIs(t, err, test.kind)
				assert.Equal(t, 1, f.Count(tasksPath))
				assert.Zero(t, time.Since(start), "nothing to wait for")
			})
		})
	}
}

// Persistent failures end after a few attempts, with the service's own message.
func TestAttemptsAreBounded(t *testing.T) {
	for _, test := range []struct {
		name   string
		answer http.HandlerFunc
		kind   error
		status int
		says   []string
	}{
		{"429", servicetest.Status(429, `{"message":"Too many"}`), ErrRateLimited, 429, []string{"Too many", "429"}},
		{"429 with seconds", servicetest.Status(429, ``, "Retry-After", "2"), ErrRateLimited, 429, []string{"2s"}},
		{"503", servicetest.Status(503, `maintenance until noon`), ErrUnavailable, 503, []string{"returned 503 Service Unavailable – the service has a problem"}},
		{"dropped connection", servicetest.Drop, ErrConnection, 0, []string{"closed the connection", "127.0.0.1"}},
		{"truncated body", servicetest.CutLength(threeTasks), ErrConnection, 0, []string{"closed the connection"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := servicetest.New().Data(tasksPath, test.answer)
				c := startInBubble(t, f)
				start := time.Now()
				_, err := ask(t.Context(), c, 1)
				require.ErrorIs(t, err, test.kind)
				var e *Error
				require.ErrorAs(t, err, &e)
				assert.Equal(t, test.status, e.Status)
				for _, word := range test.says {
					assert.ErrorContains(t, err, word)
				}
				assert.Greater(t, f.Count(tasksPath), 1)
				assert.LessOrEqual(t, f.Count(tasksPath), 5)
				assert.LessOrEqual(t, time.Since(start), 30*time.Second)
			})
		})
	}
}

// The pauses have jitter, or all panels would retry at the same moment.
func TestPausesDiffer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		took := map[time.Duration]bool{}
		f := servicetest.New().Data(tasksPath, servicetest.Status(503, ``))
		c := startInBubble(t, f)
		for days := range 8 {
			start := time.Now()
			_, err := ask(t.Context(), c, days+1)
			require.Error(t, err)
			took[time.Since(start)] = true
		}
		assert.Greater(t, len(took), 4)
	})
}

func TestLoginIsRetried(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := servicetest.New().Data(tasksPath, servicetest.OK(threeTasks))
		f.On(loginPath, servicetest.InTurn(servicetest.Status(503, ``), servicetest.Drop, f.LogIn))
		_, err := ask(t.Context(), startInBubble(t, f), 1)
		require.NoError(t, err)
		assert.Equal(t, 3, f.Count(loginPath))
	})
}

// An attempt with a rejected token is left to the session: retries and logins do not multiply.
func TestRefusedTokenAmongTries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := servicetest.New().On(tasksPath, servicetest.InTurn(servicetest.Status(503, ``), servicetest.Status(401, ``), servicetest.Status(503, ``), servicetest.OK(threeTasks)))
		result, err := ask(t.Context(), startInBubble(t, f), 1)
		require.NoError(t, err)
		assert.Len(t, result.ids, 3)
		assert.Equal(t, 4, f.Count(tasksPath))
		assert.Equal(t, 2, f.Count(loginPath))
	})
}
