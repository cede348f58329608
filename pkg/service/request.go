package service

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend/httpclient"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// Request is a GET of a data route.
type Request struct {
	Path     string     // below the base URL
	Query    url.Values // contains no secret
	NotFound string     // advice for a 404; empty: check the base URL
	Usage    *Usage     // accumulates the cost of the request; may be nil
}

// Usage accumulates the cost of requests that are sent one after another, and what their responses show about the service.
type Usage struct {
	Requests     int64         // HTTP requests, including retries but not logins
	Bytes        int64         // of the responses, decompressed
	Ahead        time.Duration // of the service's clock, by the latest response with a date, to a second plus the request; 0 without one
	Organization string        // the organization of the latest data: a new login may be for another one
}

// Get sends a request, logging in and retrying as needed, and passes the body of a 2xx response, in UTF-8, to read: once for each
// attempt, and not without content (204). If read fails, the response is invalid. Errors are *Error, or why a context ended.
func (c *Client) Get(ctx context.Context, r Request, read func(io.Reader) error) error {
	return c.authorized(ctx, r, func(attempt *request) error {
		return c.retry(ctx, func() error {
			return c.fetch(ctx, attempt, func(a *response) error {
				if a.StatusCode == http.StatusNoContent {
					return nil
				}
				return read(a)
			})
		})
	})
}

// authorized calls send in a free slot and with a credential, and with another one as long as the session renews it. The
// slot is held between attempts, too: while a service asks to wait, it gets no other requests than those in flight.
func (c *Client) authorized(ctx context.Context, r Request, send func(*request) error) error {
	if err := c.slots.Acquire(ctx, 1); err != nil {
		return context.Cause(ctx)
	}
	defer c.slots.Release(1)
	r.Usage = cmp.Or(r.Usage, &Usage{}) // Perhaps, nobody counts.
	cred, err := c.session.after(ctx, nil)
	for renewals := 0; err == nil; renewals++ {
		failed := send(&request{Request: r, cred: cred})
		if failed == nil {
			c.session.accepts(r.Path)
			r.Usage.Organization = c.Redact(cred.organization) // which frames show
			return nil
		}
		if !c.session.renews(failed, r.Path, cred, renewals) {
			return failed
		}
		if cred, err = c.session.after(ctx, cred); err != nil {
			return c.session.notRenewed(failed, r.Path, err)
		}
	}
	return err
}

type request struct {
	Request
	login []byte      // the body of a login; nil: a data request
	cred  *credential // nil: a login
}

func (r *request) isLogin() bool { return r.login != nil }

// response is a response whose body it reads: it keeps the beginning, counts bytes and records read errors.
type response struct {
	*http.Response
	to     *request
	reader io.Reader // of the body
	bytes  int64
	start  []byte
	failed error // a read error other than the end
}

// fetch makes one attempt, within the setting Timeout, and passes a 2xx response to read. Any other status is an error.
func (c *Client) fetch(ctx context.Context, r *request, read func(*response) error) error {
	ctx, cancel := context.WithTimeoutCause(ctx, c.config.Timeout, c.timeoutError())
	defer cancel()
	a, err := c.send(ctx, r)
	if err != nil {
		return c.transportError(ctx, err)
	}
	defer func() { _ = a.Body.Close() }()
	if a.StatusCode/100 != 2 {
		return c.statusError(a)
	}
	a.reader = inUTF8(httpclient.MaxBytesReader(a.Body, maxResponse), a.Header.Get("Content-Type"))
	if err := read(a); err != nil {
		return c.readError(ctx, err, a)
	}
	return nil
}

