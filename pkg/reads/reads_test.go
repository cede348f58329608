package reads

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/list"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/service"
	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
	"github.com/insights/insights-reporting-datasource/schema"
)

const (
	tasksPath       = servicetest.TasksPath
	automationsPath = servicetest.AutomationsPath
)

var (
	tasks       = schema.All().Get("tasks")
	automations = schema.All().Get("automations")

	defaults = Config{MaxConcurrent: 8, MaxRows: 100_000, CacheTTL: time.Minute, Incremental: true, FullReadInterval: 10 * time.Minute}
)

// start returns Reads of a service. Inside synctest.Test, the service is in memory.
func start(t *testing.T, f *servicetest.Fake, change ...func(*Config)) *Reads {
	t.Helper()
	address, httpClient := f.StartInBubble(t)
	config := defaults
	for _, change := range change {
		change(&config)
	}
	client := service.New(service.Config{
		BaseURL: address, Login: servicetest.Login, Key: servicetest.Key, Timeout: time.Minute, MaxConcurrent: config.MaxConcurrent,
	}, httpClient)
	r := New(config, pages.Source{Client: client})
	t.Cleanup(func() {
		r.Close()
		httpClient.CloseIdleConnections()
	})
	return r
}

// afterTheTasks lets the time of a bubble pass until the tasks of servicetest have ended.
func afterTheTasks() {
	time.Sleep(time.Until(time.Date(2026, time.November, 20, 12, 0, 0, 0, time.UTC)))
}

func lastDays(set *schema.DataSet, days int) Question {
	return Question{Question: pages.Question{DataSet: set, Days: days}}
}

func ids(r *Result) []int64 { return r.Table.Column("id").Integers }

// A data source whose settings were saved is replaced, and requests nothing anymore.
func TestCloseEndsReadsInTheBackground(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		left := make(chan struct{})
		f := servicetest.New().Data(tasksPath, func(_ http.ResponseWriter, r *http.Request) {
			<-r.Context().Done()
			close(left)
		})
		r := start(t, f)
		began := time.Now()
		assert.Zero(t, r.Oldest(t.Context(), tasks))
		r.Close()
		<-left
		assert.Less(t, time.Since(began), longestRead)
	})
}

// Questions about the tasks of other days, or of a range, are questions about one list. Searches and other data sets are
// not.
func TestWhatSharesAList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := servicetest.New().Data(tasksPath, servicetest.Paged(20, servicetest.Still(servicetest.TaskRange(1, 200)))).
			Data(automationsPath, servicetest.OK(servicetest.Envelope(nil, 0, 20)))
		r := start(t, f)
		for _, q := range []Question{
			lastDays(tasks, 30), lastDays(tasks, 30),
			{Question: pages.Question{DataSet: tasks, Days: 31}, Goal: list.Goal{Field: "dateCreation", From: time.Date(2026, time.November, 20, 8, 0, 0, 0, time.UTC)}},
		} {
			result, err := r.Read(t.Context(), q)
			require.NoError(t, err)
			assert.Empty(t, result.Warnings)
		}
		assert.Equal(t, 10, f.Count(tasksPath), "each page once")
		for _, q := range []Question{lastDays(automations, 30), lastDays(automations, 7), {Question: pages.Question{DataSet: automations, Days: 7, Search: "intake"}}} {
			for range 2 {
				_, err := r.Read(t.Context(), q)
				require.NoError(t, err)
			}
		}
		assert.Equal(t, 3, f.Count(automationsPath))
	})
}

