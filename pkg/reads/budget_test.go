package reads

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/service"
)

func enter(t *testing.T, b *budget) *hold {
	t.Helper()
	h, err := b.enter(t.Context())
	require.NoError(t, err)
	return h
}

// Later reads wait until their context ends, and the share of a read is free again after it leaves.
func TestReadsInFlightAreBounded(t *testing.T) {
	b := newBudget()
	var holds []*hold
	for range readsAtOnce {
		holds = append(holds, enter(t, b))
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := b.enter(ctx)
	require.ErrorIs(t, err, context.Canceled)
	for _, h := range holds {
		h.leave()
	}
	enter(t, b).leave()
}

// A read that waits for the whole budget does not prevent others from growing.
func TestGrowWhileAnotherReadWaits(t *testing.T) {
	b := newBudget()
	one, other := enter(t, b), enter(t, b)
	require.NoError(t, one.expect(t.Context(), readFloor+1))
	waits := make(chan error, 1)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { waits <- other.takeAll(ctx) }()
	require.NoError(t, one.add(readFloor+10*growth, 0))
	cancel()
	require.ErrorIs(t, <-waits, context.Canceled)
	one.leave()
	other.leave()
	third := enter(t, b)
	require.NoError(t, third.takeAll(t.Context()), "everything is released")
	third.leave()
}

func TestReadThatExceedsTheBudget(t *testing.T) {
	b := newBudget()
	h := enter(t, b)
	defer h.leave()
	require.NoError(t, h.add(readFloor+growthBytes, 0))
	err := h.add(1, 0)
	require.ErrorIs(t, err, service.ErrTooLarge)
	assert.ErrorContains(t, err, "68 MiB")
	assert.ErrorContains(t, err, "256 MiB")
	assert.ErrorContains(t, err, "maxRows")
	h.reset()
	require.NoError(t, h.add(readFloor, 0), "pages that are read again count once")
}
