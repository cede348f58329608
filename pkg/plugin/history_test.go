package plugin

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/reads"
	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// savings serves automations a0, a1, … with their savings over the requested days.
func savings(of ...func(days int) int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		days, _ := strconv.Atoi(r.URL.Query().Get("filterBy"))
		var rows []string
		for n, saved := range of {
			rows = append(rows, fmt.Sprintf(`{"label":"a%d","savings":%d.00}`, n, saved(days)))
		}
		servicetest.OK(page(rows...))(w, r)
	}
}

// each is the same every day.
func each(day int) func(days int) int { return func(days int) int { return day * days } }

// askedDays returns the requested windows, the shortest first.
func askedDays(s *servicetest.Fake) []int {
	var days []int
	for _, r := range s.Requests(automationsPath) {
		n, _ := strconv.Atoi(r.URL.Query().Get("filterBy"))
		days = append(days, n)
	}
	slices.Sort(days)
	return days
}

// askOver sends a query for a range whose start and end are given in days before now.
func askOver(t *testing.T, i *Instance, query string, from, to time.Duration) *data.Frame {
	t.Helper()
	got := askOf(t, i, nil, over(query, from*day, to*day))
	require.NoError(t, got.Error)
	return got.Frames[0]
}

// A line costs one read per step, which it shares with all other queries.
func TestLineOfSavings(t *testing.T) {
	s := newService().Data(automationsPath, savings(each(3), each(5)))
	i := start(t, s)
	f := askFrame(t, i, savingsLine)
	assert.Equal(t, slices.Repeat([]string{"8"}, 7), column(t, f, "savings"))
	assert.Equal(t, []int{1, 2, 3, 4, 5, 6, 7}, askedDays(s))
	assert.Equal(t, 1, s.Count(loginPath))

	assert.Contains(t, f.Meta.ExecutedQueryString, "filterBy=7")
	assert.Contains(t, f.Meta.ExecutedQueryString, "filterBy=1")
	assert.Contains(t, f.Meta.ExecutedQueryString, "(7 windows)")
	assert.NotContains(t, f.Meta.ExecutedQueryString, "filterBy=4")
	assert.EqualValues(t, 7, statOf(t, f, "pages"))
	assert.EqualValues(t, 14, statOf(t, f, "rows read"))
	assert.EqualValues(t, 7, statOf(t, f, "requests"))
	assert.Zero(t, statOf(t, f, "age of the cached"))
	assert.Empty(t, f.Meta.Notices, "a viewer can't act on it")

	again := askFrame(t, i, strings.Replace(savingsLine, "}", `,"groupBy":["label"]}`, 1))
	assert.Len(t, again.Fields, 3)
	assert.Positive(t, statOf(t, again, "age of the cached"))
	askFrame(t, i, `{"queryType":"automations","days":4}`)
	assert.Len(t, askedDays(s), 7, "no page was requested twice")

	table := askOver(t, i, `{"queryType":"automations"}`, 30, 10)
	assert.Equal(t, []string{"60", "100"}, column(t, table, "savings"), "a table of a past range shows what happened in it")
	assert.Equal(t, []string{"a0", "a1"}, column(t, table, "label"), "in the service's order")
}

// A window that cannot be read is an error.
func TestWindowThatCannotBeRead(t *testing.T) {
	answer := servicetest.InTurn(savings(each(1)), servicetest.Status(500, `{"message":"filterBy is too large"}`))
	got := ask(t, start(t, newService().Data(automationsPath, answer)), savingsLine)
	require.ErrorContains(t, got.Error, "filterBy is too large")
	assert.Empty(t, got.Frames)
}

// Of a year, a service may know two months: the number says so, and the points before are not 0.
func TestYearOfWhichTheServiceKnowsTwoMonths(t *testing.T) {
	s := newService().Data(automationsPath, savings(func(days int) int { return min(days, 70) })).
		Data(tasksPath, servicetest.OK(page(fmt.Sprintf(`{"id":1,"dateCreation":%q}`, time.Now().AddDate(0, 0, -70).Format(time.RFC3339)))))
	i := start(t, s)
	number := askOver(t, i, savingsNumber, 365, 0)
	assert.Contains(t, number.Fields[0].Config.DisplayNameFromDS, "until now)")
	assert.Contains(t, notices(number), "The service is known to have data only since ")

	line := askOver(t, i, `{"queryType":"automations","format":"timeseries","measure":"savings","per":"month"}`, 365, 0)
	values := column(t, line, "savings")
	known := slices.IndexFunc(values, func(value string) bool { return value != "null" })
	assert.GreaterOrEqual(t, known, len(values)-4, values)
	assert.NotEqual(t, "0", values[known])
	assert.NotContains(t, askOver(t, i, savingsNumber, 30, 0).Fields[0].Config.DisplayNameFromDS, "until now")
}

// The age is that of the oldest cached window. Sixty windows with the same problem report it once.
func TestCombinedWindows(t *testing.T) {
	now := time.Now()
	value := []reads.Warning{{Code: "value of savings", Text: "savings: 1 values"}}
	got := combined([]*reads.Result{
		{AsOf: now}, {AsOf: now.Add(-5 * time.Second), Reused: true, Warnings: value}, {AsOf: now.Add(-time.Minute), Warnings: value},
		{AsOf: now.Add(-9 * time.Second), Reused: true}, {AsOf: now.Add(-7 * time.Second), Reused: true},
	})
	assert.True(t, got.Reused)
	assert.Equal(t, now.Add(-9*time.Second), got.AsOf)
	assert.Equal(t, value, got.Warnings)
}
