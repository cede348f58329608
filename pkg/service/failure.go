package service

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"syscall"
)

// ErrNotJSON is what readers of an answer report; readError adds what came instead.
var ErrNotJSON = errors.New("expected JSON")

// transportError says which part of the way to the service failed, and for which host.
func (c *Client) transportError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var (
		address  *url.Error
		redirect *errRedirect
		dns      *net.DNSError
		netErr   net.Error
	)
	if errors.As(err, &address) {
		// It repeats the address, which after a redirect is of the service's making, and it knows of a timeout only
		// where nothing stands in between, as the SDK's error source does.
		err = address.Err
	}
	host := c.host()
	e := &Error{Kind: ErrConnection, Cause: err}
	switch {
	case errors.As(err, &redirect):
		e.Message = "the service at " + host + " redirects to " + redirect.target + ", and token and key are not sent to another address: set the base URL to where the service really is"
	case errors.As(err, &dns):
		e.Message = "cannot find host " + dns.Name + " (DNS): check the base URL"
	case isTLS(err):
		e.Message = "cannot make a secure connection (TLS) to " + host + ": " + tlsReason(err) + " – add the server's CA certificate in the data source settings, or check http or https in the base URL"
	case errors.As(err, &netErr) && netErr.Timeout():
		e.Kind = ErrTimeout
		e.Message = host + " did not answer within " + c.config.Timeout.String() + " (timeout): raise Timeout in the data source settings, or check that the service is up"
	case errors.Is(err, syscall.ECONNREFUSED):
		e.Message = host + " refused the connection: check that the service is up, and host and port in the base URL"
	case isBroken(err):
		e.Message = host + " closed the connection before it had answered: try again, or check a proxy in between"
	default:
		e.Message = "cannot reach " + host + ": " + rootCause(err).Error()
	}
	return e
}

func isTLS(err error) bool {
	var (
		verification *tls.CertificateVerificationError
		authority    x509.UnknownAuthorityError
		hostname     x509.HostnameError
		invalid      x509.CertificateInvalidError
		record       tls.RecordHeaderError
		alert        tls.AlertError
	)
	return errors.As(err, &verification) || errors.As(err, &authority) || errors.As(err, &hostname) ||
		errors.As(err, &invalid) || errors.As(err, &record) || errors.As(err, &alert) ||
		// The alerts of the other side have a type of their own, which nobody can name.
		strings.Contains(err.Error(), "tls: ") ||
		strings.Contains(err.Error(), "server gave HTTP response to HTTPS client")
}

func tlsReason(err error) string { return strings.TrimPrefix(rootCause(err).Error(), "tls: ") }

// isBroken says whether a connection ended early: the one failure of the way that a second try may heal.
func isBroken(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) ||
		slices.ContainsFunc(brokenTexts, func(text string) bool { return strings.Contains(err.Error(), text) })
}

// brokenTexts are parts of net/http's errors that have no exported type; all but the first are of HTTP/2.
var brokenTexts = []string{
	"server closed idle connection", "stream error: ", "http2: server sent GOAWAY", "http2: client connection lost",
}

// rootCause leaves out the layers that repeat method and address.
func rootCause(err error) error {
	for {
		next := errors.Unwrap(err)
		if next == nil {
			return err
		}
		err = next
	}
}

// statusError turns an answer outside 2xx into an error with the service's own words.
func (c *Client) statusError(resp *http.Response, body *head, call *call) error {
	raw, _ := io.ReadAll(io.LimitReader(body, 16<<10))
	secrets := c.secrets(call.cred)
	said := serviceMessage(raw, body, secrets)
	e := &Error{Status: resp.StatusCode}
	what := call.Path + " answered " + clean(resp.Status, secrets)
	if said != "" {
		what += ": " + said
	}
	switch resp.StatusCode {
	case http.StatusUnauthorized:
		e.Kind = ErrUnauthorized
		e.Message = what + " – check login and key in the data source settings"
	case http.StatusForbidden:
		e.Kind = ErrForbidden
		e.Message = what + " – check the organization in the data source settings, and that the login may read reports"
	case http.StatusNotFound:
		e.Kind = ErrNotFound
		e.Message = what + " – check the base URL in the data source settings"
		if call.NotFound != "" {
			e.Message = what + " – " + call.NotFound
		}
	case http.StatusTooManyRequests:
		e.Kind = ErrRateLimited
		e.Cause = retryAfter(resp)
		e.Message = what + " – the service limits requests" + pauseText(e.Cause) + ": refresh less often, or lower Max concurrent requests in the data source settings"
	default:
		e.Kind = ErrRejected
		e.Message = what
		if resp.StatusCode >= 500 {
			e.Kind = ErrUnavailable
			e.Cause = retryAfter(resp)
			e.Message = what + " – the service has a problem" + pauseText(e.Cause) + ": try again later"
		}
	}
	if call.Route == loginRoute && e.Kind != ErrNotFound && e.Kind != ErrRateLimited && e.Kind != ErrUnavailable {
		e.Message = orNone(said)
		if said == "" {
			e.Message = what
		}
	}
	return e
}

// serviceMessage finds the sentence in an error body: JSON message and details, plain text, or a proxy's HTML.
func serviceMessage(raw []byte, body *head, secrets []string) string {
	var answer struct {
		Message any `json:"message"`
		Details any `json:"details"`
	}
	if json.Unmarshal(raw, &answer) == nil && answer.Message != nil {
		parts := []string{asText(answer.Message)}
		if answer.Details != nil {
			parts = append(parts, "("+asText(answer.Details)+")")
		}
		return clean(strings.Join(parts, " "), secrets)
	}
	text := body.text(secrets)
	if strings.HasPrefix(text, "<") {
		return "an HTML page, which is not the service's own answer but perhaps a proxy's: " + text
	}
	return text
}

func asText(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	// What was decoded from JSON always marshals.
	raw, _ := json.Marshal(v)
	return string(raw)
}

// readError tells a broken connection from an answer that is not what the specification says.
func (c *Client) readError(ctx context.Context, err error, body *head, resp *http.Response, call *call) error {
	if body.failed != nil {
		return c.transportError(ctx, body.failed)
	}
	var own *Error
	if errors.As(err, &own) {
		return own
	}
	// The decoder may have seen enough before there is enough to show.
	_, _ = io.CopyN(io.Discard, body, headBytes*4)
	secrets := c.secrets(call.cred)
	came := body.text(secrets)
	switch {
	case call.Route == loginRoute:
		came = "(not shown, since it may hold a token)"
	case came == "":
		came = "an empty answer"
	default:
		came = "«" + came + "»"
	}
	cause := &quotedError{text: clean(err.Error(), secrets), err: err}
	e := newError(ErrUnreadable, "%s answered %s with something that cannot be read: %s. It came (%s): %s",
		call.Path, clean(resp.Status, secrets), cause, orNone(clean(resp.Header.Get("Content-Type"), secrets)), came)
	e.Status = resp.StatusCode
	e.Cause = cause
	return e
}

// quotedError stands for an error that quotes the answer: its text is clean, and it does not unwrap to the other.
type quotedError struct {
	text string
	err  error
}

func (e *quotedError) Error() string        { return e.text }
func (e *quotedError) Is(target error) bool { return errors.Is(e.err, target) }
