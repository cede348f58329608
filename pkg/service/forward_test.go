package service

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// A 2xx response and JSON are forwarded unchanged. Of anything else, the status and a sentence are.
func TestForwardReturnsTheResponse(t *testing.T) {
	for _, test := range []struct {
		name   string
		answer http.HandlerFunc
		status int
		body   string
		kind   string
	}{
		{"page", servicetest.OK(threeTasks), 200, threeTasks, "application/json"},
		{"no JSON", servicetest.Status(200, "<p>hello", "Content-Type", "text/html"), 200, "<p>hello", "text/html"},
		{"empty", servicetest.Status(204, ""), 204, "", "application/json"},
		{"400", servicetest.Status(400, `{"message":"no"}`), 400, `{"message":"no"}`, "application/json"},
		{"400 with a secret", servicetest.Status(400, `{"message":"bad key `+servicetest.Key+`"}`), 400, `{"message":"bad key [secret]"}`, "application/json"},
		{"400 in a list", servicetest.Status(400, ` [{"code": 7}] `), 400, ` [{"code": 7}] `, "application/json"},
		{"no status", servicetest.Status(999, `{"message":"no"}`), 502, `{"message":"no"}`, "application/json"},
		{"304", servicetest.Status(304, ``), 502, sentence("304 Not Modified"), "application/json"},
		{"403", servicetest.Status(403, `{"message":"never"}`), 403, `{"message":"never"}`, "application/json"},
		{"404", servicetest.Status(404, `gone`), 404, sentence("404 Not Found: gone – check the base URL in the data source settings"), "application/json"},
		{"429", servicetest.Status(429, ``, "Retry-After", "30"), 429, sentence("429 Too Many Requests – the service is rate limiting requests and asks to wait 30s: refresh less often, or limit Requests per second in the data source settings"), "application/json"},
		{"503", servicetest.Status(503, `<html><title>later</title>`, "Content-Type", "text/html"), 503, sentence("503 Service Unavailable: an HTML page, probably from a proxy and not from the service: later – the service has a problem: try again later"), "application/json"},
		{"JSON that is too long", servicetest.Status(500, `{"x":"`+strings.Repeat("x", errorBytes)+`"}`), 500, sentence("500 Internal Server Error – the service has a problem: try again later"), "application/json"},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := servicetest.New().Data(tasksPath, test.answer)
			answer, err := start(t, f).Forward(t.Context(), Request{Path: tasksPath, Query: url.Values{"days": {"3"}, "page": {"9"}, "x": {"a b", "c"}}})
			require.NoError(t, err)
			assert.Equal(t, test.status, answer.Status)
			assert.Equal(t, test.kind, answer.ContentType)
			assert.Equal(t, int64(len(test.body)), answer.Length)
			assert.Equal(t, test.body, bodyOf(t, answer))
			sent := f.Requests(tasksPath)
			require.Len(t, sent, 1, "the caller decides whether to try again")
			assert.Equal(t, url.Values{"days": {"3"}, "page": {"9"}, "x": {"a b", "c"}}, sent[0].URL.Query())
			assert.Equal(t, http.MethodGet, sent[0].Method)
			assert.Empty(t, sent[0].Text)
		})
	}
}

func bodyOf(t *testing.T, answer *Forwarded) string {
	t.Helper()
	raw, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	return string(raw)
}

// sentence is the body with a description of a failure.
func sentence(text string) string { return `{"message":"` + tasksPath + " returned " + text + `"}` }

func TestForwardWithoutLogin(t *testing.T) {
	for status, kind := range map[int]error{401: ErrLogin, 500: ErrUnavailable} {
		f := servicetest.New().On(loginPath, servicetest.Status(status, `{"message":"no"}`)).On(tasksPath, servicetest.OK(threeTasks))
		answer, err := start(t, f).Forward(t.Context(), Request{Path: tasksPath})
		require.ErrorIs(t, err, kind)
		assert.Nil(t, answer, "the response to a login is not forwarded")
		assert.Zero(t, f.Count(tasksPath))
	}
}

func TestForwardOverBrokenConnection(t *testing.T) {
	for _, broken := range []http.HandlerFunc{servicetest.Drop, servicetest.CutLength(threeTasks), servicetest.CutChunks(threeTasks)} {
		synctest.Test(t, func(t *testing.T) {
			f := servicetest.New().Data(tasksPath, broken)
			answer, err := startInBubble(t, f).Forward(t.Context(), Request{Path: tasksPath})
			if err == nil {
				_, err = io.ReadAll(answer.Body)
				assert.NoError(t, answer.Body.Close())
			}
			require.ErrorIs(t, err, ErrConnection, "a partial response is an error")
		})
	}
}

// The time that a reader takes is not the service's, and its slot is free meanwhile.
func TestForwardToASlowReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		half := strings.Repeat("x", 1<<20)
		f := servicetest.New().Data(tasksPath, func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, half)
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		}).Data(runnersPath, servicetest.OK(threeTasks))
		c := startInBubble(t, f, func(c *Config) { c.MaxConcurrent = 1 })
		answer, err := c.Forward(t.Context(), Request{Path: tasksPath})
		require.NoError(t, err)
		other, err := c.Forward(t.Context(), Request{Path: runnersPath})
		require.NoError(t, err)
		time.Sleep(time.Hour)
		assert.Equal(t, threeTasks, bodyOf(t, other))
		_, err = io.ReadFull(answer.Body, make([]byte, len(half)))
		require.NoError(t, err)
		start := time.Now()
		_, err = answer.Body.Read(make([]byte, 1))
		require.ErrorIs(t, err, ErrTimeout, "but the service must not stop in the middle")
		assert.Equal(t, time.Minute, time.Since(start))
		require.NoError(t, answer.Body.Close())
	})
}
