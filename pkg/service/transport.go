package service

import (
	"cmp"
	"io"
	"net/http"
	"strings"

	"github.com/grafana/grafana-plugin-sdk-go/backend/httpclient"
)

// transport authorizes requests, and redacts what their failures repeat. It is below the SDK's contextual middleware: a
// diagnostics capture of Grafana, which somebody may hand on, records requests and responses as they are above it, whole.
// Only a login has its secrets in its bodies, and therefore a context of its own.
type transport struct {
	client *Client
	next   http.RoundTripper
}

// newTransport returns a transport below the SDK's contextual middleware, which next must not have.
func newTransport(c *Client, next http.RoundTripper) http.RoundTripper {
	below := &transport{client: c, next: cmp.Or(next, http.DefaultTransport)}
	return httpclient.ContextualMiddleware().CreateMiddleware(httpclient.Options{}, below)
}

// tokenKey is the key of the token in the context of a data request.
type tokenKey struct{}

func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if token, ok := r.Context().Value(tokenKey{}).(string); ok {
		r = r.Clone(r.Context())
		r.Header.Set("token", token)
	}
	resp, err := t.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	resp.Status = t.client.Redact(resp.Status)
	for _, values := range resp.Header {
		for i, value := range values {
			values[i] = t.client.Redact(value)
		}
	}
	if resp.StatusCode/100 != 2 {
		raw, _ := io.ReadAll(io.LimitReader(resp.Body, errorBytes))
		_ = resp.Body.Close()
		text := t.client.Redact(string(raw))
		// At the end of a longer body may be a part of a secret, which cannot be detected.
		resp.Body = io.NopCloser(strings.NewReader(text[:min(len(text), errorBytes-pageBytes)]))
	}
	return resp, nil
}
