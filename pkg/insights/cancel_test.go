package insights

import (
	"context"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A pause holds no slot: others may ask meanwhile.
func TestPauseHoldsNoSlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake().data(tasksPath, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Query().Get("days") == "1" {
				status(429, ``, "Retry-After", "9")(w, r)
				return
			}
			ok(threeTasks)(w, r)
		})
		c := f.startInBubble(t, func(c *Config) { c.MaxConcurrent = 1 })
		ctx, leave := context.WithCancel(t.Context())
		slow := make(chan error, 1)
		go func() {
			_, err := c.Read(ctx, Read{DataSet: tasks, Days: 1})
			slow <- err
		}()
		synctest.Wait()
		start := time.Now()
		_, err := c.Read(t.Context(), Read{DataSet: tasks, Days: 2})
		require.NoError(t, err)
		assert.Zero(t, time.Since(start))
		leave()
		require.ErrorIs(t, <-slow, context.Canceled)
	})
}

func TestDeadlineAndCancelEndAtOnce(t *testing.T) {
	hang := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	half := func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, threeTasks[:50])
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}
	for name, answer := range map[string]http.HandlerFunc{
		"in a pause": status(429, ``, "Retry-After", "20"), "before the answer": hang, "in the middle of the answer": half,
	} {
		t.Run("deadline "+name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFake().data(tasksPath, answer)
				c := f.startInBubble(t)
				ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
				defer cancel()
				start := time.Now()
				_, err := c.Read(ctx, Read{DataSet: tasks, Days: 1})
				require.ErrorIs(t, err, context.DeadlineExceeded)
				assert.Equal(t, 3*time.Second, time.Since(start))
				time.Sleep(time.Minute)
				assert.Equal(t, 1, f.count(tasksPath), "nobody waits, so nothing is asked any more")
			})
		})
		t.Run("cancel "+name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFake().data(tasksPath, answer)
				c := f.startInBubble(t)
				ctx, cancel := context.WithCancel(t.Context())
				time.AfterFunc(2*time.Second, cancel)
				start := time.Now()
				_, err := c.Read(ctx, Read{DataSet: tasks, Days: 1})
				require.ErrorIs(t, err, context.Canceled)
				assert.Equal(t, 2*time.Second, time.Since(start))
				time.Sleep(time.Minute)
				assert.Equal(t, 1, f.count(tasksPath))
			})
		})
	}
}

// A request that takes longer than the setting Timeout is an error that names it, and is not tried again: the user
// would wait several times as long.
func TestTimeoutOfOneRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake().data(tasksPath, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
		c := f.startInBubble(t)
		start := time.Now()
		_, err := c.Read(t.Context(), Read{DataSet: tasks, Days: 1})
		require.ErrorIs(t, err, ErrTimeout)
		assert.ErrorContains(t, err, "1m0s")
		assert.ErrorContains(t, err, "Timeout")
		assert.ErrorContains(t, err, "127.0.0.1")
		assert.Equal(t, time.Minute, time.Since(start))
		assert.Equal(t, 1, f.count(tasksPath))
	})
}

// One page that fails for good ends the others of its read.
func TestFailedPageCancelsItsRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		good := paged(1, still(taskRange(1, 8)))
		cancelled := make(chan struct{}, 8)
		f := newFake().data(tasksPath, func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Query().Get("page") {
			case "0":
				good(w, r)
			case "3":
				time.Sleep(time.Second)
				status(400, `{"message":"bad page"}`)(w, r)
			default:
				<-r.Context().Done()
				cancelled <- struct{}{}
			}
		})
		c := f.startInBubble(t)
		_, err := c.Read(t.Context(), Read{DataSet: tasks, Days: 1})
		require.ErrorIs(t, err, ErrRejected)
		for range 6 {
			<-cancelled
		}
	})
}
