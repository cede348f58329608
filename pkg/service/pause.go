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

// maxPause is how long a pause that the service asked for is remembered. A longer one is an error for every request
// meanwhile, and then the service is asked again, in case it meant something else.
const maxPause = time.Minute

// pause holds back all requests of a data source while the service wants to be left alone.
type pause struct {
	mu    sync.Mutex
	until time.Time
	asked time.Duration
	err   error // of the answer that asked for it
}

// obey starts the pause that an answer asks for, unless a longer one is on. err is what the request ends with.
func (p *pause) obey(resp *http.Response, err error) {
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

// left is how long the pause still is. A pause that is longer than a request may wait is an error.
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

// wait returns when no pause is on.
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

// retryAfter reads the header of that name: seconds, or an HTTP date (RFC 9110, 10.2.3). Nil without one, and where the
// status does not ask for a pause.
func retryAfter(resp *http.Response) *backoff.RetryAfterError {
	if resp.StatusCode != http.StatusTooManyRequests && resp.StatusCode < 500 {
		return nil
	}
	value := resp.Header.Get("Retry-After")
	if seconds, err := strconv.Atoi(value); err == nil && seconds >= 0 {
		// More would overflow into a pause below zero.
		return &backoff.RetryAfterError{Duration: time.Duration(min(seconds, math.MaxInt32)) * time.Second}
	}
	if at, err := http.ParseTime(value); err == nil {
		return &backoff.RetryAfterError{Duration: max(0, time.Until(at))}
	}
	return nil
}

// pauseText puts the pause into a message, since it may be longer than a query waits.
func pauseText(asked *backoff.RetryAfterError) string {
	if asked == nil {
		return ""
	}
	return " and asks to wait " + asked.Duration.Round(time.Second).String()
}
