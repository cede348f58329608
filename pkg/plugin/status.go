package plugin

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"unicode"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"github.com/insights/insights-reporting-datasource/pkg/inputerror"
	"github.com/insights/insights-reporting-datasource/pkg/service"
)

// classify maps an error to the status of a response and to the reason that metrics count it under: bad input is a 400,
// and a failure of the service has the status of its kind.
func classify(err error) (status backend.Status, reason string) {
	var failure *service.Error
	switch {
	case errors.Is(err, inputerror.Err):
		return backend.StatusBadRequest, "input"
	case errors.Is(err, ErrSettings):
		return backend.StatusBadRequest, "settings"
	case errors.As(err, &failure):
		// Checked before the context, because a request that timed out matches both.
		return serviceStatus(failure), "service"
	case errors.Is(err, context.Canceled):
		return backend.Status(499), "cancelled"
	case errors.Is(err, context.DeadlineExceeded):
		return backend.StatusTimeout, "cancelled"
	default:
		return backend.StatusInternal, ofPlugin
	}
}

// ofPlugin is the reason of faults in the plugin. All others are downstream, settings included: they are the user's to
// fix, and do not alert whoever operates the plugin.
const ofPlugin = "plugin"

func serviceStatus(failure *service.Error) backend.Status {
	switch {
	case errors.Is(failure, service.ErrLogin), errors.Is(failure, service.ErrUnauthorized):
		return backend.StatusUnauthorized
	case errors.Is(failure, service.ErrForbidden):
		return backend.StatusForbidden
	case errors.Is(failure, service.ErrNotFound):
		return backend.StatusNotFound
	case errors.Is(failure, service.ErrRejected):
		return backend.StatusBadRequest
	case errors.Is(failure, service.ErrRateLimited):
		return backend.StatusTooManyRequests
	case errors.Is(failure, service.ErrTimeout):
		return backend.StatusTimeout
	default:
		return backend.Status(http.StatusBadGateway)
	}
}

// failure is the response to a failed query.
func (i *Instance) failure(err error) backend.DataResponse {
	status, reason := classify(err)
	source := backend.ErrorSourceDownstream
	if reason == ofPlugin {
		source = backend.ErrorSourcePlugin
	}
	return backend.DataResponse{Error: errors.New(i.sentence(err)), Status: status, ErrorSource: source}
}

// sentence formats an error on one line. Messages about input may list field names of the service, which may contain
// the key, the token or control characters.
func (i *Instance) sentence(err error) string {
	text := err.Error()
	if i.client != nil {
		text = i.client.Redact(text)
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text)
}

var rejected = promauto.NewCounterVec(prometheus.CounterOpts{
	Namespace: "insights", Name: "queries_failed_total",
	Help: "Failed queries by reason: input, settings, service, cancelled, plugin.",
}, []string{"reason"})
