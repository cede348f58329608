package service

import (
	"context"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/cenkalti/backoff/v5"
)

const (
	maxTries = 4
	// retryBudget bounds the attempts of one request. If the service asks for a longer pause, the user is told instead.
	retryBudget = 30 * time.Second
	// maxRenewals bounds the logins on behalf of one request. The second one is for a service that keeps one token for
	// several Grafana servers: each login of one invalidates the token of the others.
	maxRenewals = 2
	// forbiddenAge is the age from which a 403 may mean that the token expired. Before, the login may not use the route.
	forbiddenAge = time.Minute
	// contestedAge is the age up to which a rejected token was not too old.
	contestedAge = 10 * time.Second
)

// checkRetry decides what is retried: 429, the statuses of a gateway or of a service that restarts, and a connection
// that ended early, the only connection failure that a retry may fix.
func checkRetry(err error) bool {
	var e *Error
	if !errors.As(err, &e) || e.ofLogin {
		return false
	}
	switch e.Status {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return e.broken
}

// checkRenewal decides what is requested again with a new token: what the service rejected with a 401, or with a 403 if
// that may be about the token.
func checkRenewal(err error, cred *credential, renewals int) bool {
	var e *Error
	if !errors.As(err, &e) || e.ofLogin {
		return false
	}
	switch e.Status {
	case http.StatusUnauthorized:
		return renewals < maxRenewals
	case http.StatusForbidden:
		return renewals == 0 && time.Since(cred.issued) >= forbiddenAge
	}
	return false
}

// newBackOff decides how long to wait before a retry: as long as the service asks for (*backoff.RetryAfterError, which
// the library finds in the error), or else exponentially longer, with jitter.
func newBackOff() backoff.BackOff {
	wait := backoff.NewExponentialBackOff()
	wait.InitialInterval = 200 * time.Millisecond
	wait.MaxInterval = 5 * time.Second
	return wait
}

// newLoginPause decides how long to wait before another login. If a token is rejected soon after its login, another
// Grafana server may have logged in to a service that keeps one token: without a pause, both would invalidate each
// other's tokens before they are used. It is several times as long as a login takes, so that requests of the other
// server are answered meanwhile, and random, so that the servers take turns.
func newLoginPause(latest login) time.Duration {
	if time.Since(latest.ended) > contestedAge {
		return 0
	}
	unit := min(latest.took, time.Second)
	return 2*unit + rand.N(8*unit+1)
}

// retry repeats a request after the failures of checkRetry, with the pauses of newBackOff.
func retry(ctx context.Context, attempt func() error) error {
	_, err := backoff.Retry(ctx, func() (struct{}, error) {
		err := attempt()
		if err != nil && !checkRetry(err) {
			err = backoff.Permanent(err)
		} else if err != nil {
			retries.Inc()
		}
		return struct{}{}, err
	}, backoff.WithBackOff(newBackOff()), backoff.WithMaxTries(maxTries), backoff.WithMaxElapsedTime(retryBudget))
	return err
}

// retryAfter parses the Retry-After header: seconds, or an HTTP date (RFC 9110, 10.2.3). It returns nil without one,
// and for a status that does not request a pause.
func retryAfter(resp *http.Response) *backoff.RetryAfterError {
	if resp.StatusCode != http.StatusTooManyRequests && resp.StatusCode < 500 {
		return nil
	}
	value := resp.Header.Get("Retry-After")
	if seconds, err := strconv.Atoi(value); err == nil && seconds >= 0 {
		// More would overflow into a negative pause.
		return &backoff.RetryAfterError{Duration: time.Duration(min(seconds, math.MaxInt32)) * time.Second}
	}
	if at, err := http.ParseTime(value); err == nil {
		return &backoff.RetryAfterError{Duration: max(0, time.Until(at))}
	}
	return nil
}

// pauseCause exposes the requested pause where the library looks for it.
func pauseCause(resp *http.Response) error {
	if asked := retryAfter(resp); asked != nil {
		return asked
	}
	return nil
}

// pauseText describes the pause in a message, because it may exceed the time that a query waits.
func pauseText(asked *backoff.RetryAfterError) string {
	if asked == nil {
		return ""
	}
	return " and asks to wait " + asked.Duration.Round(time.Second).String()
}

// isBroken reports whether the connection ended early.
func isBroken(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) ||
		slices.ContainsFunc(brokenTexts, func(text string) bool { return strings.Contains(err.Error(), text) })
}

// brokenTexts are parts of net/http errors without an exported type; all but the first are from HTTP/2.
var brokenTexts = []string{
	"server closed idle connection", "stream error: ", "http2: server sent GOAWAY", "http2: client connection lost",
}

// maxPause bounds how long a requested pause is remembered. During a longer one, every request is an error; after
// maxPause the service is tried again, in case it changed its mind.
const maxPause = time.Minute

// pause delays all requests of a data source after the service asked to wait.
type pause struct {
	mu    sync.Mutex
	until time.Time
	err   error // of requests during a pause that is longer than one may wait; nil: they wait
}

// start begins the pause that a response requests, unless a longer one is active. err is the error of that request.
func (p *pause) start(resp *http.Response, err error) {
	asked := retryAfter(resp)
	if asked == nil {
		return
	}
	if asked.Duration <= retryBudget {
		err = nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if until := time.Now().Add(min(asked.Duration, maxPause)); until.After(p.until) {
		p.until, p.err = until, err
	}
}

// left returns the remaining pause, and the error of requests meanwhile.
func (p *pause) left() (time.Duration, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	left := time.Until(p.until)
	if left <= 0 {
		return 0, nil
	}
	return left, p.err
}

// sleep blocks for a time, unless the context ends.
func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return context.Cause(ctx)
	}
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
