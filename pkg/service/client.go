// Package service sends requests to the Insights reporting API: it logs in, authorizes each request, retries, and
// describes failures. It handles HTTP only; pages, rows and frames are up to the callers, which read the body.
package service

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend/httpclient"
	"golang.org/x/sync/semaphore"
)

// Config holds the validated settings of the client.
type Config struct {
	BaseURL       string // http or https, without a trailing slash
	Login         string
	Key           string        // secret
	Organization  string        // sent instead of what login returned; empty: what login returned
	Timeout       time.Duration // of one request
	MaxConcurrent int           // requests in flight at once
	PerSecond     float64       // requests sent in a second, such as 0.5; 0: any number
}

// Client sends requests to one service with one login. It is safe for concurrent use. A new one is created when the
// settings change, so the token does not outlive them.
type Client struct {
	config  Config
	http    *http.Client
	slots   *semaphore.Weighted // requests in flight, or waiting for their turn or another attempt
	turns   turns
	session session
	limited atomic.Value // when the service last rejected a request as one too many
}

// New creates a client that sends its requests with httpClient, which must not have the SDK's contextual middleware: the
// client adds it above what handles secrets.
func New(config Config, httpClient *http.Client) *Client {
	own := *httpClient // which the redirect policy must not affect
	own.Timeout = 0    // Each attempt has its own.
	c := &Client{config: config, http: &own, slots: semaphore.NewWeighted(int64(config.MaxConcurrent)), turns: newTurns(config.PerSecond)}
	own.CheckRedirect = c.checkRedirect
	below := &transport{client: c, next: cmp.Or(own.Transport, http.DefaultTransport)}
	own.Transport = httpclient.ContextualMiddleware().CreateMiddleware(httpclient.Options{}, below)
	c.session.logIn, c.session.key, c.session.vain = c.logIn, config.Key, map[failure]time.Time{}
	c.session.secrets.Store(newSecrets(config.Key))
	return c
}

// Login logs in, whatever is known, and returns the organization sent with data requests.
func (c *Client) Login(ctx context.Context) (organization string, err error) {
	cred, err := c.session.after(ctx, c.session.expire())
	if err != nil {
		return "", err
	}
	return c.Redact(cred.organization), nil
}

// LimitedAt returns when the service last rejected a request because there were too many (429); the zero time if it has not.
func (c *Client) LimitedAt() time.Time {
	at, _ := c.limited.Load().(time.Time)
	return at
}

// URL returns the URL of a request. It contains no secret.
func (c *Client) URL(path string, query url.Values) string {
	return strings.TrimSuffix(c.config.BaseURL+path+"?"+query.Encode(), "?")
}

// Redact replaces the key and the tokens, in any form, in a text that quotes the service.
func (c *Client) Redact(text string) string { return c.secrets().Replace(text) }

// Redact replaces a secret, in any form, in a text.
func Redact(text, secret string) string { return newSecrets(secret).Replace(text) }

// Quote prepares a complete text of the service for a message: its beginning, on one line, with the key and the tokens redacted.
func (c *Client) Quote(text string) string { return c.secrets().quote(text) }

// WithoutAddress leaves the address of the service, and that of a redirect, out of a message. Everybody who opens a dashboard
// sees the errors of its panels, also without a login if it is shared publicly, but not the settings.
func (c *Client) WithoutAddress(text string) string {
	text = redirected.ReplaceAllString(text, "redirects to another address,")
	names := regexp.QuoteMeta(c.host())
	if base, err := url.Parse(c.config.BaseURL); err == nil && base.Hostname() != "" {
		names += "|" + regexp.QuoteMeta(base.Host) + "|" + regexp.QuoteMeta(base.Hostname())
	}
	own := regexp.MustCompile(`(^|[^\w./-])(?:the service at |host )?(?:https?://)?(?:` + names + `)\b`)
	return own.ReplaceAllString(text, "${1}the service")
}

var redirected = regexp.MustCompile(`redirects to [^,]*,`)

// secrets returns the values that must not appear in a message: the key, and the tokens of the latest logins.
func (c *Client) secrets() *secrets { return c.session.secrets.Load() }

// host is the service's name in messages.
func (c *Client) host() string {
	_, host, _ := strings.Cut(c.config.BaseURL, "://")
	return host
}

// private are the parts of a redirect's target that may be credentials of somebody else: whoever opens a panel sees errors.
var private = regexp.MustCompile(`(//)[^/?#]*@|[?#].*`)

// checkRedirect rejects redirects to another origin: Go forwards custom headers, and for a login even the body, to any
// redirect target. It also rejects those of a login that lose its body (301, 302, 303). Others count as requests.
func (c *Client) checkRedirect(req *http.Request, via []*http.Request) error {
	first, reason := via[0], ""
	switch {
	case req.URL.Scheme != first.URL.Scheme || req.URL.Host != first.URL.Host:
		reason = "and the token and key are not sent to another address: set the base URL to the actual address of the service"
	case req.Method != first.Method:
		reason = fmt.Sprintf("which would lose the login (%d): set the base URL so that nothing redirects, or let the service redirect with 307 or 308", req.Response.StatusCode)
	case len(via) >= 10:
		reason = "and that is the 10th redirect of one request: check the base URL, and any proxy in between"
	default:
		c.turns.take()
		return nil
	}
	// Redacted first: a part of a secret could not be detected.
	target := private.ReplaceAllString(c.Redact(req.URL.String()), "$1")
	return &Error{Kind: ErrConnection, Status: req.Response.StatusCode,
		Message: "the service at " + c.host() + " redirects to " + c.Quote(target) + ", " + reason}
}

// baseURLAdvice returns what to do if the base URL may be wrong, and whether it has a part of the paths of the routes, such
// as /api/v2.
func (c *Client) baseURLAdvice() (advice string, hasRoute bool) {
	if found := routeInURL.FindStringSubmatch(c.config.BaseURL); found != nil {
		return "remove " + found[1] + " from the end of the base URL", true
	}
	return "check the base URL", false
}

var routeInURL = regexp.MustCompile(`//[^/]+(?:/.*?)?(/api(?:/.*)?)$`)
