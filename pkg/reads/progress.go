package reads

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
)

// Progress is how far a read in flight has come. It stays as it is while the read goes on.
type Progress struct {
	Pages int  // pages read
	Of    int  // pages to read; 0: not known
	Again bool // the data moved, and the pages are read once more
	// Table has the rows of the first pages, as they follow one another from page 0 on, and must not be changed. nil where
	// rows are not to be shown before they are known to fit those that were read earlier.
	Table *columns.Table
}

// tracker is where a read says how far it has come.
type tracker struct{ latest atomic.Pointer[stage] }

// stage is Progress before somebody asks for it: until then the rows cost nothing.
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

// Progress returns how far the read in flight has come that answers r, or nil where there is none. It looks, and nothing else:
// it starts no read, joins none, and leaves the cache as it is.
func (c *Reads) Progress(r Read) *Progress {
	key := c.key(r)
	// A read that turns out to be needed whole goes on under the first key, inside the run that began under another.
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

// WindowsRead returns how many of the windows of a question have been read: what Windows has read is kept. ok is false
// where nothing is kept, so that nobody knows.
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

// share does work once for all who want it at the same time. Its tracker is found under the key as long as it goes on.
func (c *Reads) share(ctx context.Context, key string, work func(context.Context, *tracker) (*Result, error)) (*Result, bool, error) {
	return c.inFlight.Do(ctx, key, func(ctx context.Context) (*Result, error) {
		t := &tracker{}
		c.tracked.add(key, t)
		defer c.tracked.drop(key, t)
		return work(ctx, t)
	})
}

// trackers finds the reads in flight by their keys.
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

// drop forgets a read that ended. One that everybody has left may end after another has begun under its key.
func (t *trackers) drop(key string, of *tracker) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.byKey[key] == of {
		delete(t.byKey, key)
	}
}

// tell says how far a pass has come that reads so many pages; 0: not known.
func (r *reader) tell(p *pass, of int) {
	if of > 0 {
		of = max(of, p.pages)
	}
	rows := min(p.rows.table.Rows, r.most)
	r.tracker.latest.Store(&stage{pages: p.pages, of: of, again: r.passes > 1, from: p.rows, rows: rows})
}

// tell says how many pages this try has read. Whether their rows fit those of the base is known at the end alone.
func (rp *repeat) tell() { rp.tracker.latest.Store(&stage{pages: len(rp.at), of: rp.of}) }
