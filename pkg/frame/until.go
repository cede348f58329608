package frame

import (
	"context"
	"slices"
)

// lookEvery is how many steps of a few nanoseconds are between two checks of the context: enough to make them free, and
// few enough to notice an end within a millisecond.
const lookEvery = 4096

// look returns the context's cause if it has ended. It checks only every lookEvery steps, including the first.
func look(ctx context.Context, step int) error {
	if step%lookEvery != 0 || ctx.Err() == nil {
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
		ended = ended || look(ctx, step) != nil
		step++
		if ended {
			return 0
		}
		return compare(a, b)
	})
	return look(ctx, 0)
}
