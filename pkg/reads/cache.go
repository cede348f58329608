package reads

import (
	"math"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"github.com/insights/insights-reporting-datasource/pkg/list"
	"github.com/insights/insights-reporting-datasource/pkg/paging"
	"github.com/insights/insights-reporting-datasource/schema"
)

const (
	cacheBytes   = 256 << 20 // that all data sources keep at most: some lists of 100,000 tasks
	cacheEntries = 1000      // lists at most: every viewer of a dashboard can vary search and days
	entryBytes   = 256       // the overhead of an entry in addition to name and list
)

// lists is what all data sources keep: the lists used most recently, within the limits unless one alone exceeds them, and none for long.
var lists = newCache(cacheBytes)

// cache keeps lists. The expiring variant of the same library limits only entries, and starts a goroutine that cannot be stopped.
type cache struct {
	limit int64

	mu      sync.Mutex
	bytes   int64
	lru     *simplelru.LRU[name, *entry]
	crowded time.Time // when a list that had been dropped to make room was last asked for again
}

type name struct {
	reads *Reads
	of    string // its request, but for the days
	days  int
	rows  int // how many of the first; 0: all
}

func (n name) bytes() int64 { return entryBytes + int64(len(n.of)) }

type entry struct {
	list    *list.List // nil: dropped to make room for others
	bytes   int64
	used    time.Time
	isFirst bool // nothing is known of the list, and it is being read
}

func newCache(limit int64) *cache {
	c := &cache{limit: limit}
	c.lru, _ = simplelru.NewLRU(cacheEntries, func(_ name, e *entry) { c.bytes -= e.bytes })
	return c
}

func (c *cache) list(n name, create func() *list.List) *list.List {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	e, known := c.lru.Get(n)
	if !known {
		e = &entry{list: create()}
		c.lru.Add(n, e)
	} else if e.list == nil {
		e.list, c.crowded = create(), now
	}
	e.used = now
	return e.list
}

const crowdedTime = time.Hour // how long it is known that memory was too small

// IsCrowded reports whether lists that are in use were dropped to make room for others, so that each refresh reads all of
// their pages. It is about all data sources, which share the memory: one that was just saved has no lists yet.
func IsCrowded() bool {
	lists.mu.Lock()
	defer lists.mu.Unlock()
	return time.Since(lists.crowded) < crowdedTime
}

// longest returns the list of most days of the same question whose answer has nothing to warn about, if it has more days and was used as
// lately; nil if there is none. That is no use of it, so that a list over many days is not kept for the questions about few.
func (c *cache) longest(than name) (longest *list.List, of name) {
	c.mu.Lock()
	defer c.mu.Unlock()
	of = than
	var used time.Time
	if e, ok := c.lru.Peek(than); ok {
		used = e.used.Add(-longerWait) // The queries of a dashboard do not come at once.
	}
	for _, n := range c.lru.Keys() {
		if e, _ := c.lru.Peek(n); e.list != nil && n.isSimilar(than) && n.days > of.days && !e.used.Before(used) && isFlawless(e.list.Kept()) {
			longest, of = e.list, n
		}
	}
	return longest, of
}

func (n name) isSimilar(o name) bool {
	return n.reads == o.reads && n.of == o.of && n.rows == 0 && o.rows == 0
}

// nearest returns what is known of the list of the same question over the nearest number of more days, or else of fewer; nil: nothing.
func (c *cache) nearest(to name) (nearest *paging.Prediction, isLonger bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	distance := math.MaxInt
	for _, n := range c.lru.Keys() {
		far := n.days - to.days
		if far < 0 {
			far = math.MaxInt/2 - far // The pages of the other days would have to be read.
		}
		e, _ := c.lru.Peek(n)
		if e.list == nil || n == to || !n.isSimilar(to) || far >= distance {
			continue
		}
		if known := e.list.Known(); known != nil {
			nearest, distance, isLonger = known, far, n.days > to.days
		}
	}
	return nearest, isLonger
}

const smallPart = 4 // how many times more days a list has of which another one is a small part, which is read sooner than the whole

// begin notes that a list of which nothing is known is being read, and returns the one over most days of the same question of which
// that was noted before; nil if there is none. So, of two lists, only one waits for the other, and none that is a small part of it.
func (c *cache) begin(of name) (earlier *list.List) {
	c.mu.Lock()
	defer c.mu.Unlock()
	days := 0
	for _, n := range c.lru.Keys() {
		e, _ := c.lru.Peek(n)
		if e.list != nil && e.isFirst && n != of && n.isSimilar(of) && n.days > days && n.days <= smallPart*of.days {
			earlier, days = e.list, n.days
		}
	}
	if e, ok := c.lru.Peek(of); ok {
		e.isFirst = true
	}
	return earlier
}

func (c *cache) has(n name) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.lru.Peek(n)
	return ok && e.list != nil
}

// count counts the size of a list that was read, drops lists that were not used for a while, and then makes room.
func (c *cache) count(n name, l *list.List) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.lru.Peek(n)
	if !ok || e.list != l || n.reads.ended.Err() != nil {
		return // It was dropped while it was read.
	}
	e.isFirst = false
	c.resize(e, n.bytes()+l.Bytes())
	for _, other := range c.lru.Keys() { // the least recently used first
		switch e, _ := c.lru.Peek(other); {
		case other == n:
		case time.Since(e.used) > other.reads.idle():
			c.lru.Remove(other)
		case c.bytes > c.limit && e.bytes > other.bytes(): // Otherwise, it has nothing, or is being read.
			e.list = nil
			c.resize(e, other.bytes())
		}
	}
}

func (c *cache) resize(e *entry, bytes int64) {
	c.bytes += bytes - e.bytes
	e.bytes = bytes
}

func (c *cache) drop(r *Reads) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, n := range c.lru.Keys() {
		if n.reads == r {
			c.lru.Remove(n)
		}
	}
}

// What neither Grafana nor its SDK can count.
var (
	readsMade = promauto.NewCounterVec(prometheus.CounterOpts{
		Namespace: "insights", Name: "reads_total",
		Help: "Reads by data set and source: cache (rows of another read), or of the service whole, incremental.",
	}, []string{"data_set", "source"})
	rowsCorrected = promauto.NewCounterVec(prometheus.CounterOpts{
		Namespace: "insights", Name: "corrected_rows_total",
		Help: "Reused rows by data set that were not expected to change, but had changed when their page was read again.",
	}, []string{"data_set"})
)

func count(set *schema.DataSet, found *paging.Result) {
	source := "whole"
	switch {
	case found.Shared:
		source = "cache"
	case found.Cost.Reused > 0:
		source = "incremental"
	}
	readsMade.WithLabelValues(set.Name, source).Inc()
	if !found.Shared {
		rowsCorrected.WithLabelValues(set.Name).Add(float64(found.Cost.Corrected))
	}
}
