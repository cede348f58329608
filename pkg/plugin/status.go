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

// classify maps an error to a status and an error source: bad input is a 400, and failures of the service are
// downstream. Settings are the user's to fix, so they count as downstream, too, and do not alert whoever operates the
// plugin.
func classify(err error) (backend.Status, backend.ErrorSource) {
	switch {
	case errors.Is(err, inputerror.Err):
		return backend.StatusBadRequest, backend.ErrorSourceDownstream
	case errors.Is(err, ErrSettings):
		return backend.StatusBadRequest, backend.ErrorSourceDownstream
	case errors.Is(err, context.Canceled):
		return backend.Status(499), backend.ErrorSourceDownstream
	case errors.Is(err, context.DeadlineExceeded):
		return backend.StatusTimeout, backend.ErrorSourceDownstream
	}
	var failure *service.Error
	if !errors.As(err, &failure) {
		return backend.StatusInternal, backend.ErrorSourcePlugin
	}
	return serviceStatus(failure), backend.ErrorSourceDownstream
}

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
	status, source := classify(err)
	return backend.DataResponse{Error: errors.New(i.sentence(err)), Status: status, ErrorSource: source}
}

// sentence formats an error on one line. Messages about input may list field names of the service, so the key and the
// token are redacted here, too.
func (i *Instance) sentence(err error) string {
	if i.client == nil {
		return oneLine(err)
	}
	return withoutControls(i.client.Redact(oneLine(err)))
}

// withoutControls replaces control characters, which field names of the service may contain, with spaces.
func withoutControls(text string) string {
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
