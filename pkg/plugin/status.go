package plugin

import (
	"cmp"
	"context"
	"errors"
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
		return cmp.Or(statuses[failure.Kind], backend.StatusBadGateway), "service"
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

// statuses are the statuses of responses by the kind of a service failure; any other kind is a 502.
var statuses = map[error]backend.Status{
	service.ErrLogin:        backend.StatusUnauthorized,
	service.ErrUnauthorized: backend.StatusUnauthorized,
	service.ErrForbidden:    backend.StatusForbidden,
	service.ErrNotFound:     backend.StatusNotFound,
	service.ErrRejected:     backend.StatusBadRequest,
	service.ErrRateLimited:  backend.StatusTooManyRequests,
	service.ErrTimeout:      backend.StatusTimeout,
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
	return strings.Join(strings.FieldsFunc(text, unicode.IsControl), " ")
}

var failedQueries = promauto.NewCounterVec(prometheus.CounterOpts{
	Namespace: "insights", Name: "queries_failed_total",
	Help: "Failed queries by reason: input, settings, service, cancelled, plugin.",
}, []string{"reason"})
