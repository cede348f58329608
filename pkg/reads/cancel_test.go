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