// send makes one attempt. The body of the response must be closed.
func (c *Client) send(ctx context.Context, r *request) (*response, error) {
	method, header := http.MethodGet, http.Header{"Accept": {"application/json"}}
	if r.isLogin() {
		method = http.MethodPost
		header.Set("Content-Type", "application/json")
	} else {
		header.Set("organization", r.cred.organization)
		ctx = context.WithValue(ctx, tokenKey{}, r.cred.token)
	}
	req, err := http.NewRequestWithContext(ctx, method, c.URL(r.Path, r.Query), bytes.NewReader(r.login))
	if err != nil {
		return nil, err
	}
	req.Header = header
	sent := time.Now()
	r.Usage.Requests++
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	if ahead, ok := clockAhead(resp.Header, sent, time.Now()); ok {
		r.Usage.Ahead = ahead
	}
	if resp.StatusCode == http.StatusTooManyRequests {
		c.limited.Store(true)
	}
	return &response{Response: resp, to: r, reader: resp.Body}, nil
}

const ClockTolerance = time.Minute // by how much clocks may differ and still show the same time: neither a time range nor a rule is more exact

// clockAhead compares the Date of a response, unless it is cached, with the middle of the request. ok is false without one.
func clockAhead(header http.Header, sent, answered time.Time) (ahead time.Duration, ok bool) {
	at, err := http.ParseTime(header.Get("Date"))
	if err != nil || header.Get("Age") != "" {
		return 0, false
	}
	// The header has truncated whole seconds, so half a second is the mean error.
	return at.Add(time.Second / 2).Sub(sent.Add(answered.Sub(sent) / 2)), true
}

// Forwarded is the response of the service to forward, in UTF-8.
type Forwarded struct {
	Status      int
	ContentType string
	Body        []byte
}

// Forward sends a request with token and organization, once, and returns the response. A 2xx one is as it is. Any other one is redacted
// and, unless it is JSON, replaced with an object whose message describes it. Errors are those of Get: of a login, a connection, or size.
func (c *Client) Forward(ctx context.Context, r Request) (answer *Forwarded, err error) {
	err = c.authorized(ctx, r, func(attempt *request) error {
		if err := c.turn(ctx); err != nil {
			return err
		}
		return c.fetch(ctx, attempt, func(a *response) error {
			kind, _, _ := strings.Cut(a.Header.Get("Content-Type"), ";")
			body, err := io.ReadAll(httpclient.MaxBytesReader(io.NopCloser(a), maxForwarded))
			if err == nil {
				answer = &Forwarded{a.StatusCode, c.Quote(kind), body}
			}
			return err
		})
	})
	if e, ok := errors.AsType[*Error](err); ok && e.forward != nil {
		return e.forward, nil
	}
	return answer, err
}

// transport authorizes requests, and redacts what their failures repeat. It is below the SDK's contextual middleware: a
// diagnostics capture of Grafana, which somebody may hand on, records requests and responses as they are above it, whole.
// Only a login has its secrets in its bodies, and therefore a context of its own.
type transport struct {
	client *Client
	next   http.RoundTripper
}

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
	maxResponse  = 64 << 20 // bytes of a response that is decoded, decompressed: a page of 100,000 tasks takes about 35 MiB
	maxForwarded = 32 << 20 // bytes of one that is forwarded, which is in memory whole until its reader has it
	pageBytes    = 4 << 10  // of a response are kept, in case it turns out to be an HTML page, whose title an error message quotes
	errorBytes   = 64 << 10 // of a non-2xx response are read: its message, in JSON, or its title
)

// inUTF8 converts the charset that a byte order mark or the content type names, if it is known, to UTF-8.
func inUTF8(r io.Reader, contentType string) io.Reader {
	var decoder transform.Transformer = transform.Nop
	_, parameters, _ := mime.ParseMediaType(contentType)
	if charset, err := htmlindex.Get(parameters["charset"]); err == nil && charset != unicode.UTF8 {
		decoder = charset.NewDecoder()
	}
	return transform.NewReader(r, unicode.BOMOverride(decoder))
}

func (a *response) Read(p []byte) (int, error) {
	n, err := a.reader.Read(p)
	a.start = append(a.start, p[:min(n, pageBytes-len(a.start))]...)
	a.bytes += int64(n)
	a.to.Usage.Bytes += int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		a.failed = err
	}
	return n, err
}
