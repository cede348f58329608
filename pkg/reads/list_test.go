package reads

import (
	"context"
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
	"github.com/insights/insights-reporting-datasource/pkg/paging"
	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// weeks is a service with two weeks of tasks, of which it lists those of the requested days.
func weeks() *robots {
	w := newRobots(1, 400, 20)
	for i := range w.tasks {
		w.tasks[i].created = w.now.Add(-time.Duration(i) * 50 * time.Minute)
	}
	w.windows = true
	return w
}

// since reads the tasks down to a number of days before now, as the panels of a dashboard do.
func (w *robots) since(days int) Read { return w.sinceIn(days, days+1) }

// sinceIn reads them in the list of more days.
func (w *robots) sinceIn(days, listed int) Read {
	return Read{
		Question: pages.Question{DataSet: tasks, Days: listed},
		Goal:     paging.Goal{Field: "dateCreation", From: w.now.AddDate(0, 0, -days)},
	}
}

// listed returns the ids of the tasks of so many days.
func (w *robots) listed(days int) []int64 {
	var found []int64
	for _, t := range w.tasks {
		if !t.created.Before(w.now.AddDate(0, 0, -days)) {
			found = append(found, int64(t.id))
		}
	}
	return found
}

// within returns the ids of a result's tasks of so many days.
func (w *robots) within(r *Result, days int) []int64 {
	var found []int64
	times := r.Table.Column("dateCreation")
	for row := range r.Table.Rows {
		if !times.Time(row).Before(w.now.AddDate(0, 0, -days)) {
			found = append(found, ids(r)[row])
		}
	}
	return found
}

// The panels of a dashboard ask for several ranges at once. The deepest one is read, at one moment, for all.
func TestRangesAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := weeks()
		c := startRobotsInBubble(t, w)
		days := []int{2, 7, 1, 7, 10}
		var callers []*caller
		cost := w.cost(func() {
			for n, d := range days {
				callers = append(callers, arrive(c, w.since(d)))
				time.Sleep(time.Duration(n) * time.Millisecond)
			}
			for _, who := range callers {
				require.NoError(t, <-who.done)
			}
		})
		for n, who := range callers {
			assert.Equal(t, w.listed(days[n]), w.within(who.got, days[n]))
			assert.Equal(t, callers[0].got.began, who.got.began)
		}
		assert.LessOrEqual(t, cost, len(w.listed(10))/20+2)
	})
}

// A question that arrives while the list is read, and needs more of it, is read on from there: one moment for all.
func TestDeeperWhileItIsRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := weeks()
		w.delay = gather
		c := startRobotsInBubble(t, w)
		since := func(days int) Read { return w.sinceIn(days, 12) }
		whole := Read{Question: pages.Question{DataSet: tasks, Days: 12}}
		questions := []Read{since(4), since(4), since(8), whole, since(2)}
		var callers []*caller
		cost := w.cost(func() {
			for _, question := range questions {
				callers = append(callers, arrive(c, question))
				time.Sleep(gather)
			}
			for _, who := range callers {
				require.NoError(t, <-who.done)
			}
		})
		for n, days := range []int{4, 4, 8, 12, 2} {
			assert.Equal(t, w.listed(days), w.within(callers[n].got, days))
			assert.Equal(t, callers[0].got.began, callers[n].got.began)
		}
		assert.LessOrEqual(t, cost, (len(w.listed(12))+19)/20+1, "the last page shows the order first, and ends the list later")
	})
}

// Questions that keep arriving, each for more rows, do not make the first rows older than a cached read may be.
func TestArrivalsDoNotAgeTheFirstRows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := weeks()
		w.delay = 20 * time.Second
		c := startRobotsInBubble(t, w, withCache(time.Minute), func(c *settings) { c.MaxConcurrent = 1 })
		began := map[*caller]time.Time{}
		for days := 1; days <= 12; days++ {
			r := w.sinceIn(days, 13)
			began[arrive(c, r)] = time.Now()
			time.Sleep(55 * time.Second)
		}
		for who, arrived := range began {
			require.NoError(t, <-who.done)
			assert.LessOrEqual(t, arrived.Sub(who.got.began), time.Minute)
		}
	})
}

