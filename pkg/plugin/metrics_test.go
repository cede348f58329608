package plugin

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"

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
	for name, test := range map[string]struct {
		do   func() map[string]float64
		want map[string]float64
	}{
		"input": {func() map[string]float64 {
			i := start(t, newService())
			return moved(t, func() { ask(t, i, `{"days":0}`) })
		}, map[string]float64{"insights_queries_failed_total reason=input": 1}},
		"settings": {func() map[string]float64 {
			i := create(t, source(""))
			return moved(t, func() { ask(t, i, `{}`) })
		}, map[string]float64{"insights_queries_failed_total reason=settings": 1}},
		"service": {func() map[string]float64 {
			i := start(t, newService().On(tasksPath, servicetest.Status(500, `broken`)))
			return moved(t, func() { ask(t, i, `{"days":1}`) })
		}, map[string]float64{
			"insights_queries_failed_total reason=service":                     1,
			"insights_logins_total":                                            1,
			"insights_service_request_duration_seconds route=login status=200": 1,
			"insights_service_request_duration_seconds route=tasks status=500": 1,
			"insights_reads_total data_set=tasks source=service":               1,
		}},
		"no answer": {func() map[string]float64 {
			i := create(t, source(down(t)))
			return moved(t, func() { ask(t, i, `{"queryType":"runners","days":1}`) })
		}, map[string]float64{
			"insights_queries_failed_total reason=service":                       1,
			"insights_logins_total":                                              1,
			"insights_service_request_duration_seconds route=login status=error": 1,
			"insights_reads_total data_set=runners source=service":               1,
		}},
		"cancelled": {func() map[string]float64 {
			i := start(t, newService())
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			return map[string]float64{"cancelled": moved(t, func() { askCanceled(t, ctx, i, dataQuery("A", `{"days":1}`)) })["insights_queries_failed_total reason=cancelled"]}
		}, map[string]float64{"cancelled": 1}},
		"retry": {func() map[string]float64 {
			first := true
			answer := servicetest.OK(page())
			i := start(t, newService().Data(tasksPath, func(w http.ResponseWriter, r *http.Request) {
				if first {
					first = false
					servicetest.Status(429, ``, "Retry-After", "0")(w, r)
					return
				}
				answer(w, r)
			}))
			got := moved(t, func() { askFrame(t, i, `{"days":1}`) })
			return map[string]float64{"retries": got["insights_service_retries_total"], "429": got["insights_service_request_duration_seconds route=tasks status=429"]}
		}, map[string]float64{"retries": 1, "429": 1}},
	} {
		assert.Equal(t, test.want, test.do(), name)
	}
}
