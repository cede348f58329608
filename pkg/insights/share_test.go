package insights

import (
	"context"
	"io"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/datasets"
)

// caller is somebody who reads, and may leave.
type caller struct {
	leave context.CancelFunc
	done  chan error
	got   *Result
}

func arrive(c *Client, read Read) *caller {
	ctx, leave := context.WithCancel(context.Background())
	who := &caller{leave: leave, done: make(chan error, 1)}
	go func() {
		var err error
		who.got, err = c.Read(ctx, read)
		who.done <- err
	}()
	return who
}

func TestEqualReadsShareOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate()
		f := newFake().data(tasksPath, g.hold(paged(20, still(taskRange(1, 100)))))
		c := f.startInBubble(t)
		var callers []*caller
		for range 12 {
			callers = append(callers, arrive(c, Read{DataSet: tasks, Days: 7}))
		}
		synctest.Wait()
		close(g.pass)
		for _, who := range callers {
			require.NoError(t, <-who.done)
			assert.Equal(t, numbers(1, 100), ids(who.got))
		}
		assert.Equal(t, 5, f.count(tasksPath), "pages of one read")
	})
}

// Reads that differ in anything that changes the rows are not equal.
func TestDifferentReadsDoNotShare(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate()
		f := newFake().data(automationsPath, g.hold(ok(envelope(nil, 0, 20)))).data(tasksPath, g.hold(ok(envelope(nil, 0, 20))))
		c := f.startInBubble(t, func(c *Config) { c.MaxConcurrent = 32 })
		byLabel, byCount := &datasets.Sort{Field: "label", Order: "asc"}, &datasets.Sort{Field: "taskCount", Order: "asc"}
		reads := []Read{
			{DataSet: automations, Days: 7},
			{DataSet: automations, Days: 8},
			{DataSet: automations, Days: 7, Search: "a"},
			{DataSet: automations, Days: 7, Search: "b"},
			{DataSet: automations, Days: 7, Sort: byLabel},
			{DataSet: automations, Days: 7, Sort: byCount},
			{DataSet: automations, Days: 7, Limit: 1},
			{DataSet: tasks, Days: 7},
		}
		var callers []*caller
		for _, read := range reads {
			callers = append(callers, arrive(c, read))
		}
		synctest.Wait()
		assert.Equal(t, len(reads), f.count(automationsPath)+f.count(tasksPath))
		close(g.pass)
		for _, who := range callers {
			require.NoError(t, <-who.done)
		}
	})
}

func TestCallerWhoLeavesKeepsTheReadOfOthers(t *testing.T) {
	for _, name := range []string{"the first leaves", "a later one leaves"} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := newGate()
				f := newFake().data(tasksPath, g.hold(ok(threeTasks)))
				c := f.startInBubble(t)
				first := arrive(c, Read{DataSet: tasks, Days: 7})
				synctest.Wait()
				second := arrive(c, Read{DataSet: tasks, Days: 7})
				synctest.Wait()
				leaves, stays := first, second
				if name == "a later one leaves" {
					leaves, stays = second, first
				}
				leaves.leave()
				require.ErrorIs(t, <-leaves.done, context.Canceled)
				synctest.Wait()
				close(g.pass)
				require.NoError(t, <-stays.done)
				assert.Equal(t, 1, f.count(tasksPath))
			})
		})
	}
}

// When the last one has left, the sockets are let go: the service sees it in the middle of its answer.
func TestLastOneLeavingCancelsTheSockets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		seen := make(chan struct{}, 8)
		first := paged(20, still(taskRange(1, 100)))
		f := newFake().data(tasksPath, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Query().Get("page") == "0" {
				first(w, r)
				return
			}
			_, _ = io.WriteString(w, `{"content":[`)
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
			seen <- struct{}{}
		})
		c := f.startInBubble(t)
		one, two := arrive(c, Read{DataSet: tasks, Days: 7}), arrive(c, Read{DataSet: tasks, Days: 7})
		synctest.Wait()
		one.leave()
		synctest.Wait()
		assert.Empty(t, seen, "one still waits")
		two.leave()
		synctest.Wait()
		assert.Len(t, seen, 4, "all four pages in flight")
		require.ErrorIs(t, <-one.done, context.Canceled)
		require.ErrorIs(t, <-two.done, context.Canceled)

		f.data(tasksPath, ok(threeTasks))
		again, err := c.Read(t.Context(), Read{DataSet: tasks, Days: 7})
		require.NoError(t, err, "who comes now does not get the cancelled read")
		assert.Equal(t, 3, again.Table.Rows)
	})
}

// A run that everybody has left may take its time to end. Who comes meanwhile starts one of their own.
func TestNobodyJoinsACancelledRun(t *testing.T) {
	var g group[int]
	ended, came := make(chan struct{}), make(chan struct{})
	ctx, leave := context.WithCancel(t.Context())
	left := make(chan error, 1)
	go func() {
		_, _, err := g.do(ctx, "key", func(context.Context) (int, error) {
			close(came)
			<-ended
			return 1, nil
		})
		left <- err
	}()
	<-came
	leave()
	require.ErrorIs(t, <-left, context.Canceled)
	got, shared, err := g.do(t.Context(), "key", func(context.Context) (int, error) { return 2, nil })
	require.NoError(t, err)
	assert.False(t, shared)
	assert.Equal(t, 2, got)
	close(ended)
}

// A panic in a read fails for those who wait for it, and ends neither them nor the plugin.
func TestPanicIsAnError(t *testing.T) {
	var g group[int]
	_, _, err := g.do(t.Context(), "key", func(context.Context) (int, error) { panic("broken") })
	require.ErrorContains(t, err, "broken")
	got, _, err := g.do(t.Context(), "key", func(context.Context) (int, error) { return 2, nil })
	require.NoError(t, err)
	assert.Equal(t, 2, got)
}

// A failed read fails for all who share it, and for nobody who comes later.
func TestErrorsAreSharedAndNotKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate()
		f := newFake().data(tasksPath, inTurn(g.hold(status(400, `{"message":"no"}`)), ok(threeTasks)))
		c := f.startInBubble(t, withCache(time.Minute))
		var callers []*caller
		for range 5 {
			callers = append(callers, arrive(c, Read{DataSet: tasks, Days: 7}))
		}
		synctest.Wait()
		close(g.pass)
		for _, who := range callers {
			require.ErrorIs(t, <-who.done, ErrRejected)
		}
		assert.Equal(t, 1, f.count(tasksPath))
		result, err := c.Read(t.Context(), Read{DataSet: tasks, Days: 7})
		require.NoError(t, err)
		assert.False(t, result.Reused)
	})
}

// Callers come and go in any order; whoever stays gets rows, and nothing is left behind.
func TestCallersComeAndGo(t *testing.T) {
	f := newFake().data(tasksPath, paged(5, still(taskRange(1, 30))))
	c := f.start(t, func(c *Config) { c.MaxConcurrent = 2 })
	var wg sync.WaitGroup
	for i := range 60 {
		wg.Go(func() {
			ctx, leave := context.WithCancel(t.Context())
			defer leave()
			if i%3 == 0 {
				go leave()
			}
			result, err := c.Read(ctx, Read{DataSet: tasks, Days: 1 + i%4})
			if i%3 == 0 && err != nil {
				assert.ErrorIs(t, err, context.Canceled)
				return
			}
			if assert.NoError(t, err) {
				assert.Equal(t, 30, result.Table.Rows)
			}
		})
	}
	wg.Wait()
	assert.Empty(t, c.reads.runs)
}