// A question that arrives late during a long read has the time of a read of its own.
func TestArrivalsHaveTheirOwnTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := weeks()
		w.delay = 50 * time.Second
		c := startRobotsInBubble(t, w, withCache(time.Hour), func(c *settings) { c.MaxConcurrent = 1 })
		var callers []*caller
		for days := 1; days <= 8; days++ {
			r := w.sinceIn(days, 13)
			callers = append(callers, arrive(c, r))
			time.Sleep(60 * time.Second)
		}
		for _, who := range callers {
			require.NoError(t, <-who.done)
		}
	})
}

// What one question needed to be read while the data moved does not leave fewer attempts for those that arrive meanwhile.
func TestArrivalsHaveTheirOwnAttempts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := weeks()
		w.delay = time.Second
		c := startRobotsInBubble(t, w, withCache(time.Minute))
		var callers []*caller
		for days := 1; days <= 12; days++ {
			r := w.sinceIn(days, 13)
			callers = append(callers, arrive(c, r))
			w.change(func(w *robots) { w.add() })
			time.Sleep(1500 * time.Millisecond)
		}
		for _, who := range callers {
			require.NoError(t, <-who.done)
			assert.Empty(t, who.got.Incomplete())
		}
	})
}

// A question that needs fewer rows than were read costs nothing, and its answer is that of its own read.
func TestShortAfterLong(t *testing.T) {
	w := weeks()
	w.tasks[200].extra = `,"onlyInOldRows":1`
	c, whole := startRobots(t, w, withCache(time.Minute))
	read := func(c *Reads, r Read) *Result {
		result, err := c.Read(t.Context(), r)
		require.NoError(t, err)
		return result
	}
	read(c, w.since(10))
	for _, r := range []Read{w.since(1), w.since(7), {Question: pages.Question{DataSet: tasks, Days: 3}, Goal: paging.Goal{Field: "dateCreation", From: w.now.AddDate(0, 0, -2), Rows: 30}}} {
		var got *Result
		assert.Zero(t, w.cost(func() { got = read(c, r) }))
		requireSame(t, read(whole, r).Table, got.Table, "its own read")
		assert.True(t, got.Reused)
	}
	assert.Positive(t, w.cost(func() { read(c, w.since(12)) }))
}

// A question that is asked again checks what is known as deep as was asked lately, so that the next one costs nothing.
func TestOneCheckForAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := weeks()
		c := startRobotsInBubble(t, w, withCache(time.Minute))
		read := func(r Read) func() {
			return func() {
				_, err := c.Read(t.Context(), r)
				require.NoError(t, err)
			}
		}
		read(lastDays(12))()
		read(lastDays(7))() // What is known still reaches 12 days.
		time.Sleep(2 * time.Minute)
		assert.LessOrEqual(t, w.cost(read(w.since(1))), 4)
		assert.Zero(t, w.cost(read(lastDays(12))))
		assert.Zero(t, w.cost(read(w.since(9))))
	})
}

// The rows of other days do not answer a question about whole days, so they are not checked for it.
func TestNoCheckThatAnswersNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := weeks()
		c := startRobotsInBubble(t, w, withCache(time.Minute))
		_, err := c.Read(t.Context(), lastDays(12))
		require.NoError(t, err)
		time.Sleep(2 * time.Minute)
		first := lastDays(7)
		first.Goal.Rows = 10
		assert.LessOrEqual(t, w.cost(func() { _, err = c.Read(t.Context(), first) }), 2)
		require.NoError(t, err)
	})
}

