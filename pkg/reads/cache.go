package reads

import (
	"math"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

const (
	// cacheBytes bounds what a data source keeps for cacheTTL: some reads of 100,000 tasks.
	cacheBytes = 128 << 20
	// cacheEntries bounds how many reads that are: whoever may see a dashboard can vary search and days.
	cacheEntries = 1000
	// entryBytes is what an entry takes beside key and result: places in a map and a list.
	entryBytes = 256
)

// cache keeps results for a while, to be shown again or to begin the next read from, the most recently used ones within a bound of bytes and one of entries. The expiring
// variant of the same library bounds entries alone, and starts a goroutine that nothing can stop.
type cache struct {
	limit int64
	ttl   time.Duration

	mu     sync.Mutex
	closed bool // a read that was in flight may end later
	bytes  int64
	lru    *simplelru.LRU[string, *Result]
	sweep  *time.Timer // drops what has expired, though nobody asks any more; nil where nothing is kept
	// sweepAt is when.
	sweepAt time.Time
}

func newCache(limit int64, ttl time.Duration) *cache {
	c := &cache{limit: limit, ttl: ttl}
	c.lru, _ = simplelru.NewLRU(cacheEntries, func(key string, r *Result) { c.bytes -= entrySize(key, r) })
	return c
}

func entrySize(key string, r *Result) int64 { return entryBytes + int64(len(key)) + r.bytes }

// get returns the result that is kept for key, unless it is too old to be shown, or nil.
func (c *cache) get(key string) *Result {
	if r := c.peek(key); r != nil && time.Since(r.ReadAt) < c.ttl {
		return r
	}
	return nil
}

// has says whether get would return a result for key, and leaves everything as it is.
func (c *cache) has(key string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	r, ok := c.lru.Peek(key)
	return ok && time.Since(r.ReadAt) < c.ttl
}

// peek returns the result that is kept for key, be it only as the base of the next read, or nil.
func (c *cache) peek(key string) *Result {
	c.mu.Lock()
	defer c.mu.Unlock()
	r, ok := c.lru.Get(key)
	if !ok {
		return nil
	}
	if c.left(r) <= 0 {
		c.lru.Remove(key)
		return nil
	}
	return r
}

// left is how long a result is of use: to be shown, or as the base of another.
func (c *cache) left(r *Result) time.Duration {
	return max(c.ttl-time.Since(r.ReadAt), time.Until(r.keptUntil))
}

// put keeps a result, and evicts the oldest ones where the bounds ask for it. A result that is of no use, or larger than
// the whole bound, is not kept; it ends the one before all the same.
func (c *cache) put(key string, r *Result) {
	size := entrySize(key, r)
	left := c.left(r)
	c.mu.Lock()
	defer c.mu.Unlock()
	if kept, ok := c.lru.Peek(key); ok && kept.began.After(r.began) {
		return // What is older ended later.
	}
	c.lru.Remove(key)
	if left <= 0 || size > c.limit {
		return
	}
	c.lru.Add(key, r)
	c.bytes += size
	for c.bytes > c.limit {
		c.lru.RemoveOldest()
	}
	if c.closed {
		c.lru.Purge()
		return
	}
	c.sweepIn(left)
}

// dropExpired evicts what nobody will get any more, and comes again while something is left.
func (c *cache) dropExpired() {
	c.mu.Lock()
	defer c.mu.Unlock()
	next := time.Duration(math.MaxInt64)
	for _, key := range c.lru.Keys() {
		r, _ := c.lru.Peek(key)
		left := c.left(r)
		if left <= 0 {
			c.lru.Remove(key)
			continue
		}
		next = min(next, left)
	}
	c.sweep = nil
	if c.lru.Len() > 0 {
		c.sweepIn(next)
	}
}

// sweepIn makes dropExpired come in a while, unless it comes sooner.
func (c *cache) sweepIn(wait time.Duration) {
	at := time.Now().Add(wait)
	switch {
	case c.sweep == nil:
		c.sweep = time.AfterFunc(wait, c.dropExpired)
	case at.Before(c.sweepAt):
		c.sweep.Reset(wait)
	default:
		return
	}
	c.sweepAt = at
}

// close evicts everything.
func (c *cache) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.sweep != nil {
		c.sweep.Stop()
		c.sweep = nil
	}
	c.closed = true
	c.lru.Purge()
}
