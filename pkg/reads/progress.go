package reads

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
)

// Progress is a snapshot of a read in flight.
type Progress struct {
	Pages int  // pages read
	Of    int  // pages to read; 0: unknown
	Again bool // the data changed, and the pages are read again
	// Table has the rows of the first pages, contiguous from page 0 on, and must not be modified. nil if rows must not
	// be shown before they are verified against those read earlier.
	Table *columns.Table
}

// tracker holds the progress of a read.
type tracker struct{ latest atomic.Pointer[stage] }

// stage is a Progress whose table is built on demand.
type stage struct {
	pages, of int
	again     bool
	from      *assembly // nil: no rows
	rows      int       // of the assembly
}

func (t *tracker) progress() *Progress {
	s := t.latest.Load()
	if s == nil {
		return &Progress{}
	}
	p := &Progress{Pages: s.pages, Of: s.of, Again: s.again}
	if s.from != nil {
		p.Table = s.from.front(s.rows)
	}
	return p
}

// Progress returns the progress of the read in flight that answers r, or nil if there is none. It has no side effects:
// it starts no read, joins none, and leaves the cache unchanged.
func (c *Reads) Progress(r Read) *Progress {
	key := c.key(r)
	// A read that falls back to a full read continues under the first key, within the run that started under another.
	keys := []string{key}
	if r.Newest != nil {
		keys = append(keys, key+newestKey+r.Newest.key())
	}
	for _, key := range append(keys, key+repeatedKey) {
		if t := c.tracked.find(key); t != nil {
			return t.progress()
		}
	}
	return nil
}

// WindowsRead returns how many of the windows of a question are in the cache. ok is false if caching is off, so the
// number is unknown.
func (c *Reads) WindowsRead(r Read, days []int) (read int, ok bool) {
	for _, d := range days {
		window := r
		window.Days = d
		if c.cache.has(c.key(window)) {
			read++
		}
	}
	return read, c.config.CacheTTL > 0
}

// share runs work once for all concurrent callers. Its tracker is registered under the key while it runs.
func (c *Reads) share(ctx context.Context, key string, work func(context.Context, *tracker) (*Result, error)) (*Result, bool, error) {
	return c.inFlight.Do(ctx, key, func(ctx context.Context) (*Result, error) {
		t := &tracker{}
		c.tracked.add(key, t)
		defer c.tracked.drop(key, t)
		return work(ctx, t)
	})
}

// trackers maps keys to reads in flight.
type trackers struct {
	mu    sync.Mutex
	byKey map[string]*tracker
}

func (t *trackers) find(key string) *tracker {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.byKey[key]
}

func (t *trackers) add(key string, of *tracker) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.byKey == nil {
		t.byKey = map[string]*tracker{}
	}
	t.byKey[key] = of
}

// drop removes a finished read. A read that all callers canceled may end after another started under its key.
func (t *trackers) drop(key string, of *tracker) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.byKey[key] == of {
		delete(t.byKey, key)
	}
}

// publish stores the progress of a pass over so many pages; 0: unknown.
func (r *reader) publish(p *pass, of int) {
	if of > 0 {
		of = max(of, p.pages)
	}
	rows := min(p.rows.table.Rows, r.most)
	r.tracker.latest.Store(&stage{pages: p.pages, of: of, again: r.passes > 1, from: p.rows, rows: rows})
}

// publish stores how many pages this attempt has read. Whether their rows fit the base is known only at the end.
func (rp *repeat) publish() { rp.tracker.latest.Store(&stage{pages: len(rp.at), of: rp.of}) }
