package service

import (
	"context"

	"github.com/grafana/grafana-plugin-sdk-go/backend/tracing"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"
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

func startSpan(ctx context.Context, name, route string) (context.Context, trace.Span) {
	return tracing.DefaultTracer().Start(ctx, name, trace.WithAttributes(attribute.String("insights.route", route)))
}

func endSpan(span trace.Span, err error) {
	if err != nil {
		_ = tracing.Error(span, err)
	}
	span.End()
}
