package service

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// host returns the host and port of a server, as in messages.
func host(server *httptest.Server) string {
	_, host, _ := strings.Cut(server.URL, "://")
	return host
}

func TestUnknownHost(t *testing.T) {
	var dials atomic.Int64
	c := New(testConfig("https://reports.example.invalid"), &http.Client{Transport: &http.Transport{
		DialContext: func(context.Context, string, string) (net.Conn, error) {
			dials.Add(1)
			return nil, &net.DNSError{Err: "no such host", Name: "reports.example.invalid", IsNotFound: true}
		},
	}})
	e := readFailing(t, c, ErrConnection)
	assert.Contains(t, e.Message, "reports.example.invalid")
	assert.Contains(t, e.Message, "DNS")
	assert.EqualValues(t, 1, dials.Load(), "a retry would not find it either")
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
			connections := countConnections(server)
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
			assert.Contains(t, e.Message, "TLS")
			assert.Contains(t, e.Message, host(server))
			assert.EqualValues(t, 1, connections.Load(), "an invalid certificate is a persistent failure")
		})
	}
	t.Run("http where https is expected", func(t *testing.T) {
		server := httptest.NewServer(servicetest.New())
		t.Cleanup(server.Close)
		e := readFailing(t, New(testConfig(strings.Replace(server.URL, "http:", "https:", 1)), &http.Client{}), ErrConnection)
		assert.Contains(t, e.Message, "TLS")
		assert.Contains(t, e.Message, host(server))
	})
}

// countConnections counts the connections to a server. It must be called before the server starts.
func countConnections(server *httptest.Server) *atomic.Int64 {
	n := &atomic.Int64{}
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			n.Add(1)
		}
	}
	return n
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
		{"400", servicetest.Status(400, `{"message":"days must be below 365"}`), ErrRejected, 400, 1, []string{"days must be below 365"}},
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
		{"redirects without an end", redirectTo(302, tasksPath), ErrConnection, 302, 10, nil},
		{"truncated body", servicetest.CutLength(threeTasks), ErrConnection, 0, maxTries, []string{"closed the connection"}},
		{"HTML", servicetest.OK(`<html><body>Sign in</body></html>`), ErrUnreadable, 200, 1, []string{"an HTML page"}},
		{"another shape", servicetest.OK(`{"data":[]}`), ErrUnreadable, 200, 1, []string{"data"}},
		{"no JSON", servicetest.OK(`hello`), ErrUnreadable, 200, 1, nil},
		{"deflate", servicetest.Status(200, "x\x9c\x03", "Content-Encoding", "deflate"), ErrUnreadable, 200, 1, []string{"compressed with deflate", "proxy"}},
		{"no gzip", servicetest.Status(200, threeTasks, "Content-Encoding", "gzip"), ErrUnreadable, 200, 1, []string{": expected JSON, but byte 1 and what follows cannot be read or decompressed (gzip): check any proxy"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := servicetest.New().On(tasksPath, test.answer)
				started := time.Now()
				e := readFailing(t, startInBubble(t, f), test.kind)
				assert.Equal(t, test.status, e.Status)
				assert.Equal(t, test.attempts, f.Count(tasksPath))
				assert.LessOrEqual(t, time.Since(started), retryBudget)
				for _, word := range test.says {
					assert.Contains(t, e.Message, word)
				}
				if e.Status > 0 {
					assert.Contains(t, e.Message, tasksPath)
				}
				assert.NotContains(t, e.Message, `"message"`, "the sentence in the JSON, not the JSON")
			})
		})
	}
}

// A reset is reported like a closed connection.
func TestResetConnectionIsTriedAgain(t *testing.T) {
	f := servicetest.New().Data(tasksPath, servicetest.InTurn(func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if assert.NoError(t, err) {
			_ = conn.(*net.TCPConn).SetLinger(0)
			_ = conn.Close()
		}
	}, servicetest.OK(threeTasks)))
	ids, err := ask(t.Context(), start(t, f), 1)
	require.NoError(t, err)
	assert.Len(t, ids, 3)
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
}

// A response without content is an answer, in which there is nothing to read.
func TestNoContent(t *testing.T) {
	f := servicetest.New().Data(tasksPath, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	err := start(t, f).Get(t.Context(), Request{Path: tasksPath}, func(io.Reader) error { return ErrNotJSON })
	require.NoError(t, err)
}