// If tasks come in another order, fewer days are not the first rows of more days.
func TestListsOfDaysAreSeparateWithoutAnOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rows := servicetest.TaskRange(1, 200)
		slices.Reverse(rows)
		f := servicetest.New().Data(tasksPath, func(w http.ResponseWriter, r *http.Request) {
			days, _ := strconv.Atoi(r.URL.Query().Get("days"))
			servicetest.Paged(20, servicetest.Still(rows[200-min(200, 10*days):]))(w, r)
		})
		r := start(t, f)
		newest := list.Goal{Field: "dateCreation", From: time.Date(2026, time.November, 20, 8, 50, 0, 0, time.UTC)}
		for range 2 {
			for _, days := range []int{20, 5, 12} {
				result, err := r.Read(t.Context(), Question{Question: pages.Question{DataSet: tasks, Days: days}, Goal: newest})
				require.NoError(t, err)
				assert.Len(t, ids(result), 10*days)
				assert.EqualValues(t, 1, ids(result)[10*days-1])
			}
		}
		assert.LessOrEqual(t, f.Count(tasksPath), 10+10+3+6, "every list once, and the first one again")
	})
}

func TestResultOfARead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		afterTheTasks()
		f := servicetest.New().Data(tasksPath, servicetest.Paged(20, servicetest.Still(servicetest.TaskRange(1, 200))))
		r := start(t, f)
		readsMade.Reset()
		whole, err := r.Read(t.Context(), lastDays(tasks, 30))
		require.NoError(t, err)
		assert.True(t, whole.Complete())
		assert.False(t, whole.Reused)
		assert.Contains(t, whole.Executed, "GET http://127.0.0.1:80"+tasksPath+"?days=30&page=0 … page=9 (10 pages)")
		assert.Equal(t, Stats{Pages: 10, Rows: 200, Requests: 10, Bytes: whole.Stats.Bytes, Took: whole.Stats.Took}, whole.Stats)
		assert.Positive(t, whole.Stats.Bytes)

		time.Sleep(30 * time.Second)
		cached, err := r.Read(t.Context(), lastDays(tasks, 30))
		require.NoError(t, err)
		assert.True(t, cached.Reused)
		assert.Equal(t, 30*time.Second, time.Since(cached.ReadAt), "its age counts from the read")
		assert.Equal(t, whole.Table, cached.Table)

		time.Sleep(time.Minute)
		again, err := r.Read(t.Context(), lastDays(tasks, 30))
		require.NoError(t, err)
		assert.False(t, again.Reused)
		assert.EqualValues(t, 3, again.Stats.Requests)
		assert.Contains(t, again.Executed, "(3 of 10 pages; 160 of 200 rows are reused from the read at")
		assert.Equal(t, whole.Table, again.Table)
		fresh := start(t, f)
		newest, err := fresh.Read(t.Context(), Question{Question: pages.Question{DataSet: tasks, Days: 30}, Goal: list.Goal{Field: "dateCreation", Rows: 5}})
		require.NoError(t, err)
		assert.Contains(t, newest.Executed, "(2 of 10 pages; dateCreation decreases from row to row and on the last page, so older rows were not read)")
		for _, source := range []string{"whole", "cache", "incremental", "newest"} {
			assert.InDelta(t, 1, testutil.ToFloat64(readsMade.WithLabelValues("tasks", source)), 0, source)
		}
	})
}

func TestEveryReadIsWholeWithoutIncrementalQuerying(t *testing.T) {
	for name, change := range map[string]func(*Config){
		"setting": func(c *Config) { c.Incremental = false }, "interval": func(c *Config) { c.FullReadInterval = 0 },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := servicetest.New().Data(tasksPath, servicetest.Paged(20, servicetest.Still(servicetest.TaskRange(1, 200))))
				r := start(t, f, change)
				for n := range 3 {
					_, err := r.Read(t.Context(), lastDays(tasks, 30))
					require.NoError(t, err)
					assert.Equal(t, 10*(n+1), f.Count(tasksPath))
					time.Sleep(61 * time.Second)
				}
			})
		})
	}
}

