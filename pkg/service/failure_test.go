package service

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

func host(server *httptest.Server) string {
	_, host, _ := strings.Cut(server.URL, "://")
	return host
}

func TestUnknownHost(t *testing.T) {
	dials := 0
	c := New(testConfig("https://reports.example.invalid"), &http.Client{Transport: roundTripper(func(*http.Request) (*http.Response, error) {
		dials++
		return nil, &net.DNSError{Err: "no such host", Name: "reports.example.invalid", IsNotFound: true}
	})})
	e := readFailing(t, c, ErrConnection)
	servicetest.RequireSays(t, e.Message, []string{"reports.example.invalid", "DNS"})
	assert.Equal(t, 1, dials, "a retry would not find it either")
}

func TestTLSFailures(t *testing.T) {
	for name, test := range map[string]struct {
		server *tls.Config
		change func(*tls.Config) // of a client that trusts the server's certificate
	}{
		"unknown authority":           {nil, func(c *tls.Config) { c.RootCAs = nil }},
		"certificate of another host": {nil, func(c *tls.Config) { c.ServerName = "reports.elsewhere.test" }},
		"old version":                 {&tls.Config{MaxVersion: tls.VersionTLS12}, func(c *tls.Config) { c.MinVersion = tls.VersionTLS13 }},
		"client certificate wanted":   {&tls.Config{ClientAuth: tls.RequireAnyClientCert, MaxVersion: tls.VersionTLS12}, func(*tls.Config) {}},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewUnstartedServer(servicetest.New())
			server.Config.ErrorLog = servicetest.Quiet
			server.TLS = test.server
			server.StartTLS()
			t.Cleanup(server.Close)
			config := &tls.Config{RootCAs: x509.NewCertPool()}
			config.RootCAs.AddCert(server.Certificate())
			test.change(config)
			transport := &http.Transport{TLSClientConfig: config}
			t.Cleanup(transport.CloseIdleConnections)
			e := readFailing(t, New(testConfig(server.URL), &http.Client{Transport: transport}), ErrConnection)
			servicetest.RequireSays(t, e.Message, []string{"TLS", host(server)})
		})
	}
	t.Run("http where https is expected", func(t *testing.T) {
		server := httptest.NewServer(servicetest.New())
		t.Cleanup(server.Close)
		e := readFailing(t, New(testConfig(strings.Replace(server.URL, "http:", "https:", 1)), &http.Client{}), ErrConnection)
		servicetest.RequireSays(t, e.Message, []string{"TLS", host(server)})
	})
}

