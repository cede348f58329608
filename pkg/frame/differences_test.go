package frame_test

import (
	"math"
	"testing"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/filter"
	"github.com/insights/insights-reporting-datasource/pkg/frame"
	"github.com/insights/insights-reporting-datasource/pkg/inputerror"
	"github.com/insights/insights-reporting-datasource/pkg/period"
	"github.com/insights/insights-reporting-datasource/pkg/rates"
	"github.com/insights/insights-reporting-datasource/schema"
)

// window holds the service's totals over some days: savings by label, nil for null.
type window map[string]any

// windowTable returns a window as a table, with labels in the given order.
func windowTable(w window, labels ...string) *columns.Table {
	var rows []record
	for _, label := range labels {
		if value, ok := w[label]; ok {
			rows = append(rows, record{"label": label, "name": "the " + label, "repositoryLabel": "of " + label[:1], "savings": value})
		}
	}
	return tableOf("automations", rows)
}

// daily returns the steps of a number of days up to now.
func daily(days int) period.Steps {
	steps := period.Steps{Now: now}
	for d := days; d >= 0; d-- {
		steps.Days = append(steps.Days, d)
	}
	return steps
}

// differencesOf returns the Differences of windows that match the steps.
func differencesOf(steps period.Steps, measure string, windows ...*columns.Table) *frame.Differences {
	differences := frame.NewDifferences(schema.All().Get("automations"), []string{measure}, steps)
	for n, days := range steps.Windows() {
		differences.Add(days, windows[n])
	}
	return differences
}

func savingsBy(groupBy ...string) *spec {
	return &spec{DataSet: schema.All().Get("automations"), Measure: "savings", GroupBy: groupBy, Scale: rates.Auto, Now: now}
}

// valuesOf returns the values of a field, nil for null.
func valuesOf(f *data.Field) []any {
	out := make([]any, f.Len())
	for i := range out {
		if v, ok := f.ConcreteAt(i); ok {
			out[i] = v
		}
	}
	return out
}

// The result for automation a in three windows of 3, 2 and 1 days. The other one, b, saves a constant 10 a day.
func TestStepsOfOneRow(t *testing.T) {
	aBitMore := math.Nextafter(0.3, 1)
	for name, test := range map[string]struct {
		three, two, one window
		want            []any // nil: not shown
		lost            bool
	}{
		"steady":                           {window{"a": 6.0}, window{"a": 4.0}, window{"a": 2.0}, []any{2.0, 2.0, 2.0}, false},
		"idle days are 0":                  {window{"a": 5.0}, window{"a": 5.0}, window{"a": 0.0}, []any{0.0, 5.0, 0.0}, false},
		"idle now, and listed no more":     {window{"a": 7.0}, window{}, window{}, []any{7.0, 0.0, 0.0}, false},
		"idle now, and null":               {window{"a": 7.0}, window{"a": nil}, window{"a": nil}, []any{7.0, 0.0, 0.0}, false},
		"new, listed in every window":      {window{"a": 3.0}, window{"a": 3.0}, window{"a": 3.0}, []any{0.0, 0.0, 3.0}, false},
		"no costs entered":                 {window{"a": nil}, window{"a": nil}, window{"a": nil}, []any{nil, nil, nil}, false},
		"less over more days":              {window{"a": 9.0}, window{"a": 4.0}, window{"a": 5.0}, []any{5.0, nil, 5.0}, true},
		"vanished in the middle":           {window{"a": 9.0}, window{}, window{"a": 2.0}, []any{nil, nil, 2.0}, true},
		"vanished from the longest":        {window{"a": nil}, window{"a": 4.0}, window{"a": 2.0}, []any{nil, 2.0, 2.0}, true},
		"not listed in the longest":        {window{}, window{"a": 4.0}, window{"a": 2.0}, nil, true}, // its earlier activity is unknown
		"added up in another order":        {window{"a": 0.3}, window{"a": aBitMore}, window{"a": 0.0}, []any{0.0, aBitMore, 0.0}, false},
		"a trace of that":                  {window{"a": 1e9 + 1e-6}, window{"a": 1e9}, window{"a": 1.0}, []any{0.0, 1e9 - 1, 1.0}, false},
		"a trace of what is negative":      {window{"a": -1e9 - 1e-6}, window{"a": -1e9}, window{"a": -1e9 - 5}, []any{0.0, 5.0, nil}, true},
		"smaller than any money, but less": {window{"a": 0.3}, window{"a": 0.30001}, window{"a": 0.0}, []any{nil, 0.30001, 0.0}, true},
	} {
		t.Run(name, func(t *testing.T) {
			for n, w := range []window{test.one, test.two, test.three} {
				w["b"] = float64(10 * (n + 1))
			}
			table := func(w window) *columns.Table { return windowTable(w, "a", "b") }
			differences := differencesOf(daily(3), "savings", table(test.three), table(test.two), table(test.one))
			f := mustMake(t, lineOf(differences), savingsBy("label"))
			got := map[string][]any{}
			for _, field := range f.Fields[1:] {
				got[field.Labels["label"]] = valuesOf(field)
			}
			want := map[string][]any{"b": {10.0, 10.0, 10.0}}
			if test.want != nil {
				want["a"] = test.want
			}
			assert.Equal(t, want, got)
			assert.Equal(t, []any{now.AddDate(0, 0, -3), now.AddDate(0, 0, -2), now.AddDate(0, 0, -1)}, valuesOf(f.Fields[0]))
			requireLost(t, test.lost, f)
			readTimeSeries(t, f, "savings")
		})
	}
}

