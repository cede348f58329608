package service

import (
	"bytes"
	"context"
	"io"
	"net/http"
)

// passLimit bounds an answer that is passed on; a page is far smaller.
const passLimit = 32 << 20

// Answer is the service's own answer, as it came.
type Answer struct {
	Status      int
	ContentType string
	Body        []byte
}

// Pass sends a request with token and organization and returns the answer as it is, whatever
// its status. Only an error that repeats key or token comes back without them. Only a failure of login or of the way to the service is an error.
func (c *Client) Pass(ctx context.Context, r Request) (*Answer, error) {
	var answer *Answer
	err := c.session.authorized(ctx, func(cred *credential) error {
		answer = nil
		return c.send(ctx, &call{
			Request: r, method: http.MethodGet, cred: cred,
			answer: func(resp *http.Response, body io.Reader) (err error) {
				answer, err = readAnswer(resp, body)
				if answer != nil && answer.Status >= http.StatusMultipleChoices {
					answer.Body = masked(answer.Body, c.secrets(cred))
				}
				return err
			},
		})
	})
	if answer != nil && (err == nil || isRefusal(err)) {
		return answer, nil
	}
	return nil, err
}

func readAnswer(resp *http.Response, body io.Reader) (*Answer, error) {
	raw, err := io.ReadAll(io.LimitReader(body, passLimit+1))
	if err != nil {
		return nil, newError(ErrConnection, "the answer of %s broke off: %s", resp.Request.URL.Path, rootCause(err))
	}
	if len(raw) > passLimit {
		return nil, newError(ErrUnreadable, "the answer of %s is larger than %d bytes", resp.Request.URL.Path, passLimit)
	}
	answer := &Answer{Status: resp.StatusCode, ContentType: resp.Header.Get("Content-Type"), Body: raw}
	switch resp.StatusCode {
	case http.StatusUnauthorized:
		return answer, &Error{Kind: ErrUnauthorized, Status: resp.StatusCode}
	case http.StatusForbidden:
		return answer, &Error{Kind: ErrForbidden, Status: resp.StatusCode}
	default:
		return answer, nil
	}
}

func masked(body []byte, secrets []string) []byte {
	for _, secret := range secrets {
		if secret != "" {
			body = bytes.ReplaceAll(body, []byte(secret), []byte(secretMark))
		}
	}
	return body
}
