package reads

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/list"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
)

// answered returns a list with a table of so many rows, each of 17 bytes.
func answered(t *testing.T, rows int) *list.List {
	t.Helper()
	l := list.New(list.Config{DataSet: tasks, Concurrent: 1, MaxRows: 1 << 20, Page: func(context.Context, list.PageRequest) (*pages.Page, error) {
		p := pages.Empty(tasks)
		p.Total, p.Table.Rows = rows, rows
		for _, c := range p.Table.Columns {
			c.Resize(rows)
		}
		for i, ids := 0, p.Table.Column("id"); i < rows; i++ {
			ids.Valid[i], ids.Integers[i] = true, int64(i)
		}
		return p, nil
	}})
	_, err := l.Read(t.Context(), time.Now(), nil)
	require.NoError(t, err)
	return l
}

// kept counts a list as a read does, and returns whether it is kept.
func (c *cache) keeps(n name, l *list.List) bool {
	c.list(n, func() *list.List { return l })
	c.count(n, l)
	return c.has(n)
}

func TestCacheIsBounded(t *testing.T) {
	r := New(Config{}, &pages.Source{})
	big, small := answered(t, 1000), answered(t, 100)
	c := newCache(3 * big.Bytes())
	for i := range 1000 {
		c.keeps(name{reads: r, of: "", days: i}, []*list.List{big, small}[i%2])
		var bytes int64
		for _, n := range c.lru.Keys() {
			e, _ := c.lru.Peek(n)
			if bytes += entryBytes; e.list != nil {
				bytes += e.list.Bytes()
			}
		}
		require.Equal(t, bytes, c.bytes)
		require.LessOrEqual(t, bytes, c.limit)
	}
	c = newCache(1 << 40)
	c.list(name{reads: r}, func() *list.List { return small })
	c.count(name{reads: r}, big)
	assert.Zero(t, c.bytes, "it was dropped while it was read, and another one has taken its place")
	for i := range 3 * cacheEntries {
		c.keeps(name{reads: r, of: "", days: i}, small)
	}
	assert.Equal(t, cacheEntries, c.lru.Len(), "every viewer of a dashboard can vary search and days")
	r.Close()
	c.drop(r)
	assert.Zero(t, c.bytes)
	c.count(name{reads: r, of: "", days: 0}, small)
	assert.Zero(t, c.lru.Len(), "a read in flight may end after the cache was closed")
}

// Room is made by the lists that were used least lately, not by those that are being read.
func TestCacheEvictsTheLeastRecentlyUsed(t *testing.T) {
	r := New(Config{}, &pages.Source{})
	l, big := answered(t, 100), answered(t, 1000)
	c := newCache(5 * l.Bytes() / 2)
	of := func(text string) name { return name{reads: r, of: text, days: 1} }
	c.list(of("slow"), func() *list.List { return l })
	for _, kept := range []string{"a", "b", "a", "c"} {
		c.keeps(of(kept), l)
	}
	assert.True(t, c.has(of("a")))
	assert.False(t, c.has(of("b")))
	assert.True(t, c.keeps(of("d"), big), "larger than the cache, but the only one")
	assert.False(t, c.has(of("a")))
	c.count(of("slow"), l)
	assert.True(t, c.has(of("slow")))
}

// Lists that were not used for a while are evicted when another one is read. Questions that could ask another list are no use
// of it, and do not ask one that is used less.
func TestUnusedListsAreEvicted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := New(Config{FullReadInterval: time.Hour}, &pages.Source{})
		l := answered(t, 1)
		c := newCache(1 << 30)
		a, b := name{reads: r, of: "", days: 10}, name{reads: r, of: "", days: 20}
		c.keeps(a, l)
		c.keeps(b, l)
		time.Sleep(40 * time.Minute)
		c.keeps(a, l)
		c.keeps(name{reads: r, of: "another question", days: 30}, l)
		c.keeps(name{reads: r, of: "", days: 30, rows: 5}, l)
		_, n := c.longest(name{reads: r, of: "", days: 5})
		assert.Equal(t, b, n)
		less, _ := c.longest(a)
		assert.Nil(t, less, "nobody has asked for more days as lately")
		time.Sleep(21 * time.Minute)
		c.keeps(name{reads: r, of: "c", days: 1}, l)
		assert.True(t, c.lru.Contains(a))
		assert.False(t, c.lru.Contains(b))
	})
}
