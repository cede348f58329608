package reads

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/paging"
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

	defaults = Config{MaxConcurrent: 8, MaxRows: 100_000, CacheTTL: time.Minute, Incremental: true, FullReadInterval: time.Hour}
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
	r := New(config, &pages.Source{Client: client})
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

func lastDays(set *schema.DataSet, days int) schema.Question {
	return schema.Question{DataSet: set, Days: days}
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
		assert.Less(t, time.Since(began), oldestWait+time.Second, "no request is waited for")
	})
}

func TestResultOfARead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		afterTheTasks()
		rows := servicetest.TaskRange(1, 200)
		r := start(t, servicetest.New().Data(tasksPath, servicetest.Paged(20, func() []string { return rows })))
		readsMade.Reset()
		rowsCorrected.Reset()
		whole, err := r.Read(t.Context(), lastDays(tasks, 30))
		require.NoError(t, err)
		assert.Empty(t, whole.Warnings)
		assert.False(t, whole.Reused)
		assert.Contains(t, whole.Executed, "GET http://127.0.0.1:80"+tasksPath+"?days=30&page=0 … (10 pages)")
		assert.Equal(t, paging.Cost{Pages: 10, AllPages: 10, Rows: 200, Requests: 11, Bytes: whole.Stats.Bytes, Took: whole.Stats.Took}, whole.Stats)
		assert.Positive(t, whole.Stats.Bytes)

		time.Sleep(30 * time.Second)
		cached, err := r.Read(t.Context(), lastDays(tasks, 30))
		require.NoError(t, err)
		assert.True(t, cached.Reused)
		assert.Equal(t, 30*time.Second, time.Since(cached.AsOf), "its age counts from the read")
		assert.Equal(t, whole.Table, cached.Table)

		time.Sleep(time.Minute)
		again, err := r.Read(t.Context(), lastDays(tasks, 30))
		require.NoError(t, err)
		assert.False(t, again.Reused)
		assert.EqualValues(t, 3, again.Stats.Requests)
		assert.Contains(t, again.Executed, "(3 of 10 pages; 160 of 200 rows are reused from reads since")
		assert.Equal(t, whole.Table, again.Table)

		time.Sleep(2 * time.Minute)
		rows[0] = strings.Replace(rows[0], "SUCCESS", "FAILED", 1)
		changed, err := r.Read(t.Context(), lastDays(tasks, 30))
		require.NoError(t, err)
		assert.Equal(t, "FAILED", changed.Table.Column("finishStatus").Strings[0])
		assert.InDelta(t, 1, testutil.ToFloat64(rowsCorrected.WithLabelValues("tasks")), 0, "a row has changed that was not expected to")
		assert.InDelta(t, 2, testutil.ToFloat64(readsMade.WithLabelValues("tasks", "incremental")), 0)
		for _, source := range []string{"whole", "cache"} {
			assert.InDelta(t, 1, testutil.ToFloat64(readsMade.WithLabelValues("tasks", source)), 0, source)
		}
	})
}

// Rows of which each may change at any time, as those of automations, are all read again, and others if the settings say so.
func TestEveryReadIsWhole(t *testing.T) {
	for name, change := range map[string]func(*Config){
		"setting": func(c *Config) { c.Incremental = false }, "interval": func(c *Config) { c.FullReadInterval = 0 }, "automations": func(*Config) {},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				afterTheTasks()
				set := tasks
				if name == "automations" {
					set = automations
				}
				f := servicetest.New().Data(set.Path, servicetest.Paged(20, func() (rows []string) {
					for i := range 200 {
						rows = append(rows, fmt.Sprintf(`{"id":%d,"label":"a-%d","state":"FINISHED","finishStatus":"SUCCESS","dateCreation":"2026-01-01T10:00:00Z"}`, i, i))
					}
					return rows
				}))
				r := start(t, f, change)
				for n := range 3 {
					_, err := r.Read(t.Context(), lastDays(set, 30))
					require.NoError(t, err)
					assert.Equal(t, 11*(n+1), f.Count(set.Path))
					time.Sleep(61 * time.Second)
				}
			})
		})
	}
}

