package reads

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
	"github.com/insights/insights-reporting-datasource/schema"
)

// The total tells which page is the last one if the envelope has no number of pages.
func TestOldestWithoutTotalPages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		oldest := map[bool]time.Time{}
		for _, pages := range []bool{true, false} {
			f := servicetest.New().Data(tasksPath, func(w http.ResponseWriter, r *http.Request) {
				number, _ := strconv.Atoi(r.URL.Query().Get("page"))
				rows := servicetest.TaskRange(1, 200)
				body := fmt.Sprintf(`{"content":[%s],"totalElements":200`, strings.Join(rows[number*20:number*20+20], ","))
				if pages {
					body += `,"totalPages":10`
				}
				servicetest.OK(body+`}`)(w, r)
			})
			oldest[pages] = start(t, f).Oldest(t.Context(), tasks)
		}
		assert.Equal(t, oldest[true], oldest[false])
	})
}

// A first read that takes too long, of many pages of a slow service or with few requests per second, ends, and the next one
// goes on with it.
func TestReadThatTakesTooLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		afterTheTasks()
		page := servicetest.Paged(20, servicetest.Still(servicetest.TaskRange(1, 2000)))
		f := servicetest.New().Data(tasksPath, func(w http.ResponseWriter, r *http.Request) {
			time.Sleep(55 * time.Second)
			page(w, r)
		})
		r := start(t, f)
		_, err := r.Read(t.Context(), lastDays(tasks, 30))
		require.ErrorIs(t, err, context.DeadlineExceeded)
		before := f.Count(tasksPath)
		result, err := r.Read(t.Context(), lastDays(tasks, 30))
		require.NoError(t, err)
		assert.Len(t, ids(result), 2000)
		assert.Empty(t, result.Warnings)
		assert.Less(t, f.Count(tasksPath)-before, 50)
	})
}

// A million tasks of one workspace fit, also after they were refreshed.
func TestAMillionTasksFit(t *testing.T) {
	const rows = 20_000
	synctest.Test(t, func(t *testing.T) {
		f := servicetest.New().Data(tasksPath, servicetest.Paged(500, servicetest.Still(servicetest.TaskRange(1, rows))))
		r := start(t, f)
		for range 2 {
			result, err := r.Read(t.Context(), lastDays(tasks, 30))
			require.NoError(t, err)
			require.Len(t, ids(result), rows)
			assert.Less(t, lists.bytes*1_000_000/rows, int64(cacheBytes))
			time.Sleep(2 * time.Minute)
		}
	})
}

// A list that is larger than the cache is kept as long as it is the only one. With another one, each is read whole again and
// again, which is said.
func TestListLargerThanTheCache(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := servicetest.New().Data(tasksPath, servicetest.Paged(20, servicetest.Still(servicetest.TaskRange(1, 200))))
		r := start(t, f)
		small := newCache(10_000)
		lists, small = small, lists
		defer func() { lists = small }()
		ask := func(q pages.Question) (warnings []Warning, requests int) {
			before := f.Count(tasksPath)
			result, err := r.Read(t.Context(), q)
			require.NoError(t, err)
			return result.Warnings, f.Count(tasksPath) - before
		}
		for n := range 3 {
			warnings, requests := ask(lastDays(tasks, 30))
			assert.Empty(t, warnings)
			assert.Equal(t, []int{11, 0, 0}[n], requests)
		}
		assert.False(t, IsCrowded())
		other := pages.Question{DataSet: withSearch(tasks), Days: 30, Search: "x"}
		warnings, _ := ask(other)
		assert.Empty(t, warnings)
		for _, q := range []pages.Question{lastDays(tasks, 30), other, lastDays(tasks, 30)} {
			time.Sleep(2 * time.Minute)
			warnings, requests := ask(q)
			assert.Equal(t, 11, requests)
			require.Len(t, warnings, 1)
			assert.Contains(t, warnings[0].Text, "exceed the 0 MiB")
			again, requests := ask(q)
			assert.Equal(t, warnings, again, "it was not kept until the next refresh")
			assert.Zero(t, requests)
			assert.True(t, IsCrowded())
		}
		time.Sleep(8 * time.Minute)
		assert.False(t, IsCrowded(), "nobody asks for them anymore")
		for range 3 {
			time.Sleep(2 * time.Minute)
			warnings, _ = ask(lastDays(tasks, 30))
		}
		assert.Empty(t, warnings, "the other list is not asked for anymore")
	})
}

// withSearch returns a data set that the service searches, so that it has several lists of the same days.
func withSearch(set *schema.DataSet) *schema.DataSet {
	searched := *set
	searched.Parameters.Search = "search"
	return &searched
}

// The points of a line belong to the days that it says, although the longest and the shortest of rolling windows gain the
// same when a day has passed.
func TestPointsOfALineBelongToTheirDays(t *testing.T) {
	for _, interval := range []time.Duration{10 * time.Minute, 24 * time.Hour} {
		t.Run(interval.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				time.Sleep(time.Until(time.Date(2026, time.December, 1, 12, 30, 0, 0, time.UTC))) // Tuesday
				s := &windowsOf{counts: func(days int) (n int) {                                  // a task each 15 minutes from Monday to Friday, rolling windows
					for ago := time.Duration(0); ago < time.Duration(days)*24*time.Hour; ago += 15 * time.Minute {
						if day := time.Now().Add(-ago).Weekday(); day != time.Saturday && day != time.Sunday {
							n++
						}
					}
					return n
				}}
				r := start(t, servicetest.New().Data(automationsPath, s.answer), func(c *Config) { c.FullReadInterval = interval })
				taken(t, r, week)
				time.Sleep(min(interval, 22*time.Hour) - time.Minute)
				counts, missing := taken(t, r, week)
				assert.False(t, missing)
				for i := range week[1:] {
					want := s.counts(week[i]) - s.counts(week[i+1])
					assert.InDelta(t, want, counts[week[i]]-counts[week[i+1]], 2, "tasks %d to %d days ago", week[i], week[i+1])
				}
			})
		})
	}
}