func requireLost(t *testing.T, lost bool, f *data.Frame) {
	t.Helper()
	if !lost {
		require.Empty(t, f.Meta.Notices)
		return
	}
	require.Len(t, f.Meta.Notices, 1)
	assert.Equal(t, data.NoticeSeverityWarning, f.Meta.Notices[0].Severity)
	assert.Contains(t, f.Meta.Notices[0].Text, "differences of automations are null")
	assert.Contains(t, f.Meta.Notices[0].Text, "the amount of the days in between is negative")
}

// Rows without a key cannot be distinguished, and count together.
func TestRowsWithoutAKey(t *testing.T) {
	rows := func(values ...float64) *columns.Table {
		var all []record
		for _, v := range values {
			all = append(all, record{"savings": v})
		}
		return tableOf("automations", all)
	}
	differences := differencesOf(daily(2), "savings", rows(5, 7), rows(2))
	f := mustMake(t, lineOf(differences), savingsBy("label"))
	assert.Equal(t, []any{10.0, 2.0}, valuesOf(f.Fields[1]))
}

// A service with two or three days of history has nothing, or not enough, to compare these with, and a notice says so. If it
// doesn't tell how much it has, activity in an earlier step shows it.
func TestNothingBefore(t *testing.T) {
	steps := period.Steps{Now: now, Days: []int{2, 1, 0}, Before: []int{4, 3, 2}}
	for name, test := range map[string]struct {
		history int // days
		known   time.Time
		number  any
		line    []any // nil: no second line
		says    string
	}{
		"two days":             {2, steps.Ago(2), nil, nil, "only since"},
		"three days":           {3, steps.Ago(3), nil, []any{nil, 1.0}, "only since"},
		"four days":            {4, steps.Ago(4), 2.0, []any{1.0, 1.0}, ""},
		"two quiet days":       {2, steps.Ago(9), 0.0, []any{0.0, 0.0}, ""},
		"two days, not told":   {2, now, nil, nil, "only since"},
		"three days, not told": {3, now, nil, nil, "only since"},
		"four days, not told":  {4, now, nil, []any{nil, 1.0}, "only since"},
		"older than its tasks": {9, steps.Ago(2), nil, []any{nil, 1.0}, "only since"},
	} {
		t.Run(name, func(t *testing.T) {
			table := func(days int) *columns.Table { return windowTable(window{"a": float64(min(days, test.history))}, "a") }
			build := func(format func(*frame.Differences) builder) *data.Frame {
				differences := differencesOf(steps, "savings", table(4), table(3), table(2), table(1))
				r := savingsBy()
				r.Compare, r.Known = &period.Comparison{Name: "previous"}, differences.KnownSince(test.known)
				f := mustMake(t, format(differences), r)
				if test.says == "" {
					assert.Empty(t, f.Meta.Notices)
				} else {
					require.Len(t, f.Meta.Notices, 1)
					assert.Contains(t, f.Meta.Notices[0].Text, test.says)
				}
				return f
			}
			number, line := build(numericOf), build(lineOf)
			assert.Equal(t, test.number, valuesOf(number.Fields[1])[0], "neither 0 nor a part of the period: the change would be infinite, or too high")
			if test.line == nil {
				assert.Len(t, line.Fields, 2, "no second line: the total of its nulls would be 0")
				return
			}
			assert.Equal(t, test.line, valuesOf(line.Fields[2]))
		})
	}
}

