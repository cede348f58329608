package service

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend/tracing"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"
)

// Request is a GET of a data route.
type Request struct {
	Route    string     // name in metrics and traces: the data set
	Path     string     // below the base URL
	Query    url.Values // contains no secret
	NotFound string     // advice for a 404; empty: check the base URL
	Usage    *Usage     // accumulates the cost of the request; may be nil
}

// request is what one attempt sends.
type request struct {
	Request
	login []byte      // the body of a login; nil: a data request
	cred  *credential // of the latest attempt; nil: a login
}

func (r *request) isLogin() bool { return r.login != nil }

// httpRequest builds the net/http request.
func (c *Client) httpRequest(ctx context.Context, r *request) (*http.Request, error) {
	method := http.MethodGet
	if r.isLogin() {
		method = http.MethodPost
	}
	req, err := http.NewRequestWithContext(ctx, method, c.URL(r.Path, r.Query), bytes.NewReader(r.login))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json")
	if r.isLogin() {
		req.Header.Set("Content-Type", "application/json")
		return req, nil
	}
	req.Header.Set("token", r.cred.token)
	req.Header.Set("organization", r.cred.organization)
	return req, nil
}

// Get sends a request with token and organization, logging in and retrying as needed, and passes the body of a 2xx
// response to read. read is called again after a retry. If it returns an error, the response is invalid.
//
// Errors are *Error, or the cause of a context that ended.
func (c *Client) Get(ctx context.Context, r Request, read func(io.Reader) error) error {
	return c.authorized(r, func(attempt *request) error {
		return retry(ctx, func() error { return c.fetch(ctx, attempt, read) })
	})
}

// authorized calls send with a request that has a credential, and again with a new one if the service rejects it and
// another login may help.
func (c *Client) authorized(r Request, send func(*request) error) error {
	for renewals := 0; ; renewals++ {
		attempt := &request{Request: r}
		err := send(attempt)
		if err == nil && r.Usage != nil {
			r.Usage.Organization = attempt.cred.organization
		}
		if !checkRenewal(err, attempt.cred, renewals) {
			return err
		}
		c.session.drop(attempt.cred)
	}
}

// answer is the response to one attempt.
type answer struct {
	*http.Response
	to   *request
	body *body
}

// do makes one attempt: it waits for the data source's pause to end, for a credential, and for a free slot, sends the
// request, and calls use with the response, whatever its status. The slot is held until use returns.
//
// Errors are *Error, or the cause of a context that ended.
func (c *Client) do(ctx context.Context, r *request, use func(*answer) error) (err error) {
	if r.Usage == nil {
		r.Usage = &Usage{} // nobody counts
	}
	if err := c.admit(ctx, r); err != nil {
		return err
	}
	defer c.slots.Release(1)
	ctx, span := tracing.DefaultTracer().Start(ctx, "insights request", trace.WithAttributes(attribute.String("insights.route", r.Route)))
	defer func() {
		if err != nil {
			_ = tracing.Error(span, err)
		}
		span.End()
	}()

	req, err := c.httpRequest(ctx, r)
	if err != nil {
		return c.transportError(ctx, r, err)
	}
	start := time.Now()
	status := "error"
	defer func() { requestSeconds.WithLabelValues(r.Route, status).Observe(time.Since(start).Seconds()) }()
	r.Usage.Requests++
	resp, err := c.http.Do(req)
	if err != nil {
		return c.transportError(ctx, r, err)
	}
	status = statusLabel(resp.StatusCode)
	if ahead, ok := clockAhead(resp.Header, start, time.Now()); ok {
		r.Usage.Ahead = ahead
	}
	body := newBody(resp.Body, r)
	defer body.close()
	err = use(&answer{Response: resp, to: r, body: body})
	c.pause.start(resp, err)
	return err
}

// statusLabel returns the metrics label of a status. A service may send any number.
func statusLabel(status int) string {
	if status < 200 || status > 599 {
		return "other"
	}
	return strconv.Itoa(status)
}

// admit waits until no pause is active, gets a credential for a data request, and acquires a slot.
func (c *Client) admit(ctx context.Context, r *request) error {
	for {
		left, err := c.pause.left()
		if err == nil {
			err = sleep(ctx, left)
		}
		if err == nil && !r.isLogin() {
			r.cred, err = c.session.get(ctx)
		}
		if err != nil {
			return err
		}
		if err := c.slots.Acquire(ctx, 1); err != nil {
			return context.Cause(ctx)
		}
		// The response that freed the slot may have requested a pause, or rejected the credential.
		if left, _ := c.pause.left(); left <= 0 && (r.isLogin() || c.session.isCurrent(r.cred)) {
			return nil
		}
		c.slots.Release(1)
	}
}

// fetch makes one attempt and passes the body of a 2xx response to read. Any other status is an error.
func (c *Client) fetch(ctx context.Context, r *request, read func(io.Reader) error) error {
	return c.do(ctx, r, func(a *answer) error {
		if a.StatusCode < 200 || a.StatusCode > 299 {
			return c.statusError(a, a.body.failure())
		}
		if err := read(a.body); err != nil {
			return c.readError(ctx, err, a)
		}
		a.body.drain()
		return nil
	})
}
