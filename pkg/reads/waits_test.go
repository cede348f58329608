package reads

import (
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"golang.org/x/sync/semaphore"

	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/service"
	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// failsBehindPage0 is a service whose pages behind page 0 fail after a while.
func failsBehindPage0(after time.Duration) http.HandlerFunc {
	m := newMonth(newestFirst)
	return func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("page") == "0" {
			m.answer(w, r)
			return
		}
		select {
		case <-time.After(after):
			servicetest.Status(http.StatusInternalServerError, `{"message":"out of memory"}`)(w, r)
		case <-r.Context().Done():
		}
	}
}

// First reads that fail one after the other do not add up: each waits for another one for a moment only, and then fails alone.
func TestFailuresOfOtherDays(t *testing.T) {
	const timeout = 30 * time.Second
	for name, test := range map[string]struct {
		answers time.Duration
		fails   time.Duration // how long a read takes that waits for nobody
	}{
		"soon": {time.Second, time.Second}, "late": {20 * time.Second, 20 * time.Second}, "timeout": {time.Hour, timeout},
	} {
		for _, order := range [][]int{{1, 2, 3, 4, 5, 6}, {6, 5, 4, 3, 2, 1}, {3, 6, 1, 5, 4, 2}} {
			t.Run(name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					address, httpClient := servicetest.New().Data(tasksPath, failsBehindPage0(test.answers)).StartInBubble(t)
					defer httpClient.CloseIdleConnections()
					client := service.New(service.Config{
						BaseURL: address, Login: servicetest.Login, Key: servicetest.Key, Timeout: timeout,
						MaxConcurrent: 100,
					}, httpClient)
					r := New(defaults, pages.Source{Client: client})
					r.large = semaphore.NewWeighted(6) // Neither requests nor reads wait for those of another list.
					defer r.Close()
					var wg sync.WaitGroup
					for _, days := range order {
						wg.Go(func() {
							began := time.Now()
							_, err := r.Read(t.Context(), lastDays(tasks, days))
							assert.Error(t, err)
							assert.Less(t, time.Since(began), 10*time.Second+test.fails+time.Second, "%d days of %v", days, order)
						})
						time.Sleep(time.Millisecond)
					}
					wg.Wait()
				})
			})
		}
	}
}
