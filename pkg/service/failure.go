package service

import (
	"compress/flate"
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"slices"
	"strings"
	"syscall"

	"github.com/grafana/grafana-plugin-sdk-go/backend/httpclient"
)

// transportError describes a failed connection, including the host.
func (c *Client) transportError(ctx context.Context, r *request, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var own *Error
	if errors.As(err, &own) {
		return own // from a redirect that was not followed
	}
	var (
		address  *url.Error
		redirect *redirectError
		dns      *net.DNSError
		netErr   net.Error
	)
	if errors.As(err, &address) {
		// url.Error repeats the URL, which after a redirect comes from the service. It also detects a timeout only if
		// nothing wraps it, as the SDK's error source does.
		err = address.Err
	}
	secrets := c.secrets()
	quote := func(text string) string { return secrets.quote(text, false) }
	host := c.host()
	e := &Error{Kind: ErrConnection, Cause: errors.New(quote(err.Error())), transient: isBroken(err)}
	switch {
	case errors.As(err, &redirect):
		e.Message = "the service at " + host + " redirects to " + quote(origin(secrets.mask(redirect.target))) + ", and the token and key are not sent to another address: set the base URL to the actual address of the service"
	case errors.As(err, &dns):
		e.Message = "cannot resolve host " + quote(dns.Name) + " (DNS): check the base URL"
	case isTLS(err):
		e.Message = "cannot establish a secure connection (TLS) to " + host + ": " + quote(tlsReason(err)) + " – add the server's CA certificate in the data source settings, or check whether the base URL should use http or https"
	case errors.As(err, &netErr) && netErr.Timeout():
		e.Kind = ErrTimeout
		e.Message = host + " did not respond within " + c.config.Timeout.String() + " (timeout): increase Timeout in the data source settings, or check that the service is running"
	case errors.Is(err, syscall.ECONNREFUSED):
		e.Message = host + " refused the connection: check that the service is running, and check the host and port in the base URL"
	case isBroken(err):
		e.Message = host + " closed the connection before responding: try again, or check any proxy in between"
	default:
		e.Message = "cannot reach " + host + ": " + quote(rootCause(err).Error())
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
		// The TLS alerts of the peer have an unexported type.
		strings.Contains(err.Error(), "tls: ") ||
		strings.Contains(err.Error(), "server gave HTTP response to HTTPS client")
}

func tlsReason(err error) string { return strings.TrimPrefix(rootCause(err).Error(), "tls: ") }

// isBroken reports whether the connection ended early: the only connection failure that a retry may fix.
func isBroken(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) ||
		slices.ContainsFunc(brokenTexts, func(text string) bool { return strings.Contains(err.Error(), text) })
}

// brokenTexts are parts of net/http errors without an exported type; all but the first are from HTTP/2.
var brokenTexts = []string{
	"server closed idle connection", "stream error: ", "http2: server sent GOAWAY", "http2: client connection lost",
}

// rootCause unwraps the layers that repeat method and URL.
func rootCause(err error) error {
	for {
		next := errors.Unwrap(err)
		if next == nil {
			return err
		}
		err = next
	}
}

// readError distinguishes a broken connection from a response that is too large, cannot be decompressed, or does not
// match the specification.
func (c *Client) readError(ctx context.Context, err error, a *answer) error {
	if failed := a.body.failed; failed != nil {
		switch {
		case errors.Is(failed, httpclient.ErrResponseBodyTooLarge):
			return c.tooLarge(a, a.body.bytes)
		case isCompression(failed):
			return c.unreadable(a, failed, "with a body that cannot be decompressed (gzip)")
		default:
			return c.transportError(ctx, a.to, failed)
		}
	}
	var own *Error
	if errors.As(err, &own) {
		return own
	}
	return c.unreadable(a, err, "with a body that cannot be parsed")
}

// isCompression reports whether decompression failed, which net/http does transparently.
func isCompression(err error) bool {
	var corrupt flate.CorruptInputError
	return errors.Is(err, gzip.ErrHeader) || errors.Is(err, gzip.ErrChecksum) || errors.As(err, &corrupt)
}

// tooLarge reports that a response exceeds limit, in bytes.
func (c *Client) tooLarge(a *answer, limit int64) error {
	return &Error{
		Kind: ErrTooLarge, Status: a.StatusCode,
		Message: fmt.Sprintf("%s returned more than %s, the maximum for one response. The connection works: request fewer days or smaller pages",
			a.to.Path, megabytes(limit)),
	}
}

func megabytes(n int64) string {
	if n < 1<<20 {
		return fmt.Sprintf("%d bytes", n)
	}
	return fmt.Sprintf("%d MiB", n>>20)
}

// unreadable describes a response that cannot be parsed.
func (c *Client) unreadable(a *answer, err error, what string) error {
	secrets := c.secrets()
	came := "(not shown, because it may contain a token)"
	if a.to.kind == dataRequest {
		came = quoteBeginning(a.body, secrets)
	}
	if a.to.kind == loginRequest {
		if start, _ := a.body.beginning(); strings.HasPrefix(strings.TrimSpace(start), "<") {
			came = "an HTML page"
		}
		came += " – if this is not the service, check the base URL"
	}
	cause := errors.New(secrets.quote(err.Error(), false))
	return &Error{
		Kind: ErrUnreadable, Status: a.StatusCode, Cause: cause, transient: isBroken(err),
		Message: fmt.Sprintf("%s returned %s %s: %s. Response (%s): %s",
			a.to.Path, secrets.quote(a.Status, false), what, cause, orNone(secrets.quote(a.Header.Get("Content-Type"), false)), came),
	}
}

func quoteBeginning(b *body, secrets secrets) string {
	came := secrets.quote(b.beginning())
	if came == "" {
		return "an empty body"
	}
	return "«" + came + "»"
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}
