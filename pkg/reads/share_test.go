package reads

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
	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/paging"
	"github.com/insights/insights-reporting-datasource/pkg/service"
	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// caller is a cancelable caller of a read.
type caller struct {
	leave context.CancelFunc
	done  chan error
	got   *Result
}

func arrive(c *Reads, read Read) *caller {
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
		g := servicetest.NewGate()
		f := servicetest.New().Data(tasksPath, g.Hold(servicetest.Paged(20, servicetest.Still(servicetest.TaskRange(1, 100)))))
		c := startInBubble(t, f)
		var callers []*caller
		for range 12 {
			callers = append(callers, arrive(c, lastDays(7)))
		}
		synctest.Wait()
		close(g.Release)
		for _, who := range callers {
			require.NoError(t, <-who.done)
			assert.Equal(t, numbers(1, 100), ids(who.got))
		}
		assert.Equal(t, 5, f.Count(tasksPath), "pages of one read")
	})
}

// Reads that differ in anything that changes the rows are not equal.
func TestDifferentReadsDoNotShare(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := servicetest.NewGate()
		f := servicetest.New().Data(automationsPath, g.Hold(servicetest.OK(servicetest.Envelope(nil, 0, 20)))).Data(tasksPath, g.Hold(servicetest.OK(servicetest.Envelope(nil, 0, 20))))
		c := startInBubble(t, f, func(c *settings) { c.MaxConcurrent = 32 })
		byLabel, byCount := &datasets.Sort{Field: "label", Order: "asc"}, &datasets.Sort{Field: "taskCount", Order: "asc"}
		reads := []Read{
			{Question: pages.Question{DataSet: automations, Days: 7}},
			{Question: pages.Question{DataSet: automations, Days: 8}},
			{Question: pages.Question{DataSet: automations, Days: 7, Search: "a"}},
			{Question: pages.Question{DataSet: automations, Days: 7, Search: "b"}},
			{Question: pages.Question{DataSet: automations, Days: 7, Sort: byLabel}},
			{Question: pages.Question{DataSet: automations, Days: 7, Sort: byCount}},
			{Question: pages.Question{DataSet: automations, Days: 7}, Goal: paging.Goal{Rows: 1}},
			{Question: pages.Question{DataSet: tasks, Days: 7}},
		}
		var callers []*caller
		for _, read := range reads {
			callers = append(callers, arrive(c, read))
		}
		time.Sleep(2 * gather)
		synctest.Wait()
		assert.Equal(t, len(reads)-1, f.Count(automationsPath)+f.Count(tasksPath), "the first row is one of all")
		close(g.Release)
		for _, who := range callers {
			require.NoError(t, <-who.done)
		}
	})
}

func TestCanceledCallerDoesNotCancelASharedRead(t *testing.T) {
	for _, name := range []string{"the first leaves", "a later one leaves"} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := servicetest.NewGate()
				f := servicetest.New().Data(tasksPath, g.Hold(servicetest.OK(threeTasks)))
				c := startInBubble(t, f)
				first := arrive(c, lastDays(7))
				synctest.Wait()
				second := arrive(c, lastDays(7))
				synctest.Wait()
				leaves, stays := first, second
				if name == "a later one leaves" {
					leaves, stays = second, first
				}
				leaves.leave()
				require.ErrorIs(t, <-leaves.done, context.Canceled)
				synctest.Wait()
				close(g.Release)
				require.NoError(t, <-stays.done)
				assert.Equal(t, 1, f.Count(tasksPath))
			})
		})
	}
}

// When the last caller is canceled, the sockets are closed: the service notices during its response.
func TestLastCanceledCallerClosesTheConnections(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		seen := make(chan struct{}, 8)
		first := servicetest.Paged(20, servicetest.Still(servicetest.TaskRange(1, 100)))
		f := servicetest.New().Data(tasksPath, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Query().Get("page") == "0" {
				first(w, r)
				return
			}
			_, _ = io.WriteString(w, `{"content":[`)
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
			seen <- struct{}{}
		})
		c := startInBubble(t, f)
		one, two := arrive(c, lastDays(7)), arrive(c, lastDays(7))
		time.Sleep(2 * gather)
		synctest.Wait()
		one.leave()
		synctest.Wait()
		assert.Empty(t, seen, "one still waits")
		two.leave()
		synctest.Wait()
		assert.Len(t, seen, 4, "all four pages in flight")
		require.ErrorIs(t, <-one.done, context.Canceled)
		require.ErrorIs(t, <-two.done, context.Canceled)

		f.Data(tasksPath, servicetest.OK(threeTasks))
		again, err := c.Read(t.Context(), lastDays(7))
		require.NoError(t, err, "who comes now does not get the cancelled read")
		assert.Equal(t, 3, again.Table.Rows)
	})
}

// A failed read fails for all callers that share it, but not for later ones.
func TestErrorsAreSharedAndNotKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := servicetest.NewGate()
		f := servicetest.New().Data(tasksPath, servicetest.InTurn(g.Hold(servicetest.Status(400, `{"message":"no"}`)), servicetest.OK(threeTasks)))
		c := startInBubble(t, f, withCache(time.Minute))
		var callers []*caller
		for range 5 {
			callers = append(callers, arrive(c, lastDays(7)))
		}
		synctest.Wait()
		close(g.Release)
		for _, who := range callers {
			require.ErrorIs(t, <-who.done, service.ErrRejected)
		}
		assert.Equal(t, 1, f.Count(tasksPath))
		result, err := c.Read(t.Context(), lastDays(7))
		require.NoError(t, err)
		assert.False(t, result.Reused)
	})
}

// Callers start and cancel in any order; the remaining ones get rows.
func TestCallersComeAndGo(t *testing.T) {
	f := servicetest.New().Data(tasksPath, servicetest.Paged(5, servicetest.Still(servicetest.TaskRange(1, 30))))
	c := start(t, f, func(c *settings) { c.MaxConcurrent = 2 })
	var wg sync.WaitGroup
	for i := range 60 {
		wg.Go(func() {
			ctx, leave := context.WithCancel(t.Context())
			defer leave()
			if i%3 == 0 {
				go leave()
			}
			result, err := c.Read(ctx, lastDays(1+i%4))
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
}
