package reads

import (
	"context"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/service"
	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

func TestDeadlineAndCancelEndAtOnce(t *testing.T) {
	hang := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	half := func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, threeTasks[:50])
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}
	for name, answer := range map[string]http.HandlerFunc{
		"in a pause": servicetest.Status(429, ``, "Retry-After", "20"), "before the answer": hang, "in the middle of the answer": half,
	} {
		t.Run("deadline "+name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := servicetest.New().Data(tasksPath, answer)
				c := startInBubble(t, f)
				ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
				defer cancel()
				start := time.Now()
				_, err := c.Read(ctx, lastDays(1))
				require.ErrorIs(t, err, context.DeadlineExceeded)
				assert.Equal(t, 3*time.Second, time.Since(start))
				time.Sleep(time.Minute)
				assert.Equal(t, 1, f.Count(tasksPath), "without callers, no more requests are sent")
			})
		})
		t.Run("cancel "+name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := servicetest.New().Data(tasksPath, answer)
				c := startInBubble(t, f)
				ctx, cancel := context.WithCancel(t.Context())
				time.AfterFunc(2*time.Second, cancel)
				start := time.Now()
				_, err := c.Read(ctx, lastDays(1))
				require.ErrorIs(t, err, context.Canceled)
				assert.Equal(t, 2*time.Second, time.Since(start))
				time.Sleep(time.Minute)
				assert.Equal(t, 1, f.Count(tasksPath))
			})
		})
	}
}

// A page with a persistent failure stops the others of its read.
func TestFailedPageCancelsItsRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		good := servicetest.Paged(1, servicetest.Still(servicetest.TaskRange(1, 8)))
		cancelled := make(chan struct{}, 8)
		f := servicetest.New().Data(tasksPath, func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Query().Get("page") {
			case "0":
				good(w, r)
			case "3":
				time.Sleep(time.Second)
				servicetest.Status(400, `{"message":"bad page"}`)(w, r)
			default:
				<-r.Context().Done()
				cancelled <- struct{}{}
			}
		})
		c := startInBubble(t, f)
		_, err := c.Read(t.Context(), lastDays(1))
		require.ErrorIs(t, err, service.ErrRejected)
		for range 6 {
			<-cancelled
		}
	})
}

// A change to a shorter time range ends the read of the longer one, whichever of the two Grafana's server hears of first.
func TestShorterRangeEndsTheReadOfALongerOne(t *testing.T) {
	for name, leavesFirst := range map[string]bool{"canceled first": true, "queried first": false} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := weeks()
				w.delay = 400 * time.Millisecond
				c := startRobotsInBubble(t, w, func(c *settings) { c.MaxConcurrent = 1 })
				longer := arrive(c, w.since(12))
				time.Sleep(2 * time.Second)
				var shorter *caller
				cost := w.cost(func() {
					if leavesFirst {
						longer.leave()
					}
					shorter = arrive(c, w.since(1))
					time.Sleep(time.Millisecond)
					longer.leave()
					require.NoError(t, <-shorter.done)
				})
				assert.Equal(t, w.listed(1), w.within(shorter.got, 1))
				assert.LessOrEqual(t, cost, 6, "those in flight, and its own")
			})
		})
	}
}

// A question that needs as much of the list keeps its read, although the one that started it has left.
func TestReadContinuesForAnotherThatNeedsAsMuch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := weeks()
		w.delay = 400 * time.Millisecond
		c := startRobotsInBubble(t, w)
		cost := w.cost(func() {
			first := arrive(c, w.since(12))
			time.Sleep(time.Second)
			second := arrive(c, w.since(12))
			time.Sleep(time.Millisecond)
			first.leave()
			require.NoError(t, <-second.done)
			assert.Equal(t, w.listed(12), w.within(second.got, 12))
		})
		assert.LessOrEqual(t, cost, (len(w.listed(12))+19)/20+1, "no page twice, apart from the last")
	})
}
