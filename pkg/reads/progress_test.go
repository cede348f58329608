package reads

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// oneAtATime serializes the pages in the order of their requests.
func oneAtATime(c *settings) { c.MaxConcurrent = 1 }

func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		answer := servicetest.Paged(20, servicetest.Still(servicetest.TaskRange(1, 90)))
		var release []chan struct{}
		for range 5 {
			release = append(release, make(chan struct{}))
		}
		f := servicetest.New().Data(tasksPath, func(w http.ResponseWriter, r *http.Request) {
			number, _ := strconv.Atoi(r.URL.Query().Get("page"))
			<-release[number]
			answer(w, r)
		})
		c := startInBubble(t, f, withCache(time.Minute))
		defer c.Close()
		assert.Nil(t, c.Progress(lastDays(7)), "before anybody reads")

		reader := arrive(c, lastDays(7))
		synctest.Wait()
		assert.Equal(t, &Progress{}, c.Progress(lastDays(7)), "before the first page is there")
		assert.Nil(t, c.Progress(lastDays(8)), "another read")

		for _, next := range []struct {
			page, pages int
			rows        int64
		}{{0, 1, 20}, {3, 1, 20}, {4, 1, 20}, {1, 2, 40}} {
			close(release[next.page])
			synctest.Wait()
			p := c.Progress(lastDays(7))
			assert.Equal(t, next.pages, p.Pages, "after page %d", next.page)
			assert.Equal(t, 5, p.Of)
			assert.Equal(t, numbers(1, next.rows), p.Table.Column("id").Integers)
			requireWhole(t, p.Table)
		}
		close(release[2])
		require.NoError(t, <-reader.done)
		assert.Equal(t, numbers(1, 90), ids(reader.got))
		synctest.Wait()
		assert.Nil(t, c.Progress(lastDays(7)), "after the read")
		assert.Equal(t, 5, f.Count(tasksPath), "reading the progress sends no request")
	})
}

// Reading the progress does not join the read: it is canceled with its last caller, and a new one has its own progress.
func TestProgressOfACanceledRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := servicetest.NewGate()
		f := servicetest.New().Data(tasksPath, g.Hold(servicetest.Paged(20, servicetest.Still(servicetest.TaskRange(1, 90)))))
		c := startInBubble(t, f, oneAtATime)
		first := arrive(c, lastDays(7))
		synctest.Wait()
		g.Pass <- struct{}{}
		synctest.Wait()
		assert.Equal(t, 1, c.Progress(lastDays(7)).Pages)
		first.leave()
		require.Error(t, <-first.done)
		second := arrive(c, lastDays(7))
		synctest.Wait()
		assert.Equal(t, 0, c.Progress(lastDays(7)).Pages)
		close(g.Pass)
		require.NoError(t, <-second.done)
	})
}

// watch calls look as often as possible while a read is running.
func watch(look func(), read func()) {
	done := make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
				look()
			}
		}
	})
	read()
	close(done)
	watching.Wait()
}

// Every partial table of concurrent pages is the beginning of the result. The race detector checks along.
func TestProgressIsTheFrontOfTheRows(t *testing.T) {
	w := newRobots(1, 3_000, 20)
	for i := range w.tasks {
		// Fields that appear and disappear, and change their type.
		switch i % 50 {
		case 7:
			w.tasks[i].extra = fmt.Sprintf(`,"zone-%d":"a"`, i/500)
		case 8:
			w.tasks[i].extra = fmt.Sprintf(`,"zone-%d":%d,"nothing":null`, i/500, i)
		}
	}
	c, _ := startRobots(t, w)
	var seen [][]int64
	watch(func() {
		p := c.Progress(lastDays(30))
		if p == nil || p.Table == nil {
			return
		}
		requireWhole(t, p.Table)
		names := p.Table.Names()[len(tasks.Fields):]
		assert.True(t, slices.IsSorted(names), "%s", names)
		assert.Equal(t, p.Pages*20, p.Table.Rows)
		if rows := p.Table.Column("id").Integers; len(seen) == 0 || len(rows) > len(seen[len(seen)-1]) {
			seen = append(seen, rows)
		}
	}, func() {
		all := readTasks(t, c).Table.Column("id").Integers
		for _, rows := range seen {
			require.Equal(t, all[:len(rows)], rows)
		}
	})
	assert.Greater(t, len(seen), 2)
}

// Whether rows just read fit the reused ones is known at the end of a repeated read.
func TestProgressOfARepeatedRead(t *testing.T) {
	w := tenThousand(0)
	c, _ := startRobots(t, w, oneAtATime)
	readTasks(t, c)
	w.change(fiveAndFour)
	var seen []Progress
	w.before = func() { seen = append(seen, *c.Progress(lastDays(30))) }
	cost := w.cost(func() { assert.Positive(t, readTasks(t, c).Stats.Kept) })
	require.Len(t, seen, cost)
	for _, p := range seen {
		assert.Nil(t, p.Table)
		assert.LessOrEqual(t, p.Pages, cost)
	}
	assert.Equal(t, cost, seen[cost-1].Of, "once the front is known, so is how many pages follow")
}

// An inconsistent repeated read continues as a full read.
func TestProgressOfAFallback(t *testing.T) {
	w := tenThousand(0)
	c, _ := startRobots(t, w, oneAtATime)
	readTasks(t, c)
	w.change((*robots).vanish)
	most := 0
	w.before = func() {
		if p := c.Progress(lastDays(30)); p.Table != nil {
			most = max(most, p.Table.Rows)
			assert.Equal(t, 500, p.Of)
		}
	}
	readTasks(t, c)
	assert.Greater(t, most, 9_000)
}

func TestProgressOfTheNewestRows(t *testing.T) {
	w := newRobots(1, 2_000, 20)
	c, _ := startRobots(t, w, oneAtATime)
	read := newestTasks(Newest{From: w.tasks[500].created})
	most := 0
	w.before = func() {
		if p := c.Progress(read); p.Table != nil {
			most = max(most, p.Table.Rows)
			assert.Equal(t, idsOf(w)[:p.Table.Rows], p.Table.Column("id").Integers)
			assert.Zero(t, p.Of, "the number of pages is unknown")
		}
	}
	_, err := c.Read(t.Context(), read)
	require.NoError(t, err)
	assert.Greater(t, most, 400)
}

// Rows that move are read again, from page 0 on.
func TestProgressOfPagesReadAgain(t *testing.T) {
	w := newRobots(1, 200, 20)
	c, _ := startRobots(t, w, oneAtATime)
	again := false
	w.before = func() {
		if w.requests < 12 {
			w.vanish()
		}
		p := c.Progress(lastDays(30))
		again = again || p.Again && p.Pages < 10
	}
	readTasks(t, c)
	assert.True(t, again)
}

func TestProgressOfWindows(t *testing.T) {
	days := []int{3, 2, 1}
	read := Read{Question: pages.Question{DataSet: automations}}
	f := servicetest.New().Data(automationsPath, servicetest.OK(servicetest.Envelope(nil, 0, 20)))
	c := start(t, f, withCache(time.Minute))
	defer c.Close()
	var counts []int
	require.NoError(t, c.Windows(t.Context(), read, days, func(int, *Result) {
		n, ok := c.WindowsRead(read, days)
		assert.True(t, ok)
		counts = append(counts, n)
	}))
	assert.Equal(t, 1, counts[0])
	assert.Equal(t, 3, counts[2])
	_, ok := start(t, f).WindowsRead(read, days)
	assert.False(t, ok, "nothing is known if nothing is kept")
}
