package service

import (
	"context"
	"fmt"
	"sync/atomic"
)

// allowance is the number of requests that one operation may send.
type allowance struct {
	most int64
	sent atomic.Int64
}

type allowanceKey struct{}

// WithAllowance bounds the requests sent with the context, including logins and retries. One more returns an *Error of
// kind ErrAllowance and is not sent.
func WithAllowance(ctx context.Context, most int) context.Context {
	return context.WithValue(ctx, allowanceKey{}, &allowance{most: int64(most)})
}

// spend takes one request from the context's allowance, if it has one.
func spend(ctx context.Context) error {
	a, ok := ctx.Value(allowanceKey{}).(*allowance)
	if !ok || a.sent.Add(1) <= a.most {
		return nil
	}
	return &Error{Kind: ErrAllowance, Message: fmt.Sprintf("not requested, because the limit of %d requests is reached: try again", a.most)}
}
