package plugin

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"unicode"

	"github.com/grafana/grafana-plugin-sdk-go/backend"

	"github.com/insights/insights-reporting-datasource/pkg/frame"
	"github.com/insights/insights-reporting-datasource/pkg/service"
)

// blame decides status and error source of a failure: bad input is a 400, failures of the service are downstream.
// Settings are the user's to mend, so they count as downstream too and wake up nobody who keeps the plugin.
func blame(err error) (backend.Status, backend.ErrorSource) {
	switch {
	case errors.Is(err, frame.ErrInput):
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

// failure is the answer to a query that cannot be answered.
func (i *Instance) failure(err error) backend.DataResponse {
	status, source := blame(err)
	return backend.DataResponse{Error: errors.New(i.sentence(err)), Status: status, ErrorSource: source}
}

// sentence is an error on one line. A message about input may list names that the service gave its fields, so key and
// token are redacted here too.
func (i *Instance) sentence(err error) string {
	if i.client == nil {
		return oneLine(err)
	}
	return withoutControls(i.client.Redact(oneLine(err)))
}

// withoutControls puts blanks in place of control characters: a service may name its fields with any.
func withoutControls(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text)
}