// A full read in the background checks what is kept, and says in a metric if it was wrong. An interval below the time that
// answers are cached would check answers that nobody gets.
func TestAuditReportsWhatChanged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		afterTheTasks()
		rows := servicetest.TaskRange(1, 200)
		f := servicetest.New().Data(tasksPath, servicetest.Paged(20, func() []string { return rows }))
		r := start(t, f, func(c *Config) { c.FullReadInterval, c.CacheTTL = time.Second, 10*time.Minute })
		counts := func(outcome string) float64 { return testutil.ToFloat64(auditsMade.WithLabelValues("tasks", outcome)) }
		changed, passed := counts("changed"), counts("passed")
		read := func() *Result {
			result, err := r.Read(t.Context(), lastDays(tasks, 30))
			require.NoError(t, err)
			synctest.Wait()
			return result
		}
		read()
		for range 60 {
			time.Sleep(9 * time.Second)
			read()
		}
		assert.Equal(t, 10, f.Count(tasksPath))
		time.Sleep(time.Minute)
		read()
		assert.InDelta(t, passed+1, counts("passed"), 0)
		rows = slices.Clone(rows)
		rows[100] = servicetest.Task(101)[:len(servicetest.Task(101))-1] + `,"late":true}`
		time.Sleep(11 * time.Minute)
		read()
		assert.InDelta(t, changed+1, counts("changed"), 0)
	})
}

// windowsOf is a service of one automation, whose windows count the tasks since a start.
type windowsOf struct {
	mu     sync.Mutex
	counts func(days int) int
	change func(days int, row map[string]any, total *int)
}

func (s *windowsOf) answer(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	days, _ := strconv.Atoi(r.URL.Query().Get("filterBy"))
	total, row := 1, map[string]any{"label": "intake", "name": "Intake", "taskCount": s.counts(days), "successRate": 1, "sumItems": 10 * s.counts(days)}
	if s.change != nil {
		s.change(days, row, &total)
	}
	content, _ := json.Marshal([]any{row})
	servicetest.OK(fmt.Sprintf(`{"content":%s,"totalElements":%d,"totalPages":1}`, content, total))(w, r)
}

// set changes what the service answers from now on. It takes the lock because a request that the caller no longer waits for
// can still be in its handler.
func (s *windowsOf) set(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
}

// taken are the counts of the windows that a line gets, and of the shortest as of now.
func taken(t *testing.T, r *Reads, days []int) (counts map[int]float64, newest float64, missing bool) {
	t.Helper()
	counts = map[int]float64{}
	shortest, err := r.Windows(t.Context(), lastDays(automations, 0), days, func(n int, result *Result) {
		counts[days[n]] = result.Table.Column("taskCount").Numbers[0]
		missing = missing || result.Missing() != ""
	})
	require.NoError(t, err)
	require.Len(t, counts, len(days))
	return counts, shortest.Table.Column("taskCount").Numbers[0], missing
}

var week = []int{7, 6, 5, 4, 3, 2, 1}

// A refresh reads the longest and the shortest window, and all of them unless both have gained the same.
func TestWindows(t *testing.T) {
	for name, test := range map[string]struct {
		later    func(days int) int
		requests int
		want     map[int]float64
		newest   float64
	}{
		"nothing happened":         {func(days int) int { return 100 * days }, 2, nil, 100},
		"both gained the same":     {func(days int) int { return 100*days + 5 }, 2, nil, 105},
		"a day has ended":          {func(days int) int { return 100*days - 90 }, 7, map[int]float64{7: 610, 6: 510, 5: 410, 4: 310, 3: 210, 2: 110, 1: 10}, 10},
		"the newest has a glitch":  {func(days int) int { return map[bool]int{true: 0, false: 100 * days}[days == 1] }, 7, map[int]float64{7: 700, 6: 600, 5: 500, 4: 400, 3: 300, 2: 200, 1: 0}, 0},
		"the longest has a glitch": {func(days int) int { return map[bool]int{true: 0, false: 100 * days}[days == 7] }, 7, map[int]float64{7: 0, 6: 600, 5: 500, 4: 400, 3: 300, 2: 200, 1: 100}, 100},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &windowsOf{counts: func(days int) int { return 100 * days }}
				f := servicetest.New().Data(automationsPath, s.answer)
				r := start(t, f)
				before, _, _ := taken(t, r, week)
				assert.Equal(t, 7, f.Count(automationsPath))
				taken(t, r, week)
				assert.Equal(t, 7, f.Count(automationsPath), "cached")
				time.Sleep(2 * time.Minute)
				s.set(func() { s.counts = test.later })
				counts, newest, _ := taken(t, r, week)
				assert.Equal(t, 7+test.requests, f.Count(automationsPath))
				if test.want == nil {
					test.want = before
				}
				assert.Equal(t, test.want, counts)
				assert.InDelta(t, test.newest, newest, 0)
			})
		})
	}
}

