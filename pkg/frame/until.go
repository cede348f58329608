package frame

import (
	"context"
	"slices"
)

// checkEvery is the number of steps, of a few nanoseconds each, between two checks of the context: enough to make their
// cost negligible, and few enough to notice a cancellation within a millisecond.
const checkEvery = 4096

// checkCanceled returns the context's cause if it has ended. It checks only every checkEvery steps, including the first.
func checkCanceled(ctx context.Context, step int) error {
	if step%checkEvery != 0 || ctx.Err() == nil {
		return nil
	}
	return context.Cause(ctx)
}

// sortUntil sorts stably until the context ends.
func sortUntil[T any](ctx context.Context, s []T, compare func(a, b T) int) error {
	return until(ctx, compare, func(compare func(a, b T) int) { slices.SortStableFunc(s, compare) })
}

// sortAnyUntil is an unstable sortUntil, several times as fast, for elements that are identical if equal.
func sortAnyUntil[T any](ctx context.Context, s []T, compare func(a, b T) int) error {
	return until(ctx, compare, func(compare func(a, b T) int) { slices.SortFunc(s, compare) })
}

// until runs a sort until the context ends. A sort cannot be aborted, but finishes quickly once all elements compare as
// equal; the order is undefined then.
func until[T any](ctx context.Context, compare func(a, b T) int, sort func(compare func(a, b T) int)) error {
	step, ended := 0, false
	sort(func(a, b T) int {
		ended = ended || checkCanceled(ctx, step) != nil
		step++
		if ended {
			return 0
		}
		return compare(a, b)
	})
	return checkCanceled(ctx, 0)
}
