package service

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"time"
)

// Forwarded is the response of the service to forward. Its body must be closed.
type Forwarded struct {
	Status      int
	ContentType string
	Length      int64 // of the body; -1: unknown
	Body        io.ReadCloser
}

// Forward sends a request with token and organization, once, and returns the response, whatever its status. A 2xx
// response is unchanged, of any length, and read while its body is read, in no slot. In any other one, the key and the
// token are redacted, and what is not JSON is replaced with a JSON object whose message describes it.
//
// Only a failed login or connection is an error, also while the body is read: an *Error, or the cause of a context that
// ended.
func (c *Client) Forward(ctx context.Context, r Request) (*Forwarded, error) {
	ctx, end := context.WithCancelCause(ctx)
	body := &forwardedBody{ctx: ctx, end: end, client: c}
	err := c.authorized(ctx, r, func(attempt *request) (err error) {
		if err := c.turns.wait(ctx); err != nil {
			return err
		}
		defer body.timed()()
		body.response, err = c.send(ctx, attempt)
		return err
	})
	if err != nil {
		_ = body.Close()
		if e, ok := errors.AsType[*Error](err); ok && e.forward != nil {
			return e.forward, nil
		}
		return nil, err
	}
	from := body.response
	return &Forwarded{Status: from.StatusCode, ContentType: c.Quote(from.Header.Get("Content-Type")), Length: from.ContentLength, Body: body}, nil
}

// forwardedBody is the body of a response. Its reader may take any time between two reads, the service no longer than the
// setting Timeout for each.
type forwardedBody struct {
	client   *Client
	response *response
	ctx      context.Context // of the request
	end      context.CancelCauseFunc
}

// timed ends the request after the setting Timeout, unless stop is called before.
func (f *forwardedBody) timed() (stop func() bool) {
	return time.AfterFunc(f.client.config.Timeout, func() { f.end(f.client.timeoutError()) }).Stop
}

func (f *forwardedBody) Read(p []byte) (int, error) {
	defer f.timed()()
	n, err := f.response.body.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = f.client.readError(f.ctx, err, f.response)
	}
	return n, err
}

func (f *forwardedBody) Close() error {
	f.end(nil)
	if f.response == nil {
		return nil
	}
	return f.response.body.Close()
}

// toForward returns what to forward of a non-2xx response: its body, or a description if that is not JSON.
func toForward(a *response, raw []byte, description string) *Forwarded {
	if !json.Valid(raw) {
		raw, _ = json.Marshal(map[string]string{"message": description}) // Texts always marshal.
	}
	status := a.StatusCode
	if status < 200 || status > 599 || status == http.StatusNotModified {
		status = http.StatusBadGateway // net/http cannot send what is no status, nor a body that says why with this one.
	}
	return &Forwarded{Status: status, ContentType: "application/json", Length: int64(len(raw)), Body: io.NopCloser(bytes.NewReader(raw))}
}
