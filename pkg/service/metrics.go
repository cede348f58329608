package service

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

// The plugin's own metrics. Grafana serves them at /api/plugins/insights-reporting-datasource/metrics.
var (
	requestSeconds = promauto.NewHistogramVec(prometheus.HistogramOpts{
		Namespace: "insights", Name: "service_request_duration_seconds",
		Help:    "Duration of requests to the service, by route and HTTP status (error: no response).",
		Buckets: []float64{.01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60},
	}, []string{"route", "status"})
	logins = promauto.NewCounter(prometheus.CounterOpts{
		Namespace: "insights", Name: "logins_total", Help: "Login attempts.",
	})
	retries = promauto.NewCounter(prometheus.CounterOpts{
		Namespace: "insights", Name: "service_retries_total", Help: "Requests that failed for a transient reason.",
	})
)
