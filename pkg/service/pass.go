package service

import (
	"context"
	"io"
	"net/http"
)

// passLimit bounds an answer that is passed on, in bytes; it is held whole. An answer outside 2xx is searched for secrets
// too, and no service has that much to say about an error.
const (
	passLimit      = 32 << 20
	passErrorLimit = 64 << 10
)

// Answer is the service's own answer, as it came.
type Answer struct {
	Status      int
	ContentType string
	Body        []byte
}

// Pass sends a request with token and organization, once, and returns the answer as it is, whatever its status. Key and
// token are redacted from the body of an answer outside 2xx.
//
// Only a failure of login or of the way to the service is an error: an *Error, or that of a context that ended.
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

// passStatus is the status to pass on: a number that is none in HTTP cannot be.
func passStatus(status int) int {
	if status < 200 || status > 599 {
		return http.StatusBadGateway
	}
	return status
}

// passOnce returns answer and error both where the service rejected the credential: the session decides by the error
// whether to log in again, and the caller gets the answer where that did not help.
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
