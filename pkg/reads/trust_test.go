package reads

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// The assumptions of repeated reads do not hold here. A full read shows it, at the latest after FullReadInterval, and
// then reads remain full reads for an hour, and say why.
func TestTrustIsWithdrawn(t *testing.T) {
	for name, test := range map[string]struct {
		step func(w *robots)
		why  string
	}{
		"an ended row changes": {
			step: func(w *robots) { w.tasks[211].items++ },
			why:  "row 189 of tasks changed after it had ended: until ",
		},
		"one in the middle for one in the middle": {
			step: func(w *robots) { w.tasks[250] = w.tasks[249]; w.tasks[249] = w.task("FINISHED") },
			why:  "row 401 of tasks is new but does not come first: until ",
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newRobots(1, 400, 20)
				c := startRobotsInBubble(t, w)
				readTasks(t, c)
				w.change(test.step)
				w.change((*robots).add)

				time.Sleep(10 * time.Minute)
				whole := readTasks(t, c)
				assert.Zero(t, whole.Stats.Kept)
				require.Len(t, whole.Notes, 1)
				assert.Contains(t, whole.Notes[0], test.why)
			})
		})
	}
}

func TestDisproof(t *testing.T) {
	for name, test := range map[string]struct {
		step func(w *robots)
		why  string
	}{
		"nothing":                 {step: func(*robots) {}},
		"new in front":            {step: func(w *robots) { w.add(); w.add() }},
		"ended":                   {step: func(w *robots) { w.advance(); w.advance() }},
		"window slides":           {step: func(w *robots) { w.slide(30) }},
		"gone from the middle":    {step: (*robots).vanish},
		"an ended row changes":    {step: func(w *robots) { w.tasks[211].items++ }, why: "row 189 of tasks changed after it had ended"},
		"an ended row in front":   {step: func(w *robots) { w.tasks[3].items++; w.add() }, why: "row 397 of tasks changed after it had ended"},
		"one in for one out":      {step: func(w *robots) { w.tasks[250] = w.tasks[249]; w.tasks[249] = w.task("FINISHED") }, why: "row 401 of tasks is new but does not come first"},
		"in the second page":      {step: func(w *robots) { w.tasks = slices.Insert(w.tasks, 30, w.task("START")) }, why: "row 401 of tasks is new but does not come first"},
		"behind some of page 0":   {step: func(w *robots) { w.tasks = slices.Insert(w.tasks, 5, w.task("START")) }},
		"a page that is not full": {step: func(w *robots) { w.slide(9); w.add() }},
	} {
		t.Run(name, func(t *testing.T) {
			w := newRobots(1, 400, 20)
			again, whole := startRobots(t, w)
			before := readTasks(t, again)
			require.NotNil(t, before.base)
			w.change(test.step)
			assert.Equal(t, test.why, disproof(tasks, before.base, readTasks(t, whole).Table))
		})
	}
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

// A read that started before the compared one ended does not show later changes.
func TestAuditOmitsEarlierReads(t *testing.T) {
	w := newRobots(1, 400, 20)
	again, whole := startRobots(t, w)
	old := readTasks(t, whole)
	w.change(func(w *robots) { w.tasks[211].items++ })
	again.audit(tasks, readTasks(t, again), old)
	assert.Empty(t, again.trust.notice())
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
	assert.Equal(t, "other", result.organization)
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

// Reused rows are shown for CacheTTL, but never beyond the next full read, nor after another read has shown that they
// may be wrong.
func TestKeptRowsExpire(t *testing.T) {
	for name, step := range map[string]func(c *Reads){
		"after the full read interval": func(*Reads) { time.Sleep(30 * time.Second) },
		"after trust was withdrawn":    func(c *Reads) { c.trust.withdraw("a task has changed") },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newRobots(1, 400, 20)
				f := servicetest.New().Data(tasksPath, w.ServeHTTP)
				c := startInBubble(t, f, incremental, withCache(time.Minute))
				defer c.Close()
				readTasks(t, c)
				time.Sleep(10*time.Minute - 20*time.Second)
				require.Positive(t, readTasks(t, c).Stats.Kept)
				require.True(t, readTasks(t, c).Reused)
				step(c)
				assert.Zero(t, readTasks(t, c).Stats.Kept)
			})
		})
	}
}

// A repeated read during which trust is withdrawn is not shown either.
func TestTrustIsWithdrawnMeanwhile(t *testing.T) {
	w := newRobots(1, 400, 20)
	c, _ := startRobots(t, w)
	readTasks(t, c)
	w.change(func(w *robots) { w.before = func() { c.trust.withdraw("a task has changed") } })
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
		assert.Equal(t, time.Since(began), result.Stats.BaseAge)
	})
}

func TestFullReadInterval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newRobots(1, 400, 20)
		c := startRobotsInBubble(t, w)
		readTasks(t, c)
		for range 9 {
			time.Sleep(time.Minute)
			result := readTasks(t, c)
			assert.Positive(t, result.Stats.Kept)
			assert.Less(t, result.Stats.BaseAge, 10*time.Minute)
		}
		time.Sleep(time.Minute)
		assert.Zero(t, readTasks(t, c).Stats.Kept, "though it was repeated in between")
		time.Sleep(20*time.Minute + time.Second)
		synctest.Wait()
		assert.Zero(t, c.cache.lru.Len(), "a base that is too old is not kept")
	})
}
