package plugin

import (
	"bytes"
	"encoding/pem"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// counting serves and counts open connections.
func counting(t *testing.T, s *servicetest.Fake) (server *httptest.Server, open *atomic.Int64) {
	t.Helper()
	server, open = httptest.NewUnstartedServer(s), &atomic.Int64{}
	server.Config.ErrorLog = servicetest.Quiet
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		open.Add(map[http.ConnState]int64{http.StateNew: 1, http.StateClosed: -1, http.StateHijacked: -1}[state])
	}
	t.Cleanup(server.Close)
	return server, open
}

// trusting returns a data source with the server's certificate in its TLS settings.
func trusting(server *httptest.Server, settings ...any) backend.DataSourceInstanceSettings {
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	return withSecret(source(server.URL, append(settings, "tlsAuthWithCACert", true)...), "tlsCACert", string(certificate))
}

// Provisioning from environment variables yields text, which the SDK ignores.
func TestTLSFromText(t *testing.T) {
	server, _ := counting(t, newService())
	server.StartTLS()
	for _, settings := range []backend.DataSourceInstanceSettings{
		trusting(server, "serverName", nil),
		withSecret(trusting(server, "tlsAuth", ""), "tlsClientCert", "none"),
		source(server.URL, "tlsSkipVerify", " true "),
	} {
		settings.JSONData = bytes.ReplaceAll(settings.JSONData, []byte(`"tlsAuthWithCACert":true`), []byte(`"tlsAuthWithCACert":"true"`))
		askFrame(t, create(t, settings), `{"days":1}`)
	}
}

func TestCustomHeaders(t *testing.T) {
	s := newService()
	settings := source(s.Start(t).URL, "httpHeaderName1", "X-Tenant", "httpHeaderName2", "X-Proxy-Key")
	settings.DecryptedSecureJSONData["httpHeaderValue1"] = "blue"
	settings.DecryptedSecureJSONData["httpHeaderValue2"] = "hunter2"
	askFrame(t, create(t, settings), `{"days":1}`)
	require.Equal(t, 2, s.Count(""))
	for _, r := range s.Requests("") {
		assert.Equal(t, "blue", r.Header.Get("X-Tenant"))
		assert.Equal(t, "hunter2", r.Header.Get("X-Proxy-Key"))
	}
}

// Reloading and replacing data sources must not leak goroutines, whatever the service speaks.
func TestDisposeLeavesNothingBehind(t *testing.T) {
	for proto, start := range map[string]func(*httptest.Server){
		"HTTP/1.1": (*httptest.Server).StartTLS,
		"HTTP/2.0": func(s *httptest.Server) { s.EnableHTTP2 = true; s.StartTLS() },
	} {
		t.Run(proto, func(t *testing.T) {
			s := newService().Data(automationsPath, servicetest.Paged(20, servicetest.Still(slices.Repeat([]string{called}, 100)))).On(runnersPath, servicetest.Status(500, `broken`))
			server, open := counting(t, s)
			start(server)
			before := goleak.IgnoreCurrent()
			for range 5 {
				made, err := NewInstance(t.Context(), trusting(server))
				require.NoError(t, err)
				i := made.(*Instance)
				askAll(t, t.Context(), i, dataQuery("A", `{"queryType":"automations","days":1}`), dataQuery("B", `{"queryType":"automations","days":2}`), dataQuery("C", `{"queryType":"runners","days":1}`))
				check(t, i)
				i.Dispose()
			}
			server.Close() // and the idle connections, which would time out otherwise
			for tries := 0; tries < 20 && goleak.Find(before) != nil; tries++ {
				continue // Each waits for up to two seconds, which is not enough on a busy machine.
			}
			goleak.VerifyNone(t, before)
			for _, r := range s.Requests("") {
				assert.Equal(t, proto, r.Proto)
			}
			assert.Zero(t, open.Load())
		})
	}
}
