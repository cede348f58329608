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
	mu   sync.Mutex
	runs map[string]*run[T]
}

type run[T any] struct {
	done    chan struct{}
	cancel  context.CancelFunc
	waiting int
	value   T
	err     error
}

// Do returns the result of work for key, and whether another caller had started it.
func (g *Group[T]) Do(ctx context.Context, key string, work func(context.Context) (T, error)) (value T, shared bool, err error) {
	r, shared := g.join(ctx, key, work)
	select {
	case <-r.done:
		g.leave(key, r)
		return r.value, shared, r.err
	case <-ctx.Done():
		g.leave(key, r)
		return value, shared, context.Cause(ctx)
	}
}

func (g *Group[T]) join(ctx context.Context, key string, work func(context.Context) (T, error)) (*run[T], bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if r, ok := g.runs[key]; ok {
		r.waiting++
		return r, true
	}
	detached, cancel := context.WithTimeout(context.WithoutCancel(ctx), MaxTime)
	r := &run[T]{done: make(chan struct{}), cancel: cancel, waiting: 1}
	if g.runs == nil {
		g.runs = map[string]*run[T]{}
	}
	g.runs[key] = r
	go func() {
		defer cancel()
		defer close(r.done)
		defer g.forget(key, r)
		defer Recover(&r.err)
		r.value, r.err = work(detached)
	}()
	return r, false
}

// leave cancels a run without remaining callers and removes it from the map, so that a new caller starts another run
// instead of joining a canceled one.
func (g *Group[T]) leave(key string, r *run[T]) {
	g.mu.Lock()
	defer g.mu.Unlock()
	r.waiting--
	if r.waiting > 0 {
		return
	}
	r.cancel()
	if g.runs[key] == r {
		delete(g.runs, key)
	}
}

func (g *Group[T]) forget(key string, r *run[T]) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.runs[key] == r {
		delete(g.runs, key)
	}
}

// Recover converts a panic into an error. The SDK's recovery does not cover other goroutines, and a panic there would
// crash the plugin for every data source.
func Recover(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("internal error while reading from the service: %v", r)
	}
}
