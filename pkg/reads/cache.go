package reads

import (
	"math"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

const (
	// cacheBytes bounds what a data source caches for cacheTTL: some reads of 100,000 tasks.
	cacheBytes = 128 << 20
	// cacheEntries bounds the number of cached reads: every viewer of a dashboard can vary search and days.
	cacheEntries = 1000
	// entryBytes is the overhead of an entry in addition to key and result.
	entryBytes = 256
)

// cache keeps results to be reused or as the base of the next read, the most recently used ones within a limit of bytes
// and entries. The expiring variant of the same library limits only entries, and starts a goroutine that cannot be
// stopped.
type cache struct {
	limit int64
	ttl   time.Duration

	mu     sync.Mutex
	closed bool // a read in flight may end later
	bytes  int64
	lru    *simplelru.LRU[string, *Result]
	sweep  *time.Timer // evicts expired results even without further reads; nil if the cache is empty
	// sweepAt is when sweep fires.
	sweepAt time.Time
}

func newCache(limit int64, ttl time.Duration) *cache {
	c := &cache{limit: limit, ttl: ttl}
	c.lru, _ = simplelru.NewLRU(cacheEntries, func(key string, r *Result) { c.bytes -= entrySize(key, r) })
	return c
}

func entrySize(key string, r *Result) int64 { return entryBytes + int64(len(key)) + r.bytes }

// get returns the cached result for key, or nil if there is none that is fresh enough to be reused.
func (c *cache) get(key string) *Result {
	if r := c.peek(key); r != nil && time.Since(r.ReadAt) < c.ttl {
		return r
	}
	return nil
}

// peek returns the cached result for key, even if it is useful only as the base of the next read, or nil.
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

// left returns how long a result remains useful, for reuse or as a base.
func (c *cache) left(r *Result) time.Duration {
	return max(c.ttl-time.Since(r.ReadAt), time.Until(r.keptUntil))
}

// put caches a result, and evicts the least recently used ones if limits are exceeded. A result that is of no use or
// larger than the limit is not cached, but still replaces the previous one.
func (c *cache) put(key string, r *Result) {
	size := entrySize(key, r)
	left := c.left(r)
	c.mu.Lock()
	defer c.mu.Unlock()
	if kept, ok := c.lru.Peek(key); ok && kept.began.After(r.began) {
		return // An older read finished later.
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

// dropExpired evicts expired results, and reschedules itself for the others.
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

// sweepIn schedules dropExpired, unless it fires earlier already.
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
