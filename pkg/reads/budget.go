package reads

import (
	"context"
	"fmt"
	"sync"

	"golang.org/x/sync/semaphore"

	"github.com/insights/insights-reporting-datasource/pkg/service"
)

// Bounds of the memory of the reads in flight for one data source. Later reads wait.
const (
	// inFlightBytes bounds all of them together.
	inFlightBytes = 256 << 20
	// readFloor is what every read may use without a reservation, and readsAtOnce bounds concurrent reads: requests in
	// flight are bounded by Max concurrent requests, so more reads would only wait for one another.
	readFloor   = 4 << 20
	readsAtOnce = 16
	// growthBytes is for reads that need more than expected. It is never waited for, so that free memory is available
	// although others wait for the rest.
	growthBytes = 64 << 20
	growth      = 1 << 20 // step in which it is acquired
	// extraBytes is for what reads expect to need beyond the floor.
	extraBytes = inFlightBytes - readsAtOnce*readFloor - growthBytes
)

// budget bounds the memory of reads in flight. A read first acquires a floor and then, once, what it expects to need
// beyond it. A holder of the second waits only for the service, so reads cannot deadlock.
type budget struct {
	floors *semaphore.Weighted
	extra  *semaphore.Weighted
	growth *semaphore.Weighted
}

func newBudget() *budget {
	return &budget{
		floors: semaphore.NewWeighted(readsAtOnce),
		extra:  semaphore.NewWeighted(extraBytes),
		growth: semaphore.NewWeighted(growthBytes),
	}
}

// hold is one read's share of the budget.
type hold struct {
	of    *budget
	extra int64 // acquired beyond the floor

	mu    sync.Mutex // pages arrive concurrently
	grown int64
	held  int64 // size of the pages of the pass, including waiting ones
}

// enter waits for a floor. Callers must call leave.
func (b *budget) enter(ctx context.Context) (*hold, error) {
	if err := b.floors.Acquire(ctx, 1); err != nil {
		return nil, context.Cause(ctx)
	}
	return &hold{of: b}, nil
}

func (h *hold) leave() {
	h.of.growth.Release(h.grown)
	h.of.extra.Release(h.extra)
	h.of.floors.Release(1)
}

// takeAll waits until everything beyond the floors is free, because the need of the read is unknown.
func (h *hold) takeAll(ctx context.Context) error { return h.expect(ctx, inFlightBytes) }

// expect waits until so many bytes are free, or all if the read expects more.
func (h *hold) expect(ctx context.Context, bytes int64) error {
	extra := max(0, min(bytes-readFloor, extraBytes))
	if extra <= h.extra {
		// Only a read that took everything in advance releases some here.
		h.of.extra.Release(h.extra - extra)
		h.extra = extra
		return nil
	}
	if h.extra > 0 {
		// Waiting for more while holding some could deadlock two reads; add acquires more as needed.
		return nil
	}
	if err := h.of.extra.Acquire(ctx, extra); err != nil {
		return context.Cause(ctx)
	}
	h.extra = extra
	return nil
}

// reset clears the count when the pages are read again.
func (h *hold) reset() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.held = 0
}

// add counts the size of a page, in addition to the texts that all pages share. It acquires free memory without waiting,
// because others may wait for this read.
func (h *hold) add(bytes, texts int64) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.held += bytes
	for h.held+texts > readFloor+h.extra+h.grown {
		if !h.of.growth.TryAcquire(growth) {
			return &service.Error{Kind: service.ErrTooLarge, Message: fmt.Sprintf(
				"the rows need more than %d MiB, and all active reads of a data source share %d MiB: request fewer days, lower Max rows (maxRows) in the data source settings, or try again when fewer reads are active",
				(readFloor+h.extra+h.grown)>>20, int64(inFlightBytes>>20))}
		}
		h.grown += growth
	}
	return nil
}
