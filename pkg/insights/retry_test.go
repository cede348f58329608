package insights

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var threeTasks = envelope(taskRange(1, 3), 0, 20)

// httpDate answers 429 with the date so long from now.
func httpDate(in time.Duration) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		status(http.StatusTooManyRequests, ``, "Retry-After", time.Now().Add(in).UTC().Format(http.TimeFormat))(w, r)
	}
}

// Failures that pass are tried again, after the pause that the service asks for or a short one of our own.
func TestFailuresThatPass(t *testing.T) {
	for _, test := range []struct {
		name        string
		fails       http.HandlerFunc
		least, most time.Duration
	}{
		{"429 with seconds", status(429, `{"message":"slow"}`, "Retry-After", "7"), 7 * time.Second, 7 * time.Second},
		{"429 with a date", httpDate(5 * time.Second), 4 * time.Second, 5 * time.Second},
		{"429 with a date that is past", httpDate(-time.Hour), 0, 0},
		{"429 with 0", status(429, ``, "Retry-After", "0"), 0, 0},
		{"429 without a pause", status(429, ``), time.Millisecond, 2 * time.Second},
		{"429 with nonsense", status(429, ``, "Retry-After", "soon"), time.Millisecond, 2 * time.Second},
		{"502", status(502, `<html>bad gateway</html>`), time.Millisecond, 2 * time.Second},
		{"503", status(503, ``), time.Millisecond, 2 * time.Second},
		{"503 with seconds", status(503, ``, "Retry-After", "3"), 3 * time.Second, 3 * time.Second},
		{"504", status(504, ``), time.Millisecond, 2 * time.Second},
		// The HTTP client itself tries again at once where an idle connection turns out to be closed.
		{"dropped connection", drop, 0, 2 * time.Second},
		{"body cut short of its length", cutLength(threeTasks), time.Millisecond, 2 * time.Second},
		{"body cut between chunks", cutChunks(threeTasks), time.Millisecond, 2 * time.Second},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFake().data(tasksPath, inTurn(test.fails, ok(threeTasks)))
				c := f.startInBubble(t)
				start := time.Now()
				result, err := c.Read(t.Context(), Read{DataSet: tasks, Days: 1})
				require.NoError(t, err)
				took := time.Since(start)
				assert.GreaterOrEqual(t, took, test.least)
				assert.LessOrEqual(t, took, test.most)
				assert.Equal(t, numbers(1, 3), ids(result), "a half answer leaves nothing behind")
				assert.Equal(t, 2, f.count(tasksPath))
				assert.Equal(t, 1, f.count(loginPath))
				assert.Empty(t, result.Warnings)
			})
		})
	}
}

// A second try would only cost the service.
func TestFailuresThatStay(t *testing.T) {
	for _, test := range []struct {
		name   string
		answer http.HandlerFunc
		kind   error
	}{
		{"400", status(400, `{"message":"days too large"}`), ErrRejected},
		{"404", status(404, ``), ErrNotFound},
		{"405", status(405, ``), ErrRejected},
		{"500", status(500, ``), ErrUnavailable},
		{"501", status(501, ``), ErrUnavailable},
		{"HTML", ok(`<html><body>Sign in</body></html>`), ErrUnreadable},
		{"another shape", ok(`{"data":[]}`), ErrUnreadable},
		{"no JSON", ok(`hello`), ErrUnreadable},
		{"429 that asks for too long a pause", status(429, ``, "Retry-After", "3600"), ErrRateLimited},
		{"429 that asks for more than a duration can hold", status(429, ``, "Retry-After", "10000000000"), ErrRateLimited},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFake().data(tasksPath, test.answer)
				c := f.startInBubble(t)
				start := time.Now()
				_, err := c.Read(t.Context(), Read{DataSet: tasks, Days: 1})
				require.ErrorIs(t, err, test.kind)
				assert.Equal(t, 1, f.count(tasksPath))
				assert.Zero(t, time.Since(start), "nothing to wait for")
			})
		})
	}
}

// What does not pass ends after some tries, with the service's own words.
func TestTriesAreBounded(t *testing.T) {
	for _, test := range []struct {
		name   string
		answer http.HandlerFunc
		kind   error
		status int
		says   []string
	}{
		{"429", status(429, `{"message":"Too many"}`), ErrRateLimited, 429, []string{"Too many", "429"}},
		{"429 with seconds", status(429, ``, "Retry-After", "2"), ErrRateLimited, 429, []string{"2s"}},
		{"503", status(503, `maintenance until noon`), ErrUnavailable, 503, []string{"maintenance until noon", "503"}},
		{"dropped connection", drop, ErrConnection, 0, []string{"closed the connection", "127.0.0.1"}},
		{"truncated body", cutLength(threeTasks), ErrConnection, 0, []string{"closed the connection"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFake().data(tasksPath, test.answer)
				c := f.startInBubble(t)
				start := time.Now()
				_, err := c.Read(t.Context(), Read{DataSet: tasks, Days: 1})
				require.ErrorIs(t, err, test.kind)
				var e *Error
				require.ErrorAs(t, err, &e)
				assert.Equal(t, test.status, e.Status)
				for _, word := range test.says {
					assert.ErrorContains(t, err, word)
				}
				assert.Greater(t, f.count(tasksPath), 1)
				assert.LessOrEqual(t, f.count(tasksPath), 5)
				assert.LessOrEqual(t, time.Since(start), 30*time.Second)
			})
		})
	}
}

func TestStatsCountEveryTry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake().data(tasksPath, inTurn(status(503, ``), status(429, ``), ok(threeTasks)))
		result, err := f.startInBubble(t).Read(t.Context(), Read{DataSet: tasks, Days: 1})
		require.NoError(t, err)
		assert.EqualValues(t, 3, result.Stats.Requests)
		assert.Equal(t, 1, result.Stats.Pages)
		assert.Positive(t, result.Stats.Took, "with the pauses")
	})
}

// The pauses have jitter, or all panels would knock again in the same moment.
func TestPausesDiffer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		took := map[time.Duration]bool{}
		f := newFake().data(tasksPath, status(503, ``))
		c := f.startInBubble(t)
		for days := range 8 {
			start := time.Now()
			_, err := c.Read(t.Context(), Read{DataSet: tasks, Days: days + 1})
			require.Error(t, err)
			took[time.Since(start)] = true
		}
		assert.Greater(t, len(took), 4)
	})
}

func TestLoginIsTriedAgainToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake().data(tasksPath, ok(threeTasks))
		f.on(loginPath, inTurn(status(503, ``), drop, f.logIn))
		_, err := f.startInBubble(t).Read(t.Context(), Read{DataSet: tasks, Days: 1})
		require.NoError(t, err)
		assert.Equal(t, 3, f.count(loginPath))
	})
}

// A try that ends in a refused token is the session's business: tries and login do not multiply.
func TestRefusedTokenAmongTries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake().on(tasksPath, inTurn(status(503, ``), status(401, ``), status(503, ``), ok(threeTasks)))
		result, err := f.startInBubble(t).Read(t.Context(), Read{DataSet: tasks, Days: 1})
		require.NoError(t, err)
		assert.Equal(t, 3, result.Table.Rows)
		assert.Equal(t, 4, f.count(tasksPath))
		assert.Equal(t, 2, f.count(loginPath))
	})
}
