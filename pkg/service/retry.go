package service

import (
	"context"
	"errors"
	"time"

	"github.com/cenkalti/backoff/v5"
)

const (
	maxTries = 4
	// retryBudget bounds the attempts of one request. If the service asks for a longer pause, the user is told instead.
	retryBudget = 30 * time.Second
)

// retry repeats a request after a transient failure: 429, 502, 503, 504, or a broken connection. Between attempts it
// waits as long as the service asks for, which backoff finds in the error, or with exponential backoff and jitter.
func (c *Client) retry(ctx context.Context, attempt func() error) error {
	wait := backoff.NewExponentialBackOff()
	wait.InitialInterval = 200 * time.Millisecond
	wait.MaxInterval = 5 * time.Second
	_, err := backoff.Retry(ctx, func() (struct{}, error) {
		err := attempt()
		if err == nil {
			return struct{}{}, nil
		}
		var e *Error
		if !errors.As(err, &e) || !e.transient {
			return struct{}{}, backoff.Permanent(err)
		}
		retries.Inc()
		return struct{}{}, err
	}, backoff.WithBackOff(wait), backoff.WithMaxTries(maxTries), backoff.WithMaxElapsedTime(retryBudget))
	return err
}
