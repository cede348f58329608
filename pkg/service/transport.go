package service

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"net/http"

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

// tokenKey is the key of a token in the context of a request.
type tokenKey struct{}

func withToken(ctx context.Context, token string) context.Context {
	return context.WithValue(ctx, tokenKey{}, token)
}

func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if token, ok := r.Context().Value(tokenKey{}).(string); ok {
		r = r.Clone(r.Context())
		r.Header.Set("token", token)
	}
	resp, err := t.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	for _, values := range resp.Header {
		for i, value := range values {
			values[i] = t.client.Redact(value)
		}
	}
	if resp.StatusCode/100 != 2 {
		raw, _ := io.ReadAll(io.LimitReader(resp.Body, errorBytes))
		_ = resp.Body.Close()
		isCut := len(raw) == errorBytes
		if raw = t.client.redactBody(raw); isCut {
			raw = raw[:max(0, len(raw)-pageBytes)] // A part of a secret could not be detected.
		}
		resp.Body = io.NopCloser(bytes.NewReader(raw))
	}
	return resp, nil
}

// redactBody redacts a text or, because JSON has many ways to write a secret ("=" is also "\u003d"), the texts of a JSON
// document. What has no secret is unchanged.
func (c *Client) redactBody(raw []byte) []byte {
	var document any
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if !json.Valid(raw) || decoder.Decode(&document) != nil {
		return []byte(c.Redact(string(raw)))
	}
	changed := false
	document = mapTexts(document, func(text string) string {
		clean := c.Redact(text)
		changed = changed || clean != text
		return clean
	})
	if changed {
		raw, _ = json.Marshal(document) // What was decoded always marshals.
	}
	return raw
}

// mapTexts replaces the texts of a decoded JSON document, and the numbers that become other texts.
func mapTexts(document any, replace func(string) string) any {
	switch v := document.(type) {
	case string:
		return replace(v)
	case json.Number:
		if text := replace(v.String()); text != v.String() {
			return text
		}
	case []any:
		for i := range v {
			v[i] = mapTexts(v[i], replace)
		}
	case map[string]any:
		mapped := make(map[string]any, len(v))
		for name, value := range v {
			mapped[replace(name)] = mapTexts(value, replace)
		}
		return mapped
	}
	return document
}
