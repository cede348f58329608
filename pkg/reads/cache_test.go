package reads

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// held is an item of some size.
type held int64

func (h held) Bytes() int64 { return int64(h) }

func TestCacheIsBounded(t *testing.T) {
	c := newCache(100_000, time.Minute)
	for i := range 1000 {
		c.put(fmt.Sprint(i), held(1+i%40)*1000)
		var bytes int64
		for _, key := range c.lru.Keys() {
			e, _ := c.lru.Peek(key)
			bytes += entryBytes + int64(len(key)) + e.Bytes()
		}
		require.Equal(t, bytes, c.bytes)
		require.LessOrEqual(t, bytes, int64(100_000))
	}
	c = newCache(1<<30, time.Minute)
	for i := range 3 * cacheEntries {
		c.put(fmt.Sprint(i), held(0))
	}
	assert.Equal(t, cacheEntries, c.lru.Len(), "every viewer of a dashboard can vary search and days")
	c.close()
	assert.Zero(t, c.bytes)
	c.put("late", held(0))
	assert.Nil(t, c.get("late"), "a read in flight may end after the cache was closed")
}

func TestCacheEvictsTheLeastRecentlyUsed(t *testing.T) {
	c := newCache(100_000, time.Minute)
	c.put("a", held(40_000))
	c.put("b", held(40_000))
	require.NotNil(t, c.get("a"))
	c.put("c", held(40_000))
	assert.NotNil(t, c.get("a"))
	assert.Nil(t, c.get("b"))
	c.put("d", held(101_000))
	assert.Nil(t, c.get("d"), "larger than the cache")
	assert.NotNil(t, c.get("a"), "nor does it push out others")
	assert.NotNil(t, c.get("c"))
}

// Items that were not used for a while are evicted when another one is added.
func TestUnusedItemsAreEvicted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCache(100_000, time.Minute)
		c.put("a", held(10))
		c.put("b", held(10))
		time.Sleep(40 * time.Second)
		c.get("b")
		time.Sleep(21 * time.Second)
		c.put("c", held(10))
		assert.Equal(t, []string{"b", "c"}, c.lru.Keys())
	})
}
