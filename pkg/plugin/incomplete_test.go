package plugin

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

var asRule = map[string]string{backend.FromAlertHeaderName: "true"}

// askOf sends one query with headers.
func askOf(t *testing.T, i *Instance, headers map[string]string, q backend.DataQuery) backend.DataResponse {
	t.Helper()
	response, err := i.QueryData(t.Context(), &backend.QueryDataRequest{Headers: headers, Queries: []backend.DataQuery{q}})
	require.NoError(t, err)
	return response.Responses["A"]
}

// requireLack checks that a panel shows what it has with a warning, and that a rule over the same rows fails with an error
// of the service, which leaves a rule with "keep last state" as it was: nobody sees the warning of a rule.
func requireLack(t *testing.T, i *Instance, q backend.DataQuery, says ...string) {
	t.Helper()
	for range 2 { // The second answer comes from the cache, if there is one.
		panel := askOf(t, i, nil, q)
		require.NoError(t, panel.Error)
		rule := askOf(t, i, asRule, q)
		require.ErrorContains(t, rule.Error, "the rule needs all rows, but ")
		for _, words := range says {
			assert.Contains(t, notices(panel.Frames[0]), words)
			assert.Contains(t, rule.Error.Error(), words)
		}
		assert.Equal(t, backend.ErrorSourceDownstream, rule.ErrorSource)
		assert.Equal(t, backend.Status(http.StatusBadGateway), rule.Status)
		assert.Empty(t, rule.Frames)
	}
}

func TestIncompleteRows(t *testing.T) {
	automation := func(n int) string { return fmt.Sprintf(`{"label":"a-%d","taskCount":%d}`, n, n) }
	const most = 4_000 // moves
	moving, moves := servicetest.TaskRange(10_000-most, 10_200+7*most), atomic.Int64{}
	for name, test := range map[string]struct {
		path     string
		answer   http.HandlerFunc
		settings []any
		query    string
		says     []string
	}{
		"more than maxRows": {tasksPath, servicetest.Paged(20, servicetest.Still(endedTasks(200))), []any{"maxRows", 100},
			`{"format":"numeric","measure":"tasks","days":30}`, []string{"100 of 200", "maxRows"}},
		"windows of more than maxRows": {automationsPath, servicetest.OK(page(automation(1), automation(2), automation(3))), []any{"maxRows", 2},
			`{"queryType":"automations","format":"numeric","measure":"taskCount","compare":"week","days":7}`, []string{"read 2", "maxRows"}},
		"moving at every attempt": {tasksPath, func(w http.ResponseWriter, r *http.Request) {
			n := int(moves.Add(1))
			servicetest.Paged(20, servicetest.Still(moving[most-n:most+201+7*n]))(w, r)
		}, nil, `{"format":"numeric","measure":"tasks","days":30}`, []string{"the data changed during each"}},
	} {
		t.Run(name, func(t *testing.T) {
			i := start(t, newService().Data(test.path, test.answer), append(test.settings, "cacheTTL", 0)...)
			requireLack(t, i, dataQuery("A", test.query), test.says...)
		})
	}
}

// Every page that lacks rows of 200 tasks, one a minute, is found: by days, by a range that needs all of them, and by one
// that needs the first 120.
func TestPagesThatLackRows(t *testing.T) {
	rows := endedTasks(200)
	pageOf := func(rows []string, number int) string {
		return fmt.Sprintf(`{"content":[%s],"number":%d,"size":20,"totalElements":200,"totalPages":10}`, strings.Join(rows, ","), number)
	}
	for name, test := range map[string]struct {
		answer func(number int) string
		says   string
	}{
		"page 0 for every page": {func(int) string { return pageOf(rows[:20], 0) }, "read 20 of 200 rows: the route returns the rows of its first page for every page"},
		"page 3 is empty": {func(number int) string {
			if number == 3 {
				return pageOf(nil, number)
			}
			return servicetest.Envelope(rows, number, 20)
		}, "page 3 is empty although the service reports more rows"},
		"page 1 is short": {func(number int) string {
			if number == 1 {
				return pageOf(rows[20:25], number)
			}
			return servicetest.Envelope(rows, number, 20)
		}, "page 1 has 5 rows instead of 20"},
		"page 3 twice": {func(number int) string {
			if number == 4 {
				number = 3
			}
			return servicetest.Envelope(rows, number, 20)
		}, "the pages of the service contain fewer rows than it reports"},
	} {
		t.Run(name, func(t *testing.T) {
			answer := func(w http.ResponseWriter, r *http.Request) {
				number, _ := strconv.Atoi(r.URL.Query().Get("page"))
				servicetest.OK(test.answer(number))(w, r)
			}
			count := dataQuery("A", `{"format":"numeric","measure":"tasks"}`)
			short := count
			short.TimeRange.From = time.Now().Add(-2 * time.Hour)
			for _, cacheTTL := range []int{0, 30} {
				s := newService().Data(tasksPath, answer)
				i := start(t, s, "cacheTTL", cacheTTL)
				for _, q := range []backend.DataQuery{short, count, dataQuery("A", `{"format":"numeric","measure":"tasks","days":30}`), short} {
					requireLack(t, i, q, test.says)
				}
				assert.Less(t, s.Count(tasksPath), 16*40, "no read repeats for long")
			}
		})
	}
}

