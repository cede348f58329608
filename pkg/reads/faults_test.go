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

// A first read that takes too long, of many pages of a slow service or with few requests per second, ends in time, which is the deadline
// of a rule, and the next one goes on with it.
func TestReadThatTakesTooLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		afterTheTasks()
		page := servicetest.Paged(20, servicetest.Still(servicetest.TaskRange(1, 2000)))
		f := servicetest.New().Data(tasksPath, func(w http.ResponseWriter, r *http.Request) {
			time.Sleep(2500 * time.Millisecond)
			page(w, r)
		})
		r := start(t, f)
		ctx, cancel := context.WithTimeout(t.Context(), 12*time.Second)
		defer cancel()
		_, err := r.Read(ctx, lastDays(tasks, 30))
		require.ErrorIs(t, err, ErrSlow, "before the deadline")
		first := Progress(err).Page
		_, err = r.Read(t.Context(), lastDays(tasks, 30))
		require.ErrorIs(t, err, ErrSlow)
		assert.Greater(t, Progress(err).Page, first)
		var result *Result
		for n := 0; err != nil; n++ {
			result, err = r.Read(t.Context(), lastDays(tasks, 30))
			require.Less(t, n, 10)
		}
		assert.Len(t, ids(result), 2000)
		assert.Empty(t, result.Warnings)
		assert.Less(t, f.Count(tasksPath), 300)
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

// A service that does not heed the number of days lists tasks that ended long before them. Of totals, nobody can tell, but that
// all windows are the same is said.
func TestServiceThatIgnoresDays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		row := func(id int, state string, ago time.Duration) string {
			return fmt.Sprintf(`{"id":%d,"state":%q,"dateCreation":%q}`, id, state, time.Now().Add(-ago).UTC().Format(time.RFC3339))
		}
		const day = 24 * time.Hour
		rows := map[int][]string{
			7: {row(5, "FINISHED", time.Hour), row(4, "FINISHED", 6*day), row(3, "FINISHED", 7*day+time.Hour), row(2, "FINISHED", 9*day), row(1, "START", 20*day)},
			8: {row(5, "FINISHED", time.Hour), row(3, "FINISHED", 8*day+time.Hour), row(1, "START", 20*day)},
			9: {row(2, "FINISHED", 20*day)},
		}
		f := servicetest.New().Data(automationsPath, servicetest.OK(`{"content":[{"label":"a","taskCount":300}],"totalElements":1}`))
		r := start(t, f)
		for days, want := range map[int][]int64{7: {5, 4}, 8: {5, 3, 1}, 9: nil} {
			f.Data(tasksPath, servicetest.OK(servicetest.Envelope(rows[days], 0, 20)))
			result, err := r.Read(t.Context(), lastDays(tasks, days))
			require.NoError(t, err)
			assert.Equal(t, want, ids(result))
			assert.Len(t, result.Warnings, map[int]int{7: 1, 9: 1}[days])
			assert.Empty(t, result.Missing())
		}
		windows, err := r.Windows(t.Context(), pages.Question{DataSet: automations}, []int{3, 2, 1})
		require.NoError(t, err)
		assert.Contains(t, windows[0].Warnings[0].Text, "the same totals for 3 and for 1 days")
	})
}

// A clock that differs, and dates of another time zone without their offset, are said: a range up to now lacks rows then.
func TestClockOfTheService(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, test := range []struct {
			clock, dated time.Duration
			want         string
		}{
			{0, 0, ""}, {30 * time.Second, time.Minute, ""}, {0, 26 * 365 * 24 * time.Hour, ""}, {10 * time.Minute, 10 * time.Minute, "differs from that of Grafana by 10m0s"},
			{-10 * time.Minute, -10 * time.Minute, "by -10m0s"}, {0, 2 * time.Hour, "dateCreation: 1 values are after now"}, {0, 5 * time.Minute, ""},
		} {
			f := servicetest.New().Data(tasksPath, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Date", time.Now().Add(test.clock).UTC().Format(http.TimeFormat))
				servicetest.OK(fmt.Sprintf(`{"content":[{"id":1,"dateCreation":%q}],"totalElements":1}`, time.Now().Add(test.dated).UTC().Format(time.RFC3339)))(w, r)
			})
			result, err := start(t, f).Read(t.Context(), lastDays(tasks, 7))
			require.NoError(t, err)
			if test.clock.Abs() > time.Minute {
				assert.InDelta(t, test.clock, result.Ahead, float64(time.Second))
			}
			assert.Empty(t, result.Missing())
			said := fmt.Sprint(result.Warnings, result.Later)
			assert.Contains(t, said, test.want)
			assert.Equal(t, test.want == "", said == "[] []", said)
		}
	})
}
