package frame

import (
	"context"
	"slices"
)

// lookEvery is how many steps of a few nanoseconds lie between two looks at the context: so many that the looks cost
// nothing, so few that an end is seen within a millisecond.
const lookEvery = 4096

// look returns why the context has ended, or nil. It looks at every so many steps: at the first, then rarely.
func look(ctx context.Context, step int) error {
	if step%lookEvery != 0 || ctx.Err() == nil {
		return nil
	}
	return context.Cause(ctx)
}

// sortUntil sorts, equal ones staying as they are, until the context ends.
func sortUntil[T any](ctx context.Context, s []T, compare func(a, b T) int) error {
	return until(ctx, compare, func(compare func(a, b T) int) { slices.SortStableFunc(s, compare) })
}

// sortAnyUntil is sortUntil, and several times as fast, where equal ones are the same.
func sortAnyUntil[T any](ctx context.Context, s []T, compare func(a, b T) int) error {
	return until(ctx, compare, func(compare func(a, b T) int) { slices.SortFunc(s, compare) })
}

// until lets a sort go on until the context ends. Sorting cannot be left in the middle, but where all are said to be
// equal the rest of it is short; the order is then whatever came of it.
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
