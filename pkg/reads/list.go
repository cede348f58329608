package reads

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"
)

// gather is how long the first question about a list waits for others: Grafana requests the panels of a dashboard
// within some tens of milliseconds, and the deepest of their questions answers all of them.
const gather = 30 * time.Millisecond

// list is a list of the service while somebody waits for it. One reader at a time reads it, for all who wait.
type list struct {
	waiting []*waiter
	round   time.Time // those who arrived until then are answered before others
	cancel  context.CancelFunc
	present Read                    // what is being read
	abandon context.CancelCauseFunc // ends reading it
	ended   chan struct{}
	after   *list // the canceled one before, which keeps what it had read when it ends
}

// waiter is a question that is not answered yet.
type waiter struct {
	Read
	arrived time.Time
	done    chan outcome // receives the outcome once
}

// errAbandoned ends the read of a question that nobody waits for anymore.
var errAbandoned = errors.New("the remaining questions need less of the list")

type outcome struct {
	result *Result
	err    error
}

// wait returns the answer to a question from the next read of its list, and whether another question had started that
// read. The read has a context of its own, which ends when the last who waits leaves.
func (c *Reads) wait(ctx context.Context, key string, r Read) (result *Result, shared bool, err error) {
	w := &waiter{Read: r, arrived: time.Now(), done: make(chan outcome, 1)}
	shared = c.join(ctx, key, w)
	select {
	case got := <-w.done:
		return got.result, shared, got.err
	case <-ctx.Done():
		c.leave(key, w)
		return nil, shared, context.Cause(ctx)
	}
}

func (c *Reads) join(ctx context.Context, key string, w *waiter) (shared bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	l, shared := c.lists[key]
	if shared && len(l.waiting) == 0 {
		l, shared = &list{after: l}, false
	}
	if l == nil {
		l = &list{}
	}
	l.waiting = append(l.waiting, w)
	if shared {
		return true
	}
	detached, cancel := context.WithCancel(context.WithoutCancel(ctx))
	l.cancel, l.ended = cancel, make(chan struct{})
	c.lists[key] = l
	go c.run(detached, key, l, c.sharesDays(w.DataSet))
	return false
}

// leave removes a question whose caller is gone. If nobody else waits for the list, reading it ends; if those who wait
// need less of it, such as after a change to a shorter time range, only the present read does.
func (c *Reads) leave(key string, w *waiter) {
	c.mu.Lock()
	defer c.mu.Unlock()
	l := c.lists[key]
	if l == nil || !slices.Contains(l.waiting, w) {
		return
	}
	l.waiting = slices.DeleteFunc(l.waiting, func(other *waiter) bool { return other == w })
	if len(l.waiting) == 0 {
		l.cancel()
		return
	}
	needsAsMuch := func(w *waiter) bool { return compareExtent(w.Read, l.present) >= 0 }
	if l.abandon != nil && !slices.ContainsFunc(l.waiting, needsAsMuch) {
		l.abandon(errAbandoned)
	}
}

// begin records what is being read, and how to end that.
func (c *Reads) begin(l *list, r Read, abandon context.CancelCauseFunc) {
	c.mu.Lock()
	defer c.mu.Unlock()
	l.present, l.abandon = r, abandon
}

// run reads a list until nobody waits for it.
func (c *Reads) run(ctx context.Context, key string, l *list, gathers bool) {
	defer close(l.ended)
	defer l.cancel()
	if l.after != nil {
		<-l.after.ended
		l.after = nil
	}
	if gathers {
		select {
		case <-time.After(c.gather):
		case <-ctx.Done():
		}
	}
	for {
		together := c.together(key, l)
		if together == nil {
			return
		}
		if err := c.readTogether(ctx, key, l, together); err != nil && !errors.Is(err, errAbandoned) {
			c.fail(l, together, err)
		}
	}
}

