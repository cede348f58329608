package service

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/grafana/grafana-plugin-sdk-go/backend/httpclient"
)

// The kinds of failures between the plugin and the service. An *Error wraps one of them; use errors.Is to distinguish them.
var (
	ErrLogin        = errors.New("login")               // the login route rejected the login and key, or its response has no token
	ErrUnauthorized = errors.New("unauthorized")        // a data route rejected a fresh token (401)
	ErrForbidden    = errors.New("forbidden")           // a data route rejected the organization, or this login has no access to it (403)
	ErrNotFound     = errors.New("not found")           // the route does not exist (404)
	ErrRejected     = errors.New("rejected")            // any other 4xx
	ErrRateLimited  = errors.New("rate limited")        // 429 after all attempts, or a pause that the service requested
	ErrUnavailable  = errors.New("unavailable")         // 5xx after all attempts
	ErrConnection   = errors.New("connection")          // DNS, TLS, refused or broken connection
	ErrTimeout      = errors.New("timeout")             // the service did not respond in time
	ErrUnreadable   = errors.New("unreadable response") // the response cannot be decompressed, is not JSON, or has an unexpected structure
	ErrTooLarge     = errors.New("response too large")  // the response exceeds the plugin's limit
)

// The errors of body readers. If the response is truncated, another attempt may get the rest.
var (
	ErrTruncated = errors.New("the response is truncated: try again, or check any proxy in between")
	ErrNotJSON   = errors.New("expected JSON")    // the client adds what was received instead
	ErrNoRows    = errors.New("expected content") // JSON may say why it has no rows: so some services refuse, with status 200
)

// Error is a failure of the service or the connection, never of the plugin itself.
type Error struct {
	Kind    error      // one of the Err values
	Status  int        // HTTP status of the response; 0 without one
	Message string     // what happened and what to do; contains no secret
	Cause   error      // the underlying error, or the pause that the service requested (*backoff.RetryAfterError), without a secret; may be nil
	NoRows  bool       // the body reader returned ErrNoRows
	broken  bool       // the connection ended early
	forward *Forwarded // what to forward of a response of a data route
}

func (e *Error) Error() string { return e.Message }

// Unwrap exposes the kind and the cause to errors.Is.
func (e *Error) Unwrap() []error {
	return slices.DeleteFunc([]error{e.Kind, e.Cause}, func(err error) bool { return err == nil })
}

// Recover converts a panic of a goroutine into an error. Otherwise, it would crash the plugin for every data source.
func Recover(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("internal error while reading from the service: %v", r)
	}
}

func (c *Client) transportError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if own, ok := errors.AsType[*Error](err); ok {
		return own // from a redirect that was not followed
	}
	if address, ok := errors.AsType[*url.Error](err); ok {
		// It repeats the URL, which may be the service's, and detects no timeout that the SDK's error source wraps.
		err = address.Err
	}
	host := c.host()
	e := &Error{Kind: ErrConnection, Cause: errors.New(c.Quote(err.Error())), broken: isBroken(err)}
	dns, isDNS := errors.AsType[*net.DNSError](err)
	netErr, isNet := errors.AsType[net.Error](err)
	switch {
	case isDNS:
		e.Message = "cannot resolve host " + c.Quote(dns.Name) + " (DNS): check the base URL"
	case strings.Contains(err.Error(), "tls: ") || strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		// Errors of crypto/tls and of certificates name the package; alerts of the peer have no exported type.
		e.Message = "cannot establish a secure connection (TLS) to " + host + ": " + c.Quote(strings.TrimPrefix(rootCause(err).Error(), "tls: ")) + " – add the server's CA certificate in the data source settings, or check whether the base URL should use http or https"
	case isNet && netErr.Timeout():
		return c.timeoutError()
	case errors.Is(err, syscall.ECONNREFUSED):
		e.Message = host + " refused the connection: check that the service is running, and check the host and port in the base URL"
	case e.broken:
		e.Message = host + " closed the connection before responding: try again, or check any proxy in between"
	default:
		e.Message = "cannot reach " + host + ": " + c.Quote(rootCause(err).Error())
	}
	return e
}

func (c *Client) timeoutError() *Error {
	return &Error{Kind: ErrTimeout, Message: c.host() + " did not respond within " + c.config.Timeout.String() +
		" (timeout): increase Timeout in the data source settings, or check that the service is running"}
}

func isBroken(err error) bool {
	// Some errors of net/http have no exported type. All but the first are of HTTP/2.
	texts := []string{"server closed idle connection", "stream error: ", "http2: server sent GOAWAY", "http2: client connection lost"}
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) ||
		slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(err.Error(), text) })
}

func rootCause(err error) error {
	for errors.Unwrap(err) != nil {
		err = errors.Unwrap(err)
	}
	return err
}