// Windows that lack rows are not kept.
func TestOnlyWholeWindowsAreKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &windowsOf{counts: func(days int) int { return 100 * days }}
		s.change = func(days int, row map[string]any, total *int) {
			if days == 4 {
				*total = 20
			}
		}
		f := servicetest.New().Data(automationsPath, s.answer)
		r := start(t, f)
		_, _, missing := taken(t, r, week)
		assert.True(t, missing)
		s.set(func() { s.change = nil })
		time.Sleep(2 * time.Minute)
		_, _, missing = taken(t, r, week)
		assert.False(t, missing)
		time.Sleep(2 * time.Minute)
		before := f.Count(automationsPath)
		taken(t, r, week)
		assert.Equal(t, before+2, f.Count(automationsPath))
	})
}

// However long answers are cached, the windows of a line are at most a minute apart.
func TestWindowsAreOfOneMoment(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &windowsOf{counts: func(days int) int { return 100 * days }}
		f := servicetest.New().Data(automationsPath, s.answer)
		r := start(t, f, func(c *Config) { c.CacheTTL = time.Hour })
		_, err := r.Read(t.Context(), lastDays(automations, 3))
		require.NoError(t, err)
		time.Sleep(50 * time.Minute)
		s.set(func() { s.counts = func(days int) int { return 100*days + 50 } })
		counts, _, _ := taken(t, r, week)
		assert.Equal(t, map[int]float64{7: 750, 6: 650, 5: 550, 4: 450, 3: 350, 2: 250, 1: 150}, counts)
	})
}

// Queries with other steps have windows of their own, each set as of one moment.
func TestWindowsOfOtherSteps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &windowsOf{counts: func(days int) int { return 100 * days }}
		r := start(t, servicetest.New().Data(automationsPath, s.answer))
		some := []int{7, 5, 3, 1}
		want, _, _ := taken(t, r, some)
		time.Sleep(50 * time.Second)
		s.set(func() { s.counts = func(days int) int { return 100*days + 30 } })
		taken(t, r, []int{7, 4, 1})
		time.Sleep(2 * time.Minute)
		counts, _, _ := taken(t, r, some)
		for i, days := range some[1:] {
			assert.InDelta(t, want[some[i]]-want[days], counts[some[i]]-counts[days], 0, "what happened %d days ago", days)
		}
	})
}

// If a service is so slow that its windows are not of one moment, the line says so, and is not kept.
func TestWindowsOfASlowService(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &windowsOf{counts: func(days int) int { return 100 * days }}
		f := servicetest.New().Data(automationsPath, func(w http.ResponseWriter, r *http.Request) {
			time.Sleep(40 * time.Second)
			s.answer(w, r)
		})
		r := start(t, f, func(c *Config) { c.MaxConcurrent = 1 })
		_, _, missing := taken(t, r, week)
		assert.True(t, missing)
	})
}