// together returns the questions that one reader answers, those that need the fewest rows first, or nil if nobody
// waits. They have the same days, or begin at a time within them. Questions that arrive all the time do not keep others
// from being read.
func (c *Reads) together(key string, l *list) []*waiter {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(l.waiting) == 0 {
		if c.lists[key] == l {
			delete(c.lists, key)
		}
		return nil
	}
	arrivedLater := func(w *waiter) bool { return w.arrived.After(l.round) }
	round := slices.DeleteFunc(slices.Clone(l.waiting), arrivedLater)
	if len(round) == 0 {
		round, l.round = l.waiting, time.Now()
	}
	deepest := slices.MaxFunc(round, func(a, b *waiter) int { return compareExtent(a.Read, b.Read) })
	days := deepest.Days
	if k := c.kept(key); k == nil || !k.reaches(deepest.Read) {
		// A time range does not wait for pages that only a longer window needs.
		days = daysOfRanges(round, days)
	}
	group := slices.DeleteFunc(slices.Clone(l.waiting), func(w *waiter) bool { return w.Days > days || w.Goal.From.IsZero() && w.Days < days })
	slices.SortStableFunc(group, func(a, b *waiter) int { return compareDepth(a.Read, b.Read) })
	return group
}

// daysOfRanges returns the most days among the questions that begin at a time, or otherwise if there are none.
func daysOfRanges(waiting []*waiter, otherwise int) int {
	days := 0
	for _, w := range waiting {
		if !w.Goal.From.IsZero() {
			days = max(days, w.Days)
		}
	}
	return cmp.Or(days, otherwise)
}

// compareDepth orders questions by how many rows they need, as far as that can be told before.
func compareDepth(a, b Read) int {
	return cmp.Or(cmp.Compare(depth(a), depth(b)), b.Goal.From.Compare(a.Goal.From), cmp.Compare(a.Goal.Rows, b.Goal.Rows))
}

// compareExtent orders questions by the days that they are about, however their ranges within these differ. A number of
// rows is less than any days.
func compareExtent(a, b Read) int {
	return cmp.Or(cmp.Compare(min(depth(a), 1), min(depth(b), 1)), cmp.Compare(a.Days, b.Days), cmp.Compare(depth(a), depth(b)))
}

func depth(r Read) int {
	switch {
	case r.Goal.All():
		return 2
	case r.Goal.Rows == 0:
		return 1
	default:
		return 0
	}
}

// deliver answers those who wait and whose question a result answers: that of a waiter in any case, unless it is nil.
func (c *Reads) deliver(l *list, result *Result, of *waiter) {
	c.mu.Lock()
	defer c.mu.Unlock()
	l.waiting = slices.DeleteFunc(l.waiting, func(w *waiter) bool {
		answer := result.answer(w.Read)
		if answer == nil && w == of {
			answer = result
		}
		if answer != nil {
			w.done <- outcome{result: answer}
		}
		return answer != nil
	})
}

// fail passes an error on to those of a group who still wait.
func (c *Reads) fail(l *list, group []*waiter, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	l.waiting = slices.DeleteFunc(l.waiting, func(w *waiter) bool {
		failed := slices.Contains(group, w)
		if failed {
			w.done <- outcome{err: err}
		}
		return failed
	})
}

// unanswered returns those of a group who still wait.
func (c *Reads) unanswered(l *list, group []*waiter) []*waiter {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.DeleteFunc(group, func(w *waiter) bool { return !slices.Contains(l.waiting, w) })
}

// next returns the question to read next with the reader that has just read for another one, or nil if there is none.
func (c *Reads) next(l *list, r *reading, w *waiter) *waiter {
	c.mu.Lock()
	defer c.mu.Unlock()
	var next *waiter
	for _, other := range l.waiting {
		if r.serves(w.Read, other) && (next == nil || compareDepth(other.Read, next.Read) < 0) {
			next = other
		}
	}
	return next
}

// isReading reports whether somebody waits for a read.
func (c *Reads) isReading() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, l := range c.lists {
		if len(l.waiting) > 0 {
			return true
		}
	}
	return false
}
