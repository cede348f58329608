package plugin

import (
	"context"
	"errors"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"github.com/insights/insights-reporting-datasource/pkg/inputerror"
	"github.com/insights/insights-reporting-datasource/pkg/service"
)

var rejected = promauto.NewCounterVec(prometheus.CounterOpts{
	Namespace: "insights", Name: "queries_failed_total",
	Help: "Failed queries by reason: input, settings, service, cancelled, plugin.",
}, []string{"reason"})

func reason(err error) string {
	var failure *service.Error
	switch {
	case errors.Is(err, inputerror.Err):
		return "input"
	case errors.Is(err, ErrSettings):
		return "settings"
	case errors.As(err, &failure):
		// Checked before the context, because a request that timed out matches both.
		return "service"
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return "cancelled"
	default:
		return "plugin"
	}
}
