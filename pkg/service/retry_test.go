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
