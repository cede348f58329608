package frame

import "context"

// finished returns a result, or the cause of the context if it has ended. It is checked after each pass over the rows,
// and between series or lanes.
func finished[T any](ctx context.Context, result T) (T, error) {
	if ctx.Err() != nil {
		var none T
		return none, context.Cause(ctx)
	}
	return result, nil
}
