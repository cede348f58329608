package service

import (
	"cmp"
	"compress/flate"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"regexp"
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
		address *url.Error
		dns     *net.DNSError
		netErr  net.Error
	)
	if errors.As(err, &address) {
		// url.Error repeats the URL, which after a redirect comes from the service. It also detects a timeout only if
		// nothing wraps it, as the SDK's error source does.
		err = address.Err
	}
	quote := c.secrets().quote
	quoted := func(err error) string { return quote(unparsed.ReplaceAllString(err.Error(), "$1…")) }
	host := c.host()
	e := &Error{Kind: ErrConnection, Cause: errors.New(quoted(err)), broken: isBroken(err)}
	switch {
	case errors.As(err, &dns):
		e.Message = "cannot resolve host " + quote(dns.Name) + " (DNS): check the base URL"
	case isTLS(err):
		e.Message = "cannot establish a secure connection (TLS) to " + host + ": " + quote(tlsReason(err)) + " – add the server's CA certificate in the data source settings, or check whether the base URL should use http or https"
	case errors.As(err, &netErr) && netErr.Timeout():
		e.Kind = ErrTimeout
		e.Message = host + " did not respond within " + c.config.Timeout.String() + " (timeout): increase Timeout in the data source settings, or check that the service is running"
	case errors.Is(err, syscall.ECONNREFUSED):
		e.Message = host + " refused the connection: check that the service is running, and check the host and port in the base URL"
	case e.broken:
		e.Message = host + " closed the connection before responding: try again, or check any proxy in between"
	default:
		e.Message = "cannot reach " + host + ": " + quoted(rootCause(err))
	}
	return e
}

// unparsed finds the part of a response that net/http cannot parse and quotes, which escapes the secrets in it once more.
var unparsed = regexp.MustCompile(`(?s)(malformed [^"]*|failed to parse Location header )".*`)

// isTLS reports whether a handshake failed. Errors of crypto/tls and of certificates name the package;
// alerts of the peer have no exported type.
func isTLS(err error) bool {
	return strings.Contains(err.Error(), "tls: ") || strings.Contains(err.Error(), "server gave HTTP response to HTTPS client")
}

func tlsReason(err error) string { return strings.TrimPrefix(rootCause(err).Error(), "tls: ") }

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
			return &Error{Kind: ErrTooLarge, Status: a.StatusCode, Message: fmt.Sprintf(
				"%s returned more than %s, the maximum for one response. The connection works: request fewer days or smaller pages",
				a.to.Path, megabytes(a.body.bytes))}
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

func megabytes(n int64) string {
	if n < 1<<20 {
		return fmt.Sprintf("%d bytes", n)
	}
	return fmt.Sprintf("%d MiB", n>>20)
}

// unreadable describes a response that cannot be parsed, with the service's own message if it has one.
func (c *Client) unreadable(a *answer, err error, what string) error {
	secrets := c.secrets()
	cause := errors.New(secrets.quote(err.Error()))
	message := fmt.Sprintf("%s returned %s %s: %s. Content type: %s",
		a.to.Path, secrets.quote(a.Status), what, cause, cmp.Or(secrets.quote(a.Header.Get("Content-Type")), "none"))
	start, isPage := a.body.page()
	switch {
	case isPage:
		message += ", an HTML page"
	case start == "":
		message += ", an empty body"
	}
	if text, _ := messageOf(a, []byte(start), secrets); text != "" {
		message += ": " + text
	}
	if a.to.isLogin() {
		message += " – if this is not the service, check the base URL"
	}
	return &Error{Kind: ErrUnreadable, Status: a.StatusCode, Cause: cause, broken: isBroken(err), Message: message}
}
