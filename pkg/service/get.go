package service

import (
	"context"
	"io"
)

// Get sends a request with token and organization, logging in and retrying as needed, and passes the body of a 2xx
// response to read. read is called again after a retry. If it returns an error, the response is invalid.
//
// Errors are *Error, or those of a context that ended.
func (c *Client) Get(ctx context.Context, r Request, read func(io.Reader) error) error {
	return c.session.authorized(ctx, r.Route, func(cred *credential) error {
		err := retry(ctx, func() error {
			return c.fetch(ctx, &request{Request: r, cred: cred}, read)
		})
		if err == nil {
			r.Usage.answered(cred.organization)
		}
		return err
	})
}
