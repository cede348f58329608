package service

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/url"
	"time"
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
	Requests int64 // HTTP requests, including retries but not logins
	Bytes    int64 // of the responses, decompressed
	// Ahead is how far the service's clock is ahead of this server's according to the latest response with a date, negative
	// if it is behind, and 0 without a date. Its precision is a second plus the duration of the request.
	Ahead time.Duration
	// Organization is the organization of the latest data: a new login may be for another one.
	Organization string
}

// Get sends a request with token and organization, logging in and retrying as needed, and passes the body of a 2xx
// response, in UTF-8, to read. read is called once more after a retry, and not for a response without content (204). If it
// returns an error, the response is invalid.
//
// Errors are *Error, or the cause of a context that ended.
func (c *Client) Get(ctx context.Context, r Request, read func(io.Reader) error) error {
	return c.authorized(ctx, r, func(attempt *request) error {
		return c.retry(ctx, func() error {
			return c.fetch(ctx, attempt, func(a *response) error {
				if a.StatusCode == http.StatusNoContent {
					return nil
				}
				return read(a.body)
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
	if r.Usage == nil {
		r.Usage = &Usage{} // nobody counts
	}
	cred, err := c.session.after(ctx, nil)
	for renewals := 0; err == nil; renewals++ {
		failed := send(&request{Request: r, cred: cred})
		if failed == nil {
			c.session.accepts(r.Path)
			r.Usage.Organization = cred.organization
			return nil
		}
		if !c.session.renews(failed, r.Path, cred, renewals) {
			return failed
		}
		if cred, err = c.session.after(ctx, cred); err != nil {
			c.session.notRenewed(failed, r.Path, err)
		}
	}
	return err
}

// request is what an attempt sends.
type request struct {
	Request
	login []byte      // the body of a login; nil: a data request
	cred  *credential // nil: a login
}

func (r *request) isLogin() bool { return r.login != nil }

// response is that to an attempt.
type response struct {
	*http.Response
	to   *request
	body *body
}

// fetch makes one attempt, within the setting Timeout, and passes a 2xx response to read. Any other status is an error.
//
// Errors are *Error, or the cause of a context that ended.
func (c *Client) fetch(ctx context.Context, r *request, read func(*response) error) error {
	ctx, cancel := context.WithTimeoutCause(ctx, c.config.Timeout, c.timeoutError())
	defer cancel()
	a, err := c.send(ctx, r)
	if err != nil {
		return err
	}
	defer func() { _ = a.body.Close() }()
	a.body.convert(a.Header.Get("Content-Type"))
	if err := read(a); err != nil {
		return c.readError(ctx, err, a)
	}
	return nil
}

// send makes one attempt and returns a 2xx response, whose body must be closed. Any other status is an error.
func (c *Client) send(ctx context.Context, r *request) (*response, error) {
	req, err := c.httpRequest(ctx, r)
	if err != nil {
		return nil, c.transportError(ctx, err)
	}
	sent := time.Now()
	r.Usage.Requests++
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, c.transportError(ctx, err)
	}
	if ahead, ok := clockAhead(resp.Header, sent, time.Now()); ok {
		r.Usage.Ahead = ahead
	}
	a := &response{Response: resp, to: r, body: &body{Closer: resp.Body, reader: resp.Body, usage: r.Usage}}
	if a.StatusCode == http.StatusTooManyRequests {
		now := time.Now()
		c.limited.Store(&now)
	}
	if a.StatusCode/100 != 2 {
		defer func() { _ = a.body.Close() }()
		return nil, c.statusError(a)
	}
	return a, nil
}

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
	req.Header.Set("organization", r.cred.organization)
	return req.WithContext(context.WithValue(ctx, tokenKey{}, r.cred.token)), nil
}

// ClockTolerance is by how much clocks may differ and still show the same time: neither a time range nor a rule is more exact.
const ClockTolerance = time.Minute

// clockAhead compares the Date header of a response (RFC 9110, 6.6.1) with the middle of the request. ok is false without
// a date. Cached responses carry an old time and are ignored.
func clockAhead(header http.Header, sent, answered time.Time) (ahead time.Duration, ok bool) {
	at, err := http.ParseTime(header.Get("Date"))
	if err != nil || header.Get("Age") != "" {
		return 0, false
	}
	// The header has truncated whole seconds, so half a second is the mean error.
	return at.Add(time.Second / 2).Sub(sent.Add(answered.Sub(sent) / 2)), true
}
