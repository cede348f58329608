// Package flight lets concurrent callers share one run of the same work, whatever the work is.
package flight

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// MaxTime bounds a run; no panel or alert rule waits longer.
const MaxTime = 10 * time.Minute

// Group lets concurrent callers share one run. Unlike x/sync/singleflight, the run has a context of its own: canceling
// one caller does not cancel a shared run, which ends when the last caller is canceled.
type Group[T any] struct {
	mu      sync.Mutex
	current *run[T] // nil: none
}

type run[T any] struct {
	done    chan struct{}
	cancel  context.CancelFunc
	waiting int
	value   T
	err     error
}

// Do returns the result of work, and whether another caller had started it.
func (g *Group[T]) Do(ctx context.Context, work func(context.Context) (T, error)) (value T, shared bool, err error) {
	r, shared := g.join(ctx, work)
	defer g.leave(r)
	select {
	case <-r.done:
		return r.value, shared, r.err
	case <-ctx.Done():
		return value, shared, context.Cause(ctx)
	}
}

func (g *Group[T]) join(ctx context.Context, work func(context.Context) (T, error)) (r *run[T], shared bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.current != nil {
		g.current.waiting++
		return g.current, true
	}
	detached, cancel := context.WithTimeout(context.WithoutCancel(ctx), MaxTime)
	r = &run[T]{done: make(chan struct{}), cancel: cancel, waiting: 1}
	g.current = r
	go func() {
		defer cancel()
		defer close(r.done)
		defer g.forget(r)
		defer Recover(&r.err)
		r.value, r.err = work(detached)
	}()
	return r, false
}

// leave cancels a run without remaining callers and forgets it, so that a new caller starts another run instead of
// joining a canceled one.
func (g *Group[T]) leave(r *run[T]) {
	g.mu.Lock()
	defer g.mu.Unlock()
	r.waiting--
	if r.waiting > 0 {
		return
	}
	r.cancel()
	if g.current == r {
		g.current = nil
	}
}

func (g *Group[T]) forget(r *run[T]) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.current == r {
		g.current = nil
	}
}

// Recover converts a panic into an error. The SDK's recovery does not cover other goroutines, and a panic there would
// crash the plugin for every data source.
func Recover(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("internal error while reading from the service: %v", r)
	}
}
