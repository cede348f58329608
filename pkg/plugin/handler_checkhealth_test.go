package plugin

import (
	"encoding/json"
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
