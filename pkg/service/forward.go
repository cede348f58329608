package service

import (
	"context"
	"encoding/json"
	"errors"
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
	err := c.authorized(ctx, r, func(attempt *request) error {
		return c.fetch(ctx, attempt, func(a *answer) error {
			raw, err := io.ReadAll(a.body)
			forwarded = &Answer{Status: a.StatusCode, ContentType: c.Quote(a.Header.Get("Content-Type")), Body: raw}
			return err
		})
	})
	var failure *Error
	if errors.As(err, &failure) && failure.forward != nil {
		return failure.forward, nil
	}
	if err != nil {
		return nil, err
	}
	return forwarded, nil
}

// toForward returns what to forward of a non-2xx response.
func (c *Client) toForward(a *answer, raw []byte, description string) *Answer {
	if !json.Valid(raw) {
		// A text always marshals.
		raw, _ = json.Marshal(map[string]string{"message": description})
	}
	status := a.StatusCode
	if status < 200 || status > 599 {
		status = http.StatusBadGateway // net/http cannot send what is no status.
	}
	return &Answer{Status: status, ContentType: "application/json", Body: []byte(c.Redact(string(raw)))}
}
