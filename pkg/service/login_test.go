package service

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

func TestLoginRequest(t *testing.T) {
	f := servicetest.New().Data(tasksPath, servicetest.OK(servicetest.Envelope(nil, 0, 20)))
	c := start(t, f)

	organization, err := c.Login(t.Context())
	require.NoError(t, err)
	assert.Equal(t, servicetest.Organization, organization)

	sent := f.Requests("")
	require.Len(t, sent, 1)
	assert.Equal(t, http.MethodPost, sent[0].Method)
	assert.Equal(t, "/api/v2/workspace/login", sent[0].URL.Path)
	assert.Equal(t, "application/json", sent[0].Header.Get("Content-Type"))
	assert.JSONEq(t, `{"login":"`+servicetest.Login+`","key":"`+servicetest.Key+`"}`, sent[0].Text)
	assert.Empty(t, sent[0].URL.Query(), "neither login nor key may be in a URL")
}

// A base URL may have a path: dedicated servers are often behind a reverse proxy.
func TestBaseURLWithPath(t *testing.T) {
	f := servicetest.New().On("/reports"+loginPath, servicetest.OK(`{"accessToken":"T","organizationLabel":"O"}`)).
		On("/reports"+tasksPath, servicetest.OK(servicetest.Envelope(nil, 0, 20)))
	c := start(t, f, func(c *Config) { c.BaseURL += "/reports" })
	_, err := ask(t.Context(), c, 1)
	require.NoError(t, err)
}

// The specification does not show the login response, so all structures that known clients use are accepted.
func TestLoginAnswers(t *testing.T) {
	for _, test := range []struct {
		name, answer, setting, token, organization string
	}{
		{name: "accessToken", answer: `{"accessToken":"T","organizationLabel":"O"}`, token: "T", organization: "O"},
		{name: "token", answer: `{"token":"T","organizationLabel":"O"}`, token: "T", organization: "O"},
		{name: "access_token", answer: `{"access_token":"T","organizationLabel":"O"}`, token: "T", organization: "O"},
		{name: "more fields", answer: `{"expires":3600,"accessToken":"T","user":{"token":"no"},"organizationLabel":"O"}`, token: "T", organization: "O"},
		{name: "accessToken before token", answer: `{"token":"no","accessToken":"T","organizationLabel":"O"}`, token: "T", organization: "O"},
		{name: "null and empty are passed over", answer: `{"accessToken":null,"token":"","access_token":"T","organizationLabel":"O"}`, token: "T", organization: "O"},
		{name: "organization", answer: `{"accessToken":"T","organization":"O"}`, token: "T", organization: "O"},
		{name: "organization.label", answer: `{"accessToken":"T","organization":{"id":7,"label":"O"}}`, token: "T", organization: "O"},
		{name: "organizations of strings", answer: `{"accessToken":"T","organizations":["O","P"]}`, token: "T", organization: "O"},
		{name: "organizations of objects", answer: `{"accessToken":"T","organizations":[{"label":"O"},{"label":"P"}]}`, token: "T", organization: "O"},
		{name: "setting wins", answer: `{"accessToken":"T","organizationLabel":"O"}`, setting: "S", token: "T", organization: "S"},
		{name: "setting alone", answer: `{"accessToken":"T"}`, setting: "S", token: "T", organization: "S"},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := servicetest.New().On(loginPath, servicetest.OK(test.answer)).On(tasksPath, servicetest.OK(servicetest.Envelope(nil, 0, 20)))
			c := start(t, f, func(c *Config) { c.Organization = test.setting })
			_, err := ask(t.Context(), c, 1)
			require.NoError(t, err)
			sent := f.Requests(tasksPath)
			require.Len(t, sent, 1)
			assert.Equal(t, []string{test.token}, sent[0].Header.Values("token"))
			assert.Equal(t, []string{test.organization}, sent[0].Header.Values("organization"))
		})
	}
}

// A response without token or organization is reported with its field names only. Values may be secret.
func TestLoginAnswerLacksSomething(t *testing.T) {
	for _, test := range []struct {
		name, answer string
		says         []string
	}{
		{"no token", `{"jwt":"v4lue","organizationLabel":"v4lue"}`, []string{"token", "jwt", "organizationLabel", "accessToken"}},
		{"no organization", `{"accessToken":"v4lue","user":{"x":"v4lue"}}`, []string{"organization", "accessToken", "user"}},
		{"neither", `{"session":"v4lue"}`, []string{"token", "organization", "session"}},
		{"nothing", `{}`, []string{"token", "organization", "none"}},
		{"null", `null`, []string{"token", "organization"}},
		{"token of another type", `{"accessToken":{"x":"v4lue"},"organizationLabel":["v4lue"]}`, []string{"token", "organization", "accessToken"}},
		{"no organization in the list", `{"accessToken":"v4lue","organizations":[]}`, []string{"organization", "organizations"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := servicetest.New().On(loginPath, servicetest.OK(test.answer))
			_, err := ask(t.Context(), start(t, f), 1)
			require.ErrorIs(t, err, ErrLogin)
			for _, word := range test.says {
				assert.ErrorContains(t, err, word)
			}
			assert.NotContains(t, err.Error(), "v4lue")
			assert.Zero(t, f.Count(tasksPath), "no data request without a token")
		})
	}
}