// The service's own window is a prefix of the list: its total and its last page are enough.
func TestWindowOfAKnownList(t *testing.T) {
	w := weeks()
	c, whole := startRobots(t, w, withCache(time.Minute))
	_, err := c.Read(t.Context(), w.since(12))
	require.NoError(t, err)
	var got *Result
	read := func(c *Reads) *Result {
		result, err := c.Read(t.Context(), lastDays(9))
		require.NoError(t, err)
		return result
	}
	assert.LessOrEqual(t, w.cost(func() { got = read(c) }), 2)
	requireSame(t, read(whole).Table, got.Table, "nine days")
	assert.True(t, got.Complete())
}

// A short range does not wait for pages that only a longer one needs.
func TestShortDoesNotWaitForLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := weeks()
		released, last := make(chan struct{}), (len(w.listed(11))-1)/20
		f := servicetest.New().Data(tasksPath, func(rw http.ResponseWriter, r *http.Request) {
			if number, _ := strconv.Atoi(r.URL.Query().Get("page")); number > 1 && number < last {
				<-released
			}
			w.ServeHTTP(rw, r)
		})
		c := startInBubble(t, f, incremental)
		defer c.Close()
		long, short := arrive(c, w.since(10)), arrive(c, w.since(1))
		require.NoError(t, <-short.done)
		assert.Equal(t, w.listed(1), w.within(short.got, 1))
		assert.Empty(t, long.done)
		close(released)
		require.NoError(t, <-long.done)
	})
}

// Questions that arrive all the time do not keep one from being read.
func TestNobodyIsPassedOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := weeks()
		w.delay = 4 * time.Second
		c := startRobotsInBubble(t, w, withCache(0))
		ctx, leave := context.WithCancel(t.Context())
		var others sync.WaitGroup
		for _, r := range []Read{lastDays(12), lastDays(11), lastDays(10), w.since(9)} {
			others.Go(func() {
				for ctx.Err() == nil {
					_, _ = c.Read(ctx, r)
				}
			})
			time.Sleep(3 * time.Second)
		}
		short := arrive(c, lastDays(2))
		select {
		case err := <-short.done:
			require.NoError(t, err)
		case <-time.After(10 * time.Minute):
			t.Error("passed over")
		}
		leave()
		others.Wait()
		c.Close()
	})
}

// A range of more days that arrives while others are read does not join them: the table would be read of its days.
func TestLaterRangeOfMoreDays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := weeks()
		w.delay = time.Second
		c := startRobotsInBubble(t, w, withCache(time.Minute))
		defer c.Close()
		table := lastDays(2)
		table.Goal = paging.Goal{Field: "dateCreation", Rows: 500}
		first, newest := arrive(c, lastDays(5)), arrive(c, table)
		time.Sleep(1500 * time.Millisecond)
		later := arrive(c, w.since(8))
		for _, caller := range []*caller{first, newest, later} {
			require.NoError(t, <-caller.done)
		}
		assert.Equal(t, len(w.listed(2)), newest.got.Table.Rows)
		assert.Equal(t, len(w.listed(2)), newest.got.Total)
		assert.Equal(t, w.listed(8), w.within(later.got, 8))
	})
}

// A refresh that is shorter than the read gets further each time, because what a canceled read had is kept.
func TestCanceledReadsMakeProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newRobots(1, 4_000, 20)
		var n int
		var mu sync.Mutex
		f := servicetest.New().Data(tasksPath, func(rw http.ResponseWriter, r *http.Request) {
			time.Sleep(150 * time.Millisecond)
			mu.Lock()
			n++
			mu.Unlock()
			w.ServeHTTP(rw, r)
		})
		c := startInBubble(t, f, incremental)
		defer c.Close()
		for refresh := 1; ; refresh++ {
			require.LessOrEqual(t, refresh, 3)
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
			result, err := c.Read(ctx, lastDays(30))
			cancel()
			if err == nil {
				assert.Equal(t, 4_000, result.Table.Rows)
				break
			}
		}
		assert.LessOrEqual(t, n, 260, "1.3 times the pages")
		t.Logf("%d requests of 200 pages", n)
	})
}

