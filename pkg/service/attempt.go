package service

import (
	"context"
	"io"
	"net/http"
	"strconv"
	"time"
)

// answer is the response to one attempt.
type answer struct {
	*http.Response
	to   *request
	body *body
}

// do makes one attempt: it waits for the data source's pause to end and for a free slot, sends the request, and calls
// use with the response, whatever its status. The slot is held until use returns.
//
// Errors are *Error, or those of a context that ended.
func (c *Client) do(ctx context.Context, r *request, use func(*answer) error) (err error) {
	if err := spend(ctx); err != nil {
		return err
	}
	if err := c.admit(ctx); err != nil {
		return err
	}
	defer c.slots.Release(1)
	ctx, span := startSpan(ctx, "insights request", r.Route)
	defer func() { endSpan(span, err) }()

	req, err := c.httpRequest(ctx, r)
	if err != nil {
		return c.transportError(ctx, r, err)
	}
	start := time.Now()
	status := "error"
	defer func() { requestSeconds.WithLabelValues(r.Route, status).Observe(time.Since(start).Seconds()) }()
	r.Usage.request()
	resp, err := c.http.Do(req)
	if err != nil {
		return c.transportError(ctx, r, err)
	}
	status = statusLabel(resp.StatusCode)
	r.Usage.heard(clockOf(resp.Header, start, time.Now()))
	body := c.newBody(ctx, resp.Body, r)
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

// admit waits until the request may be sent, and acquires a slot for it.
func (c *Client) admit(ctx context.Context) error {
	for {
		if err := c.pause.wait(ctx); err != nil {
			return err
		}
		if err := c.slots.Acquire(ctx, 1); err != nil {
			return context.Cause(ctx)
		}
		// The response that freed the slot may have requested a pause.
		if !c.pause.on() {
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
