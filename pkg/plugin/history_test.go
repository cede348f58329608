package plugin

import (
	"fmt"
	"maps"
	"math/rand"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/grafana/grafana-plugin-sdk-go/data"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/columnstest"
	"github.com/insights/insights-reporting-datasource/pkg/frame"
	"github.com/insights/insights-reporting-datasource/pkg/query"
	"github.com/insights/insights-reporting-datasource/pkg/reads"
	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
	"github.com/insights/insights-reporting-datasource/schema"
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

// A line costs one read per step, which it shares with all other queries, as Grafana's inspector shows.
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
	for stat, want := range map[string]float64{"pages": 7, "rows read": 14, "requests": 7, "age of the cached": 0} {
		assert.Equal(t, want, statOf(t, f, stat), stat)
	}
	assert.Greater(t, statOf(t, f, "bytes"), 100.0)
	assert.Positive(t, statOf(t, f, "time"))
	requireNoSecrets(t, f.Meta.ExecutedQueryString)
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

// world is when each automation saved how much, as only a test can know.
type world map[string][]saving

type saving struct {
	at     time.Time
	amount float64
}

// between counts plainly what an automation saved.
func (w world) between(label string, from, to time.Time) (sum float64) {
	for _, s := range w[label] {
		if s.at.After(from) && !s.at.After(to) {
			sum += s.amount
		}
	}
	return sum
}

// totals is what the service answers at a time. An automation of which there is nothing is not listed.
func (w world) totals(now time.Time, days int, midnights bool) *columns.Table {
	var labels, sums []any
	from := now.AddDate(0, 0, -days)
	if midnights {
		from = from.Truncate(day).Add(day)
	}
	for _, label := range slices.Sorted(maps.Keys(w)) {
		if sum := w.between(label, from, now); sum > 0 {
			labels, sums = append(labels, label), append(sums, sum)
		}
	}
	table := &columns.Table{Rows: len(labels), Columns: []*columns.Column{columnstest.New("label", schema.String, labels...)}}
	for _, name := range []string{"taskCount", "savings"} {
		table.Columns = append(table.Columns, columnstest.New(name, schema.Number, sums...))
	}
	return table
}

// ask returns what a query shows at a time of a range of the world: savings and margins by label, the last one of all.
func (w world) ask(t *testing.T, now, from, to time.Time, midnights bool) (savings, margins map[string]float64) {
	t.Helper()
	saved := `{"queryType":"automations","format":"numeric","measures":["savings","savings.margin"],"groupBy":["label"],"shape":"long","total":true}`
	plan, err := query.Parse(schema.All(), backend.DataQuery{JSON: []byte(saved), TimeRange: backend.TimeRange{From: from, To: to}}, now, false)
	require.NoError(t, err)
	differences := frame.NewDifferences(plan.Set, plan.Read.Additive, *plan.Period.Steps)
	for _, days := range plan.Period.Steps.Windows() {
		differences.Add(days, w.totals(now, days, midnights))
	}
	frames, err := framesOf(t.Context(), plan, grouping(plan, frame.Selection{DataSet: plan.Set, Differences: differences, Range: plan.Range(time.Time{}, schema.English)}))
	require.NoError(t, err)
	savings, margins = map[string]float64{}, map[string]float64{}
	for row := range frames[0].Rows() {
		number := func(field int) float64 {
			if value := frames[0].Fields[field].At(row).(*float64); value != nil {
				return *value
			}
			return 0 // No automation is listed.
		}
		label := frames[0].Fields[0].At(row).(string)
		savings[label], margins[label] = number(1), number(2)
	}
	return savings, margins
}

// What was saved is within the margin, whenever somebody asks, of each automation and of all: in random worlds that add up days of
// 24 hours or, from the midnights at which a range begins and ends, calendar days.
func TestMarginsHold(t *testing.T) {
	worlds := 5000
	if testing.Short() {
		worlds = 200
	}
	for seed := range int64(worlds) {
		rng := rand.New(rand.NewSource(seed))
		now := time.Date(2026, 11, 27, 0, 0, 0, 0, time.UTC).Add(time.Duration(rng.Int63n(int64(day))).Truncate(time.Second))
		from := now.Add(-time.Duration(rng.Int63n(int64(58 * day)))).Truncate(time.Minute)
		to := from.Add(time.Duration(rng.Int63n(int64(now.Sub(from))+1)).Truncate(time.Minute) + time.Minute)
		midnights := seed%3 == 0
		switch seed % 3 {
		case 0:
			from, to = from.Truncate(day), to.Truncate(day).Add(day)
		case 1: // about a number of days ago, where the ends of days that are shown and of the range are next to each other
			near := rng.Intn(29)
			around := func(days int) time.Time {
				return now.AddDate(0, 0, -days).Add(time.Duration(90-rng.Intn(180)) * time.Second)
			}
			from, to = around(near+1+rng.Intn(29)), around(near)
		}
		w := world{}
		for n := range rng.Intn(400) {
			label, at := fmt.Sprint("a", rng.Intn(1+n%5)), now.Add(-time.Duration(rng.Int63n(int64(60*day))))
			if end := []time.Time{from, to}[n%2].Add(time.Duration(120-rng.Intn(240)) * time.Second); n%7 == 0 && end.Before(now) {
				at = end
			}
			w[label] = append(w[label], saving{at, rng.ExpFloat64() * 100})
		}
		savings, margins := w.ask(t, now, from, to, midnights)
		if late := now.Sub(to); late.Abs() < time.Minute {
			from, to = from.Add(late), now // Such a range is one until now.
		}
		all := 0.0
		for label := range w {
			truth := w.between(label, from, to)
			all += truth
			assert.InDelta(t, truth, savings[label], margins[label]+1e-6, "%d: %s from %s to %s at %s", seed, label, from, to, now)
		}
		assert.InDelta(t, all, savings["Total"], margins["Total"]+1e-6, "%d: from %s to %s at %s", seed, from, to, now)
	}
}

// The sum of a month that has ended moves with the clock, within a margin of a day or two. Whole days have none.
func TestClosedMonthMoves(t *testing.T) {
	rng, w := rand.New(rand.NewSource(53)), world{}
	end := time.Date(2026, 11, 28, 0, 0, 0, 0, time.UTC)
	for range 3000 {
		w["a"] = append(w["a"], saving{end.Add(-time.Duration(rng.Int63n(int64(70 * day)))), rng.ExpFloat64() * 50})
	}
	from, to, shown := time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC), time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC), map[float64]bool{}
	for _, ago := range []time.Duration{0, 6 * time.Hour, 11 * time.Hour, 13 * time.Hour, 18 * time.Hour} {
		savings, margins := w.ask(t, end.Add(-ago), from, to, false)
		shown[savings["a"]] = true
		assert.InDelta(t, w.between("a", from, to), savings["a"], margins["a"]+1e-6, ago)
		assert.True(t, margins["a"] < w.between("a", from, to)/10 && (margins["a"] > 1 || ago == 0), "%s: %f", ago, margins["a"])
	}
	assert.Len(t, shown, 5)
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