// A range has all of its tasks even if the service counts calendar days and its day has just begun, or if its clock is
// ahead.
func TestRangeOfAServiceWithOtherDays(t *testing.T) {
	rows := make([]string, 3*24*12)
	created := make([]time.Time, len(rows))
	for n := range rows {
		ago := time.Duration(n)*5*time.Minute + time.Second
		rows[n], created[n] = today(n, ago, "x"), time.Now().Add(-ago)
	}
	for name, dayBegan := range map[string]time.Duration{"a calendar day of 15 minutes": 15 * time.Minute, "a clock that is 3 hours ahead": 21 * time.Hour} {
		s := newService().Data(tasksPath, func(w http.ResponseWriter, r *http.Request) {
			days, _ := strconv.Atoi(r.URL.Query().Get("days"))
			since, listed := time.Now().Add(-dayBegan-time.Duration(days-1)*day), 0
			for listed < len(rows) && created[listed].After(since) {
				listed++
			}
			servicetest.Paged(20, servicetest.Still(rows[:listed]))(w, r)
		})
		i := start(t, s)
		for length, want := range map[time.Duration]string{15 * time.Minute: "3", 6 * time.Hour: "72", 23 * time.Hour: "276"} {
			q := dataQuery("A", `{"format":"numeric","measure":"tasks"}`)
			q.TimeRange.From = time.Now().Add(-length)
			rule := askOf(t, i, asRule, q)
			require.NoError(t, rule.Error, name)
			assert.Equal(t, []string{want}, column(t, rule.Frames[0], "tasks"), "%s, %s", name, length)
		}
	}
}

// A total of more days that is smaller than one of fewer days has no difference: null and a warning in a panel, and an
// error in a rule.
func TestNegativeDifferences(t *testing.T) {
	s := newService().Data(automationsPath, func(w http.ResponseWriter, r *http.Request) {
		days, _ := strconv.Atoi(r.URL.Query().Get("filterBy"))
		shrunk := 8 * days
		if days == 3 {
			shrunk = 1
		}
		servicetest.OK(page(fmt.Sprintf(`{"label":"a","savings":%d}`, shrunk), fmt.Sprintf(`{"label":"b","savings":%d}`, 5*days)))(w, r)
	})
	i := start(t, s)
	line := dataQuery("A", with(savingsLine, `"groupBy":["label"]`))
	panel := askOf(t, i, nil, line)
	require.NoError(t, panel.Error)
	values := map[string][]string{}
	for _, field := range panel.Frames[0].Fields[1:] {
		for row := range field.Len() {
			value, _ := field.FloatAt(row)
			values[field.Labels["label"]] = append(values[field.Labels["label"]], fmt.Sprint(value))
		}
	}
	assert.Equal(t, map[string][]string{"a": {"8", "8", "8", "31", "NaN", "8", "8"}, "b": slices.Repeat([]string{"5"}, 7)}, values)
	assert.Contains(t, notices(panel.Frames[0]), "some differences of automations are null")
	for _, query := range []string{savingsLine, savingsNumber} {
		q := dataQuery("A", query)
		q.TimeRange = backend.TimeRange{From: time.Now().AddDate(0, 0, -3), To: time.Now().AddDate(0, 0, -2)}
		panel := askOf(t, i, nil, q)
		require.NoError(t, panel.Error)
		assert.Contains(t, notices(panel.Frames[0]), "some differences of automations are null")
		assert.ErrorContains(t, askOf(t, i, asRule, q).Error, "the rule needs all rows, but some differences of automations are null")
	}
}

// If a new login is for another organization, an answer has rows of one of them, whichever request was the first one.
func TestOrganizationThatChanges(t *testing.T) {
	tasks := map[string][]string{}
	for _, organization := range []string{"first", "second"} {
		for n := range 200 {
			task := strings.Replace(today(n, time.Duration(n+1)*time.Minute, organization), `"START"`, `"FINISHED","finishStatus":"SUCCESS"`, 1)
			tasks[organization] = append(tasks[organization], strings.Replace(task, `"id":`, `"id":1`, 1))
		}
	}
	for _, last := range []int{0, 1, 3, 8} {
		var served atomic.Int64
		serve := func(answer func(organization string) http.HandlerFunc) http.HandlerFunc {
			return func(w http.ResponseWriter, r *http.Request) {
				organization := r.Header.Get("organization")
				if organization == "first" && served.Add(1) > int64(last) {
					servicetest.Status(http.StatusUnauthorized, `{"message":"token expired"}`)(w, r)
					return
				}
				answer(organization)(w, r)
			}
		}
		var logins atomic.Int64
		s := servicetest.New().On(loginPath, func(w http.ResponseWriter, r *http.Request) {
			n := int(logins.Add(1))
			servicetest.OK(fmt.Sprintf(`{"accessToken":%q,"organizationLabel":%q}`, servicetest.Token(n), []string{"first", "second"}[min(n, 2)-1]))(w, r)
		}).On(automationsPath, serve(func(organization string) http.HandlerFunc {
			return everyDay(map[string]int{"first": 100, "second": 5}[organization])
		})).On(tasksPath, serve(func(organization string) http.HandlerFunc {
			return servicetest.Paged(20, servicetest.Still(tasks[organization]))
		}))
		line := ask(t, start(t, s), savingsLine)
		require.NoError(t, line.Error)
		values := column(t, line.Frames[0], "savings")
		assert.Subset(t, []string{"5", "100"}, values)
		assert.Len(t, values, 7)
		for _, value := range values {
			assert.Equal(t, values[0], value, "the organization changes after %d requests", last)
		}
		served.Store(0)
		logins.Store(0)
		labels := column(t, askFrame(t, start(t, s), `{"format":"numeric","measure":"tasks","groupBy":["activityLabel"],"shape":"long"}`), "activityLabel")
		assert.Equal(t, []string{"second"}, labels, "the organization changes after %d requests", last)
	}
}