// A question about what was created in a range asks the longest list that is kept, if it is flawless.
func TestLongestList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		afterTheTasks()
		var fails, lacks, isSlow atomic.Bool
		rows := servicetest.TaskRange(1, 200)
		f := servicetest.New().Data(tasksPath, func(w http.ResponseWriter, r *http.Request) {
			days, _ := strconv.Atoi(r.URL.Query().Get("days"))
			if days == 30 {
				time.Sleep(time.Second)
			}
			if days == 30 && isSlow.Load() {
				time.Sleep(50 * time.Second)
			}
			if days == 30 && fails.Load() {
				servicetest.Status(http.StatusInternalServerError, `{"message":"out of memory"}`)(w, r)
				return
			}
			if days == 30 && lacks.Load() && r.URL.Query().Get("page") != "0" {
				servicetest.OK(servicetest.Envelope(rows, 100, 20))(w, r)
				return
			}
			servicetest.Paged(20, servicetest.Still(rows[:min(200, 10*days)]))(w, r)
		})
		r := start(t, f)
		ask := func() *Result {
			result, err := r.ReadOrMore(t.Context(), lastDays(tasks, 2))
			require.NoError(t, err)
			return result
		}
		var wg sync.WaitGroup
		began := time.Now()
		wg.Go(func() {
			_, err := r.Read(t.Context(), lastDays(tasks, 30))
			assert.NoError(t, err)
		})
		time.Sleep(time.Millisecond)
		assert.Len(t, ids(ask()), 20, "its own list, while the longer one is read for the first time")
		assert.Less(t, time.Since(began), time.Second)
		wg.Wait()
		assert.Len(t, ids(ask()), 200)
		result, err := r.Read(t.Context(), lastDays(tasks, 2))
		require.NoError(t, err)
		assert.Len(t, ids(result), 20, "a question about days")
		time.Sleep(2 * time.Minute)
		fails.Store(true)
		for range 2 {
			assert.Len(t, ids(ask()), 20, "a failure of the longer list is no concern of this question")
		}
		fails.Store(false)
		time.Sleep(2 * time.Minute)
		_, err = r.Read(t.Context(), lastDays(tasks, 30))
		require.NoError(t, err)
		assert.Len(t, ids(ask()), 200)
		time.Sleep(2 * time.Minute)
		isSlow.Store(true)
		began = time.Now()
		assert.Len(t, ids(ask()), 20, "it does not wait long")
		assert.Less(t, time.Since(began), longerWait+time.Second)
		isSlow.Store(false)
		lacks.Store(true)
		assert.Empty(t, ask().Warnings, "nor is what it lacks")
		_, err = r.Read(t.Context(), lastDays(tasks, 10))
		require.NoError(t, err)
		assert.Len(t, ids(ask()), 100, "of two longer lists, the one that lacks nothing")
	})
}

// The first rows are read alone, unless all rows are known, or are wanted.
func TestFirstRows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := servicetest.New().Data(tasksPath, servicetest.Paged(20, servicetest.Still(servicetest.TaskRange(1, 200))))
		r := start(t, f, func(c *Config) { c.MaxRows = 150 })
		ask := func(days, rows, requests int) *Result {
			before := f.Count(tasksPath)
			result, _, err := r.ReadFirst(t.Context(), lastDays(tasks, days), rows)
			require.NoError(t, err)
			assert.Equal(t, requests, f.Count(tasksPath)-before)
			return result
		}
		assert.Nil(t, ask(7, 150, 0), "as many as are read at most")
		for range 2 {
			assert.Len(t, ids(ask(7, 100, 5)), 100)
			time.Sleep(2 * time.Minute)
		}
		_, err := r.Read(t.Context(), lastDays(tasks, 7))
		require.NoError(t, err)
		assert.Nil(t, ask(7, 100, 0))
		assert.Nil(t, ask(1, 100, 0), "a list of more days predicts it")
		assert.NotNil(t, ask(30, 100, 5))
	})
}

// Whatever there is to warn about, questions that have nothing to do with it ask another list.
func TestFlawlessResults(t *testing.T) {
	assert.True(t, isFlawless(&paging.Result{}))
	for _, flawed := range []*paging.Result{nil, {Lack: paging.Cut}, {Repeated: 1}, {Keyless: true}, {Problems: pages.Problems{{}}}} {
		assert.False(t, isFlawless(flawed), "%+v", flawed)
	}
}

// windowsOf is a service of one automation, whose windows count the tasks since a start.
type windowsOf struct {
	mu     sync.Mutex
	counts func(days int) int
}

func (s *windowsOf) answer(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	days, _ := strconv.Atoi(r.URL.Query().Get("filterBy"))
	servicetest.OK(fmt.Sprintf(`{"content":[{"label":"intake","taskCount":%d}],"totalElements":1,"totalPages":1}`, s.counts(days)))(w, r)
}

// taken are the counts of the windows that a line gets, by their days.
func taken(t *testing.T, r *Reads, days []int) (counts map[int]float64, missing bool) {
	t.Helper()
	counts = map[int]float64{}
	windows, err := r.Windows(t.Context(), lastDays(automations, 0), days)
	require.NoError(t, err)
	for n, w := range windows {
		counts[days[n]] = w.Table.Column("taskCount").Numbers[0]
		missing = missing || w.Missing != ""
	}
	require.Len(t, counts, len(days))
	return counts, missing
}

var week = []int{7, 6, 5, 4, 3, 2, 1}

