package reads

import (
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"github.com/insights/insights-reporting-datasource/pkg/list"
)

const (
	// cacheBytes bounds what a data source keeps: some lists of 100,000 tasks.
	cacheBytes = 128 << 20
	// cacheEntries bounds the number of entries: every viewer of a dashboard can vary search and days.
	cacheEntries = 1000
	// entryBytes is the overhead of an entry in addition to key and value.
	entryBytes = 256
)

// item is what a cache keeps.
type item interface{ Bytes() int64 }

// cache keeps items, the most recently used within a limit of bytes and entries, until they have not been used for a
// while. The expiring variant of the same library limits only entries, and starts a goroutine that cannot be stopped.
type cache struct {
	limit int64
	idle  time.Duration // how long an unused item is kept

	mu     sync.Mutex
	closed bool // a read in flight may end later
	bytes  int64
	lru    *simplelru.LRU[string, *entry]
}

// entry is an item with the size that was counted for it, and the timer that evicts it when it is of no use anymore.
type entry struct {
	item
	bytes   int64
	expires *time.Timer
}

func newCache(limit int64, idle time.Duration) *cache {
	c := &cache{limit: limit, idle: idle}
	c.lru, _ = simplelru.NewLRU(cacheEntries, func(_ string, e *entry) {
		c.bytes -= e.bytes
		e.expires.Stop()
	})
	return c
}

// get returns the item of a key, or nil.
func (c *cache) get(key string) item {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.used(key)
}

// used returns the item of a key, or nil, and keeps it for longer. The caller holds the mutex.
func (c *cache) used(key string) item {
	e, ok := c.lru.Get(key)
	if !ok {
		return nil
	}
	e.expires.Reset(c.idle)
	return e.item
}

// list returns the list of a key, which is a new one if there is none.
func (c *cache) list(key string, create func() *list.List) *list.List {
	c.mu.Lock()
	defer c.mu.Unlock()
	if l, ok := c.used(key).(*list.List); ok {
		return l
	}
	l := create()
	c.add(key, l)
	return l
}

// put keeps an item, which replaces an earlier one with its key.
func (c *cache) put(key string, i item) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.add(key, i)
}

func (c *cache) add(key string, i item) {
	if c.closed {
		return
	}
	c.lru.Remove(key)
	e := &entry{item: i, bytes: entryBytes + int64(len(key)) + i.Bytes()}
	e.expires = time.AfterFunc(c.idle, func() { c.expire(key, e) })
	c.lru.Add(key, e)
	c.bytes += e.bytes
	c.shrink(key, e)
}

// recount counts the size of a list again, after a read.
func (c *cache) recount(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.lru.Get(key)
	if !ok {
		return
	}
	c.bytes -= e.bytes
	e.bytes = entryBytes + int64(len(key)) + e.Bytes()
	c.bytes += e.bytes
	e.expires.Reset(c.idle)
	c.shrink(key, e)
}

// shrink evicts the least recently used items until the others are within the limit. An item that exceeds it alone does
// not push out the others.
func (c *cache) shrink(key string, e *entry) {
	if e.bytes > c.limit {
		c.lru.Remove(key)
	}
	for c.bytes > c.limit {
		c.lru.RemoveOldest()
	}
}

// expire evicts an entry, unless another one has replaced it meanwhile.
func (c *cache) expire(key string, e *entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now, ok := c.lru.Peek(key); ok && now == e {
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
