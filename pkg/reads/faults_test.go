package reads

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
	"github.com/insights/insights-reporting-datasource/schema"
)

// month is a service that lists 10,000 tasks of 30 days in pages of 20, each of which takes 100 ms.
type month struct {
	began         time.Time
	rows          []string // newest first
	isOldestFirst bool     // the service lists them in the other order
}

func (m *month) answer(w http.ResponseWriter, r *http.Request) {
	time.Sleep(100 * time.Millisecond)
	days, _ := strconv.Atoi(r.URL.Query().Get("days"))
	number, _ := strconv.Atoi(r.URL.Query().Get("page"))
	rows := m.rows[:min(len(m.rows), len(m.rows)*days/30)]
	if m.isOldestFirst {
		rows = slices.Clone(rows)
		slices.Reverse(rows)
	}
	servicetest.OK(servicetest.Envelope(rows, number, 20))(w, r)
}

func newMonth(isOldestFirst bool) *month {
	m := &month{began: time.Now(), isOldestFirst: isOldestFirst}
	for i := range 10_000 {
		at := m.began.Add(-time.Duration(i)*(30*24*time.Hour/10_000) - time.Hour).UTC().Format(time.RFC3339)
		m.rows = append(m.rows, fmt.Sprintf(`{"id":%d,"state":"FINISHED","finishStatus":"SUCCESS","dateCreation":%q}`, 10_000-i, at))
	}
	return m
}

// A list over other days begins with what is known of the same tasks.
func TestCostsOfDays(t *testing.T) {
	within := func(days ...int) []int { return days }
	for _, test := range []struct {
		name          string
		isOldestFirst bool
		before        []int         // days that were read a minute ago
		days          []int         // that are read, in this order
		every         time.Duration // how long after each other
		most          int           // requests
		wait          map[int]time.Duration
	}{
		{"a month", false, nil, within(30), time.Millisecond, 501, map[int]time.Duration{30: 6500 * time.Millisecond}},
		{"a day after a month", false, within(30), within(1), time.Millisecond, 12, nil},
		{"more days after a month", false, within(30), within(40), time.Millisecond, 20, nil},
		{"a month after a week", false, within(7), within(30), time.Millisecond, 400, nil},
		{"ten rules after a month", false, within(30), within(1, 2, 3, 4, 5, 6, 7, 8, 9, 10), time.Millisecond, 60, nil},
		{"a board of a day, a week, and a month", false, nil, within(1, 7, 30), time.Millisecond, 640, map[int]time.Duration{1: 800 * time.Millisecond, 30: 8500 * time.Millisecond}},
		{"a board of more than a quarter of a month each", false, nil, within(15, 30, 8), time.Millisecond, 560, nil},
		{"the same, the longest first", false, nil, within(30, 15, 8), time.Millisecond, 560, nil},
		{"the same, one after the other", false, nil, within(30, 7, 1), time.Second, 640, map[int]time.Duration{1: 3500 * time.Millisecond, 7: 5 * time.Second, 30: 8500 * time.Millisecond}},
		{"equal questions at once, oldest first", true, nil, within(6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6), 0, 102, nil},
		{"a day after a month, oldest first", true, within(30), within(1), time.Millisecond, 12, nil},
		{"a month after a week, oldest first", true, within(7), within(30), time.Millisecond, 520, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := newMonth(test.isOldestFirst)
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
					})
					time.Sleep(test.every)
				}
				wg.Wait()
				assert.LessOrEqual(t, f.Count(tasksPath)-before, test.most)
			})
		})
	}
}

// The total tells which page is the last one if the envelope has no number of pages, and pages that are empty if it has none either.
func TestOldestWithoutTotalPages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var oldest []time.Time
		for _, lacks := range []string{"nothing", `"totalPages":\d+,`, `"total(Pages|Elements)":\d+,`} {
			f := servicetest.New().Data(tasksPath, func(w http.ResponseWriter, r *http.Request) {
				number, _ := strconv.Atoi(r.URL.Query().Get("page"))
				page := servicetest.Envelope(servicetest.TaskRange(1, 200), number, 20)
				servicetest.OK(regexp.MustCompile(lacks).ReplaceAllString(page, ""))(w, r)
			})
			oldest = append(oldest, start(t, f).Oldest(t.Context(), tasks))
		}
		assert.NotZero(t, oldest[0])
		assert.Equal(t, slices.Repeat(oldest[:1], 3), oldest)
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
// again, which Save & test says.
func TestListLargerThanTheCache(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := servicetest.New().Data(tasksPath, servicetest.Paged(20, servicetest.Still(servicetest.TaskRange(1, 200))))
		r := start(t, f)
		small := newCache(10_000)
		lists, small = small, lists
		defer func() { lists = small }()
		ask := func(q schema.Question) (requests int) {
			before := f.Count(tasksPath)
			_, err := r.Read(t.Context(), q)
			require.NoError(t, err)
			return f.Count(tasksPath) - before
		}
		for n := range 3 {
			assert.Equal(t, []int{11, 0, 0}[n], ask(lastDays(tasks, 30)))
		}
		searched := *tasks
		searched.Parameters.Search = "search"
		other := schema.Question{DataSet: &searched, Days: 30, Search: "x"}
		ask(other)
		assert.False(t, IsCrowded())
		for _, q := range []schema.Question{lastDays(tasks, 30), other, lastDays(tasks, 30)} {
			time.Sleep(2 * time.Minute)
			assert.Equal(t, 11, ask(q))
			assert.Zero(t, ask(q))
			assert.True(t, IsCrowded())
		}
		for minutes := 0; minutes < 70; minutes += 2 {
			time.Sleep(2 * time.Minute)
			ask(lastDays(tasks, 30))
		}
		assert.False(t, IsCrowded(), "the other list is not asked for anymore")
	})
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
			assert.Empty(t, result.Missing)
		}
		windows, err := r.Windows(t.Context(), schema.Question{DataSet: automations}, []int{3, 2, 1})
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
			assert.Empty(t, result.Missing)
			said := fmt.Sprint(result.Warnings, result.Later)
			assert.Contains(t, said, test.want)
			assert.Equal(t, test.want == "", said == "[] []", said)
		}
	})
}
