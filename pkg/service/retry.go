package service

import (
	"context"
	"errors"
	"io"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/cenkalti/backoff/v5"
)

const (
	maxTries = 4
	// retryBudget bounds the attempts of one request and the pauses between them, without the time that they wait for a turn.
	// If the service asks for a longer pause, the user is told instead.
	retryBudget = 30 * time.Second
	// maxRenewals bounds the logins on behalf of one request. More than one is for a service that keeps one token for several
	// Grafana servers: each login of one invalidates the token of the others.
	maxRenewals = 3
	// youngAge is the age before which no token expires. A 401 means that another login has invalidated it, and a 403 that the
	// login may not use the route.
	youngAge = time.Minute
)

// checkRetry decides what is retried: 429, the statuses of a gateway or of a service that restarts, and a connection
// that ended early, the only connection failure that a retry may fix.
func checkRetry(err error) bool {
	var e *Error
	if !errors.As(err, &e) {
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
	if !errors.As(err, &e) {
		return false
	}
	switch e.Status {
	case http.StatusUnauthorized:
		return renewals < maxRenewals
	case http.StatusForbidden:
		return renewals == 0 && time.Since(cred.issued) >= youngAge
	}
	return false
}

// retry makes an attempt when it has a turn, and repeats it after the failures of checkRetry: after as long as the service
// asks for (Error.Cause, which the library finds), or else after exponentially longer pauses, with jitter.
func (c *Client) retry(ctx context.Context, attempt func() error) error {
	wait := backoff.NewExponentialBackOff()
	wait.InitialInterval, wait.MaxInterval = 200*time.Millisecond, 5*time.Second
	began := time.Now()
	_, err := backoff.Retry(ctx, func() (struct{}, error) {
		queued := time.Now()
		if err := c.turns.wait(ctx); err != nil {
			return struct{}{}, backoff.Permanent(err)
		}
		began = began.Add(time.Since(queued))
		err := attempt()
		if err != nil && (!checkRetry(err) || pauseOf(err) > retryBudget-time.Since(began)) {
			err = backoff.Permanent(err)
		}
		return struct{}{}, err
		// The library's limit of time would include the wait for a turn.
	}, backoff.WithBackOff(wait), backoff.WithMaxTries(maxTries), backoff.WithMaxElapsedTime(0))
	return err
}

// pauseOf returns the pause that the service requested; 0 without one.
func pauseOf(err error) time.Duration {
	var after *backoff.RetryAfterError
	if errors.As(err, &after) {
		return after.Duration
	}
	return 0
}

// retryAfter parses the Retry-After header: seconds, or an HTTP date (RFC 9110, 10.2.3). ok is false without one, and for
// a status that does not request a pause.
func retryAfter(resp *http.Response) (pause time.Duration, ok bool) {
	if resp.StatusCode != http.StatusTooManyRequests && resp.StatusCode < 500 {
		return 0, false
	}
	value := resp.Header.Get("Retry-After")
	if seconds, err := strconv.Atoi(value); err == nil && seconds >= 0 {
		// More would overflow into a negative pause.
		return time.Duration(min(seconds, math.MaxInt32)) * time.Second, true
	}
	at, err := http.ParseTime(value)
	return max(0, time.Until(at)), err == nil
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
