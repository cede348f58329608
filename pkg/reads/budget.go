package reads

import (
	"context"
	"fmt"

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
	// extraBytes is for reads that need more than the floor.
	extraBytes = inFlightBytes - readsAtOnce*readFloor
	// growth is the step in which a read takes more than it had expected to need.
	growth = 1 << 20
)

// budget bounds the memory of reads in flight. A read first takes a floor and then, once, what it expects to need
// beyond it: nobody who holds the second waits for anything but the service, so that no two reads block one another.
type budget struct {
	floors *semaphore.Weighted
	extra  *semaphore.Weighted
}

func newBudget() *budget {
	return &budget{floors: semaphore.NewWeighted(readsAtOnce), extra: semaphore.NewWeighted(extraBytes)}
}

// hold is the part of the budget that one read has.
type hold struct {
	of    *budget
	extra int64
}

// enter waits for a floor. It must be left.
func (b *budget) enter(ctx context.Context) (*hold, error) {
	if err := b.floors.Acquire(ctx, 1); err != nil {
		return nil, context.Cause(ctx)
	}
	return &hold{of: b}, nil
}

func (h *hold) leave() {
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
		// To wait for more with some in hand could block two reads for ever; use takes more as it is needed.
		return nil
	}
	if err := h.of.extra.Acquire(ctx, extra); err != nil {
		return context.Cause(ctx)
	}
	h.extra = extra
	return nil
}

// use checks what the read holds now. It takes what is free, and does not wait: others may wait for this read.
func (h *hold) use(bytes int64) error {
	for bytes > readFloor+h.extra {
		if h.extra+growth > extraBytes || !h.of.extra.TryAcquire(growth) {
			return &service.Error{Kind: service.ErrTooLarge, Message: fmt.Sprintf(
				"the rows take more than %d MiB, and all reads of a data source together may take %d MiB while they go on: ask for fewer days, lower Max rows (maxRows) in the data source settings, or try again when less is read at the same time",
				(readFloor+h.extra)>>20, int64(inFlightBytes>>20))}
		}
		h.extra += growth
	}
	return nil
}
