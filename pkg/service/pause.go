package service

import (
	"context"
	"errors"
	"math"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/cenkalti/backoff/v5"
)

// maxPause bounds how long a requested pause is remembered. During a longer one, every request is an error; after
// maxPause the service is tried again, in case it changed its mind.
const maxPause = time.Minute

// pause delays all requests of a data source after the service asked to wait.
type pause struct {
	mu    sync.Mutex
	until time.Time
	asked time.Duration
	err   error // of the response that requested it
}

// start begins the pause that a response requests, unless a longer one is active. err is the error of that request.
func (p *pause) start(resp *http.Response, err error) {
	asked := retryAfter(resp)
	if asked == nil {
		return
	}
	var own *Error
	if !errors.As(err, &own) {
		err = nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	until := time.Now().Add(min(asked.Duration, maxPause))
	if until.After(p.until) {
		p.until, p.asked, p.err = until, asked.Duration, err
	}
}

// left returns the remaining pause. A pause longer than a request may wait is an error.
func (p *pause) left() (time.Duration, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	left := time.Until(p.until)
	switch {
	case left <= 0 || p.asked <= retryBudget:
		return left, nil
	case p.err != nil:
		return left, p.err
	}
	cause := &backoff.RetryAfterError{Duration: p.asked}
	return left, &Error{Kind: ErrRateLimited, Status: http.StatusTooManyRequests, Cause: cause,
		Message: "the service is rate limiting requests" + pauseText(cause) + ": refresh less often, or lower Max concurrent requests in the data source settings"}
}

func (p *pause) on() bool {
	left, _ := p.left()
	return left > 0
}

// wait blocks until no pause is active.
func (p *pause) wait(ctx context.Context) error {
	for {
		left, err := p.left()
		if err != nil {
			return err
		}
		if left <= 0 {
			return nil
		}
		timer := time.NewTimer(left)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return context.Cause(ctx)
		}
	}
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

// pauseText describes the pause in a message, because it may exceed the time that a query waits.
func pauseText(asked *backoff.RetryAfterError) string {
	if asked == nil {
		return ""
	}
	return " and asks to wait " + asked.Duration.Round(time.Second).String()
}