// A table of a range that has ended shows what happened in it: fields that add up are the difference of two windows, and
// rates are null, with a notice. Rows, filters and sort see only that. What is missing is lost for a rule.
func TestTableThatHasEnded(t *testing.T) {
	set := schema.All().Get("automations")
	both := func(days float64) *columns.Table {
		return tableOf("automations", []record{
			{"label": "busy", "taskCount": 9 * days, "savings": 100 * days, "successRate": 0.5, "roi": 3.0},
			{"label": "new", "taskCount": min(days, 10), "savings": 7 * min(days, 10), "successRate": 0.9, "roi": 1.0},
		})
	}
	busy := func(tasks, savings float64) *columns.Table {
		return tableOf("automations", []record{{"label": "busy", "taskCount": tasks, "savings": savings}})
	}
	active, least := []*filter.Filter{where(t, "taskCount", ">", "0")}, &schema.Sort{Field: "savings", Order: "asc"}
	ended := "successRate, roi: null, because the service reports this only up to now, and the time range has ended"
	for name, test := range map[string]struct {
		longer, shorter *columns.Table
		request         spec
		want            map[string][]any
		says            string
		lost            bool
	}{
		"all fields": {both(30), both(10), spec{Columns: []string{"label", "taskCount", "savings", "successRate", "roi"}},
			map[string][]any{"label": {"busy", "new"}, "taskCount": {180.0, 0.0}, "savings": {2000.0, 0.0}, "successRate": {nil, nil}, "roi": {nil, nil}}, ended, false},
		"a filter, and no rate":     {both(30), both(10), spec{Columns: []string{"label"}, Filters: active}, map[string][]any{"label": {"busy"}}, "", false},
		"sorted by the activity":    {both(30), both(10), spec{Columns: []string{"label"}, Sort: least, Limit: 1}, map[string][]any{"label": {"new"}}, "", false},
		"negative, and gone":        {both(30), busy(90, 5000), spec{Columns: []string{"savings"}}, map[string][]any{"savings": {nil, 70.0}}, "the amount of the days in between is negative", true},
		"only in the shorter one":   {busy(270, 9), both(10), spec{Columns: []string{"taskCount"}}, map[string][]any{"taskCount": {180.0}}, "is missing. Either the data changed between the two reads", true},
		"before the service's data": {both(30), both(10), spec{Columns: []string{"savings"}, Known: now}, map[string][]any{"savings": {nil, nil}}, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			d := frame.NewDifferences(set, []string{"taskCount", "savings"}, period.Steps{Now: now, Days: []int{30, 10}})
			d.Add(30, test.longer)
			d.Add(10, test.shorter)
			r := test.request
			r.DataSet, r.Now, r.Differences = set, now, d
			f := mustMake(t, makeTable, &r)
			assert.Equal(t, test.want, valuesByName(f))
			assert.Equal(t, test.lost, d.Lost() != "")
			if test.says == "" {
				assert.Empty(t, f.Meta.Notices)
			} else {
				requireNotice(t, f, test.says)
			}
			r.Filters = []*filter.Filter{where(t, "successRate", ">", "0.6")}
			_, err := makeTable(t.Context(), &r)
			require.ErrorIs(t, err, inputerror.Err)
			require.ErrorContains(t, err, `filter on "successRate": the service reports this only up to now`, "0 would not be true")
		})
	}
}

// A field that the service adds can be missing in a shorter window.
func TestFieldOfTheLongestWindow(t *testing.T) {
	set := schema.All().Get("automations")
	longest := tableOf("automations", []record{{"label": "a", "savings": 30.0}})
	longest.Columns = append(longest.Columns, column("quota", schema.Number, 5.0))
	differences := frame.NewDifferences(set, []string{"savings"}, period.Steps{Now: now, Days: []int{7, 0}, Before: []int{14, 7}})
	differences.Add(14, longest)
	differences.Add(7, tableOf("automations", []record{{"label": "a", "savings": 10.0}}))
	r := &spec{DataSet: set, Measure: "savings", Now: now, Differences: differences, Filters: []*filter.Filter{where(t, "quota", "=", "")}}
	assert.Equal(t, []any{10.0}, valuesOf(mustMake(t, makeNumeric, r).Fields[0]))
}

// A line without rows has no fields, so that a panel says that it has no data. That rows are missing is said nevertheless.
func TestNoRowsInTheLongestWindow(t *testing.T) {
	for _, groupBy := range [][]string{nil, {"label"}} {
		for lost, newer := range map[bool]window{false: {}, true: {"a": 5.0}} {
			differences := differencesOf(daily(2), "savings", windowTable(window{}), windowTable(newer, "a"))
			f := mustMake(t, lineOf(differences), savingsBy(groupBy...))
			assert.Empty(t, f.Fields)
			requireLost(t, lost, f)
			assert.Equal(t, lost, differences.Lost() != "", "a rule gets an error")
		}
	}
}
