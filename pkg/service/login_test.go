package service

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// A base URL may have a path: dedicated servers are often behind a reverse proxy.
func TestLoginRequest(t *testing.T) {
	f := servicetest.New().On("/reports"+tasksPath, servicetest.OK(threeTasks))
	c := start(t, f.On("/reports"+loginPath, f.LogIn), func(c *Config) { c.BaseURL += "/reports" })

	organization, err := c.Login(t.Context())
	require.NoError(t, err)
	assert.Equal(t, servicetest.Organization, organization)

	sent := f.Requests("")
	require.Len(t, sent, 1)
	assert.Equal(t, http.MethodPost, sent[0].Method)
	assert.Equal(t, "/reports/api/v2/workspace/login", sent[0].URL.Path)
	assert.Equal(t, "application/json", sent[0].Header.Get("Content-Type"))
	assert.JSONEq(t, `{"login":"`+servicetest.Login+`","key":"`+servicetest.Key+`"}`, sent[0].Text)
	assert.Empty(t, sent[0].URL.Query(), "neither login nor key may be in a URL")

	_, err = ask(t.Context(), c, 1)
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
		{name: "accessToken before token", answer: `{"token":"no","accessToken":"T","organizationLabel":"O"}`, token: "T", organization: "O"},
		{name: "null and empty are passed over", answer: `{"accessToken":null,"token":"","access_token":"T","organizationLabel":"O"}`, token: "T", organization: "O"},
		{name: "organization", answer: `{"accessToken":"T","organization":"O"}`, token: "T", organization: "O"},
		{name: "organization.label", answer: `{"accessToken":"T","organization":{"id":7,"label":"O"}}`, token: "T", organization: "O"},
		{name: "organizations of strings", answer: `{"accessToken":"T","organizations":["O","P"]}`, token: "T", organization: "O"},
		{name: "organizations of objects", answer: `{"accessToken":"T","organizations":[{"label":"O"},{"label":"P"}]}`, token: "T", organization: "O"},
		{name: "setting wins", answer: `{"accessToken":"T","organizationLabel":"O"}`, setting: "S", token: "T", organization: "S"},
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

// A login that fails says why, repeats nothing that may be a token, and sends no data request. Only a transient failure is
// tried again. A wrong base URL is not reported as a wrong key.
func TestFailedLogins(t *testing.T) {
	const check = "check the login and key"
	page := func(status int) http.HandlerFunc {
		return servicetest.Status(status, `<!doctype html><title>Welcome</title>`, "Content-Type", "text/html")
	}
	for _, test := range []struct {
		name     string
		answer   http.HandlerFunc
		kind     error
		attempts int
		says     []string
	}{
		{"no token", servicetest.OK(`{"jwt":"v4lue","organizationLabel":"v4lue"}`), ErrLogin, 1, []string{"token", "jwt", "organizationLabel", "accessToken"}},
		{"no organization", servicetest.OK(`{"accessToken":"v4lue","user":{"x":"v4lue"}}`), ErrLogin, 1, []string{"organization", "accessToken", "user"}},
		{"neither", servicetest.OK(`{"session":"v4lue"}`), ErrLogin, 1, []string{"token", "organization", "session", "check the base URL"}},
		{"fields named like the key", servicetest.OK(`{"the ` + servicetest.Key + ` is":{},"` + servicetest.Key + `":"v4lue"}`), ErrLogin, 1, []string{"the [secret] is"}},
		{"a long field", servicetest.OK(`{"` + strings.Repeat("é", 10_000) + `":"v4lue"}`), ErrLogin, 1, []string{"é…"}},
		{"nothing", servicetest.OK(`{}`), ErrLogin, 1, []string{"token", "organization", "none"}},
		{"token of another type", servicetest.OK(`{"accessToken":{"x":"v4lue"},"organizationLabel":["v4lue"]}`), ErrLogin, 1, []string{"token", "organization", "accessToken"}},

		{"HTML", page(200), ErrUnreadable, 1, []string{"expected JSON", "text/html", "an HTML page", "base URL", loginPath}},
		{"empty", servicetest.OK(``), ErrUnreadable, 1, []string{"JSON", loginPath}},
		{"array", servicetest.OK(`["v4lue"]`), ErrUnreadable, 1, []string{"JSON"}},
		{"truncated", servicetest.OK(`{"accessToken":"v4lue","organiz`), ErrUnreadable, 1, []string{"JSON"}},
		{"trailing", servicetest.OK(`{"accessToken":"v4lue","organizationLabel":"O"} v4lue`), ErrUnreadable, 1, []string{"JSON"}},

		{"401", servicetest.Status(401, `{"message":"Key revoked on Monday","accessToken":"v4lue"}`), ErrLogin, 1, []string{"Key revoked on Monday", check}},
		{"no text", servicetest.Status(401, ``), ErrLogin, 1, []string{"401", check}},
		{"no such route", servicetest.Status(404, `nothing here`), ErrLogin, 1, []string{"there is no login route", "404", loginPath, "base URL"}},
		{"another method", servicetest.Status(405, ``), ErrLogin, 1, []string{"there is no login route", "(405)", "base URL"}},
		{"a page with 404", page(404), ErrLogin, 1, []string{"there is no login route", "Welcome"}},
		{"a page with 403", page(403), ErrLogin, 1, []string{"was answered by an HTML page instead of the service", "(403)", "base URL", "Welcome"}},

		{"300", servicetest.Status(300, `{"accessToken":"v4lue"}`), ErrRejected, 1, []string{loginPath, "300"}},
		{"429", servicetest.Status(429, `{"message":"back at noon","accessToken":"v4lue"}`), ErrRateLimited, maxTries, []string{loginPath, "429", "back at noon"}},
		{"503", servicetest.Status(503, `{"message":"back at noon","accessToken":"v4lue"}`), ErrUnavailable, maxTries, []string{loginPath, "503", "back at noon"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := servicetest.New().On(loginPath, test.answer)
				_, err := ask(t.Context(), startInBubble(t, f), 1)
				require.ErrorIs(t, err, test.kind)
				assert.Equal(t, test.kind == ErrLogin, errors.Is(err, ErrLogin))
				for _, word := range test.says {
					assert.ErrorContains(t, err, word)
				}
				if !slices.Contains(test.says, check) {
					assert.NotContains(t, err.Error(), check)
				}
				assert.Less(t, len(err.Error()), 1000)
				assert.LessOrEqual(t, strings.Count(err.Error(), "check "), 1, "one hint, not one for each layer")
				for _, text := range errorTexts(err) {
					assert.NotContains(t, text, "v4lue")
					assert.NotContains(t, text, servicetest.Key)
				}
				assert.Equal(t, test.attempts, f.Count(""))
			})
		})
	}
}

// Clients write /api/v2 behind the address, and people the path of the login.
func TestBaseURLWithARoute(t *testing.T) {
	for status, says := range map[int]string{401: "If there is no login route at ", 404: "there is no login route at "} {
		for tail, has := range map[string]string{"/api": "/api", "/api/v2": "/api/v2", "/x" + loginPath: loginPath, "/x/apis": "", "": ""} {
			f := servicetest.New().On(tail+loginPath, servicetest.Status(status, `{"message":"no"}`))
			_, err := start(t, f, func(c *Config) { c.BaseURL += tail }).Login(t.Context())
			require.ErrorIs(t, err, ErrLogin)
			if has == "" {
				assert.NotContains(t, err.Error(), "remove")
				continue
			}
			assert.ErrorContains(t, err, says+"http://127.0.0.1")
			assert.ErrorContains(t, err, "remove "+has+" from the end of the base URL")
		}
	}
}
