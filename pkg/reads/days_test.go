package reads

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// month is a service that lists 10,000 tasks of 30 days in pages of 20, each of which takes 100 ms.
type month struct {
	began time.Time
	rows  []string // newest first
	order func(rows []string) []string
}

func (m *month) answer(w http.ResponseWriter, r *http.Request) {
	time.Sleep(100 * time.Millisecond)
	days, _ := strconv.Atoi(r.URL.Query().Get("days"))
	number, _ := strconv.Atoi(r.URL.Query().Get("page"))
	rows := m.rows[:min(len(m.rows), len(m.rows)*days/30)]
	servicetest.OK(servicetest.Envelope(m.order(rows), number, 20))(w, r)
}

func newMonth(order func(rows []string) []string) *month {
	m := &month{began: time.Now(), order: order}
	for i := range 10_000 {
		at := m.began.Add(-time.Duration(i)*(30*24*time.Hour/10_000) - time.Hour).UTC().Format(time.RFC3339)
		m.rows = append(m.rows, fmt.Sprintf(`{"id":%d,"state":"FINISHED","finishStatus":"SUCCESS","dateCreation":%q}`, 10_000-i, at))
	}
	return m
}

func newestFirst(rows []string) []string { return rows }

func oldestFirst(rows []string) []string {
	reversed := slices.Clone(rows)
	slices.Reverse(reversed)
	return reversed
}

// A list over other days begins with what is known of the same tasks.
func TestCostsOfDays(t *testing.T) {
	within := func(days ...int) []int { return days }
	for _, test := range []struct {
		name   string
		order  func([]string) []string
		before []int         // days that were read a minute ago
		days   []int         // that are read, in this order
		every  time.Duration // how long after each other
		most   int           // requests
		wait   map[int]time.Duration
	}{
		{"a month", newestFirst, nil, within(30), time.Millisecond, 501, map[int]time.Duration{30: 6500 * time.Millisecond}},
		{"a day after a month", newestFirst, within(30), within(1), time.Millisecond, 12, nil},
		{"more days after a month", newestFirst, within(30), within(40), time.Millisecond, 20, nil},
		{"a month after a week", newestFirst, within(7), within(30), time.Millisecond, 400, nil},
		{"ten rules after a month", newestFirst, within(30), within(1, 2, 3, 4, 5, 6, 7, 8, 9, 10), time.Millisecond, 60, nil},
		{"a board of a day, a week, and a month", newestFirst, nil, within(1, 7, 30), time.Millisecond, 640, map[int]time.Duration{1: 800 * time.Millisecond, 30: 8500 * time.Millisecond}},
		{"the same, one after the other", newestFirst, nil, within(30, 7, 1), time.Second, 640, map[int]time.Duration{1: 3500 * time.Millisecond, 7: 5 * time.Second, 30: 8500 * time.Millisecond}},
		{"equal questions at once, oldest first", oldestFirst, nil, within(6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6), 0, 102, nil},
		{"a day after a month, oldest first", oldestFirst, within(30), within(1), time.Millisecond, 12, nil},
		{"a month after a week, oldest first", oldestFirst, within(7), within(30), time.Millisecond, 520, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := newMonth(test.order)
				f := servicetest.New().Data(tasksPath, m.answer)
				r := start(t, f)
				for _, days := range test.before {
					_, err := r.Read(t.Context(), lastDays(tasks, days))
					require.NoError(t, err)
					time.Sleep(2 * time.Minute)
				}
				before, began := f.Count(tasksPath), time.Now()
				var wg sync.WaitGroup
				for _, days := range test.days {
					wg.Go(func() {
						result, err := r.Read(t.Context(), lastDays(tasks, days))
						took := time.Since(began)
						assert.NoError(t, err)
						assert.Empty(t, result.Warnings)
						assert.Len(t, ids(result), min(len(m.rows), len(m.rows)*days/30), "%d days", days)
						if most := test.wait[days]; most > 0 {
							assert.LessOrEqual(t, took, most, "%d days", days)
						}
						t.Logf("%d days: %s", days, took)
					})
					time.Sleep(test.every)
				}
				wg.Wait()
				requests := f.Count(tasksPath) - before
				t.Log(requests, "requests")
				assert.LessOrEqual(t, requests, test.most)
			})
		})
	}
}

// A question about few days does not wait for a list of more days that takes long.
func TestReadOrMoreWaitsForAMomentOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMonth(newestFirst)
		isSlow := false
		f := servicetest.New().Data(tasksPath, func(w http.ResponseWriter, q *http.Request) {
			if isSlow && q.URL.Query().Get("days") == "30" {
				time.Sleep(50 * time.Second)
			}
			m.answer(w, q)
		})
		r := start(t, f)
		_, err := r.Read(t.Context(), lastDays(tasks, 30))
		require.NoError(t, err)
		time.Sleep(2 * time.Minute)
		isSlow = true
		began := time.Now()
		result, err := r.ReadOrMore(t.Context(), lastDays(tasks, 1))
		require.NoError(t, err)
		assert.Len(t, ids(result), 333)
		assert.Less(t, time.Since(began), longerWait+time.Second)
	})
}

// A row that changed although it had ended is corrected within the interval.
func TestRowThatChangesAfterItHasEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMonth(newestFirst)
		r := start(t, servicetest.New().Data(tasksPath, m.answer))
		corrected := func() float64 { return testutil.ToFloat64(rowsCorrected.WithLabelValues("tasks")) }
		before, status := corrected(), ""
		for minute := range 75 {
			if minute == 5 {
				m.rows[1000] = strings.Replace(m.rows[1000], "SUCCESS", "FAILED", 1)
			}
			result, err := r.Read(t.Context(), lastDays(tasks, 7))
			require.NoError(t, err)
			status = result.Table.Column("finishStatus").Strings[1000]
			time.Sleep(time.Minute + time.Second)
		}
		assert.Equal(t, "FAILED", status)
		assert.InDelta(t, before+1, corrected(), 0, "a metric says that a row has changed that was not expected to")
	})
}
