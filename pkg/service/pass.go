package service

import (
	"context"
	"io"
	"net/http"
)

// passLimit bounds a forwarded response, in bytes; it is held in memory. A non-2xx response is also searched for
// secrets, and error bodies are small.
const (
	passLimit      = 32 << 20
	passErrorLimit = 64 << 10
)

// Answer is the unchanged response of the service.
type Answer struct {
	Status      int
	ContentType string
	Body        []byte
}

// Pass sends a request with token and organization, once, and returns the response unchanged, whatever its status. The
// key and the token are redacted from non-2xx bodies.
//
// Only a failed login or connection is an error: an *Error, or that of a context that ended.
func (c *Client) Pass(ctx context.Context, r Request) (*Answer, error) {
	var passed *Answer
	err := c.session.authorized(ctx, r.Route, func(cred *credential) (err error) {
		passed, err = c.passOnce(ctx, &request{Request: r, cred: cred})
		return err
	})
	if passed != nil && (err == nil || isRejection(err)) {
		return passed, nil
	}
	return nil, err
}

// passStatus returns the status to forward: numbers that are not valid HTTP become 502.
func passStatus(status int) int {
	if status < 200 || status > 599 {
		return http.StatusBadGateway
	}
	return status
}

// passOnce returns both the response and an error if the service rejected the credential: the session uses the error to
// decide whether to log in again, and the caller gets the response if that did not help.
func (c *Client) passOnce(ctx context.Context, r *request) (passed *Answer, err error) {
	err = c.do(ctx, r, func(a *answer) error {
		good := a.StatusCode >= 200 && a.StatusCode <= 299
		limit := passLimit
		if !good {
			limit = passErrorLimit
		}
		raw, err := io.ReadAll(io.LimitReader(a.body, int64(limit)+1))
		if err != nil {
			return c.readError(ctx, err, a)
		}
		if len(raw) > limit {
			return c.tooLarge(a, int64(limit))
		}
		secrets := c.secrets()
		passed = &Answer{Status: passStatus(a.StatusCode), ContentType: secrets.mask(a.Header.Get("Content-Type")), Body: raw}
		if !good {
			passed.Body = []byte(secrets.mask(string(raw)))
		}
		switch a.StatusCode {
		case http.StatusUnauthorized:
			return &Error{Kind: ErrUnauthorized, Status: a.StatusCode}
		case http.StatusForbidden:
			return &Error{Kind: ErrForbidden, Status: a.StatusCode}
		default:
			return nil
		}
	})
	return passed, err
}
