package plugin

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// checked is the result of a health check, with its details.
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

func TestHealthOK(t *testing.T) {
	s := newService().Data(tasksPath, servicetest.OK(`{"content":[{"id":1}],"size":1,"totalElements":12345,"totalPages":12345}`))
	got := check(t, start(t, s))
	assert.Equal(t, backend.HealthStatusOk, got.result.Status)
	assert.Contains(t, got.result.Message, "acme", "which organization")
	assert.Contains(t, got.result.Message, "12,345", "how many tasks")
	assert.Equal(t, 1, s.Count(loginPath))
	for _, path := range []string{automationsPath, runnersPath} {
		assert.Equal(t, 1, s.Count(path), "the check asks all routes")
	}
}

func TestHealthReportsTheConfiguredOrganization(t *testing.T) {
	s := newService().On(tasksPath, servicetest.OK(page())).On(automationsPath, servicetest.OK(page())).On(runnersPath, servicetest.OK(`[]`))
	got := check(t, start(t, s, "organization", "other"))
	assert.Equal(t, "other", s.Requests(tasksPath)[0].Header.Get("organization"))
	assert.Contains(t, got.result.Message, "other")
	assert.NotContains(t, got.result.Message, "acme")
}

func TestHealthKeepsTheKeyThatALoginRepeats(t *testing.T) {
	s := newService()
	s.On(loginPath, servicetest.OK(`{"accessToken":"t-1","organizationLabel":"acme `+servicetest.Key+`"}`))
	s.On(tasksPath, servicetest.OK(page()))
	got := check(t, start(t, s))
	assert.Equal(t, backend.HealthStatusOk, got.result.Status)
	assert.Contains(t, got.result.Message, `"acme [secret]"`)
	assert.NotContains(t, got.result.Message+string(got.result.JSONDetails), servicetest.Key)
}

func TestHealthOfAnEmptyWorkspace(t *testing.T) {
	got := check(t, start(t, newService().Data(tasksPath, servicetest.OK(page()))))
	assert.Equal(t, backend.HealthStatusOk, got.result.Status)
	assert.Contains(t, got.result.Message, "Tasks in the last 30 days: 0")
}

// A check bypasses the cache: "Save & test" shows the current state.
func TestHealthIsNotCached(t *testing.T) {
	s := newService()
	i := start(t, s)
	check(t, i)
	asked := s.Count(tasksPath)
	check(t, i)
	assert.Equal(t, 2*asked, s.Count(tasksPath))
	s.On(tasksPath, servicetest.Status(500, `{"message":"broken"}`))
	assert.Equal(t, backend.HealthStatusError, check(t, i).result.Status)
}

// Each of the three steps is named if it fails.
func TestHealthNamesTheStep(t *testing.T) {
	for _, test := range []struct {
		name string
		i    func(*testing.T) *Instance
		step string
		says []string
	}{
		{"settings", func(t *testing.T) *Instance { return create(t, source("")) }, "settings", []string{"Settings: Base URL is empty"}},
		{"login", func(t *testing.T) *Instance {
			return start(t, newService().On(loginPath, servicetest.Status(401, `{"message":"Key revoked"}`)))
		}, "login", []string{"ogin failed", "Key revoked", "check the login and key"}},
		{"page", func(t *testing.T) *Instance {
			return start(t, newService().On(tasksPath, servicetest.Status(403, `{"message":"Not yours"}`)))
		}, "page", []string{"Login succeeded", "Not yours", "check the organization"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := check(t, test.i(t))
			assert.Equal(t, backend.HealthStatusError, got.result.Status)
			assert.Equal(t, test.step, got.Step)
			assert.Nil(t, got.Said)
			for _, word := range test.says {
				assert.Contains(t, got.result.Message, word)
			}
		})
	}
}

// A token that expired since the last query does not fail the check.
func TestHealthAfterExpiry(t *testing.T) {
	issued := 0
	s := newService()
	s.On(loginPath, func(w http.ResponseWriter, r *http.Request) {
		issued++
		servicetest.Status(200, fmt.Sprintf(`{"accessToken":%q,"organizationLabel":"acme"}`, servicetest.Token(issued)))(w, r)
	})
	valid := servicetest.Token(1)
	s.On(tasksPath, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("token") != valid {
			servicetest.Status(401, `{"message":"expired"}`)(w, r)
			return
		}
		servicetest.Status(200, page())(w, r)
	})
	s.On(automationsPath, servicetest.OK(page())).On(runnersPath, servicetest.OK(`[]`))
	i := start(t, s)
	require.Equal(t, backend.HealthStatusOk, check(t, i).result.Status)
	valid = strings.Replace(valid, "-1", "-2", 1)
	assert.Equal(t, backend.HealthStatusOk, check(t, i).result.Status)
}
