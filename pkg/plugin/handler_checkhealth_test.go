package plugin

import (
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

type checked struct {
	healthDetails
	result *backend.CheckHealthResult
}

func check(t *testing.T, i *Instance) checked {
	t.Helper()
	result, err := i.CheckHealth(t.Context(), &backend.CheckHealthRequest{})
	require.NoError(t, err, "a check that fails is an answer, not an error")
	got := checked{result: result}
	require.NoError(t, json.Unmarshal(result.JSONDetails, &got.healthDetails), "Grafana wants JSON")
	return got
}

// A check logs in, asks all routes and bypasses the cache: "Save & test" shows the current state.
func TestHealth(t *testing.T) {
	s := newService().Data(tasksPath, servicetest.OK(`{"content":[{"id":1}],"size":1,"totalElements":12345,"totalPages":12345}`))
	i := start(t, s)
	for times := range 2 {
		got := check(t, i)
		assert.Equal(t, backend.HealthStatusOk, got.result.Status)
		assert.Contains(t, got.result.Message, `Connected to organization "acme". Tasks in the last 30 days: 12,345.`)
		for _, path := range []string{loginPath, tasksPath, automationsPath, runnersPath} {
			assert.Equal(t, times+1, s.Count(path), path)
		}
	}
	s.On(tasksPath, servicetest.Status(500, `{"message":"broken"}`))
	assert.Equal(t, backend.HealthStatusError, check(t, i).result.Status)
}

func serving(path string, answer http.HandlerFunc) func(*testing.T) string {
	return func(t *testing.T) string {
		server := httptest.NewServer(newService().On(path, answer))
		t.Cleanup(server.Close)
		return server.URL
	}
}

func down(t *testing.T) string {
	server := httptest.NewServer(newService())
	server.Close()
	return server.URL
}

func mute(t *testing.T) string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	return "http://" + listener.Addr().String()
}

// troubles are failures of the service or the connection, with the base URL of such a service, settings in addition to the login, and
// what the message must contain: HOST stands for the service's host and port.
var troubles = []struct {
	name   string
	make   func(t *testing.T) string
	set    []any
	step   string
	status backend.Status
	says   []string
}{
	{"down", down, nil, "login", 502, []string{"HOST", "refused"}},
	{"no answer in time", mute, []any{"timeout", 1}, "login", 504, []string{"HOST", "1s", "Timeout"}},
	{"wrong key", serving(loginPath, servicetest.Status(401, `{"message":"Key revoked"}`)), nil, "login", 401, []string{"Key revoked", "check the login and key"}},

	{"token refused", serving(tasksPath, servicetest.Status(401, `{"message":"Unknown token"}`)), nil, "page", 401, []string{"Unknown token", "check the login and key"}},
	{"wrong organization", serving(tasksPath, servicetest.Status(403, `{"message":"Not yours"}`)), nil, "page", 403, []string{"Not yours", "check the organization"}},
	{"another shape that echoes", serving(tasksPath, servicetest.OK(`{"`+servicetest.Key+`":7}`)), nil, "page", 502, []string{"content", "[secret]"}},
}

// Each failure has a message: what happened, where, and what to do. The error source is downstream, and no secret
// appears in a response or in the log (TestMain checks that).
func TestTroubles(t *testing.T) {
	for _, test := range troubles {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			base := test.make(t)
			i := create(t, source(base, test.set...))
			_, host, _ := strings.Cut(base, "://")
			requireSays := func(text, whoever string) {
				t.Helper()
				for _, word := range test.says {
					require.Contains(t, text, strings.Replace(word, "HOST", whoever, 1))
				}
				requireNoSecrets(t, text)
				require.NotContains(t, text, "\n")
			}

			got := ask(t, i, `{"days":1}`)
			require.Error(t, got.Error)
			// Everybody sees the errors of a public dashboard.
			requireSays(got.Error.Error(), "the service")
			require.NotContains(t, got.Error.Error(), host)
			require.NotContains(t, got.Error.Error(), "127.0.0.1", "nor where it redirects to")
			assert.Equal(t, test.status, got.Status)
			assert.Equal(t, backend.ErrorSourceDownstream, got.ErrorSource)
			assert.Empty(t, got.Frames)

			health := check(t, i)
			assert.Equal(t, backend.HealthStatusError, health.result.Status)
			requireSays(health.result.Message, host)
			assert.Equal(t, test.step, health.Step)
			assert.Contains(t, health.result.Message, map[string]string{"login": "Login failed: ", "page": "Login succeeded, but "}[test.step])
			assert.Nil(t, health.Summary)
			requireNoSecrets(t, string(health.result.JSONDetails))

			answer := get(t, i, "values?field=state&days=1")
			assert.Equal(t, int(test.status), answer.Status)
			requireNoSecrets(t, string(answer.Body))
			assert.Contains(t, string(answer.Body), `"message"`)
		})
	}
}

func requireNoSecrets(t *testing.T, text string) {
	t.Helper()
	for _, secret := range secrets {
		require.NotContains(t, text, secret)
	}
}

// Field names of the service appear in the list of allowed values.
func TestNamesWithControlCharacters(t *testing.T) {
	s := newService().Data(tasksPath, servicetest.OK(`[{"id":1,"ab\u0000c\u0007d":1}]`))
	response := ask(t, start(t, s), `{"days":1,"columns":["absent"]}`)
	require.ErrorContains(t, response.Error, "ab c d")
	assert.NotRegexp(t, `[\x00-\x1f]`, response.Error.Error())
}
