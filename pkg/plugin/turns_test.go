package plugin

import (
	"context"
	"testing"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// A query whose time ends while its requests wait for their turns ends at once, and says which setting makes them wait. What
// it received is kept.
func TestQueryEndsWhileItWaitsForItsTurn(t *testing.T) {
	s := servicetest.New().Data(servicetest.TasksPath, servicetest.OK(servicetest.Envelope(servicetest.TaskRange(1, 3), 0, 20))).Start(t)
	i := create(t, source(s.URL, "requestsPerSecond", 0.5))
	query := func(patience time.Duration) backend.DataResponse {
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		return askAll(t, ctx, i, dataQuery("A", `{"days":1}`))["A"]
	}
	start := time.Now()
	late := query(500 * time.Millisecond)
	require.ErrorContains(t, late.Error, "the time for the query ended")
	require.ErrorContains(t, late.Error, "Requests per second (jsonData.requestsPerSecond) is 0.5")
	assert.Equal(t, backend.StatusTimeout, late.Status)
	assert.Equal(t, backend.ErrorSourceDownstream, late.ErrorSource)
	assert.Less(t, time.Since(start), 2*time.Second, "it would have had its turn later")

	patient := query(time.Minute)
	require.NoError(t, patient.Error)
	assert.Equal(t, 3, patient.Frames[0].Rows())
	assert.GreaterOrEqual(t, time.Since(start), 2*time.Second)
}
