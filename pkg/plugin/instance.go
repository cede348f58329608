// Package plugin implements the handlers that Grafana calls, each in handler_*.go. It validates settings, and maps errors to a status
// and an error source. It depends neither on the service's JSON nor on how frames are built.
package plugin

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"unicode"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/grafana/grafana-plugin-sdk-go/backend/httpclient"
	"github.com/grafana/grafana-plugin-sdk-go/backend/instancemgmt"
	"golang.org/x/sync/semaphore"

	"github.com/insights/insights-reporting-datasource/pkg/inputerror"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/reads"
	"github.com/insights/insights-reporting-datasource/pkg/service"
	"github.com/insights/insights-reporting-datasource/schema"
)

// ID is the plugin's id, as in plugin.json.
const ID = "insights-reporting-datasource"

// Instance is one configured data source. Grafana creates a new one when the settings change.
type Instance struct {
	sets     schema.DataSets
	settings *Settings
	client   *service.Client
	source   *pages.Source
	reads    *reads.Reads
	names    reads.Background[map[string]string]
	name     string // of the data source in Grafana

	forwarding  *semaphore.Weighted // of the proxy route
	settingsErr error               // what every handler returns if settings are not valid: for a constructor's error, Grafana shows a generic one
}

var (
	_ backend.QueryDataHandler      = (*Instance)(nil)
	_ backend.CheckHealthHandler    = (*Instance)(nil)
	_ backend.CallResourceHandler   = (*Instance)(nil)
	_ instancemgmt.InstanceDisposer = (*Instance)(nil)
)

// NewInstance loads the settings and creates the client that all queries of the data source share.
func NewInstance(ctx context.Context, source backend.DataSourceInstanceSettings) (instancemgmt.Instance, error) {
	return newInstance(ctx, source, schema.All()), nil
}

// newInstance is NewInstance for a service with other data sets.
func newInstance(ctx context.Context, source backend.DataSourceInstanceSettings, sets schema.DataSets) *Instance {
	i := &Instance{sets: sets, name: source.Name, settings: &Settings{}}
	settings, err := LoadSettings(source)
	if err != nil {
		i.settingsErr = err
		return i
	}
	source.JSONData = settings.HTTP
	httpClient, err := newHTTPClient(ctx, source)
	if err != nil {
		i.settingsErr = inputerror.Errorf("TLS, proxy, or HTTP settings are not valid: %s", err)
		return i
	}
	i.settings = settings
	i.client = service.New(settings.Service, httpClient)
	i.source = &pages.Source{Client: i.client, Paths: settings.Paths}
	i.reads = reads.New(settings.Reads, i.source)
	i.forwarding = semaphore.NewWeighted(forwardedAtOnce)
	return i
}

// Dispose ends reads and evicts the cache after Grafana has replaced the instance. Idle connections time out.
func (i *Instance) Dispose() {
	if i.reads != nil {
		i.reads.Close()
	}
}

// newHTTPClient creates the SDK's client, with TLS, proxy, headers, tracing, metrics and response limit of Grafana. HTTP/2 has to be
// enabled explicitly, because configuring the transport turns it off. The SDK panics if a text is none.
func newHTTPClient(ctx context.Context, source backend.DataSourceInstanceSettings) (_ *http.Client, err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("serverName, secureSocksProxyUsername, and the names of headers must be strings")
		}
	}()
	options, err := source.HTTPClientOptions(ctx)
	if err != nil {
		return nil, err
	}
	options.Middlewares = slices.DeleteFunc(httpclient.DefaultMiddlewares(), func(m httpclient.Middleware) bool {
		named, ok := m.(httpclient.MiddlewareName)
		return ok && named.MiddlewareName() == httpclient.ContextualMiddlewareName // The service's client adds it.
	})
	options.ConfigureTransport = func(_ httpclient.Options, transport *http.Transport) { transport.ForceAttemptHTTP2 = true }
	return httpclient.New(options)
}

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
	reads.ErrSlow:           backend.StatusTimeout,
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
