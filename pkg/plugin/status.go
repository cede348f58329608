package plugin

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"unicode"

	"github.com/grafana/grafana-plugin-sdk-go/backend"

	"github.com/insights/insights-reporting-datasource/pkg/inputerror"
	"github.com/insights/insights-reporting-datasource/pkg/service"
)

// statusOf returns the status of the response to an error: bad input is a 400, and a failure of the service has that of its kind.
func statusOf(err error) backend.Status {
	failure, isService := errors.AsType[*service.Error](err)
	switch {
	case errors.Is(err, inputerror.Err):
		return backend.StatusBadRequest
	case isService: // Before the context, because a request that timed out matches both.
		return cmp.Or(statuses[failure.Kind], backend.StatusBadGateway)
	case errors.Is(err, context.Canceled):
		return backend.Status(499)
	case errors.Is(err, context.DeadlineExceeded):
		return backend.StatusTimeout
	default:
		return backend.StatusInternal
	}
}

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

// failure is the response to a failed query. Settings are the user's to fix, and do not alert whoever operates the plugin.
func (i *Instance) failure(err error) backend.DataResponse {
	status, source := statusOf(err), backend.ErrorSourceDownstream
	if status == backend.StatusInternal {
		source = backend.ErrorSourcePlugin
	}
	text := i.sentence(err)
	if i.client != nil {
		text = i.client.WithoutAddress(text)
	}
	return backend.DataResponse{Error: errors.New(text), Status: status, ErrorSource: source}
}

// sentence formats an error on one line. It may quote names of the service, with the key, the token or control characters in them.
func (i *Instance) sentence(err error) string {
	text := err.Error()
	if _, isService := errors.AsType[*service.Error](err); !isService && errors.Is(err, context.DeadlineExceeded) {
		// What limits it is not the setting Timeout, which is that of one request.
		text = "the time for the query ended before the service had answered all requests: request fewer days, or larger pages"
	}
	if i.client != nil {
		text = i.client.Redact(text)
	}
	return strings.Join(strings.FieldsFunc(text, unicode.IsControl), " ")
}
