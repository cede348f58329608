package budget

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/service"
)

func enter(t *testing.T, b *Budget) *Reservation {
	t.Helper()
	h, err := b.Reserve(t.Context())
	require.NoError(t, err)
	return h
}

// Later reads wait until their context ends, and the share of a read is free again after it leaves.
func TestReadsInFlightAreBounded(t *testing.T) {
	b := New()
	var holds []*Reservation
	for range ReadsAtOnce {
		holds = append(holds, enter(t, b))
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := b.Reserve(ctx)
	require.ErrorIs(t, err, context.Canceled)
	for _, h := range holds {
		h.Release()
	}
	enter(t, b).Release()
}

// A read that waits for the whole budget does not prevent others from growing.
func TestGrowWhileAnotherReadWaits(t *testing.T) {
	b := New()
	one, other := enter(t, b), enter(t, b)
	require.NoError(t, one.Expect(t.Context(), Floor+1))
	waits := make(chan error, 1)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { waits <- other.TakeAll(ctx) }()
	require.NoError(t, one.Add(Floor+10*growth, 0))
	cancel()
	require.ErrorIs(t, <-waits, context.Canceled)
	one.Release()
	other.Release()
	third := enter(t, b)
	require.NoError(t, third.TakeAll(t.Context()), "everything is released")
	third.Release()
}

func TestReadThatExceedsTheBudget(t *testing.T) {
	b := New()
	h := enter(t, b)
	defer h.Release()
	require.NoError(t, h.Add(Floor+growthBytes, 0))
	err := h.Add(1, 0)
	require.ErrorIs(t, err, service.ErrTooLarge)
	assert.ErrorContains(t, err, "68 MiB")
	assert.ErrorContains(t, err, "256 MiB")
	assert.ErrorContains(t, err, "maxRows")
	h.Reset()
	require.NoError(t, h.Add(Floor, 0), "pages that are read again count once")
}
