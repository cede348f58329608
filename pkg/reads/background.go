package reads

import (
	"context"
	"reflect"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/insights/insights-reporting-datasource/pkg/service"
)

// Background is an answer that all queries share, and for which they wait only for a moment, and only until there is one: the
// read goes on for later ones. Its zero value knows nothing.
type Background[T any] struct {
	reads singleflight.Group
	known atomic.Pointer[known[T]]
}

type known[T any] struct {
	answer T
	until  time.Time // when to read again
}

// Ask begins to read, unless the answer is new, and returns how to get it: the earlier one or, if that is zero, the answer
// if it comes in time. read gets the earlier one, and returns for how long to keep its own. It goes on when the caller leaves,
// until ended.
func (b *Background[T]) Ask(ctx, ended context.Context, wait time.Duration, read func(ctx context.Context, earlier T) (answer T, keep time.Duration)) (answer func() T) {
	latest := func() (k known[T]) {
		if stored := b.known.Load(); stored != nil {
			k = *stored
		}
		return k
	}
	earlier := latest()
	if time.Now().Before(earlier.until) {
		return func() T { return earlier.answer }
	}
	done := b.reads.DoChan("", func() (_ any, err error) {
		defer service.Recover(&err)
		ctx, cancel := context.WithTimeout(ended, longestRead)
		defer cancel()
		answer, keep := read(ctx, earlier.answer)
		b.known.Store(&known[T]{answer, time.Now().Add(keep)})
		return nil, nil
	})
	if !reflect.ValueOf(&earlier.answer).Elem().IsZero() {
		return func() T { return earlier.answer }
	}
	return func() T {
		select {
		case <-done:
		case <-time.After(wait):
		case <-ctx.Done():
		}
		return latest().answer
	}
}
