package list

import (
	"context"
	"math"
	"slices"
	"sync"

	"github.com/insights/insights-reporting-datasource/pkg/paging"
)

// stage is how far the first read of a list is.
type stage int

const (
	idle    stage = iota // nothing is read, or something is known already
	begun                // it may still wait for another list
	reading              // it waits for no other list, so that others can wait for it
)

// waiting is a reader of a similar list that waits for so many rows of this one.
type waiting struct {
	rows int
	got  chan *paging.Prediction
}

// choosing is held while a list decides what to begin with, so that of two lists one sees what the other one has decided.
var choosing sync.Mutex

// similar returns the prediction of the list over other days that has most in common with a list of so many rows of which
// nothing is known; nil if there is none. A longer list that is being read will have them sooner than if both read them. Of
// lists whose pages are not yet being read, the longer one waits for the shorter one, never the other way round.
//
// The error is the cause of a context that ended.
func (l *List) similar(ctx context.Context, rows int) (*paging.Prediction, error) {
	for {
		known, wait := l.choose(rows)
		if wait == nil {
			return known, nil
		}
		if known, err := wait(ctx); known != nil || err != nil {
			return known, err
		}
	}
}

// choose returns what to begin with, or a wait. The wait for a longer list returns what to begin with, unless that read has
// failed; that for a shorter one returns nothing, because the next choice finds what is known then.
func (l *List) choose(rows int) (known *paging.Prediction, wait func(context.Context) (*paging.Prediction, error)) {
	choosing.Lock()
	defer choosing.Unlock()
	longer, shorter := l.Similar()
	for _, other := range longer {
		if known := other.Known(); known != nil {
			return known, nil
		}
	}
	for _, other := range longer {
		if w := other.await(rows, reading); w != nil {
			return nil, w.prediction
		}
	}
	for _, other := range shorter {
		if w := other.await(math.MaxInt, begun); w != nil {
			return nil, w.end
		}
		if known = other.Known(); known != nil {
			break
		}
	}
	l.enterStage(reading)
	return known, nil
}

// enterStage lets others wait for the read, but only if nothing is known: otherwise, they begin with that.
func (l *List) enterStage(s stage) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.known == nil {
		l.stage = s
	}
}

// await lets a reader of another list wait for so many rows, or the end of the read; nil if it is not at that stage.
func (l *List) await(rows int, from stage) *waiting {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stage < from {
		return nil
	}
	w := waiting{rows, make(chan *paging.Prediction, 1)}
	l.waiting = append(l.waiting, w)
	return &w
}

// prediction waits for what the read has received.
func (w *waiting) prediction(ctx context.Context) (*paging.Prediction, error) {
	select {
	case known := <-w.got:
		return known, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// end waits for the end of the read.
func (w *waiting) end(ctx context.Context) (*paging.Prediction, error) {
	_, err := w.prediction(ctx)
	return nil, err
}

// tell tells those who wait what a reading has received.
func (l *List) tell(r *paging.Reading) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waiting = slices.DeleteFunc(l.waiting, func(w waiting) bool {
		isEnough := r.Reached() >= w.rows
		if isEnough {
			w.got <- r.Snapshot()
		}
		return isEnough
	})
}

// tellEnd tells those who wait what is known at the end of a reading.
func (l *List) tellEnd() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, w := range l.waiting {
		w.got <- l.known
	}
	l.waiting, l.stage = nil, idle
}
