// Package budget bounds the memory of concurrent reads.
package budget

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/semaphore"

	"github.com/insights/insights-reporting-datasource/pkg/service"
)

// Bounds of the memory of the reads in flight for one data source. Later reads wait.
const (
	// inFlightBytes bounds all of them together.
	inFlightBytes = 256 << 20
	// Floor is what every read may use without asking, in bytes, and ReadsAtOnce bounds concurrent reads: requests in
	// flight are bounded by Max concurrent requests, so more reads would only wait for one another.
	Floor       = 4 << 20
	ReadsAtOnce = 16
	// growthBytes is for reads that need more than expected. It is never waited for, so that free memory is available
	// although others wait for the rest.
	growthBytes = 64 << 20
	growth      = 1 << 20 // step in which it is acquired
	// extraBytes is for what reads expect to need beyond the floor.
	extraBytes = inFlightBytes - ReadsAtOnce*Floor - growthBytes
)

// Budget bounds the memory of reads in flight. A read first acquires a floor and then, once, what it expects to need
// beyond it. A holder of the second waits only for the service, so reads cannot deadlock.
type Budget struct {
	floors *semaphore.Weighted
	extra  *semaphore.Weighted
	growth *semaphore.Weighted

	waiting atomic.Int32 // reads that wait for extra
}

// New returns the budget of one data source.
func New() *Budget {
	return &Budget{
		floors: semaphore.NewWeighted(ReadsAtOnce),
		extra:  semaphore.NewWeighted(extraBytes),
		growth: semaphore.NewWeighted(growthBytes),
	}
}

// IsAwaited reports whether a read waits until others release memory.
func (b *Budget) IsAwaited() bool { return b.waiting.Load() > 0 }

// Reservation is one read's share of the budget. Sizes are in bytes.
type Reservation struct {
	of    *Budget
	extra int64 // acquired beyond the floor

	mu    sync.Mutex // pages arrive concurrently
	grown int64
	held  int64 // size of the pages, including waiting ones
}

// Reserve waits for a floor. Callers must call Release. The error is that of a context that ended.
func (b *Budget) Reserve(ctx context.Context) (*Reservation, error) {
	if err := b.floors.Acquire(ctx, 1); err != nil {
		return nil, context.Cause(ctx)
	}
	return &Reservation{of: b}, nil
}

// Release returns the share.
func (r *Reservation) Release() {
	r.of.growth.Release(r.grown)
	r.of.extra.Release(r.extra)
	r.of.floors.Release(1)
}

// TakeAll waits until everything beyond the floors is free, because the need of the read is unknown.
func (r *Reservation) TakeAll(ctx context.Context) error { return r.Expect(ctx, inFlightBytes) }

// Expect waits until that number of bytes is free, or all if the read expects more.
func (r *Reservation) Expect(ctx context.Context, bytes int64) error {
	extra := max(0, min(bytes-Floor, extraBytes))
	if extra <= r.extra {
		// Only a read that took everything in advance releases some here.
		r.of.extra.Release(r.extra - extra)
		r.extra = extra
		return nil
	}
	if r.extra > 0 {
		// Waiting for more while holding some could deadlock two reads; Add acquires more as needed.
		return nil
	}
	r.of.waiting.Add(1)
	defer r.of.waiting.Add(-1)
	if err := r.of.extra.Acquire(ctx, extra); err != nil {
		return context.Cause(ctx)
	}
	r.extra = extra
	return nil
}

// Expects reports whether the read has reserved memory beyond the floor.
func (r *Reservation) Expects() bool { return r.extra > 0 }

// Held returns the bytes of the pages counted so far.
func (r *Reservation) Held() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.held
}

// Reset clears the count when the pages are read again.
func (r *Reservation) Reset() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.held = 0
}

// Add counts the size of a page, in addition to the texts that all pages share. It acquires free memory without waiting,
// because others may wait for this read. The error is a *service.Error of kind ErrTooLarge.
func (r *Reservation) Add(bytes, texts int64) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.held += bytes
	for r.held+texts > Floor+r.extra+r.grown {
		if !r.of.growth.TryAcquire(growth) {
			return &service.Error{Kind: service.ErrTooLarge, Message: fmt.Sprintf(
				"the rows need more than %d MiB, and all active reads of a data source share %d MiB: request fewer days, lower Max rows (maxRows) in the data source settings, or try again when fewer reads are active",
				(Floor+r.extra+r.grown)>>20, int64(inFlightBytes>>20))}
		}
		r.grown += growth
	}
	return nil
}
