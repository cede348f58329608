package service

import (
	"context"
	"errors"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/cenkalti/backoff/v5"
)

const (
	maxTries = 4
	// retryBudget ends the tries of one request. A service that asks for a longer pause is told to the user instead.
	retryBudget = 30 * time.Second
)

// retry repeats a request that failed for a reason that passes: 429, 502, 503, 504, a broken connection. Between
// the tries it waits as long as the service asks for, or longer each time, with jitter.
func (c *Client) retry(ctx context.Context, attempt func() error) error {
	pause := backoff.NewExponentialBackOff()
	pause.InitialInterval = 200 * time.Millisecond
	pause.MaxInterval = 5 * time.Second
	_, err := backoff.Retry(ctx, func() (struct{}, error) {
		err := attempt()
		switch {
		case err == nil:
			return struct{}{}, nil
		case !passes(err):
			return struct{}{}, backoff.Permanent(err)
		}
		retries.Inc()
		return struct{}{}, withPause(err)
	}, backoff.WithBackOff(pause), backoff.WithMaxTries(maxTries), backoff.WithMaxElapsedTime(retryBudget))
	var paused *pausedError
	if errors.As(err, &paused) {
		return paused.err
	}
	return err
}

// passes says whether the same request may do better in a moment.
func passes(err error) bool {
	var e *Error
	if !errors.As(err, &e) {
		return false
	}
	switch e.Status {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	case 0:
		return errors.Is(e, ErrConnection) && e.Cause != nil && isBroken(e.Cause)
	default:
		return errors.Is(e, ErrUnreadable) && isBroken(e.Cause)
	}
}

// pausedError makes the backoff library wait as long as the service asked for, and keeps the error itself.
type pausedError struct {
	err   error
	pause *backoff.RetryAfterError
}

func (e *pausedError) Error() string   { return e.err.Error() }
func (e *pausedError) Unwrap() []error { return []error{e.err, e.pause} }

func withPause(err error) error {
	var asked *retryAfterError
	if !errors.As(err, &asked) {
		return err
	}
	return &pausedError{err: err, pause: &backoff.RetryAfterError{Duration: asked.wait}}
}

// retryAfter reads the header of that name: seconds, or an HTTP date (RFC 9110, 10.2.3). Nil without one.
func retryAfter(resp *http.Response) error {
	value := resp.Header.Get("Retry-After")
	if seconds, err := strconv.Atoi(value); err == nil && seconds >= 0 {
		// More would overflow into a pause below zero.
		return &retryAfterError{wait: time.Duration(min(seconds, math.MaxInt32)) * time.Second}
	}
	if at, err := http.ParseTime(value); err == nil {
		return &retryAfterError{wait: max(0, time.Until(at))}
	}
	return nil
}

// retryAfterError is the pause that the service asked for.
type retryAfterError struct{ wait time.Duration }

func (e *retryAfterError) Error() string { return "retry after " + e.wait.String() }

// pauseText puts the pause into a message, since it may be longer than a query waits.
func pauseText(cause error) string {
	var asked *retryAfterError
	if !errors.As(cause, &asked) {
		return ""
	}
	return " and asks to wait " + asked.wait.Round(time.Second).String()
}
