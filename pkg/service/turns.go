package service

import (
	"context"
	"time"

	"golang.org/x/sync/semaphore"
	"golang.org/x/time/rate"
)

// turns spaces requests evenly, so that no second has more than the setting RequestsPerSecond; below 1, they are more than a
// second apart. A request waits for its turn in its slot: one that had its turn and then waited for a slot would be sent at
// once with others. While the rate is what limits requests, nobody can use that slot sooner.
type turns struct {
	next  *semaphore.Weighted // held by the only request with a reservation, so that callers that leave delay nobody
	limit *rate.Limiter
}

// newTurns returns the turns of so many requests in a second; 0: any number.
func newTurns(perSecond float64) turns {
	limit := rate.Limit(perSecond)
	if perSecond == 0 {
		limit = rate.Inf
	}
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
