package insights

import (
	"net/http"
	"net/url"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Whatever the service answers, it comes as it is.
func TestPassGivesTheAnswerAsItIs(t *testing.T) {
	for _, test := range []struct {
		name   string
		answer http.HandlerFunc
		status int
		body   string
		kind   string
	}{
		{"page", ok(threeTasks), 200, threeTasks, "application/json"},
		{"no JSON", status(200, "<p>hello", "Content-Type", "text/html"), 200, "<p>hello", "text/html"},
		{"empty", status(204, ""), 204, "", "application/json"},
		{"400", status(400, `{"message":"no"}`), 400, `{"message":"no"}`, "application/json"},
		{"404", status(404, `gone`), 404, `gone`, "application/json"},
		{"429", status(429, `slow`, "Retry-After", "30"), 429, `slow`, "application/json"},
		{"503", status(503, `later`), 503, `later`, "application/json"},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := newFake().data(tasksPath, test.answer)
			answer, err := f.start(t).Pass(t.Context(), tasks, url.Values{"days": {"3"}, "page": {"9"}, "x": {"a b", "c"}})
			require.NoError(t, err)
			assert.Equal(t, &Answer{Status: test.status, ContentType: test.kind, Body: []byte(test.body)}, answer)
			sent := f.requests(tasksPath)
			require.Len(t, sent, 1, "the caller decides whether to try again")
			assert.Equal(t, url.Values{"days": {"3"}, "page": {"9"}, "x": {"a b", "c"}}, sent[0].query)
			assert.Equal(t, http.MethodGet, sent[0].method)
			assert.Empty(t, sent[0].body)
		})
	}
}

func TestPassLogsInOnceMore(t *testing.T) {
	for _, code := range []int{401, 403} {
		f := newFake().on(tasksPath, inTurn(status(code, `old`), ok(threeTasks)))
		answer, err := f.start(t).Pass(t.Context(), tasks, nil)
		require.NoError(t, err)
		assert.Equal(t, 200, answer.Status)
		assert.Equal(t, 2, f.count(loginPath))
		assert.Equal(t, 2, f.count(tasksPath))

		f = newFake().on(tasksPath, status(code, `never`))
		answer, err = f.start(t).Pass(t.Context(), tasks, nil)
		require.NoError(t, err)
		assert.Equal(t, code, answer.Status)
		assert.Equal(t, "never", string(answer.Body))
		assert.Equal(t, 2, f.count(loginPath))
		assert.Equal(t, 2, f.count(tasksPath))
	}
}

func TestPassWithoutLogin(t *testing.T) {
	f := newFake().on(loginPath, status(401, `{"message":"Invalid credentials"}`)).on(tasksPath, ok(threeTasks))
	answer, err := f.start(t).Pass(t.Context(), tasks, nil)
	require.ErrorIs(t, err, ErrLogin)
	assert.Nil(t, answer)
	assert.Zero(t, f.count(tasksPath))
}

func TestPassOverBrokenConnection(t *testing.T) {
	for _, broken := range []http.HandlerFunc{drop, cutLength(threeTasks), cutChunks(threeTasks)} {
		synctest.Test(t, func(t *testing.T) {
			f := newFake().data(tasksPath, broken)
			answer, err := f.startInBubble(t).Pass(t.Context(), tasks, nil)
			require.ErrorIs(t, err, ErrConnection)
			assert.Nil(t, answer, "half an answer is none")
		})
	}
}

func TestPassTakesTheRunnersPath(t *testing.T) {
	f := newFake().data("/custom/runners", ok(`[]`))
	answer, err := f.start(t, func(c *Config) { c.RunnersPath = "/custom/runners" }).Pass(t.Context(), runners, nil)
	require.NoError(t, err)
	assert.Equal(t, 200, answer.Status)
}
