package reads

import (
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
	lru    *simplelru.LRU[string, cacheItem]
}

// cacheItem is an entry with the size that was counted for it, and the timer that evicts it even without further reads.
type cacheItem struct {
	entry
	bytes   int64
	expires *time.Timer
}

func newCache(limit int64) *cache {
	c := &cache{limit: limit}
	c.lru, _ = simplelru.NewLRU(cacheEntries, func(_ string, item cacheItem) {
		c.bytes -= item.bytes
		item.expires.Stop()
	})
	return c
}

// get returns the entry of a key, or nil.
func (c *cache) get(key string) entry {
	c.mu.Lock()
	defer c.mu.Unlock()
	item, _ := c.lru.Get(key)
	return item.entry
}

// update replaces the entry of a key, which is nil if there is none, and evicts the least recently used ones if limits
// are exceeded. An entry that is of no use or larger than the limit is not kept, but still replaces the previous one.
func (c *cache) update(key string, change func(entry) entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	before, _ := c.lru.Get(key)
	next := change(before.entry)
	c.lru.Remove(key)
	bytes := entryBytes + int64(len(key)) + next.size()
	left := time.Until(next.usefulUntil())
	if left <= 0 || bytes > c.limit || c.closed {
		return
	}
	c.lru.Add(key, cacheItem{next, bytes, time.AfterFunc(left, func() { c.expire(key) })})
	c.bytes += bytes
	for c.bytes > c.limit {
		c.lru.RemoveOldest()
	}
}

// expire evicts the entry of a key, unless another one has replaced it meanwhile.
func (c *cache) expire(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if item, ok := c.lru.Peek(key); ok && !time.Now().Before(item.usefulUntil()) {
		c.lru.Remove(key)
	}
}

// close evicts everything.
func (c *cache) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	c.lru.Purge()
}
