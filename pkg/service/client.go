// Package service sends requests to the Insights reporting API: it logs in, authorizes each request, retries, and
// describes failures. It handles HTTP only; pages, rows and frames are up to the callers, which read the body.
package service

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/grafana/grafana-plugin-sdk-go/backend/httpclient"
	"golang.org/x/sync/semaphore"
	"golang.org/x/time/rate"
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

// Client sends requests to one service with one login, as long as the settings do not change. It is safe for concurrent use.
type Client struct {
	config  Config
	http    *http.Client
	slots   *semaphore.Weighted // requests in flight, or waiting for their turn or another attempt
	next    *semaphore.Weighted // held by the only request with a reservation of limit, so that callers that leave delay nobody
	limit   *rate.Limiter
	session session
	limited atomic.Bool // the service has rejected a request as one too many
}

// New creates a client. httpClient must not have the SDK's contextual middleware, which the client adds above what handles secrets.
func New(config Config, httpClient *http.Client) *Client {
	own := *httpClient // which the redirect policy must not affect
	own.Timeout = 0    // Each attempt has its own.
	limit := rate.NewLimiter(rate.Limit(cmp.Or(config.PerSecond, float64(rate.Inf))), 1)
	c := &Client{config: config, http: &own, slots: semaphore.NewWeighted(int64(config.MaxConcurrent)), next: semaphore.NewWeighted(1), limit: limit}
	own.CheckRedirect = c.checkRedirect
	below := &transport{client: c, next: cmp.Or(own.Transport, http.DefaultTransport)}
	own.Transport = httpclient.ContextualMiddleware().CreateMiddleware(httpclient.Options{}, below)
	c.session.logIn, c.session.key, c.session.vain = c.logIn, config.Key, map[failure]time.Time{}
	c.session.random = rand.N[time.Duration] // #nosec G404 -- a pause is no secret
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

// IsLimited reports whether the service has rejected a request because there were too many (429).
func (c *Client) IsLimited() bool { return c.limited.Load() }

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
	address, _, _ := strings.Cut(c.host(), "/")
	name, path := (&url.URL{Host: address}).Hostname(), strings.TrimPrefix(c.host(), address)
	own := regexp.MustCompile(`(^|[^\w./-])(?:the service at |host )?(?:https?://)?\[?` + regexp.QuoteMeta(name) + `\]?(?::\d+)?(?:` + regexp.QuoteMeta(path) + `)?\b`)
	return own.ReplaceAllString(text, "${1}the service")
}

var redirected = regexp.MustCompile(`redirects to [^,]*,`)

func (c *Client) secrets() *secrets { return c.session.secrets.Load() }

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
		c.limit.Reserve() // It is sent without waiting, and the one after it waits longer.
		return nil
	}
	// Redacted first: a part of a secret could not be detected.
	target := private.ReplaceAllString(c.Redact(req.URL.String()), "$1")
	return &Error{Kind: ErrConnection, Status: req.Response.StatusCode,
		Message: "the service at " + c.host() + " redirects to " + c.Quote(target) + ", " + reason}
}

// baseURLAdvice returns what to do if the base URL may be wrong, and whether it has a part of a route, such as /api/v2.
func (c *Client) baseURLAdvice() (advice string, hasRoute bool) {
	if found := routeInURL.FindStringSubmatch(c.config.BaseURL); found != nil {
		return "remove " + found[1] + " from the end of the base URL", true
	}
	return "check the base URL", false
}

var routeInURL = regexp.MustCompile(`//[^/]+(?:/.*?)?(/api(?:/.*)?)$`)

const (
	maxTries = 4
	// retryBudget bounds the attempts of one request and the pauses between them, without the time that they wait for a turn.
	// If the service asks for a longer pause, the user is told instead.
	retryBudget = 30 * time.Second
)

// transient are the statuses of what passes: too many requests, a gateway, a restart, a CDN whose edge got no answer (520 to 530).
var transient = []int{408, 425, 429, 502, 503, 504, 520, 521, 522, 523, 524, 527, 530}

// isTransient decides what is tried again: these statuses, and a connection that ended early.
func isTransient(err error) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && (e.broken || slices.Contains(transient, e.Status))
}

// retry makes an attempt when it has a turn, and repeats it after transient failures: after as long as the service asks for
// (Error.Cause, which the library finds), or else after exponentially longer pauses, with jitter.
func (c *Client) retry(ctx context.Context, attempt func() error) error {
	wait := backoff.NewExponentialBackOff()
	wait.InitialInterval, wait.MaxInterval = 200*time.Millisecond, 5*time.Second
	began := time.Now()
	_, err := backoff.Retry(ctx, func() (struct{}, error) {
		queued := time.Now()
		if err := c.turn(ctx); err != nil {
			return struct{}{}, backoff.Permanent(err)
		}
		began = began.Add(time.Since(queued))
		err := attempt()
		asked := &backoff.RetryAfterError{}
		errors.As(err, &asked)
		if err != nil && (!isTransient(err) || asked.Duration > retryBudget-time.Since(began)) {
			err = backoff.Permanent(err)
		}
		return struct{}{}, err
		// The library's limit of time would include the wait for a turn.
	}, backoff.WithBackOff(wait), backoff.WithMaxTries(maxTries), backoff.WithMaxElapsedTime(0))
	return err
}

// retryAfter parses the Retry-After header (RFC 9110, 10.2.3). ok is false without one.
func retryAfter(header http.Header) (pause time.Duration, ok bool) {
	value := header.Get("Retry-After")
	if seconds, err := strconv.Atoi(value); err == nil && seconds >= 0 {
		// More would overflow into a negative pause.
		return time.Duration(min(seconds, math.MaxInt32)) * time.Second, true
	}
	at, err := http.ParseTime(value)
	return max(0, time.Until(at)), err == nil
}

// turn waits until a request may be sent: they are spaced evenly, so that no second has more than the setting RequestsPerSecond.
// A request waits for its turn in its slot, which nobody could use sooner. With a turn but no slot, it would be sent at once with others.
func (c *Client) turn(ctx context.Context) error {
	if err := c.next.Acquire(ctx, 1); err != nil {
		return context.Cause(ctx)
	}
	defer c.next.Release(1)
	turn := c.limit.Reserve()
	select {
	case <-time.After(turn.Delay()):
		return nil
	case <-ctx.Done():
		turn.Cancel()
		return context.Cause(ctx)
	}
}
