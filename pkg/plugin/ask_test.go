package plugin

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/grafana/grafana-plugin-sdk-go/data"
	"github.com/stretchr/testify/require"
)

// sevenDays returns a range that ends now, like "last 7 days" of a dashboard.
func sevenDays() backend.TimeRange {
	now := time.Now()
	return backend.TimeRange{From: now.AddDate(0, 0, -7), To: now}
}

func dataQuery(refID, query string) backend.DataQuery {
	return backend.DataQuery{RefID: refID, JSON: json.RawMessage(query), TimeRange: sevenDays(), Interval: time.Hour, MaxDataPoints: 500}
}

// ask sends one query and returns its response.
func ask(t *testing.T, i *Instance, query string) backend.DataResponse {
	t.Helper()
	return askAll(t, t.Context(), i, dataQuery("A", query))["A"]
}

func askAll(t *testing.T, ctx context.Context, i *Instance, queries ...backend.DataQuery) backend.Responses {
	t.Helper()
	response, err := i.QueryData(ctx, &backend.QueryDataRequest{Queries: queries})
	require.NoError(t, err)
	require.Len(t, response.Responses, len(queries), "an answer for every refId")
	return response.Responses
}

// askCanceled sends queries and leaves before they are answered. The SDK logs an error in a response as an error, but not
// a canceled request.
func askCanceled(t *testing.T, ctx context.Context, i *Instance, queries ...backend.DataQuery) {
	t.Helper()
	response, err := i.QueryData(ctx, &backend.QueryDataRequest{Queries: queries})
	require.ErrorIs(t, err, context.Canceled)
	require.Nil(t, response)
	require.Equal(t, backend.RequestStatusCancelled, backend.RequestStatusFromError(err))
	require.True(t, backend.IsDownstreamError(err), "cancellation is not a plugin error")
}

// askFrame sends one query, which must return one frame.
func askFrame(t *testing.T, i *Instance, query string) *data.Frame {
	t.Helper()
	response := ask(t, i, query)
	require.NoError(t, response.Error)
	require.Equal(t, backend.StatusOK, response.Status)
	require.Len(t, response.Frames, 1)
	return response.Frames[0]
}

// column returns the values of a field as text, null as "null".
func column(t *testing.T, f *data.Frame, name string) []string {
	t.Helper()
	field, _ := f.FieldByName(name)
	require.NotNil(t, field, "field %s", name)
	var out []string
	for row := range field.Len() {
		value, ok := field.ConcreteAt(row)
		if !ok {
			out = append(out, "null")
			continue
		}
		raw, err := json.Marshal(value)
		require.NoError(t, err)
		out = append(out, strings.Trim(string(raw), `"`))
	}
	return out
}

// get requests a resource as Grafana does.
func get(t *testing.T, i *Instance, path string) *backend.CallResourceResponse {
	t.Helper()
	return resource(t, i, http.MethodGet, path)
}

func resource(t *testing.T, i *Instance, method, address string) *backend.CallResourceResponse {
	t.Helper()
	return call(t, i, &backend.CallResourceRequest{Method: method, URL: address})
}

func call(t *testing.T, i *Instance, r *backend.CallResourceRequest) *backend.CallResourceResponse {
	t.Helper()
	r.Path, _, _ = strings.Cut(r.URL, "?")
	var got *backend.CallResourceResponse
	err := i.CallResource(t.Context(), r,
		backend.CallResourceResponseSenderFunc(func(r *backend.CallResourceResponse) error {
			if got == nil {
				got = r
				return nil
			}
			got.Body = append(got.Body, r.Body...)
			return nil
		}))
	require.NoError(t, err)
	require.NotNil(t, got)
	return got
}

// with adds properties to a query.
func with(query, properties string) string { return strings.Replace(query, "}", ","+properties+"}", 1) }