// A failure is reported with the service's own message and advice. Only transient ones are tried again, a few times.
func TestFailuresOfDataRoutes(t *testing.T) {
	for _, test := range []struct {
		name     string
		answer   http.HandlerFunc
		kind     error
		status   int
		attempts int
		says     []string
	}{
		{"401", servicetest.Status(401, `{"message":"Unknown token"}`), ErrUnauthorized, 401, 1 + maxRenewals, []string{"Unknown token", "check the login and key"}},
		{"403", servicetest.Status(403, `{"message":"Other organization"}`), ErrForbidden, 403, 1, []string{"Other organization", "check the organization"}},
		{"404", servicetest.Status(404, `Not here`), ErrNotFound, 404, 1, []string{"returned 404 Not Found: Not here – ", "base URL"}},
		{"418 plain", servicetest.Status(418, `teapot`), ErrRejected, 418, 1, []string{"418 I'm a teapot"}},
		{"429", servicetest.Status(429, `{"message":"Too many"}`), ErrRateLimited, 429, maxTries, []string{"Too many", "429"}},
		{"429 with seconds", servicetest.Status(429, ``, "Retry-After", "2"), ErrRateLimited, 429, maxTries, []string{"2s"}},
		{"429 with too long a pause", servicetest.Status(429, ``, "Retry-After", "31"), ErrRateLimited, 429, 1, []string{"31s"}},
		{"429 with more than a duration can hold", servicetest.Status(429, ``, "Retry-After", "10000000000"), ErrRateLimited, 429, 1, nil},
		{"500", servicetest.Status(500, `{"message":"NullPointerException"}`), ErrUnavailable, 500, 1, []string{"NullPointerException", "500"}},
		{"500 HTML", servicetest.Status(500, `<html><h1>Oops</h1></html>`), ErrUnavailable, 500, 1, []string{"an HTML page, probably from a proxy and not from the service – "}},
		{"500 HTML with a title that is cut off", servicetest.Status(500, `<html><title>`+strings.Repeat("Oops ", 2_000)+`</title>`), ErrUnavailable, 500, 1, []string{"from the service – "}},
		{"503", servicetest.Status(503, `maintenance until noon`), ErrUnavailable, 503, maxTries, []string{"returned 503 Service Unavailable: maintenance until noon – the service has a problem"}},
		{"524", servicetest.Status(524, `<html>`), ErrUnavailable, 524, maxTries, []string{"524"}},
		{"dropped connection", servicetest.Drop, ErrConnection, 0, maxTries + 1, []string{"closed the connection", "127.0.0.1"}}, // net/http retries once
		{"redirects without an end", redirectTo(302, tasksPath), ErrConnection, 302, 10, []string{"that is the 10th redirect"}},
		{"no answer", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, ErrTimeout, 0, 1, []string{"127.0.0.1:80 did not respond within 20s", "Timeout"}},
		{"truncated body", servicetest.CutLength(threeTasks), ErrConnection, 0, maxTries, []string{"closed the connection"}},
		{"HTML", servicetest.OK(`<html><body>Sign in</body></html>`), ErrUnreadable, 200, 1, []string{"an HTML page"}},
		{"deflate", servicetest.Status(200, "x\x9c\x03", "Content-Encoding", "deflate"), ErrUnreadable, 200, 1, []string{"compressed with deflate", "proxy"}},
		{"no gzip", servicetest.Status(200, threeTasks, "Content-Encoding", "gzip"), ErrUnreadable, 200, 1, []string{": expected JSON, but byte 1 and what follows cannot be read or decompressed (gzip): check any proxy"}},
	} {
		bubble(t, test.name, func(t *testing.T) {
			f := servicetest.New().On(tasksPath, test.answer)
			started := time.Now()
			e := readFailing(t, startInBubble(t, f, func(c *Config) { c.Timeout = 20 * time.Second }), test.kind)
			assert.Equal(t, test.status, e.Status)
			assert.Equal(t, test.attempts, f.Count(tasksPath))
			assert.LessOrEqual(t, time.Since(started), retryBudget)
			servicetest.RequireSays(t, e.Message, test.says)
			if e.Status > 0 {
				assert.Contains(t, e.Message, tasksPath)
			}
			assert.NotContains(t, e.Message, `"message"`, "the sentence in the JSON, not the JSON")
		})
	}
}

// What the service says is passed on by both kinds of routes, in whatever form, and of the other things nothing is.
func TestWhatTheServiceSays(t *testing.T) {
	for body, want := range map[string]string{
		`{"message":"Off","type":"error"}`: ": Off –",
		`{"Message":"Off"}`:                ": Off –",
		`{"type":"about:blank","title":"Unauthorized","status":401,"detail":"Off"}`: ": Off –",
		`{"error":"invalid_client","error_description":"Off"}`:                      ": Off –",
		`{"errorMessage":"Off"}`: ": Off –",
		`{"status":401,"error":"Unauthorized","message":"","detail":"Off"}`: ": Off –",
		`{"error":{"code":17,"message":"Off"}}`:                             ": Off –",
		`{"error":{"code":17}}`:                                             `: {"code":17} –`,
		`{"errors":["Off","Late"]}`:                                         ": Off; Late –",
		`{"errors":[{"field":"key","message":"Off"}]}`:                      ": Off –",
		`{"message":"Invalid","errors":{"days":["too many"]}}`:              `: Invalid ({"days":["too many"]}) –`,
		`{"message":"Invalid","details":{"days":"too many"}}`:               `: Invalid ({"days":"too many"}) –`,
		`[{"message":"Off"}]`:                                               ": Off –",
		`"Off"`:                                                             ": Off –",
		"  Off,\n until\tnoon ":                                             ": Off, until noon –",
		"\ufeff" + `{"message":"Off"}`:                                      ": Off –",
		`<html><title>Off &amp; on</title>`:                                 ": Off & on –",
		`{"accessToken":"v4lue"}`:                                           "401 Unauthorized –",
		`{"message":"Off","v4lue":`:                                         "401 Unauthorized –",
		"v4lue\x00\x01":                                                     "401 Unauthorized –",
		"v4lue\xff\xfe":                                                     "401 Unauthorized –",
		strings.Repeat("x", 300):                                            strings.Repeat("x", quotedCharacters) + "… –",
	} {
		for _, path := range []string{loginPath, tasksPath} {
			_, err := ask(t.Context(), start(t, servicetest.New().On(path, servicetest.Status(401, body))), 1)
			if !isPage([]byte(body)) || path == tasksPath {
				require.ErrorContains(t, err, want, body)
			}
			assert.ErrorContains(t, err, strings.Trim(want, ":– "), body)
			assert.NotContains(t, err.Error(), "v4lue")
		}
	}
	_, err := start(t, servicetest.New().On(loginPath, servicetest.OK(`{"message":"Off"}`))).Login(t.Context())
	require.ErrorContains(t, err, "the service rejected the login: Off –")
}

