package service

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"

	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// transport authorizes requests, and redacts what their failures repeat. It is below the SDK's contextual middleware: a
// diagnostics capture of Grafana, which somebody may hand on, records requests and responses as they are above it, whole.
// Only a login has its secrets in its bodies, and therefore a context of its own.
type transport struct {
	client *Client
	next   http.RoundTripper
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
		// A secret in another charset is one as well.
		raw, _ := io.ReadAll(io.LimitReader(inUTF8(resp.Body, resp.Header.Get("Content-Type")), errorBytes))
		_ = resp.Body.Close()
		text := t.client.Redact(string(raw))
		// At the end of a longer body may be a part of a secret, which cannot be detected.
		resp.Body = io.NopCloser(strings.NewReader(text[:min(len(text), errorBytes-pageBytes)]))
	}
	return resp, nil
}

const (
	// maxResponse bounds a response that is decoded, in decompressed bytes: a page of 100,000 tasks takes about 35 MiB.
	maxResponse = 64 << 20
	// pageBytes of a response are kept, in case it turns out to be an HTML page, whose title an error message quotes.
	pageBytes = 4 << 10
	// errorBytes of a non-2xx response are read: its message, in JSON, or its title.
	errorBytes = 64 << 10
)

// body reads the body of a response. It keeps the beginning, counts bytes and records read errors.
type body struct {
	io.Closer
	reader io.Reader
	usage  *Usage

	bytes  int64
	start  []byte
	failed error // a read error other than the end
}

// inUTF8 converts the charset that a byte order mark or the content type names to UTF-8. If none is named or known, bytes are
// as they are.
func inUTF8(r io.Reader, contentType string) io.Reader {
	var decoder transform.Transformer = transform.Nop
	_, parameters, _ := mime.ParseMediaType(contentType)
	if charset, err := htmlindex.Get(parameters["charset"]); err == nil && charset != unicode.UTF8 {
		decoder = charset.NewDecoder()
	}
	return transform.NewReader(r, unicode.BOMOverride(decoder))
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.reader.Read(p)
	if room := pageBytes - len(b.start); room > 0 {
		b.start = append(b.start, p[:min(n, room)]...)
	}
	b.bytes += int64(n)
	b.usage.Bytes += int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		b.failed = err
	}
	return n, err
}

// beginning returns the beginning of the body, which a decoder may not have read to its end.
func (b *body) beginning() []byte {
	_, _ = io.CopyN(io.Discard, b, max(0, pageBytes-b.bytes))
	return b.start
}
