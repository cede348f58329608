package service

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
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

func TestServiceDown(t *testing.T) {
	server := httptest.NewServer(servicetest.New())
	server.Close()
	e := readFailing(t, plainClient(server.URL), ErrConnection)
	assert.Contains(t, e.Message, host(server))
	assert.Contains(t, e.Message, "refused")
	assert.Zero(t, e.Status)
}

// noSuchName is a name server that does not resolve any name.
func noSuchName(t *testing.T) *net.Resolver {
	t.Helper()
	socket, err := net.ListenPacket("udp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = socket.Close() })
	go func() {
		query := make([]byte, 1500)
		for {
			n, from, err := socket.ReadFrom(query)
			if err != nil {
				return
			}
			answer := query[:n]
			binary.BigEndian.PutUint16(answer[2:], 0x8183) // a response: no such domain (RFC 1035, 4.1.1)
			_, _ = socket.WriteTo(answer, from)
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", socket.LocalAddr().String())
	}}
}

func TestUnknownHost(t *testing.T) {
	dialer := &net.Dialer{Resolver: noSuchName(t)}
	var dials atomic.Int64
	c := New(testConfig("https://reports.example.invalid"), &http.Client{Transport: &http.Transport{
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			dials.Add(1)
			return dialer.DialContext(ctx, network, address)
		},
	}})
	e := readFailing(t, c, ErrConnection)
	assert.Contains(t, e.Message, "reports.example.invalid")
	assert.Contains(t, e.Message, "DNS")
	assert.EqualValues(t, 1, dials.Load(), "a retry would not find it either")
}

// secureServer serves with TLS and counts connections.
func secureServer(t *testing.T, config *tls.Config) (*httptest.Server, *atomic.Int64) {
	t.Helper()
	conns := &atomic.Int64{}
	server := httptest.NewUnstartedServer(servicetest.New().Data(tasksPath, servicetest.OK(threeTasks)))
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			conns.Add(1)
		}
	}
	server.Config.ErrorLog = servicetest.Quiet
	server.TLS = config
	server.StartTLS()
	t.Cleanup(server.Close)
	return server, conns
}

func TestTLSFailures(t *testing.T) {
	trusting := func(server *httptest.Server, change func(*tls.Config)) *http.Transport {
		pool := x509.NewCertPool()
		pool.AddCert(server.Certificate())
		config := &tls.Config{RootCAs: pool}
		change(config)
		return &http.Transport{TLSClientConfig: config}
	}
	for _, test := range []struct {
		name      string
		server    *tls.Config
		transport func(*httptest.Server) *http.Transport
	}{
		{"unknown authority", nil, func(*httptest.Server) *http.Transport { return &http.Transport{} }},
		{"certificate of another host", nil, func(s *httptest.Server) *http.Transport {
			return trusting(s, func(c *tls.Config) { c.ServerName = "reports.elsewhere.test" })
		}},
		{"expired certificate", nil, func(s *httptest.Server) *http.Transport {
			return trusting(s, func(c *tls.Config) { c.Time = func() time.Time { return time.Now().AddDate(200, 0, 0) } })
		}},
		{"old version", &tls.Config{MaxVersion: tls.VersionTLS12}, func(s *httptest.Server) *http.Transport {
			return trusting(s, func(c *tls.Config) { c.MinVersion = tls.VersionTLS13 })
		}},
		{"client certificate wanted", &tls.Config{ClientAuth: tls.RequireAnyClientCert, MaxVersion: tls.VersionTLS12}, func(s *httptest.Server) *http.Transport {
			return trusting(s, func(*tls.Config) {})
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			server, conns := secureServer(t, test.server)
			transport := test.transport(server)
			t.Cleanup(transport.CloseIdleConnections)
			e := readFailing(t, New(testConfig(server.URL), &http.Client{Transport: transport}), ErrConnection)
			assert.Contains(t, e.Message, "TLS")
			assert.Contains(t, e.Message, host(server))
			assert.EqualValues(t, 1, conns.Load(), "an invalid certificate is a persistent failure")
		})
	}
	t.Run("http where https is expected", func(t *testing.T) {
		server := httptest.NewServer(servicetest.New())
		t.Cleanup(server.Close)
		e := readFailing(t, plainClient(strings.Replace(server.URL, "http:", "https:", 1)), ErrConnection)
		assert.Contains(t, e.Message, "TLS")
		assert.Contains(t, e.Message, "http")
		assert.Contains(t, e.Message, host(server))
	})
}

// An error status is reported with the service's own message and advice.
func TestStatusOfDataRoutes(t *testing.T) {
	for _, test := range []struct {
		name   string
		answer http.HandlerFunc
		kind   error
		status int
		says   []string
	}{
		{"400 with message", servicetest.Status(400, `{"message":"days must be below 365"}`), ErrRejected, 400, []string{"days must be below 365"}},
		{"400 with details", servicetest.Status(400, `{"message":"invalid","details":{"days":"too many"}}`), ErrRejected, 400, []string{"invalid", "too many"}},
		{"401", servicetest.Status(401, `{"message":"Unknown token"}`), ErrUnauthorized, 401, []string{"Unknown token", "check the login and key"}},
		{"403", servicetest.Status(403, `{"message":"Other organization"}`), ErrForbidden, 403, []string{"Other organization", "check the organization"}},
		{"400 of Spring", servicetest.Status(400, `{"status":400,"error":"Bad Request","message":"","path":"/"}`), ErrRejected, 400, []string{"400 Bad Request: Bad Request"}},
		{"404", servicetest.Status(404, `Not here`), ErrNotFound, 404, []string{"returned 404 Not Found – ", "base URL"}},
		{"418 plain", servicetest.Status(418, `teapot`), ErrRejected, 418, []string{"418 I'm a teapot"}},
		{"500", servicetest.Status(500, `{"message":"NullPointerException"}`), ErrUnavailable, 500, []string{"NullPointerException", "500"}},
		{"500 HTML", servicetest.Status(500, `<html><h1>Oops</h1></html>`), ErrUnavailable, 500, []string{"an HTML page, probably from a proxy and not from the service – "}},
		{"500 HTML with a title", servicetest.Status(500, "\n<html><head><TITLE lang=\"en\">Oops\n&amp; sorry</TITLE>"), ErrUnavailable, 500, []string{"from the service: Oops & sorry – "}},
		{"500 HTML with a title that is cut off", servicetest.Status(500, `<html><title>`+strings.Repeat("Oops ", 2_000)+`</title>`), ErrUnavailable, 500, []string{"from the service – "}},
		{"500 empty", servicetest.Status(500, ``), ErrUnavailable, 500, []string{"500"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := start(t, servicetest.New().On(tasksPath, test.answer))
			e := readFailing(t, c, test.kind)
			assert.Equal(t, test.status, e.Status)
			for _, word := range append(test.says, tasksPath) {
				assert.Contains(t, e.Message, word)
			}
			assert.NotContains(t, e.Message, `"message"`, "the sentence in the JSON, not the JSON")
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
	result, err := ask(t.Context(), start(t, f), 1)
	require.NoError(t, err)
	assert.Len(t, result.ids, 3)
}