func (c *Client) readError(ctx context.Context, err error, a *response) error {
	failed := a.failed
	own, isOwn := errors.AsType[*Error](err)
	_, isNet := errors.AsType[net.Error](failed)
	switch {
	case errors.Is(errors.Join(err, failed), httpclient.ErrResponseBodyTooLarge):
		return &Error{Kind: ErrTooLarge, Status: a.StatusCode, Message: fmt.Sprintf(
			"%s returned more than %d MiB, the maximum for one response. The connection works: request fewer days or smaller pages",
			a.to.Path, a.bytes>>20)}
	case failed != nil && (ctx.Err() != nil || isBroken(failed) || isNet):
		return c.transportError(ctx, failed)
	case isOwn:
		return own
	default:
		return c.unreadable(a, err)
	}
}

func (c *Client) unreadable(a *response, err error) error {
	if a.failed != nil { // whose text is that of a library
		err = fmt.Errorf("%w, but byte %d and what follows cannot be read or decompressed (gzip): check any proxy in between", ErrNotJSON, a.bytes+1)
	}
	_, _ = io.CopyN(io.Discard, a, max(0, pageBytes-a.bytes)) // the rest of what is kept of the body
	cause := errors.New(c.Quote(err.Error()))
	message := fmt.Sprintf("%s returned %s with a body that cannot be parsed: %s. Content type: %s",
		a.to.Path, c.Quote(a.Status), cause, cmp.Or(c.Quote(a.Header.Get("Content-Type")), "none"))
	switch encoding := c.Quote(a.Header.Get("Content-Encoding")); {
	case encoding != "":
		message += ", compressed with " + encoding + ", which was not asked for: check any proxy in between"
	case isPage(a.start):
		message += ", an HTML page"
	case len(bytes.TrimSpace(a.start)) == 0:
		message += ", an empty body"
	}
	if text := c.messageOf(a, a.start); text != "" {
		message += ": " + text
	}
	if a.to.isLogin() {
		advice, _ := c.baseURLAdvice()
		message += " – if this is not the service, " + advice
	}
	return &Error{Kind: ErrUnreadable, Status: a.StatusCode, Cause: cause, broken: errors.Is(err, ErrTruncated), NoRows: errors.Is(err, ErrNoRows), Message: message}
}

func (c *Client) statusError(a *response) *Error {
	raw, _ := io.ReadAll(a)
	message, what := c.messageOf(a, raw), a.to.Path+" returned "+c.Quote(a.Status)
	if isPage(raw) {
		what += ": an HTML page, probably from a proxy and not from the service"
	}
	if message != "" {
		what += ": " + message
	}
	isRejected := a.StatusCode >= 400 && a.StatusCode < 500 && a.StatusCode != http.StatusTooManyRequests
	if a.to.isLogin() && isRejected {
		return c.loginError(a, what, message, isPage(raw))
	}
	e, pauses := &Error{Status: a.StatusCode}, ""
	isBusy := a.StatusCode == http.StatusTooManyRequests || a.StatusCode >= 500 // Others, such as a 401, are about the request or its token.
	if pause, ok := retryAfter(a.Header); ok && isBusy {
		e.Cause = &backoff.RetryAfterError{Duration: pause}
		pauses = " and asks to wait " + pause.Round(time.Second).String() // perhaps for longer than a query waits
	}
	advice, kind := adviceFor(a, pauses)
	e.Kind, e.Message = kind, what+advice
	if !a.to.isLogin() {
		e.forward = &Forwarded{a.StatusCode, "application/json", raw}
		if a.StatusCode < 200 || a.StatusCode > 599 || a.StatusCode == http.StatusNotModified {
			e.forward.Status = http.StatusBadGateway // net/http can't send what is no status, nor a body that says why with this one.
		}
		if !json.Valid(raw) {
			e.forward.Body, _ = json.Marshal(map[string]string{"message": e.Message}) // Texts always marshal.
		}
	}
	return e
}

func adviceFor(a *response, pauses string) (advice string, kind error) {
	switch a.StatusCode {
	case http.StatusUnauthorized:
		return " – check the login and key in the data source settings", ErrUnauthorized
	case http.StatusForbidden:
		return " – check the organization in the data source settings, and that the login is allowed to read reports", ErrForbidden
	case http.StatusNotFound:
		return " – " + cmp.Or(a.to.NotFound, "check the base URL in the data source settings"), ErrNotFound
	case http.StatusTooManyRequests:
		return " – the service is rate limiting requests" + pauses +
			": refresh less often, or limit Requests per second in the data source settings", ErrRateLimited
	}
	if a.StatusCode >= 500 {
		return " – the service has a problem" + pauses + ": try again later", ErrUnavailable
	}
	return "", ErrRejected
}