// A text is read in the charset that its bytes or the content type name. Bytes in none are up to who reads them.
func TestCharsets(t *testing.T) {
	for name, test := range map[string]struct{ contentType, sent, want string }{
		"UTF-8":                       {"application/json; charset=utf-8", `"câmbio"`, `"câmbio"`},
		"no charset":                  {"application/json", `"câmbio"`, `"câmbio"`},
		"a mark":                      {"application/json", "\ufeff" + `"câmbio"`, `"câmbio"`},
		"a mark beats a charset":      {"application/json;charset=ISO-8859-1", "\ufeff" + `"câmbio"`, `"câmbio"`},
		"Latin-1":                     {"application/json;charset=ISO-8859-1", "\"c\xe2mbio\"", `"câmbio"`},
		"windows-1252":                {`text/plain; charset="windows-1252"`, "\"\x80 c\xe2mbio\"", `"€ câmbio"`},
		"UTF-16":                      {"application/json", "\xff\xfe\"\x00\xe2\x00\"\x00", `"â"`},
		"UTF-16 by name":              {"application/json;charset=utf-16be", "\x00\"\x00\xe2\x00\"", `"â"`},
		"bytes in no charset":         {"application/json", "\"c\xe2mbio\"", "\"c\xe2mbio\""},
		"bytes that are not in UTF-8": {"application/json;charset=UTF8", "\"c\xe2mbio\"", "\"c\xe2mbio\""},
		"a charset that nobody knows": {"application/json;charset=x", "\"c\xe2mbio\"", "\"c\xe2mbio\""},
		"empty":                       {"application/json", "", ""},
	} {
		f := servicetest.New().On(tasksPath, servicetest.Status(200, test.sent, "Content-Type", test.contentType))
		err := start(t, f).Get(t.Context(), Request{Path: tasksPath}, func(body io.Reader) error {
			raw, err := io.ReadAll(body)
			assert.Equal(t, test.want, string(raw), name)
			return err
		})
		require.NoError(t, err, name)
	}
	f := servicetest.New().Data(tasksPath, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	require.NoError(t, start(t, f).Get(t.Context(), Request{Path: tasksPath}, func(io.Reader) error { return ErrNotJSON }), "no content is an answer, in which there is nothing to read")
}

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
		{"token with a line break", servicetest.OK(`{"accessToken":"v4lue\nX: v4lue","organizationLabel":"O"}`), ErrLogin, 1, []string{"token or organization contains a control character"}},
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
		bubble(t, test.name, func(t *testing.T) {
			f := servicetest.New().On(loginPath, test.answer)
			_, err := ask(t.Context(), startInBubble(t, f), 1)
			require.ErrorIs(t, err, test.kind)
			assert.Equal(t, test.kind == ErrLogin, errors.Is(err, ErrLogin))
			servicetest.RequireSays(t, err.Error(), test.says)
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
