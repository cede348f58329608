package list

import (
	"context"
	"math"
	"slices"
	"sync"
	"time"

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

// similarWait is how long a list waits for what another one receives. That one may be failing, or the service slow.
const similarWait = 10 * time.Second

// similar returns the prediction of the list over other days that has most in common with a list of so many rows of which
// nothing is known; nil if there is none in time. A longer list that is being read will have them sooner than if both read
// them. Of lists whose pages are not yet being read, the longer one waits for the shorter one, never the other way round.
//
// The error is the cause of a context that ended.
func (l *List) similar(ctx context.Context, rows int) (*paging.Prediction, error) {
	defer l.enterStage(reading)
	enough := time.After(similarWait)
	for {
		known, wait := l.choose(rows)
		if wait == nil {
			return known, nil
		}
		select {
		case known = <-wait.got:
			if known == nil || wait.rows == rows {
				return known, nil
			} // Else, while the shorter one was read, a longer one may have begun.
		case <-enough:
			return nil, nil
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// choose returns what to begin with, or a wait: for so many rows of a longer list, or for all of a shorter one.
func (l *List) choose(rows int) (known *paging.Prediction, wait *waiting) {
	choosing.Lock()
	defer choosing.Unlock()
	longer, shorter := l.Similar()
	for _, other := range longer {
		if known := other.Known(); known != nil {
			return known, nil
		}
	}
	for _, other := range longer {
		if wait := other.await(rows, reading); wait != nil {
			return nil, wait
		}
	}
	for _, other := range shorter {
		if wait := other.await(math.MaxInt, begun); wait != nil {
			return nil, wait
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
