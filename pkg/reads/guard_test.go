package reads

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// What a repeated read cannot see, the full read in the background finds, which nobody waits for.
func TestAudit(t *testing.T) {
	for name, test := range map[string]struct {
		step func(w *robots)
		why  string // empty: rows are reused further on
	}{
		"nothing":              {step: func(*robots) {}},
		"an ended row changes": {step: func(w *robots) { w.tasks[211].items++ }, why: "row 189 of tasks changed after it had ended: until "},
		"one in the middle for one in the middle": {step: func(w *robots) { w.tasks[250] = w.tasks[249]; w.tasks[249] = w.task("FINISHED") }},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newRobots(1, 400, 20)
				c := startRobotsInBubble(t, w)
				readTasks(t, c)
				w.change(test.step)
				time.Sleep(10 * time.Minute)
				if result := readTasks(t, c); len(result.Notes) == 0 { // The page at random may find it at once.
					assert.Positive(t, result.Stats.Kept)
				}
				time.Sleep(time.Minute)
				assert.Equal(t, 0, w.cost(func() { synctest.Wait() }))

				result := readTasks(t, c)
				if test.why == "" {
					assert.Positive(t, result.Stats.Kept)
					assert.Less(t, result.Stats.BaseAge, 2*time.Minute)
					assert.Empty(t, result.Notes)
				} else {
					assert.Zero(t, result.Stats.Kept)
					require.Len(t, result.Notes, 1)
					assert.Contains(t, result.Notes[0], test.why)
				}
				want := make([]int64, len(w.tasks))
				for i, task := range w.tasks {
					want[i] = int64(task.id)
				}
				assert.Equal(t, want, ids(result))
			})
		})
	}
}

// An audit gives way to reads that somebody waits for, but not forever, and ends with the data source.
func TestAuditIsPatient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newRobots(1, 4_000, 20)
		slow := false
		f := servicetest.New().Data(tasksPath, w.ServeHTTP).Data(automationsPath, func(rw http.ResponseWriter, r *http.Request) {
			if slow {
				<-r.Context().Done()
			}
			servicetest.OK(servicetest.Envelope(nil, 0, 20))(rw, r)
		})
		c := startInBubble(t, f, incremental)
		readTasks(t, c)
		time.Sleep(10 * time.Minute)
		slow = true
		waiting := arrive(c, Read{Question: pages.Question{DataSet: automations, Days: 1}})
		readTasks(t, c)
		w.cost(func() {
			time.Sleep(10*time.Second + time.Millisecond)
			synctest.Wait()
		})
		during := w.requests
		assert.InDelta(t, 20, during, 3, "two pages each second")
		waiting.leave()
		<-waiting.done
		after := w.cost(func() {
			time.Sleep(time.Second)
			synctest.Wait()
		})
		assert.Positive(t, after)

		slow = false
		time.Sleep(10 * time.Minute)
		readTasks(t, c)
		c.Close()
		synctest.Wait()
		assert.Zero(t, w.cost(func() { time.Sleep(time.Minute) }))
	})
}

func TestDistrust(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newRobots(1, 400, 20)
		c := startRobotsInBubble(t, w)
		readTasks(t, c)
		w.change(func(w *robots) { w.tasks[0].items++ })
		time.Sleep(time.Minute)

		const why = "row 400 of tasks changed after it had ended: until 01:01 UTC, every read requests all rows"
		for range 3 {
			result := readTasks(t, c)
			assert.Equal(t, []string{why}, result.Notes)
			assert.Zero(t, result.Stats.Kept)
			time.Sleep(time.Minute)
		}

		time.Sleep(time.Hour)
		assert.Empty(t, readTasks(t, c).Notes)
		assert.Positive(t, readTasks(t, c).Stats.Kept)
	})
}

// Tasks of another organization may have the same ids. Their differences prove nothing.
func TestAuditOmitsAnotherOrganization(t *testing.T) {
	worlds := map[string]*robots{"acme": newRobots(1, 400, 20), "other": newRobots(2, 400, 20)}
	now := "acme"
	f := servicetest.New().On(servicetest.LoginPath, func(rw http.ResponseWriter, r *http.Request) {
		servicetest.OK(fmt.Sprintf(`{"accessToken":"token-of-%s","organizationLabel":%q}`, now, now))(rw, r)
	}).On(tasksPath, func(rw http.ResponseWriter, r *http.Request) {
		if r.Header.Get("token") != "token-of-"+now {
			servicetest.Status(http.StatusUnauthorized, `{"message":"token expired"}`)(rw, r)
			return
		}
		worlds[now].ServeHTTP(rw, r)
	})
	c := start(t, f, incremental)
	readTasks(t, c)
	now = "other"
	result := readTasks(t, c)
	assert.Zero(t, result.Stats.Kept)
	assert.Empty(t, result.Notes)
}

// The random page eventually detects what nothing else does.
func TestRandomPageDetectsAChange(t *testing.T) {
	w := newRobots(1, 400, 20)
	again, _ := startRobots(t, w)
	readTasks(t, again)
	w.change(func(w *robots) { w.tasks[211].items++ })
	for range 400 {
		if len(readTasks(t, again).Notes) > 0 {
			return
		}
	}
	assert.Fail(t, "the change was not found")
}

// Reused rows are shown for CacheTTL, but not after another read has shown that they may be wrong.
func TestKeptRowsExpire(t *testing.T) {
	w := newRobots(1, 400, 20)
	f := servicetest.New().Data(tasksPath, w.ServeHTTP)
	c := start(t, f, incremental, withCache(time.Hour))
	defer c.Close()
	c.config.CacheTTL = 0
	readTasks(t, c)
	c.config.CacheTTL = time.Hour
	require.Positive(t, readTasks(t, c).Stats.Kept)
	require.True(t, readTasks(t, c).Reused)
	c.reuse.withdraw("a task has changed")
	assert.Zero(t, readTasks(t, c).Stats.Kept)
}

