package flight

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A canceled run may take time to end. New callers start another one meanwhile.
func TestCanceledRunIsNotShared(t *testing.T) {
	var g Group[int]
	ended, came := make(chan struct{}), make(chan struct{})
	ctx, leave := context.WithCancel(t.Context())
	left := make(chan error, 1)
	go func() {
		_, _, err := g.Do(ctx, func(context.Context) (int, error) {
			close(came)
			<-ended
			return 1, nil
		})
		left <- err
	}()
	<-came
	leave()
	require.ErrorIs(t, <-left, context.Canceled)
	got, shared, err := g.Do(t.Context(), func(context.Context) (int, error) { return 2, nil })
	require.NoError(t, err)
	assert.False(t, shared)
	assert.Equal(t, 2, got)
	close(ended)
}

// A panic in a run fails its callers, and crashes neither them nor the plugin.
func TestPanicIsAnError(t *testing.T) {
	var g Group[int]
	_, _, err := g.Do(t.Context(), func(context.Context) (int, error) { panic("broken") })
	require.ErrorContains(t, err, "broken")
	got, _, err := g.Do(t.Context(), func(context.Context) (int, error) { return 2, nil })
	require.NoError(t, err)
	assert.Equal(t, 2, got)
}

// Callers start and cancel in any order; the remaining ones get the value, and nothing leaks.
func TestCallersComeAndGo(t *testing.T) {
	var g Group[int]
	var wg sync.WaitGroup
	for i := range 60 {
		wg.Go(func() {
			ctx, leave := context.WithCancel(t.Context())
			defer leave()
			if i%3 == 0 {
				go leave()
			}
			got, _, err := g.Do(ctx, func(ctx context.Context) (int, error) {
				select {
				case <-ctx.Done():
					return 0, ctx.Err()
				case <-time.After(time.Millisecond):
					return 1, nil
				}
			})
			if i%3 == 0 && err != nil {
				assert.ErrorIs(t, err, context.Canceled)
				return
			}
			if assert.NoError(t, err) {
				assert.Equal(t, 1, got)
			}
		})
	}
	wg.Wait()
	assert.Nil(t, g.current)
}
