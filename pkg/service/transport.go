package service

import (
	"cmp"
	"io"
	"mime"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"unicode"

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
		// A secret in another charset, or with escapes of JSON, is one as well.
		contentType := resp.Header.Get("Content-Type")
		raw, _ := io.ReadAll(io.LimitReader(inUTF8(resp.Body, contentType), errorBytes))
		_ = resp.Body.Close()
		text := t.client.Redact(unescaped(string(raw)))
		if mediaType, _, err := mime.ParseMediaType(contentType); err == nil {
			resp.Header.Set("Content-Type", mediaType+"; charset=utf-8")
		}
		// At the end of a longer body may be a part of a secret, which cannot be detected.
		resp.Body = io.NopCloser(strings.NewReader(text[:min(len(text), errorBytes-pageBytes)]))
	}
	return resp, nil
}

// escapedASCII is a character that JSON does not have to escape.
var escapedASCII = regexp.MustCompile(`\\u00[2-7][0-9a-fA-F]`)

// unescaped writes letters that JSON does not have to escape as they are.
func unescaped(text string) string {
	return escapedASCII.ReplaceAllStringFunc(text, func(code string) string {
		number, _ := strconv.ParseUint(code[2:], 16, 8)
		if letter := rune(number); unicode.IsLetter(letter) || unicode.IsDigit(letter) || strings.ContainsRune("-_.+=~:", letter) {
			return string(letter)
		}
		return code
	})
}
