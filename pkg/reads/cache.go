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

// cache keeps items, the most recently used within a limit of bytes and entries, and none that was not used for a while. The
// expiring variant of the same library limits only entries, and starts a goroutine that cannot be stopped.
type cache struct {
	limit int64
	idle  time.Duration // how long an unused item is kept

	mu     sync.Mutex
	closed bool // a read in flight may end later
	bytes  int64
	lru    *simplelru.LRU[string, *entry]
}

// entry is an item with the size that was counted for it.
type entry struct {
	item
	bytes int64
	used  time.Time
}

func newCache(limit int64, idle time.Duration) *cache {
	c := &cache{limit: limit, idle: idle}
	c.lru, _ = simplelru.NewLRU(cacheEntries, func(_ string, e *entry) { c.bytes -= e.bytes })
	return c
}

// get returns the item of a key, or nil.
func (c *cache) get(key string) item {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.lru.Get(key)
	if !ok {
		return nil
	}
	e.used = time.Now()
	return e.item
}

// list returns the list of a key, which is a new one if there is none.
func (c *cache) list(key string, create func() *list.List) *list.List {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.lru.Get(key); ok {
		return e.item.(*list.List)
	}
	l := create()
	c.add(key, l)
	return l
}

// put keeps an item, which replaces an earlier one with its key, and counts its size.
func (c *cache) put(key string, i item) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.add(key, i)
}

func (c *cache) add(key string, i item) {
	c.lru.Remove(key)
	e := &entry{item: i, bytes: entryBytes + int64(len(key)) + i.Bytes(), used: time.Now()}
	if c.closed || e.bytes > c.limit {
		return // An item that exceeds the limit alone does not push out the others.
	}
	c.lru.Add(key, e)
	c.bytes += e.bytes
	for _, oldest, _ := c.lru.GetOldest(); c.bytes > c.limit || time.Since(oldest.used) > c.idle; _, oldest, _ = c.lru.GetOldest() {
		c.lru.RemoveOldest()
	}
}

// close evicts everything.
func (c *cache) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	c.lru.Purge()
}
