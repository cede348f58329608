package plugin

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// metrics are the plugin's counters as scraped, by name and labels; of a histogram, its count.
func metrics(t *testing.T) map[string]float64 {
	t.Helper()
	families, err := prometheus.DefaultGatherer.Gather()
	require.NoError(t, err)
	found := map[string]float64{}
	for _, family := range families {
		for _, m := range family.GetMetric() {
			name := family.GetName()
			for _, label := range m.GetLabel() {
				name += fmt.Sprintf(" %s=%s", label.GetName(), label.GetValue())
			}
			found[name] = m.GetCounter().GetValue() + float64(m.GetHistogram().GetSampleCount())
		}
	}
	return found
}

// moved runs a function and returns the changes of the plugin's counters.
func moved(t *testing.T, do func()) map[string]float64 {
	t.Helper()
	before := metrics(t)
	do()
	delta := map[string]float64{}
	for name, value := range metrics(t) {
		if value != before[name] {
			delta[name] = value - before[name]
		}
	}
	maps.DeleteFunc(delta, func(name string, _ float64) bool { return !strings.HasPrefix(name, "insights_") })
	return delta
}

func TestMetricsOfReads(t *testing.T) {
	i := start(t, newService())
	assert.Equal(t, map[string]float64{
		"insights_logins_total": 1,
		"insights_service_request_duration_seconds route=login status=200": 1,
		"insights_service_request_duration_seconds route=tasks status=200": 1,
		"insights_reads_total data_set=tasks source=service":               1,
		"insights_rows_total data_set=tasks":                               2,
		"insights_service_reads_total data_set=tasks extent=whole":         1,
	}, moved(t, func() { askFrame(t, i, `{"days":1}`) }))
	assert.Equal(t, map[string]float64{
		"insights_reads_total data_set=tasks source=cache": 1,
	}, moved(t, func() { askFrame(t, i, `{"days":1}`) }))
}

func TestMetricsOfFailures(t *testing.T) {
	const reason = "insights_queries_failed_total reason="
	failing := newService().On(tasksPath, servicetest.Status(500, `broken`))
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	loggedIn := start(t, newService())
	askFrame(t, loggedIn, `{"days":1}`) // A login goes on without its caller, and would count in another case.
	for name, test := range map[string]struct {
		instance *Instance
		ctx      context.Context
		query    string
		want     map[string]float64
	}{
		"input":     {start(t, newService()), t.Context(), `{"days":0}`, map[string]float64{reason + "input": 1}},
		"settings":  {create(t, source("")), t.Context(), `{}`, map[string]float64{reason + "settings": 1}},
		"cancelled": {loggedIn, canceled, `{"queryType":"runners","days":1}`, map[string]float64{reason + "cancelled": 1}},
		"service": {start(t, failing), t.Context(), `{"days":1}`, map[string]float64{
			reason + "service": 1, "insights_logins_total": 1,
			"insights_service_request_duration_seconds route=login status=200": 1,
			"insights_service_request_duration_seconds route=tasks status=500": 1,
			"insights_reads_total data_set=tasks source=service":               1,
		}},
		"no answer": {create(t, source(down(t))), t.Context(), `{"queryType":"runners","days":1}`, map[string]float64{
			reason + "service": 1, "insights_logins_total": 1,
			"insights_service_request_duration_seconds route=login status=error": 1,
			"insights_reads_total data_set=runners source=service":               1,
		}},
	} {
		got := moved(t, func() {
			_, _ = test.instance.QueryData(test.ctx, &backend.QueryDataRequest{Queries: []backend.DataQuery{dataQuery("A", test.query)}})
		})
		for metric, value := range test.want {
			assert.Equal(t, value, got[metric], "%s: %s", name, metric)
		}
	}
}

func TestMetricOfRetries(t *testing.T) {
	i := start(t, newService().Data(tasksPath, servicetest.InTurn(servicetest.Status(429, ``, "Retry-After", "0"), servicetest.OK(page()))))
	got := moved(t, func() { askFrame(t, i, `{"days":1}`) })
	assert.Equal(t, 1.0, got["insights_service_retries_total"])
}
