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
		var failure *Error
		if errors.As(err, &failure) && failure.forward != nil {
			return failure.forward, nil
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
	return f.response.body.reader.Close()
}

// toForward returns what to forward of a non-2xx response.
func (c *Client) toForward(a *response, raw []byte, description string) *Forwarded {
	raw = c.redactJSON(raw, description)
	status := a.StatusCode
	if status < 200 || status > 599 || status == http.StatusNotModified {
		status = http.StatusBadGateway // net/http cannot send what is no status, nor a body that says why with this one.
	}
	return &Forwarded{Status: status, ContentType: "application/json", Length: int64(len(raw)), Body: io.NopCloser(bytes.NewReader(raw))}
}

// redactJSON redacts the texts of a JSON document, because JSON has many ways to write a secret: "=" is also "\u003d". A
// document without a secret is unchanged, and what is not JSON is replaced with an object whose message describes it.
func (c *Client) redactJSON(raw []byte, description string) []byte {
	var document any
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if !json.Valid(raw) || decoder.Decode(&document) != nil {
		document = map[string]any{"message": description}
		raw = nil
	}
	changed := raw == nil
	redact := func(text string) string {
		clean := c.Redact(text)
		changed = changed || clean != text
		return clean
	}
	document = mapTexts(document, redact)
	if !changed {
		return raw
	}
	raw, _ = json.Marshal(document) // What was decoded always marshals.
	return raw
}

// mapTexts replaces the texts of a decoded JSON document, and the numbers that become other texts.
func mapTexts(document any, replace func(string) string) any {
	switch v := document.(type) {
	case string:
		return replace(v)
	case json.Number:
		if text := replace(v.String()); text != v.String() {
			return text
		}
	case []any:
		for i := range v {
			v[i] = mapTexts(v[i], replace)
		}
	case map[string]any:
		mapped := make(map[string]any, len(v))
		for name, value := range v {
			mapped[replace(name)] = mapTexts(value, replace)
		}
		return mapped
	}
	return document
}