// A repeated read during which trust is withdrawn is not shown either.
func TestTrustIsWithdrawnMeanwhile(t *testing.T) {
	w := newRobots(1, 400, 20)
	c, _ := startRobots(t, w)
	readTasks(t, c)
	w.change(func(w *robots) { w.before = func() { c.reuse.withdraw("a task has changed") } })
	result := readTasks(t, c)
	assert.Zero(t, result.Stats.Kept)
	assert.Len(t, result.Notes, 1)
}

// The oldest rows are as old as the read.
func TestAgeCountsFromTheStartOfTheRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newRobots(1, 400, 20)
		f := servicetest.New().Data(tasksPath, func(rw http.ResponseWriter, r *http.Request) {
			time.Sleep(10 * time.Second)
			w.ServeHTTP(rw, r)
		})
		c := startInBubble(t, f, incremental)
		defer c.Close()
		began := time.Now()
		readTasks(t, c)
		result := readTasks(t, c)
		require.Positive(t, result.Stats.Kept)
		assert.Equal(t, time.Since(began)-gather, result.Stats.BaseAge, "since the first request")
	})
}

// Nobody waits for a full read: every ten minutes, one in the background starts a new interval.
func TestFullReadInterval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newRobots(1, 400, 20)
		c := startRobotsInBubble(t, w)
		readTasks(t, c)
		for range 35 {
			time.Sleep(time.Minute)
			result := readTasks(t, c)
			assert.Positive(t, result.Stats.Kept)
			assert.Less(t, result.Stats.BaseAge, 12*time.Minute)
		}
		time.Sleep(20*time.Minute + time.Second)
		synctest.Wait()
		assert.Zero(t, c.cache.lru.Len(), "what nobody asks for is not kept")
	})
}

// Reads that follow one another within seconds do not keep one another from looking at a page at random.
func TestPageAtRandomOfQuickRefreshes(t *testing.T) {
	if testing.Short() {
		t.Skip("counts requests, which the race detector doesn't change")
	}
	synctest.Test(t, func(t *testing.T) {
		w := newRobots(1, 400, 20)
		f := servicetest.New().Data(tasksPath, w.ServeHTTP)
		c := startInBubble(t, f, incremental, withCache(3*time.Second))
		defer c.Close()
		readTasks(t, c)
		w.change(func(w *robots) { w.tasks[150].items++ }) // An ended task changes.
		for range 100 {
			time.Sleep(4 * time.Second)
			readTasks(t, c)
			if c.auditing.Load() {
				break
			}
		}
		middle := slices.DeleteFunc(askedPages(t, f, tasksPath), func(page int) bool { return page == 0 || page == 19 })
		assert.Greater(t, len(middle), 18, "the first read, 100 refreshes, and no page at random")
	})
}

// Neither do windows of the service of which none is answered from another one.
func TestPageAtRandomOfWindows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := weeks()
		f := servicetest.New().Data(tasksPath, w.ServeHTTP)
		c := startInBubble(t, f, incremental, withCache(20*time.Second))
		defer c.Close()
		_, err := c.Read(t.Context(), lastDays(13))
		require.NoError(t, err)
		w.change(func(w *robots) { w.tasks[30].items++ }) // Page 1: of no window the last one.
		for range 12 {
			for days := 5; days <= 12; days++ {
				time.Sleep(4 * time.Second)
				_, err := c.Read(t.Context(), lastDays(days))
				require.NoError(t, err)
			}
		}
		assert.False(t, c.reuse.holds(), "96 reads, none looked at page 1: %v", askedPages(t, f, tasksPath))
	})
}

// Windows of one moment request the pages of rows that were not final once, although none is answered from another one.
func TestOpenTasksOfWindows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		requireOpenOnce(t, []int{1}, func(c *Reads, _ *robots) {
			for days := 13; days > 10; days-- {
				_, err := c.Read(t.Context(), lastDays(days))
				require.NoError(t, err)
			}
		})
	})
}

// Of windows and ranges that arrive together, the longest window is checked first: it has the open tasks of all others.
func TestOpenTasksOfWindowsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		requireOpenOnce(t, []int{1, 17}, func(c *Reads, w *robots) {
			var callers []*caller
			for _, question := range []Read{w.since(9), lastDays(10), lastDays(13), w.since(2)} {
				callers = append(callers, arrive(c, question))
			}
			for _, who := range callers {
				require.NoError(t, <-who.done)
			}
		})
	})
}

// requireOpenOnce requires that reading again requests pages with a task that hasn't ended once.
func requireOpenOnce(t *testing.T, open []int, read func(c *Reads, w *robots)) {
	t.Helper()
	w := weeks()
	for _, page := range open {
		w.tasks[page*20+5].state = "RUNNING"
	}
	f := servicetest.New().Data(tasksPath, w.ServeHTTP)
	c := startInBubble(t, f, incremental, withCache(20*time.Second))
	defer c.Close()
	read(c, w)
	time.Sleep(time.Minute)
	first := f.Count(tasksPath)
	read(c, w)
	asked := map[string]int{}
	for _, r := range f.Requests(tasksPath)[first:] {
		asked[r.URL.Query().Get("page")]++
	}
	for _, page := range open {
		assert.Equal(t, 1, asked[strconv.Itoa(page)], "page %d of %v", page, asked)
	}
}