// A read is canceled after a task was deleted from a page that it had read: the next one must not rely on the order there.
func TestCanceledReadThatMoved(t *testing.T) {
	for _, ttl := range []time.Duration{0, 20 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			w := newRobots(1, 4_000, 20)
			w.each(func(t *task) { t.created = w.now.Add(-time.Duration(w.created-t.id) * time.Minute) })
			w.tasks[568].state, w.tasks[575].state = "RUNNING", "RUNNING" // Their page is only read again if it may have moved.
			w.delay = 30 * time.Millisecond
			requests := 0
			w.before = func() {
				if requests++; requests == 33 {
					w.tasks = slices.Delete(w.tasks, 570, 571)
				}
			}
			c := startRobotsInBubble(t, w, withCache(ttl), func(c *settings) { c.MaxConcurrent = 1 })
			hours := Read{Question: pages.Question{DataSet: tasks, Days: 1}, Goal: paging.Goal{Field: "dateCreation", From: w.now.Add(-2 * time.Hour)}}
			short, long := arrive(c, hours), arrive(c, lastDays(30))
			require.NoError(t, <-short.done)
			time.Sleep(2500 * time.Millisecond)
			long.leave()
			require.Error(t, <-long.done)
			result, err := c.Read(t.Context(), lastDays(30))
			require.NoError(t, err)
			if result.Incomplete() == "" {
				require.Equal(t, w.listed(30), ids(result))
			}
		})
	}
}

// A rule about the last hours does not fail because of pages that only a dashboard needs.
func TestDeepPagesThatFail(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := weeks()
		broken := false
		f := servicetest.New().Data(tasksPath, func(rw http.ResponseWriter, r *http.Request) {
			page, _ := strconv.Atoi(r.URL.Query().Get("page"))
			if broken && page > 5 {
				servicetest.Status(http.StatusInternalServerError, `{"message":"query took too long"}`)(rw, r)
				return
			}
			w.ServeHTTP(rw, r)
		})
		c := startInBubble(t, f, incremental, withCache(20*time.Second))
		defer c.Close()
		_, err := c.Read(t.Context(), w.since(12))
		require.NoError(t, err)
		broken = true
		time.Sleep(time.Minute)
		_, err = c.Read(t.Context(), w.since(1))
		require.NoError(t, err)
		_, err = c.Read(t.Context(), w.since(12))
		require.ErrorContains(t, err, "query took too long")
	})
}

// Nor because tasks vanish from these pages all the time.
func TestDeepPagesThatMove(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newRobots(1, 4_000, 20)
		w.each(func(t *task) { t.created = w.now.Add(-time.Duration(w.created-t.id) * time.Minute) })
		w.delay = 300 * time.Millisecond
		c := startRobotsInBubble(t, w, withCache(20*time.Second))
		_, err := c.Read(t.Context(), w.since(12))
		require.NoError(t, err)
		requests := 0
		w.before = func() {
			if requests++; requests%4 == 0 {
				w.vanish()
			}
		}
		for range 5 {
			time.Sleep(time.Minute)
			result, err := c.Read(t.Context(), w.since(0))
			require.NoError(t, err)
			require.Empty(t, result.Incomplete())
		}
	})
}

