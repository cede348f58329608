package service

import (
	"context"
	"errors"
	"net/http"
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
		Message: rateLimited(cause)}
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
		if err := sleep(ctx, left); err != nil {
			return err
		}
	}
}

// sleep blocks for a time, unless the context ends.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
