package reads

import (
	"math"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

const (
	// cacheBytes bounds what a data source keeps: some reads of 100,000 tasks.
	cacheBytes = 128 << 20
	// cacheEntries bounds the number of entries: every viewer of a dashboard can vary search and days.
	cacheEntries = 1000
	// entryBytes is the overhead of an entry in addition to key and value.
	entryBytes = 256
)

// entry is what a cache keeps.
type entry interface {
	size() int64 // in bytes
	usefulUntil() time.Time
}

// cache keeps what was read, the most recently used entries within a limit of bytes and entries. The expiring variant of
// the same library limits only entries, and starts a goroutine that cannot be stopped.
type cache struct {
	limit int64

	mu     sync.Mutex
	closed bool // a read in flight may end later
	bytes  int64
	lru    *simplelru.LRU[string, sizedEntry]
	sweep  *time.Timer // evicts expired entries even without further reads; nil if the cache is empty
	// sweepAt is when sweep fires.
	sweepAt time.Time
}

// sizedEntry is an entry with the size that was counted for it.
type sizedEntry struct {
	entry
	bytes int64
}

func newCache(limit int64) *cache {
	c := &cache{limit: limit}
	c.lru, _ = simplelru.NewLRU(cacheEntries, func(_ string, e sizedEntry) { c.bytes -= e.bytes })
	return c
}

// get returns the entry of a key that is of use, or nil.
func (c *cache) get(key string) entry {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.find(key)
}

func (c *cache) find(key string) entry {
	e, ok := c.lru.Get(key)
	if !ok {
		return nil
	}
	if !time.Now().Before(e.usefulUntil()) {
		c.lru.Remove(key)
		return nil
	}
	return e.entry
}

// update replaces the entry of a key, which is nil if there is none, and evicts the least recently used ones if limits
// are exceeded. An entry that is of no use or larger than the limit is not kept, but still replaces the previous one.
func (c *cache) update(key string, change func(entry) entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	next := change(c.find(key))
	c.lru.Remove(key)
	bytes := entryBytes + int64(len(key)) + next.size()
	left := time.Until(next.usefulUntil())
	if left <= 0 || bytes > c.limit || c.closed {
		return
	}
	c.lru.Add(key, sizedEntry{next, bytes})
	c.bytes += bytes
	for c.bytes > c.limit {
		c.lru.RemoveOldest()
	}
	c.sweepIn(left)
}

// dropExpired evicts expired entries, and reschedules itself for the others.
func (c *cache) dropExpired() {
	c.mu.Lock()
	defer c.mu.Unlock()
	next := time.Duration(math.MaxInt64)
	for _, key := range c.lru.Keys() {
		e, _ := c.lru.Peek(key)
		left := time.Until(e.usefulUntil())
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
