package frame

import (
	"context"
	"iter"
)

// The loops of this package end early when the context does, and leave it to the builders of frames to notice: what was
// computed is incomplete then, and finished drops it.

// checkEvery is the number of steps, of a few nanoseconds each, between two checks of the context: enough to make their
// cost negligible, and few enough to notice a cancellation within a millisecond.
const checkEvery = 4096

// ended reports whether the context has ended. It checks only every checkEvery steps, including the first.
func ended(ctx context.Context, step int) bool { return step%checkEvery == 0 && ctx.Err() != nil }

// finished returns a result, or the cause of the context if it has ended.
func finished[T any](ctx context.Context, result T) (T, error) {
	if ctx.Err() != nil {
		var none T
		return none, context.Cause(ctx)
	}
	return result, nil
}

// each yields the elements of a slice with their indexes until the context ends.
func each[T any](ctx context.Context, s []T) iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		for i, v := range s {
			if ended(ctx, i) || !yield(i, v) {
				return
			}
		}
	}
}

// orEqual returns a comparison for a sort. A sort cannot be aborted, but finishes quickly once all elements compare as
// equal, as they do after the context has ended; the order is undefined then.
func orEqual[T any](ctx context.Context, compare func(a, b T) int) func(a, b T) int {
	step, over := 0, false
	return func(a, b T) int {
		over = over || ended(ctx, step)
		step++
		if over {
			return 0
		}
		return compare(a, b)
	}
}