// Windows of an earlier moment are kept: only the newest step is read again, unless an automation has run for the first
// time.
func TestWindowsAreKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		automation := []string{`{"label":"a","taskCount":5}`}
		f := servicetest.New().Data(automationsPath, func(rw http.ResponseWriter, r *http.Request) {
			servicetest.OK(servicetest.Envelope(automation, 0, 20))(rw, r)
		})
		c := startInBubble(t, f, incremental, withCache(time.Minute))
		defer c.Close()
		days := []int{5, 4, 3, 2, 1}
		read := func() (windows []*Result, newest *Result, cost int) {
			before := f.Count(automationsPath)
			windows = make([]*Result, len(days))
			newest, err := c.Windows(t.Context(), Read{Question: pages.Question{DataSet: automations}}, days, 1, func(n int, r *Result) { windows[n] = r })
			require.NoError(t, err)
			return windows, newest, f.Count(automationsPath) - before
		}
		count := func(r *Result) float64 { return r.Table.Column("taskCount").Numbers[0] }
		_, _, cost := read()
		assert.Equal(t, 5, cost)
		time.Sleep(2 * time.Minute)
		automation[0] = `{"label":"a","taskCount":9}`
		windows, newest, cost := read()
		assert.Equal(t, 1, cost)
		assert.Equal(t, 9.0, count(newest))
		for _, window := range windows {
			assert.Equal(t, 5.0, count(window), "of one moment")
			assert.True(t, window.Reused)
		}
		time.Sleep(2 * time.Minute)
		automation = append(automation, `{"label":"new","taskCount":1}`)
		windows, _, _ = read()
		assert.Equal(t, 2, windows[0].Table.Rows)
		time.Sleep(11 * time.Minute)
		_, _, cost = read()
		assert.Equal(t, 5, cost)
	})
}

// Ten rules a minute on a list that does not change.
func TestRulesOnAnIdleList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := weeks()
		c := startRobotsInBubble(t, w, withCache(time.Minute))
		minute := func() {
			for n := range 10 {
				result, err := c.Read(t.Context(), w.since(1+n))
				require.NoError(t, err)
				assert.Equal(t, w.listed(1+n), w.within(result, 1+n))
				time.Sleep(time.Second)
			}
		}
		minute()
		for range 5 {
			time.Sleep(time.Minute)
			cost := w.cost(minute)
			assert.LessOrEqual(t, cost, 4)
			t.Logf("%d requests", cost)
		}
	})
}

// What a full read in the background has found stays known, although a read that reuses older rows ends after it.
func TestOlderRowsDoNotReplaceThoseOfAnAudit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := weeks()
		var mu sync.Mutex
		var first, slow int
		c := startInBubble(t, servicetest.New().Data(tasksPath, func(rw http.ResponseWriter, r *http.Request) {
			mu.Lock()
			if r.URL.Query().Get("page") == "0" {
				first++
			}
			holds := r.URL.Query().Get("page") == "0" && first == slow
			mu.Unlock()
			if holds {
				time.Sleep(45 * time.Second)
			}
			w.ServeHTTP(rw, r)
		}), incremental)
		defer c.Close()
		read := func() {
			_, err := c.Read(t.Context(), lastDays(12))
			require.NoError(t, err)
		}
		read()
		time.Sleep(11 * time.Minute)
		w.change(func(w *robots) { w.tasks[150].id = 9_999 })
		slow = first + 2 // The audit, which is due after the next read, waits for the one behind it only for a while.
		read()
		read()
		for c.auditing.Load() { // It may have been the one that waited.
			time.Sleep(time.Second)
		}
		known := c.kept(c.key(lastDays(12))).known.Table.Column("id").Integers
		assert.Contains(t, known, int64(9_999))
	})
}

// A board asks for several ranges and windows at once. All of them are checked for the cost of the windows.
func TestRefreshOfABoard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := weeks()
		w.delay = 10 * time.Millisecond
		c := startRobotsInBubble(t, w, withCache(time.Minute))
		load := func() {
			var callers []*caller
			for _, r := range []Read{lastDays(7), w.since(1), w.since(2), lastDays(12), w.since(11), w.since(1)} {
				callers = append(callers, arrive(c, r))
			}
			for _, caller := range callers {
				require.NoError(t, <-caller.done)
			}
		}
		load()
		time.Sleep(2 * time.Minute)
		assert.LessOrEqual(t, w.cost(load), 6)
	})
}
