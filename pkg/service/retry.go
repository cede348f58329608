package service

import (
	"context"
	"errors"
	"time"

	"github.com/cenkalti/backoff/v5"
)

const (
	maxTries = 4
	// retryBudget ends the tries of one request. A service that asks for a longer pause is told to the user instead.
	retryBudget = 30 * time.Second
)

// retry repeats a request that failed for a reason that passes: 429, 502, 503, 504, a broken connection. Between
// the tries it waits as long as the service asks for, which backoff finds in the error, or longer each time, with
// jitter.
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
		if !errors.As(err, &e) || !e.passes {
			return struct{}{}, backoff.Permanent(err)
		}
		retries.Inc()
		return struct{}{}, err
	}, backoff.WithBackOff(wait), backoff.WithMaxTries(maxTries), backoff.WithMaxElapsedTime(retryBudget))
	return err
}