func TestLoginAnswerUnreadable(t *testing.T) {
	for name, answer := range map[string]string{
		"HTML":      `<html>v4lue</html>`,
		"empty":     ``,
		"array":     `["v4lue"]`,
		"string":    `"v4lue"`,
		"number":    `17`,
		"truncated": `{"accessToken":"v4lue","organiz`,
		"trailing":  `{"accessToken":"v4lue","organizationLabel":"O"} v4lue`,
	} {
		t.Run(name, func(t *testing.T) {
			f := servicetest.New().On(loginPath, servicetest.OK(answer))
			_, err := ask(t.Context(), start(t, f), 1)
			require.ErrorIs(t, err, ErrUnreadable)
			assert.ErrorContains(t, err, "JSON", "says what was expected")
			assert.ErrorContains(t, err, loginPath)
			assert.NotContains(t, err.Error(), "v4lue", "a partial login response may contain a token")
			assert.Equal(t, 1, f.Count(""))
		})
	}
}

func TestLoginRefused(t *testing.T) {
	for _, test := range []struct {
		name   string
		answer http.HandlerFunc
		says   []string
	}{
		{"JSON message", servicetest.Status(401, `{"message":"Key revoked on Monday"}`), []string{"Key revoked on Monday", "check the login and key"}},
		{"message and details", servicetest.Status(400, `{"message":"Bad key","details":"too short"}`), []string{"Bad key", "too short", "check the login and key"}},
		{"plain text", servicetest.Status(403, `workspace suspended`), []string{"returned 403 Forbidden", "check the login and key"}},
		{"empty", servicetest.Status(401, ``), []string{"401", "check the login and key"}},
		{"no such route", servicetest.Status(404, `nothing here`), []string{"404", loginPath, "base URL"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := servicetest.New().On(loginPath, test.answer)
			_, err := ask(t.Context(), start(t, f), 1)
			require.ErrorIs(t, err, ErrLogin)
			for _, word := range test.says {
				assert.ErrorContains(t, err, word)
			}
			assert.Equal(t, 1, strings.Count(err.Error(), "check "), "one hint, not one for each layer")
			assert.Equal(t, 1, f.Count(""), "a rejected login is not retried")
		})
	}
}

// A token is kept, and its forms with it, so its length is bounded.
func TestLongTokens(t *testing.T) {
	for length, fails := range map[int]bool{maxToken: false, maxToken + 1: true} {
		f := servicetest.New().On(loginPath, servicetest.OK(`{"token":"`+strings.Repeat("t", length)+`","organization":"acme"}`))
		_, err := start(t, f).Login(t.Context())
		if !fails {
			require.NoError(t, err)
			continue
		}
		require.ErrorIs(t, err, ErrLogin)
		require.ErrorContains(t, err, "8193 bytes")
		assert.Less(t, len(err.Error()), 300)
	}
}

// A failure of the login route says nothing about login and key.
func TestFailingLoginRoute(t *testing.T) {
	for code, kind := range map[int]error{429: ErrRateLimited, 500: ErrUnavailable, 503: ErrUnavailable} {
		synctest.Test(t, func(t *testing.T) {
			_, err := startInBubble(t, servicetest.New().On(loginPath, servicetest.Status(code, `{"message":"back at noon"}`))).Login(t.Context())
			require.ErrorIs(t, err, kind)
			assert.NotErrorIs(t, err, ErrLogin)
			assert.ErrorContains(t, err, loginPath)
			assert.ErrorContains(t, err, strconv.Itoa(code))
			assert.ErrorContains(t, err, "back at noon")
			assert.NotContains(t, err.Error(), "login and key")
		})
	}
}

// A login response may contain a token whatever its status.
func TestTokenInAnAnswerOutside2xx(t *testing.T) {
	for _, code := range []int{300, 400, 401, 403, 500, 503} {
		synctest.Test(t, func(t *testing.T) {
			f := servicetest.New().On(loginPath, servicetest.Status(code, `{"accessToken":"tok-v4lue","organizationLabel":"O"}`))
			_, err := startInBubble(t, f).Login(t.Context())
			require.Error(t, err)
			for _, text := range errorTexts(err) {
				assert.NotContains(t, text, "tok-v4lue")
			}
		})
	}
}
