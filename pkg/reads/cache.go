package reads

import (
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// cache keeps results for a while, the most recently used ones within a bound of bytes. The expiring variant of the
// same library bounds entries rather than bytes, and starts a goroutine that nothing can stop.
type cache struct {
	limit int64
	ttl   time.Duration

	mu    sync.Mutex
	bytes int64
	lru   *simplelru.LRU[string, *Result]
}

func newCache(limit int64, ttl time.Duration) *cache {
	c := &cache{limit: limit, ttl: ttl}
	// The library counts entries; the bound in bytes comes long before this one.
	c.lru, _ = simplelru.NewLRU(1<<20, func(_ string, r *Result) { c.bytes -= r.bytes })
	return c
}

// get returns the result that is kept for key, unless it is too old, or nil.
func (c *cache) get(key string) *Result {
	c.mu.Lock()
	defer c.mu.Unlock()
	r, ok := c.lru.Get(key)
	if !ok {
		return nil
	}
	if time.Since(r.ReadAt) >= c.ttl {
		c.lru.Remove(key)
		return nil
	}
	return r
}

// put keeps a result, and lets go of the oldest ones where the bound asks for it. A result larger than the whole
// bound is not kept.
func (c *cache) put(key string, r *Result) {
	if c.ttl <= 0 || r.bytes > c.limit {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lru.Remove(key)
	c.lru.Add(key, r)
	c.bytes += r.bytes
	for c.bytes > c.limit {
		c.lru.RemoveOldest()
	}
}
