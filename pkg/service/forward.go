package service

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
)

// Answer is the response of the service to forward.
type Answer struct {
	Status      int
	ContentType string
	Body        []byte
}

// Forward sends a request with token and organization, once, and returns the response, whatever its status. A 2xx
// response is unchanged. In any other one, the key and the token are redacted, and what is not JSON is replaced with a
// JSON object whose message describes it.
//
// Only a failed login or connection is an error: an *Error, or the cause of a context that ended.
func (c *Client) Forward(ctx context.Context, r Request) (*Answer, error) {
	var forwarded *Answer
	err := c.authorized(r, func(attempt *request) error {
		forwarded = nil
		return c.do(ctx, attempt, func(a *answer) (err error) {
			forwarded, err = c.toForward(ctx, a)
			return err
		})
	})
	if forwarded != nil {
		return forwarded, nil
	}
	return nil, err
}

// toForward returns what to forward of a response. It also returns the error of a non-2xx one: the session uses it to
// decide whether to log in again.
func (c *Client) toForward(ctx context.Context, a *answer) (*Answer, error) {
	if a.StatusCode < 200 || a.StatusCode > 299 {
		raw := a.body.failure()
		failure := c.statusError(a, raw)
		return c.failedAnswer(a, raw, failure), failure
	}
	raw, err := io.ReadAll(a.body)
	if err != nil {
		return nil, c.readError(ctx, err, a)
	}
	return &Answer{Status: a.StatusCode, ContentType: c.secrets().quote(a.Header.Get("Content-Type")), Body: raw}, nil
}

// failedAnswer returns a non-2xx response to forward.
func (c *Client) failedAnswer(a *answer, raw []byte, failure *Error) *Answer {
	forwarded := &Answer{Status: a.StatusCode, ContentType: "application/json"}
	if a.StatusCode < 200 || a.StatusCode > 599 {
		forwarded.Status = http.StatusBadGateway // not valid in HTTP
	}
	if json.Valid(raw) {
		forwarded.Body = []byte(c.secrets().Replace(string(raw)))
		return forwarded
	}
	// A text always marshals.
	forwarded.Body, _ = json.Marshal(map[string]string{"message": failure.Message})
	return forwarded
}
