package service

import (
	"cmp"
	"context"
	"errors"
	"math"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/cenkalti/backoff/v5"
	"golang.org/x/sync/semaphore"
	"golang.org/x/time/rate"
)

const (
	maxTries = 4
	// retryBudget bounds the attempts of one request and the pauses between them, without the time that they wait for a turn.
	// If the service asks for a longer pause, the user is told instead.
	retryBudget = 30 * time.Second
)

// transient are the statuses of what passes: of too many requests, of a gateway or of a service that restarts, and those of
// content delivery networks whose edge did not get an answer (520 to 524, 527, 530).
var transient = []int{
	http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests,
	http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout,
	520, 521, 522, 523, 524, 527, 530,
}

// isTransient decides what is tried again: these statuses, and a connection that ended early, the only connection failure
// that another attempt may fix.
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
		if err := c.turns.wait(ctx); err != nil {
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

// turns spaces requests evenly, so that no second has more than the setting RequestsPerSecond; below 1, they are more than a
// second apart. A request waits for its turn in its slot: one that had its turn and then waited for a slot would be sent at
// once with others. While the rate is what limits requests, nobody can use that slot sooner.
type turns struct {
	next  *semaphore.Weighted // held by the only request with a reservation, so that callers that leave delay nobody
	limit *rate.Limiter
}

// newTurns returns the turns of so many requests in a second; 0: any number.
func newTurns(perSecond float64) turns {
	limit := rate.Limit(cmp.Or(perSecond, float64(rate.Inf)))
	return turns{semaphore.NewWeighted(1), rate.NewLimiter(limit, 1)}
}

// wait waits for a turn. The error is the cause of a context that ended.
func (t turns) wait(ctx context.Context) error {
	if err := t.next.Acquire(ctx, 1); err != nil {
		return context.Cause(ctx)
	}
	defer t.next.Release(1)
	turn := t.limit.Reserve()
	select {
	case <-time.After(turn.Delay()):
		return nil
	case <-ctx.Done():
		turn.Cancel()
		return context.Cause(ctx)
	}
}

// take takes the next turn for a request that is sent without waiting: the one after it waits longer.
func (t turns) take() { t.limit.Reserve() }
