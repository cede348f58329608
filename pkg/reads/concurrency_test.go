package reads

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// readAtOnce reads like a dashboard of n panels of automations, each with another window, because equal ones would share.
// It returns their errors.
func readAtOnce(c *Reads, n int) []error {
	errs := make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			_, errs[i] = c.Read(context.Background(), Read{Question: pages.Question{DataSet: automations, Days: i + 1}})
		})
	}
	wg.Wait()
	return errs
}

// labels returns so many automations.
func labels(n int) []string {
	rows := make([]string, n)
	for i := range rows {
		rows[i] = fmt.Sprintf(`{"label":"a-%d"}`, i)
	}
	return rows
}

func requireNoErrors(t *testing.T, errs []error) {
	t.Helper()
	for _, err := range errs {
		require.NoError(t, err)
	}
}

// The limit applies to the data source: several reads share it.
func TestRequestsInFlight(t *testing.T) {
	for _, most := range []int{1, 3, 8, 32} {
		t.Run(fmt.Sprint(most), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := servicetest.NewGate()
				f := servicetest.New().Data(automationsPath, g.Hold(servicetest.Paged(20, servicetest.Still(labels(300)))))
				c := startInBubble(t, f, func(c *settings) { c.MaxConcurrent = most })
				const reads = 5
				done := make(chan []error, 1)
				go func() { done <- readAtOnce(c, reads) }()
				synctest.Wait()
				require.Equal(t, min(most, reads), g.InFlight(), "page 0 of each read")
				for range min(most, reads) {
					g.Release <- struct{}{}
				}
				synctest.Wait()
				require.Equal(t, most, g.InFlight(), "the rest side by side")
				close(g.Release)
				requireNoErrors(t, <-done)
				assert.Equal(t, most, g.Peak())
				assert.Equal(t, reads*15, f.Count(automationsPath))
			})
		})
	}
}

// Responses in another order than their requests do not change the order of the rows.
func TestOrderOfRowsIgnoresTheOrderOfResponses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		released := make([]chan struct{}, 6)
		for i := range released {
			released[i] = make(chan struct{})
		}
		answer := servicetest.Paged(20, servicetest.Still(servicetest.TaskRange(1, 120)))
		f := servicetest.New().Data(tasksPath, func(w http.ResponseWriter, r *http.Request) {
			var number int
			_, _ = fmt.Sscan(r.URL.Query().Get("page"), &number)
			<-released[number]
			answer(w, r)
		})
		c := startInBubble(t, f)
		done := make(chan *Result, 1)
		go func() {
			result, err := c.Read(context.Background(), lastDays(1))
			assert.NoError(t, err)
			done <- result
		}()
		close(released[0])
		for i := len(released) - 1; i > 0; i-- {
			synctest.Wait()
			close(released[i])
		}
		assert.Equal(t, numbers(1, 120), ids(<-done))
	})
}
