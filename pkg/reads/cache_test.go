package reads

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/paging"
	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

func withCache(ttl time.Duration) func(*settings) {
	return func(c *settings) { c.CacheTTL = ttl }
}

func TestReadIsReusedForItsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := servicetest.New().Data(tasksPath, servicetest.OK(threeTasks))
		c := startInBubble(t, f, withCache(time.Minute))
		read := lastDays(7)

		fresh, err := c.Read(t.Context(), read)
		require.NoError(t, err)
		assert.False(t, fresh.Reused)

		time.Sleep(59 * time.Second)
		kept, err := c.Read(t.Context(), read)
		require.NoError(t, err)
		assert.True(t, kept.Reused)
		assert.False(t, fresh.Reused, "the first caller's result stays as it was")
		assert.Equal(t, fresh.ReadAt, kept.ReadAt, "its age counts from the read")
		assert.Equal(t, ids(fresh), ids(kept))
		assert.Equal(t, 1, f.Count(tasksPath))

		time.Sleep(time.Second)
		again, err := c.Read(t.Context(), read)
		require.NoError(t, err)
		assert.False(t, again.Reused, "reuse does not make a read younger")
		assert.Equal(t, 2, f.Count(tasksPath))
	})
}

func TestCacheOff(t *testing.T) {
	f := servicetest.New().Data(tasksPath, servicetest.OK(threeTasks))
	c := start(t, f, withCache(0))
	for range 3 {
		result, err := c.Read(t.Context(), lastDays(7))
		require.NoError(t, err)
		assert.False(t, result.Reused)
	}
	assert.Equal(t, 3, f.Count(tasksPath))
	assert.Zero(t, c.cache.lru.Len(), "an unreachable entry is not kept")
}

// The rows of a read answer every question that needs fewer of them.
func TestReadAnswersShorterOnes(t *testing.T) {
	f := servicetest.New().Data(tasksPath, servicetest.Paged(20, servicetest.Still(servicetest.TaskRange(1, 60))))
	c := start(t, f, withCache(time.Minute))
	for range 2 {
		for _, limit := range []int{0, 1, 30} {
			result, err := c.Read(t.Context(), Read{Question: pages.Question{DataSet: tasks, Days: 7}, Goal: paging.Goal{Rows: limit}})
			require.NoError(t, err)
			want := limit
			if limit == 0 {
				want = 60
			}
			assert.Equal(t, want, result.Table.Rows)
		}
	}
	assert.Equal(t, 3, f.Count(tasksPath))
}

// Warnings belong to the rows: cached rows come with their warnings.
func TestKeptReadKeepsItsWarnings(t *testing.T) {
	f := servicetest.New().Data(tasksPath, servicetest.OK(`[{"id":1,"state":5}]`))
	c := start(t, f, withCache(time.Minute))
	for range 2 {
		result, err := c.Read(t.Context(), lastDays(7))
		require.NoError(t, err)
		assert.Len(t, result.Warnings, 1)
	}
}

// Changed settings create a new client, which has neither the token nor the cached rows of the old one.
func TestNewClientHasNoCache(t *testing.T) {
	f := servicetest.New().Data(tasksPath, servicetest.OK(threeTasks))
	for range 2 {
		c := start(t, f, withCache(time.Minute))
		result, err := c.Read(t.Context(), lastDays(7))
		require.NoError(t, err)
		assert.False(t, result.Reused)
	}
	assert.Equal(t, 2, f.Count(tasksPath))
	assert.Equal(t, 2, f.Count(servicetest.LoginPath))
}

// held is an entry of some size that is of use for a time.
type held struct {
	bytes int64
	until time.Time
}

func (h held) size() int64            { return h.bytes }
func (h held) usefulUntil() time.Time { return h.until }

func put(c *cache, key string, bytes int64) {
	c.update(key, func(entry) entry { return held{bytes, time.Now().Add(time.Minute)} })
}

func TestCacheIsBoundedInBytes(t *testing.T) {
	c := newCache(100_000)
	for i := range 1000 {
		put(c, fmt.Sprint(i), int64(1+i%40)*1000)
		var bytes int64
		for _, key := range c.lru.Keys() {
			e, _ := c.lru.Peek(key)
			bytes += entryBytes + int64(len(key)) + e.size()
		}
		require.Equal(t, bytes, c.bytes)
		require.LessOrEqual(t, bytes, int64(100_000))
	}
}

func TestCacheEvictsTheLeastRecentlyUsed(t *testing.T) {
	c := newCache(100_000)
	put(c, "a", 40_000)
	put(c, "b", 40_000)
	require.NotNil(t, c.get("a"))
	put(c, "c", 40_000)
	assert.NotNil(t, c.get("a"))
	assert.Nil(t, c.get("b"))
	assert.NotNil(t, c.get("c"))
}

func TestEntryLargerThanTheCacheIsNotKept(t *testing.T) {
	c := newCache(100_000)
	put(c, "a", 40_000)
	put(c, "b", 101_000)
	assert.NotNil(t, c.get("a"), "nor does it push out others")
	assert.Nil(t, c.get("b"))
}

func TestReplacedEntryCountsOnce(t *testing.T) {
	c := newCache(100_000)
	for range 10 {
		put(c, "a", 60_000)
	}
	assert.NotNil(t, c.get("a"))
	assert.EqualValues(t, entryBytes+1+60_000, c.bytes)
}

// The limit is useless if results count for less than their size.
func TestResultsCountTheirBytes(t *testing.T) {
	bytes := func(content string) int64 {
		r := readPages(t, tasks, content)
		return (&kept{results: []*Result{r}}).size()
	}
	small := bytes(`[{"id":1,"state":"START","new":"0123456789"}]`)
	require.Positive(t, small)
	long := fmt.Sprintf(`[{"id":1,"state":"START","new":"%01000d","nested":{"a":"%01000d"}}]`, 0, 0)
	assert.Greater(t, bytes(long), small+1900)
}

// Every viewer of a dashboard can vary search and days: the number of tiny results is limited, too.
func TestCacheIsBoundedInEntries(t *testing.T) {
	c := newCache(1 << 30)
	for i := range 3 * cacheEntries {
		put(c, fmt.Sprint(i), 0)
	}
	assert.Equal(t, cacheEntries, c.lru.Len())
	assert.NotNil(t, c.get(fmt.Sprint(3*cacheEntries-1)))
	assert.Positive(t, c.bytes, "an entry without rows takes memory too")
	c.close()
	assert.Zero(t, c.bytes)
	put(c, "late", 0)
	assert.Nil(t, c.get("late"), "a read in flight may end after the cache was closed")
}

// Expired entries are evicted without further reads, each at its time.
func TestExpiredEntriesAreDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCache(100_000)
		put(c, "a", 10)
		time.Sleep(40 * time.Second)
		put(c, "b", 10)
		after := func(wait time.Duration) []string {
			time.Sleep(wait)
			synctest.Wait()
			c.mu.Lock()
			defer c.mu.Unlock()
			return c.lru.Keys()
		}
		assert.Equal(t, []string{"b"}, after(20*time.Second))
		assert.Empty(t, after(40*time.Second))
		put(c, "c", 10)
		assert.Empty(t, after(time.Minute))
	})
}