// However long answers are cached, the windows of a line are at most a minute apart.
func TestWindowsAreOfOneMoment(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &windowsOf{counts: func(days int) int { return 100 * days }}
		f := servicetest.New().Data(automationsPath, s.answer)
		r := start(t, f, func(c *Config) { c.CacheTTL = time.Hour })
		_, err := r.Read(t.Context(), lastDays(automations, 3))
		require.NoError(t, err)
		time.Sleep(50 * time.Minute)
		s.mu.Lock()
		s.counts = func(days int) int { return 100*days + 50 }
		s.mu.Unlock()
		counts, _ := taken(t, r, week)
		assert.Equal(t, map[int]float64{7: 750, 6: 650, 5: 550, 4: 450, 3: 350, 2: 250, 1: 150}, counts)
		taken(t, r, week)
		assert.Equal(t, 1+7, f.Count(automationsPath), "then, they are cached like other lists")
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
		_, missing := taken(t, r, week)
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
		counts, _ := taken(t, r, week)
		assert.Equal(t, map[int]float64{7: 49, 6: 42, 5: 35, 4: 28, 3: 21, 2: 14, 1: 7}, counts)
	})
}

func TestWarnings(t *testing.T) {
	keyless := paging.Result{Table: &columns.Table{}, Keyless: true}
	assert.Equal(t, "some rows have no key, so rows that moved while pages were read may be missing, or counted twice", missing(&keyless))
	short := paging.Result{Table: &columns.Table{Rows: 25}, Total: 200, Lack: paging.ShortPage, Short: paging.Short{Page: 1, Rows: 5, Expected: 20}}
	assert.Equal(t, "read 25 of 200 rows: page 1 has 5 rows instead of 20", missing(&short))
	for _, test := range []struct {
		name, body, want string
		missing          bool
		change           func(*Config)
	}{
		{name: "complete", body: `{"content":[{"id":1}],"totalElements":1}`},
		{name: "a row twice", body: `{"content":[{"id":1},{"id":1}],"totalElements":2}`, want: "1 rows were received more than once and are shown once"},
		{name: "an ID twice", body: `{"content":[{"id":1},{"id":1,"state":"A"}],"totalElements":2}`, want: "1 rows were received more than once and are shown once"},
		{name: "a value, which may not matter", body: `{"content":[{"id":1,"state":5},{"id":2,"state":6}],"totalElements":2}`},
		{name: "no key on the only page", body: `{"content":[{"id":null}],"totalElements":1}`},
		{name: "more rows", body: `{"content":[{"id":1},{"id":2}],"totalElements":1,"last":true}`},
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
				f := servicetest.New().Data(tasksPath, servicetest.OK(test.body))
				r := start(t, f, func(c *Config) { c.PageSize = 500 }, test.change)
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
					assert.Equal(t, test.missing, result.Missing != "")
				}
				size := strconv.Itoa(min(500, r.config.MaxRows))
				assert.Equal(t, size, f.Requests(tasksPath)[0].URL.Query().Get("size"), "no more rows are requested than are kept")
			})
		})
	}
}

// What is known of the oldest task survives a look that fails: a service that is away for a moment has forgotten nothing. No
// query waits long for a slow one.
func TestOldestTask(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := servicetest.New()
		list := servicetest.Paged(2, servicetest.Still(servicetest.TaskRange(1, 5)))
		var isSlow atomic.Bool
		var status atomic.Int64 // 0: it answers
		r := start(t, s.Data(tasksPath, func(w http.ResponseWriter, request *http.Request) {
			if isSlow.Load() {
				time.Sleep(20 * time.Second)
			}
			if status := int(status.Load()); status > 0 {
				servicetest.Status(status, "{}")(w, request)
				return
			}
			list(w, request)
		}))
		oldest := func() time.Time { return r.Oldest(t.Context(), tasks) }
		status.Store(http.StatusBadRequest)
		require.Zero(t, oldest(), "not known")
		status.Store(0)
		require.Zero(t, oldest(), "asked a moment ago")
		time.Sleep(2 * time.Minute)
		first := oldest()
		require.False(t, first.IsZero())

		asked := s.Count(tasksPath)
		time.Sleep(50 * time.Minute)
		require.Equal(t, first, oldest())
		require.Equal(t, asked, s.Count(tasksPath))
		status.Store(http.StatusBadRequest)
		time.Sleep(20 * time.Minute)
		require.Equal(t, first, oldest(), "known already")
		synctest.Wait()
		require.Equal(t, first, oldest(), "kept through a failure")
		require.Greater(t, s.Count(tasksPath), asked)

		status.Store(0)
		isSlow.Store(true)
		time.Sleep(2 * time.Minute)
		began := time.Now()
		require.Equal(t, first, oldest())
		require.Zero(t, time.Since(began), "nobody waits for what is known already")
		time.Sleep(time.Minute)

		isSlow.Store(false)
		status.Store(http.StatusUnauthorized)
		time.Sleep(time.Hour)
		require.Equal(t, first, oldest())
		synctest.Wait()
		asked = s.Count("")
		time.Sleep(10 * time.Minute)
		require.Equal(t, first, oldest(), "a look would cost logins")
		synctest.Wait()
		require.Equal(t, asked, s.Count(""))
	})
}