// The windows of a line belong to one organization, also if the login changes while they are read.
func TestWindowsBelongToOneOrganization(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		organization, requests := "acme", 0
		s := &windowsOf{}
		s.counts = func(days int) int {
			if requests++; requests == 4 {
				organization = "other"
			}
			if organization == "other" {
				return 7 * days
			}
			return 100 * days
		}
		f := servicetest.New().On(servicetest.LoginPath, func(w http.ResponseWriter, r *http.Request) {
			servicetest.OK(fmt.Sprintf(`{"accessToken":"token-of-%s","organizationLabel":%q}`, organization, organization))(w, r)
		}).On(automationsPath, func(w http.ResponseWriter, r *http.Request) {
			time.Sleep(10 * time.Millisecond)
			s.mu.Lock()
			valid := r.Header.Get("organization") == organization
			s.mu.Unlock()
			if !valid {
				servicetest.Status(http.StatusUnauthorized, `{}`)(w, r)
				return
			}
			s.answer(w, r)
		})
		r := start(t, f, func(c *Config) { c.MaxConcurrent = 1 })
		counts := map[int]float64{}
		_, err := r.Windows(t.Context(), lastDays(automations, 0), week, func(n int, result *Result) { counts[week[n]] = result.Table.Column("taskCount").Numbers[0] })
		require.NoError(t, err)
		assert.Equal(t, map[int]float64{7: 49, 6: 42, 5: 35, 4: 28, 3: 21, 2: 14, 1: 7}, counts)
	})
}

func TestWarnings(t *testing.T) {
	for _, test := range []struct {
		name, body, want string
		missing          bool
		change           func(*Config)
	}{
		{name: "complete", body: `{"content":[{"id":1}],"totalElements":1}`},
		{name: "fewer rows", body: `{"content":[{"id":1},{"id":1}],"totalElements":2}`, want: "read 1 of 2 rows: the pages of the service contain fewer rows than it reports", missing: true},
		{name: "a value", body: `{"content":[{"id":1,"state":5},{"id":2,"state":6}],"totalElements":2}`, want: "state: 2 values are shown as null, because the service's value is a number, not a string, for example 5"},
		{name: "no key", body: `{"content":[{"id":null}],"totalElements":1}`, want: "some rows have no key, so rows that the service lists twice are not detected"},
		{name: "more rows", body: `{"content":[{"id":1},{"id":2}],"totalElements":1,"last":true}`, want: "the service reports 1 rows but lists more: all pages were read until an empty one"},
		{name: "an empty page", body: `{"content":[],"totalElements":2}`, want: "read 0 of 2 rows: page 0 is empty although the service reports more rows", missing: true},
		{name: "page 0 for every page", body: `{"content":[{"id":1},{"id":2}],"totalElements":6}`, want: "read 2 of 6 rows: the route returns the rows of its first page for every page", missing: true},
		{name: "cut", body: `{"content":[{"id":1},{"id":2},{"id":3}],"totalElements":3}`, change: func(c *Config) { c.MaxRows = 2 }, missing: true,
			want: "read 2 of 3 rows, the limit set by Max rows (maxRows) in the data source settings: increase it, or request fewer days"},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				if test.change == nil {
					test.change = func(*Config) {}
				}
				r := start(t, servicetest.New().Data(tasksPath, servicetest.OK(test.body)), test.change)
				for range 2 { // The cached answer says so, too.
					result, err := r.Read(t.Context(), lastDays(tasks, 7))
					require.NoError(t, err)
					texts := map[string]bool{}
					for _, w := range result.Warnings {
						texts[w.Text] = true
					}
					if test.want == "" {
						assert.Empty(t, texts)
					} else {
						assert.Contains(t, slices.Collect(maps.Keys(texts)), test.want)
					}
					assert.Equal(t, test.missing, result.Missing() != "")
				}
			})
		})
	}
}

func TestShortPage(t *testing.T) {
	found := &list.Result{Table: &columns.Table{Rows: 25}, Total: 200, Lack: list.ShortPage, LackPage: 1, LackRows: 5, LackExpected: 20}
	assert.Equal(t, "read 25 of 200 rows: page 1 has 5 rows instead of 20", missing(found))
}
