package service

import (
	"net/http"
	"net/url"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// Every response is forwarded unchanged.
func TestPassReturnsTheResponseUnchanged(t *testing.T) {
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
		{"404", servicetest.Status(404, `gone`), 404, `gone`, "application/json"},
		{"429", servicetest.Status(429, `slow`, "Retry-After", "30"), 429, `slow`, "application/json"},
		{"503", servicetest.Status(503, `later`), 503, `later`, "application/json"},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := servicetest.New().Data(tasksPath, test.answer)
			answer, err := start(t, f).Pass(t.Context(), Request{Route: "tasks", Path: tasksPath, Query: url.Values{"days": {"3"}, "page": {"9"}, "x": {"a b", "c"}}})
			require.NoError(t, err)
			assert.Equal(t, &Answer{Status: test.status, ContentType: test.kind, Body: []byte(test.body)}, answer)
			sent := f.Requests(tasksPath)
			require.Len(t, sent, 1, "the caller decides whether to try again")
			assert.Equal(t, url.Values{"days": {"3"}, "page": {"9"}, "x": {"a b", "c"}}, sent[0].URL.Query())
			assert.Equal(t, http.MethodGet, sent[0].Method)
			assert.Empty(t, sent[0].Text)
		})
	}
}

func TestPassLogsInAgain(t *testing.T) {
	for _, code := range []int{401, 403} {
		f := servicetest.New().On(tasksPath, servicetest.InTurn(servicetest.Status(code, `old`), servicetest.OK(threeTasks)))
		answer, err := start(t, f).Pass(t.Context(), Request{Route: "tasks", Path: tasksPath})
		require.NoError(t, err)
		assert.Equal(t, 200, answer.Status)
		assert.Equal(t, 2, f.Count(loginPath))
		assert.Equal(t, 2, f.Count(tasksPath))

		f = servicetest.New().On(tasksPath, servicetest.Status(code, `never`))
		answer, err = start(t, f).Pass(t.Context(), Request{Route: "tasks", Path: tasksPath})
		require.NoError(t, err)
		assert.Equal(t, code, answer.Status)
		assert.Equal(t, "never", string(answer.Body))
		assert.Equal(t, 2, f.Count(loginPath))
		assert.Equal(t, 2, f.Count(tasksPath))
	}
}

func TestPassWithoutLogin(t *testing.T) {
	f := servicetest.New().On(loginPath, servicetest.Status(401, `{"message":"Invalid credentials"}`)).On(tasksPath, servicetest.OK(threeTasks))
	answer, err := start(t, f).Pass(t.Context(), Request{Route: "tasks", Path: tasksPath})
	require.ErrorIs(t, err, ErrLogin)
	assert.Nil(t, answer)
	assert.Zero(t, f.Count(tasksPath))
}

func TestPassOverBrokenConnection(t *testing.T) {
	for _, broken := range []http.HandlerFunc{servicetest.Drop, servicetest.CutLength(threeTasks), servicetest.CutChunks(threeTasks)} {
		synctest.Test(t, func(t *testing.T) {
			f := servicetest.New().Data(tasksPath, broken)
			answer, err := startInBubble(t, f).Pass(t.Context(), Request{Route: "tasks", Path: tasksPath})
			require.ErrorIs(t, err, ErrConnection)
			assert.Nil(t, answer, "a partial response is an error")
		})
	}
}
