package service

import (
	"context"
	"io"
	"net/http"
	"net/url"
)

// Request is a GET of a data route.
type Request struct {
	Route    string     // names the route in metrics and traces: the data set
	Path     string     // below the base URL
	Query    url.Values // holds no secret
	NotFound string     // what to do about a 404; empty: check the base URL
	Usage    *Usage     // adds up what the request costs; may be nil
}

// Get sends a request with token and organization, logging in and trying again as needed, and gives the body of a 2xx
// answer to read, which may be called again after a try that broke off. An error of read tells that the answer is not
// what it should be.
//
// Errors are *Error, or those of a context that ended.
func (c *Client) Get(ctx context.Context, r Request, read func(io.Reader) error) error {
	return c.session.authorized(ctx, func(cred *credential) error {
		return c.retry(ctx, func() error {
			return c.send(ctx, &call{Request: r, method: http.MethodGet, cred: cred, read: read})
		})
	})
}
