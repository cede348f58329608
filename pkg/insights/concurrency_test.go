package insights

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// gate holds requests until a test lets them go, and knows the most that were in flight at once.
type gate struct {
	mu        sync.Mutex
	now, peak int
	pass      chan struct{}
}

func newGate() *gate { return &gate{pass: make(chan struct{})} }

// hold counts a request as over before its answer is written: from then on the client may send the next one.
func (g *gate) hold(answer http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		g.mu.Lock()
		g.now++
		g.peak = max(g.peak, g.now)
		g.mu.Unlock()
		<-g.pass
		g.mu.Lock()
		g.now--
		g.mu.Unlock()
		answer(w, r)
	}
}

func (g *gate) inFlight() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.now
}

// The bound is of the data source: several reads have it together, whatever each of them could use.
func TestRequestsInFlight(t *testing.T) {
	for _, most := range []int{1, 3, 8, 32} {
		t.Run(fmt.Sprint(most), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := newGate()
				f := newFake().data(tasksPath, g.hold(paged(20, still(taskRange(1, 300)))))
				c := f.startInBubble(t, func(c *Config) { c.MaxConcurrent = most })
				const reads = 5
				done := make(chan []error, 1)
				go func() { done <- readAtOnce(c, reads) }()
				synctest.Wait()
				require.Equal(t, min(most, reads), g.inFlight(), "page 0 of each read")
				for range min(most, reads) {
					g.pass <- struct{}{}
				}
				synctest.Wait()
				require.Equal(t, most, g.inFlight(), "the rest side by side")
				close(g.pass)
				requireNoErrors(t, <-done)
				assert.Equal(t, most, g.peak)
				assert.Equal(t, reads*15, f.count(tasksPath))
			})
		})
	}
}

// Answers that come in another order than they were asked for do not change the order of the rows.
func TestOrderOfRowsWhateverTheOrderOfAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pages := make([]chan struct{}, 6)
		for i := range pages {
			pages[i] = make(chan struct{})
		}
		answer := paged(20, still(taskRange(1, 120)))
		f := newFake().data(tasksPath, func(w http.ResponseWriter, r *http.Request) {
			var number int
			_, _ = fmt.Sscan(r.URL.Query().Get("page"), &number)
			<-pages[number]
			answer(w, r)
		})
		c := f.startInBubble(t)
		done := make(chan *Result, 1)
		go func() {
			result, err := c.Read(context.Background(), Read{DataSet: tasks, Days: 1})
			assert.NoError(t, err)
			done <- result
		}()
		close(pages[0])
		for i := len(pages) - 1; i > 0; i-- {
			synctest.Wait()
			close(pages[i])
		}
		assert.Equal(t, numbers(1, 120), ids(<-done))
	})
}

// A caller who leaves while requests wait for a slot is let go at once.
func TestCancelWhileWaitingForASlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate()
		f := newFake().data(tasksPath, g.hold(paged(20, still(taskRange(1, 20)))))
		c := f.startInBubble(t, func(c *Config) { c.MaxConcurrent = 1 })
		first := make(chan error, 1)
		go func() {
			_, err := c.Read(context.Background(), Read{DataSet: tasks, Days: 1})
			first <- err
		}()
		synctest.Wait()
		ctx, leave := context.WithCancel(t.Context())
		second := make(chan error, 1)
		go func() {
			_, err := c.Read(ctx, Read{DataSet: tasks, Days: 2})
			second <- err
		}()
		synctest.Wait()
		leave()
		require.ErrorIs(t, <-second, context.Canceled)
		close(g.pass)
		require.NoError(t, <-first)
		assert.Equal(t, 1, f.count(tasksPath))
	})
}
