package reads

import (
	"context"
	"fmt"
	"sync"

	"golang.org/x/sync/semaphore"

	"github.com/insights/insights-reporting-datasource/pkg/service"
)

// Bounds of the reads that are in flight for one data source, in bytes of what they hold. Who comes later waits.
const (
	// inFlightBytes is the bound of all together.
	inFlightBytes = 256 << 20
	// readFloor is what every read may hold without asking for more, and so many reads go on at once: requests in flight
	// are bounded by Max concurrent requests, so that more of them would only wait for one another.
	readFloor   = 4 << 20
	readsAtOnce = 16
	// growthBytes is for reads that turn out to need more than they had expected. Nobody waits for it, so that what is free
	// can be had though others wait for the rest.
	growthBytes = 64 << 20
	growth      = 1 << 20 // the step in which it is taken
	// extraBytes is for what reads expect to need beyond the floor.
	extraBytes = inFlightBytes - readsAtOnce*readFloor - growthBytes
)

// budget bounds the memory of reads in flight. A read first takes a floor and then, once, what it expects to need
// beyond it: nobody who holds the second waits for anything but the service, so that no two reads block one another.
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

// hold is the part of the budget that one read has.
type hold struct {
	of    *budget
	extra int64 // taken of what the budget has beyond the floors

	mu    sync.Mutex // pages come side by side
	grown int64
	held  int64 // what the pages of the pass hold, those included that wait for their turn
}

// enter waits for a floor. It must be left.
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

// takeAll waits until everything beyond the floors is free: what the read needs is not known yet.
func (h *hold) takeAll(ctx context.Context) error { return h.expect(ctx, inFlightBytes) }

// expect waits until so many bytes are free, or all where the read expects more than there are.
func (h *hold) expect(ctx context.Context, bytes int64) error {
	extra := max(0, min(bytes-readFloor, extraBytes))
	if extra <= h.extra {
		// Only what nobody knew before page 0 was taken in reserve.
		h.of.extra.Release(h.extra - extra)
		h.extra = extra
		return nil
	}
	if h.extra > 0 {
		// To wait for more with some in hand could block two reads for ever; add takes more as it is needed.
		return nil
	}
	if err := h.of.extra.Acquire(ctx, extra); err != nil {
		return context.Cause(ctx)
	}
	h.extra = extra
	return nil
}

// reset forgets what was held, when the pages are read again.
func (h *hold) reset() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.held = 0
}

// add counts what a page holds, beside the texts that all pages share. It takes what is free, and does not wait: others
// may wait for this read.
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
