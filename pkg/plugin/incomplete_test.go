package plugin

import (
	"fmt"
	"net/http"
	"regexp"
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

func askOf(t *testing.T, i *Instance, headers map[string]string, q backend.DataQuery) backend.DataResponse {
	t.Helper()
	response, err := i.QueryData(t.Context(), &backend.QueryDataRequest{Headers: headers, Queries: []backend.DataQuery{q}})
	require.NoError(t, err)
	return response.Responses["A"]
}

// requireLack checks that a panel warns of what it lacks, and that a rule, whose warnings nobody sees, fails with an error of the service.
func requireLack(t *testing.T, i *Instance, q backend.DataQuery, says ...string) {
	t.Helper()
	for range 2 { // The second answer comes from the cache, if there is one.
		panel := askOf(t, i, nil, q)
		require.NoError(t, panel.Error)
		rule := askOf(t, i, asRule, q)
		require.ErrorContains(t, rule.Error, "the rule needs all rows and values, but ")
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
	keyless := strings.Replace(today(7, time.Hour, "b"), `"id":7`, `"id":"x-7"`, 1)
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
		"keys that cannot be read": {tasksPath, servicetest.Paged(20, servicetest.Still(append(endedTasks(15), slices.Repeat([]string{keyless}, 15)...))), nil,
			`{"format":"numeric","measure":"tasks","days":30}`, []string{"some rows have no key", `id: 15 values are shown as null`, `for example "x-7"`}},
	} {
		t.Run(name, func(t *testing.T) {
			i := start(t, newService().Data(test.path, test.answer), append(test.settings, "cacheTTL", 0)...)
			requireLack(t, i, dataQuery("A", test.query), test.says...)
		})
	}
}

// A rule has no number of values that could not be read, or are missing although the specification says that there is one, if these
// decide it, or are after now, and a panel has one warning. Other values change nothing, and nobody is told of them.
func TestValuesThatCannotBeRead(t *testing.T) {
	const (
		number = `"format":"numeric","measure":`
		paused = `"state":"PAUSED","finishStatus":null`
		ended  = `"state":"FINISHED","finishStatus":"SUCCESS"`
	)
	as := func(value string) func(row, field string) string {
		return func(row, field string) string {
			return regexp.MustCompile(`"`+field+`":("[^"]*"|[^,}]*)`).ReplaceAllString(row, `"`+field+`":`+value)
		}
	}
	unreadable, null, tomorrow := as(`{"of":7}`), as("null"), as(strconv.Quote(time.Now().Add(12*time.Hour).UTC().Format(time.RFC3339)))
	renamed := func(row, field string) string { return strings.Replace(row, `"`+field+`"`, `"renamed"`, 1) }
	inPause := func(row, field string) string { return unreadable(strings.Replace(row, ended, paused, 1), field) }
	beside := func(row, field string) string {
		return unreadable(strings.Replace(row, ended, paused+`,"dateLastModified":"2020-01-01"`, 1), field)
	}
	read, given := `: 1 values are shown as null, because the service's value is an object, not `, ": 1 rows have none, although the specification says"
	inAll := strings.Replace(given, "1", "10", 1)
	for _, test := range []struct {
		saved, field string
		change       func(row, field string) string
		says         string // empty: the field doesn't decide
	}{
		{number + `"tasks"`, "dateCreation", unreadable, read},
		{number + `"tasks","days":30`, "dateCreation", unreadable, ""},
		{number + `"tasks","days":30,"groupBy":["repositoryLabel"]`, "repositoryLabel", unreadable, read},
		{number + `"processedItems","days":30`, "totalItems", unreadable, ""},
		{`"format":"timeseries","measure":"successRate"`, "finishStatus", unreadable, read},
		{`"format":"attention"`, "finishStatus", unreadable, read},
		{`"columns":["id","activityLabel"],"days":30`, "processedItems", unreadable, ""},

		{number + `"tasks"`, "dateCreation", null, given},
		{number + `"tasks"`, "dateCreation", renamed, inAll},
		{number + `"failedTasks","days":30`, "state", renamed, inAll},
		{number + `"tasks","days":30,"filters":[{"key":"activityLabel","operator":"=","value":"x"}]`, "activityLabel", renamed, ""}, // A task may have none, and so may all of them.
		{number + `"tasks","days":30,"groupBy":["activityLabel"]`, "activityLabel", null, ""},
		{number + `"processedItems","days":30`, "processedItems", null, ""}, // Services leave out what is not counted.
		{number + `"failedTasks","days":30`, "finishStatus", null, ""},
		{`"format":"attention"`, "state", null, ""}, // It says which groups can't be judged.

		{number + `"failedTasks","days":30`, "dateCreation", inPause, read},
		{number + `"successRate","days":30`, "dateStartRunning", inPause, read},
		{number + `"tasks","days":30,"groupBy":["outcome"]`, "dateStartRunning", inPause, read},
		{number + `"tasks","days":30,"filters":[{"key":"outcome","operator":"=","value":"FAILED"}]`, "dateStartRunning", inPause, read},
		{number + `"failedTasks","days":30`, "dateCreation", beside, ""}, // A later date shows when it ended.
		{number + `"failedTasks","days":30`, "dateStartRunning", unreadable, ""},

		{number + `"tasks"`, "dateCreation", tomorrow, ": 1 values are after now, for example "},
		{number + `"tasks","days":30,"filters":[{"key":"dateCreation","operator":">","value":"now-1h"}]`, "dateCreation", tomorrow, ": 1 values are after now"},
		{number + `"tasks","days":30`, "dateCreation", tomorrow, ""},
		{number + `"failedTasks","days":30,"groupBy":["activityLabel"]`, "dateCreation", tomorrow, ""},
	} {
		rows := endedTasks(10)
		for n := range rows {
			rows[n] = strings.Replace(rows[n], "{", `{"repositoryLabel":"main","processedItems":1,"totalItems":1,`, 1)
			if n == 3 || test.says == inAll || test.field == "activityLabel" {
				rows[n] = test.change(rows[n], test.field)
			}
		}
		i, q := start(t, newService().Data(tasksPath, servicetest.OK(page(rows...)))), dataQuery("A", `{`+test.saved+`}`)
		if test.says != "" {
			requireLack(t, i, q, test.field+test.says)
			continue
		}
		assert.NotContains(t, notices(askOf(t, i, nil, q).Frames[0]), test.field, test.saved)
		assert.NoError(t, askOf(t, i, asRule, q).Error, test.saved)
	}
}

// So it is with texts among the numbers of a field that is not in the description, which a filter compares.
func TestTextsAmongNumbers(t *testing.T) {
	rows := endedTasks(30)
	for n := range rows {
		prio := strconv.Itoa(n)
		if n%5 == 4 {
			prio = `"high"`
		}
		rows[n] = strings.Replace(rows[n], "{", `{"prio":`+prio+`,`, 1)
	}
	i := start(t, newService().Data(tasksPath, servicetest.OK(page(rows...))))
	q := dataQuery("A", `{"format":"numeric","measure":"tasks","days":30,"filters":[{"key":"prio","operator":">=","value":"5"}]}`)
	requireLack(t, i, q, `prio: 6 values are no numbers, which the filter prio >= "5" compares, for example high`)
	assert.Equal(t, []string{"20"}, column(t, askOf(t, i, nil, q).Frames[0], "tasks"))
	assert.NoError(t, askOf(t, i, asRule, dataQuery("A", `{"format":"numeric","measure":"tasks","days":30,"filters":[{"key":"prio","operator":"=","value":"5"}]}`)).Error)
}

// So it is with windows, whose differences are numbers, and with rows that have no key.
func TestTotalsThatCannotBeRead(t *testing.T) {
	i := start(t, newService().Data(automationsPath, servicetest.OK(page(`{"label":"a","savings":1,"taskCount":1}`, `{"label":"b","savings":"1.234,56","taskCount":1}`))))
	for _, query := range []string{savingsNumber, with(savingsNumber, `"compare":"week"`), savingsLine} {
		requireLack(t, i, dataQuery("A", query), "savings: 1 values are shown as null", `"1.234,56"`)
	}
	assert.NoError(t, askOf(t, i, asRule, dataQuery("A", strings.ReplaceAll(savingsLine, "savings", "taskCount"))).Error)
}

// A total of more days that is smaller than one of fewer days has no difference: null and a warning in a panel, and an
// error in a rule.
func TestNegativeDifferences(t *testing.T) {
	i := start(t, newService().Data(automationsPath, savings(func(days int) int { return 8 * (days % 3) })))
	for _, query := range []string{savingsLine, savingsNumber} {
		requireLack(t, i, over(query, 3*day, 2*day), "some differences of automations are null")
	}
}
