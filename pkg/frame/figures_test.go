package frame_test

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/filter"
	"github.com/insights/insights-reporting-datasource/pkg/rates"
	"github.com/insights/insights-reporting-datasource/schema"
)

// figuresOf returns figures by their names: a measure, or a measure and an aspect.
func figuresOf(names ...string) (all []schema.Figure) {
	for _, name := range names {
		var f schema.Figure
		f.Name, f.Measure = name, name
		for _, aspect := range schema.Aspects {
			if n := len(name) - len(aspect) - 1; n > 0 && name[n:] == "."+aspect {
				f.Measure, f.Aspect = name[:n], aspect
			}
		}
		all = append(all, f)
	}
	return all
}

// rowsOf returns the numbers of numeric-long by labels and field.
func rowsOf(t testing.TB, f *data.Frame, groupBy []string) map[string]map[string]*float64 {
	t.Helper()
	found := map[string]map[string]*float64{}
	for row := range f.Rows() {
		labels, numbers := map[string]string{}, map[string]*float64{}
		for i, field := range f.Fields {
			if i < len(groupBy) {
				labels[field.Name] = field.At(row).(string)
				continue
			}
			numbers[field.Name] = field.At(row).(*float64)
		}
		require.NotContains(t, found, key(labels))
		found[key(labels)] = numbers
	}
	return found
}

// A number doesn't depend on which others are beside it: for any measures and grouping, compared or not, each has the values
// that it has alone. The groups are those of all of them.
func TestMeasuresAreIndependent(t *testing.T) {
	for seed := range int64(8) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewSource(seed))
			rows := tasksTable(randomTasks(rng, []int{0, 1, 20, 300}[seed%4]))
			for _, groupBy := range append(slices.Clone(groupings), []string{"hour"}, []string{"activityLabel", "weekday"}) {
				r := &spec{DataSet: schema.All().Get("tasks"), Rows: rows, GroupBy: groupBy, Now: now, TimeField: "dateCreation", Interval: 3 * time.Hour, Long: true}
				r.From, r.To = now.Add(-30*time.Hour), now.Add(-time.Duration(rng.Intn(20))*time.Hour)
				if rng.Intn(3) == 0 {
					r.From, r.To, r.Since = time.Time{}, time.Time{}, now.Add(-40*time.Hour)
				} else if rng.Intn(2) == 0 {
					compareWith(r, 24*time.Hour)
				}
				r.Deadlines = linesOf(t, `{"automation":"*","by":"12:00"},{"automation":"nobody","by":"11:00"}`)
				if rng.Intn(2) == 0 {
					r.Filters = []*filter.Filter{where(t, "activityLabel", "!=", "abc"), where(t, "hour", "!=", "09")}
				}
				var names []string
				for _, i := range rng.Perm(len(r.DataSet.Measures())) {
					m := r.DataSet.Measures()[i]
					if names = append(names, m.Name); r.Compare != nil && r.DataSet.Compares(&m) {
						names = append(names, m.Name+".before", m.Name+".change", m.Name+".difference")
					}
				}
				r.Figures = figuresOf(names...)
				what := fmt.Sprint(groupBy, r.Compare != nil, r.From, len(r.Filters))
				all := rowsOf(t, mustMake(t, makeNumeric, r), groupBy)
				isGroup := map[string]bool{}
				lines := map[string][]any{}
				if !r.To.IsZero() {
					lines = seriesOf(t, mustMake(t, makeTimeSeries, r))
				}
				for _, m := range r.DataSet.Measures() {
					alone := *r
					alone.Figures = figuresOf(slices.DeleteFunc(slices.Clone(names), func(name string) bool { return figuresOf(name)[0].Measure != m.Name })...)
					for k, numbers := range rowsOf(t, mustMake(t, makeNumeric, &alone), groupBy) {
						isGroup[k] = true
						for name, value := range numbers {
							requireSame(t, instances{k: value}, instances{k: all[k][name]}, name+" by "+what)
						}
					}
					if r.To.IsZero() {
						continue
					}
					for k, values := range seriesOf(t, mustMake(t, makeTimeSeries, &alone)) {
						require.Equal(t, values, lines[k], "%s by %s", k, what)
					}
				}
				for k, numbers := range all {
					if len(groupBy) > 0 {
						require.True(t, isGroup[k], "%s is the group of a measure, by %s", k, what)
					}
					require.Len(t, numbers, len(names))
				}
			}
		})
	}
}

// The last row has each number of all groups together, by its own formula, also of those that a limit leaves out. Fields have none,
// nor has a number that is of all groups anyway. Where there is no group, the row is alone.
func TestRowOfAll(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	set := schema.All().Get("tasks")
	r := &spec{DataSet: set, Rows: tasksTable(randomTasks(rng, 200)), GroupBy: []string{"activityLabel", "state"}, Now: now, TimeField: "dateCreation", Long: true, Total: true, Limit: 3}
	r.Figures = figuresOf(schema.Names(set.Measures())...)
	f := mustMake(t, makeNumeric, r)
	require.Equal(t, []any{"Total", ""}, []any{f.Fields[0].At(3), f.Fields[1].At(3)})
	alone := *r
	alone.GroupBy = nil
	for _, want := range mustMake(t, makeNumeric, &alone).Fields {
		got, _ := f.FieldByName(want.Name)
		require.Equal(t, 4, got.Len())
		require.Equal(t, valuesOf(want)[0], valuesOf(got)[3], want.Name)
	}
	wide := *r
	wide.Long = false
	require.Len(t, mustMake(t, makeNumeric, &wide).Fields, 3*len(r.Figures))
	r.Rows, r.Figures = tasksTable(nil), figuresOf("tasks", "duration")
	require.Equal(t, map[string][]any{"activityLabel": {"Total"}, "state": {""}, "tasks": {0.0}, "duration": {nil}}, valuesByName(mustMake(t, makeNumeric, r)))
}

// The return on several investments is what a plain loop over random automations finds, in any group, on either scale. Who had no
// tasks has none.
func TestReturnOnSeveralInvestments(t *testing.T) {
	for seed := range int64(100) {
		rng, scale := rand.New(rand.NewSource(seed)), []rates.Scale{rates.Unknown, rates.Fraction, rates.Percent}[seed%3]
		whole := max(1, 100*float64(seed%3-1))
		var rows []record
		saved, invested, single := map[string]float64{}, map[string]float64{}, map[string][]any{}
		for n := range rng.Intn(9) {
			team := fmt.Sprint("r", rng.Intn(3))
			row := record{"label": fmt.Sprint(n), "repositoryLabel": team, "savings": float64(rng.Intn(9) - 1), "roi": whole * float64(rng.Intn(9)-3) / 2, "taskCount": float64(rng.Intn(5))}
			for _, field := range []string{"savings", "roi"} {
				if rng.Intn(6) == 0 {
					delete(row, field)
				}
			}
			rows = append(rows, row)
			savings, hasSavings := row["savings"].(float64)
			if row["taskCount"] == 0.0 {
				delete(row, "roi")
				rows[n] = record{"label": fmt.Sprint(n), "repositoryLabel": team, "savings": row["savings"], "roi": -whole, "taskCount": 0.0}
			}
			roi, hasROI := row["roi"].(float64)
			single[team] = append(single[team], row["roi"])
			if roi /= whole; hasSavings && hasROI && roi != -1 && savings/(1+roi) > 0 {
				saved[team] += savings
				invested[team] += savings / (1 + roi)
			}
		}
		r := &spec{DataSet: schema.All().Get("automations"), Rows: tableOf("automations", rows), Measure: "roi", GroupBy: []string{"repositoryLabel"}, Now: now, Scale: scale}
		want := instances{}
		for team, of := range single {
			k := key(map[string]string{"repositoryLabel": team})
			want[k] = nil
			if roi, known := of[0].(float64); len(of) == 1 && known {
				want[k] = &roi
			} else if len(of) > 1 && invested[team] > 0 {
				want[k] = ptr((saved[team] - invested[team]) / invested[team] * whole)
			}
		}
		requireSame(t, want, readNumeric(t, mustMake(t, makeNumeric, r), "roi"), fmt.Sprint(seed))
	}
}

// seriesOf returns the values of lines by their names and labels.
func seriesOf(t testing.TB, f *data.Frame) map[string][]any {
	found := map[string][]any{}
	for _, field := range f.Fields {
		if field.Name != "time" {
			k := field.Name + key(field.Labels)
			require.NotContains(t, found, k)
			found[k] = valuesOf(field)
		}
	}
	return found
}

// Figures are called by their measures and aspects, in rows and in fields.
func TestNamesOfFigures(t *testing.T) {
	r := compareWith(request("tasks", olderTasks()), 3*time.Hour)
	r.GroupBy, r.Long = []string{"activityLabel"}, true
	r.Figures = figuresOf("successRate", "successRate.difference", "tasks", "tasks.change", "oldestQueued")
	called := []string{}
	for _, field := range mustMake(t, makeNumeric, r).Fields {
		called = append(called, field.Name+" = "+field.Config.DisplayNameFromDS+" "+field.Config.Unit)
	}
	assert.Equal(t, []string{"activityLabel = Automation ", "successRate = Success rate of tasks percentunit", "successRate.difference = Success rate of tasks ± ", "tasks = Tasks locale", "tasks.change = Tasks ± % percentunit", "oldestQueued = Oldest queued task dtdhms"}, called)

	r.Long = false
	wide := mustMake(t, makeNumeric, r)
	require.Len(t, wide.Fields, 10, "a field for each group and figure")
	assert.Equal(t, "invoices: Success rate of tasks ±", wide.Fields[1].Config.DisplayNameFromDS)
	assert.Equal(t, data.Labels{"activityLabel": "invoices"}, wide.Fields[1].Labels)
}

func names(f *data.Frame, field string) (all []string) {
	for _, series := range f.Fields[1:] {
		all = append(all, series.Labels[field])
	}
	return all
}

func requireNotice(t *testing.T, f *data.Frame, says ...string) {
	t.Helper()
	require.Len(t, f.Meta.Notices, 1)
	for _, text := range says {
		require.Contains(t, f.Meta.Notices[0].Text, text)
	}
}

// More series are too many for Grafana to draw or evaluate. The largest remain.
func TestNeverMoreThanThousandGroups(t *testing.T) {
	var rows []task
	for i := range 1100 {
		for range 1 + i%3 {
			rows = append(rows, task{activityLabel: ptr(fmt.Sprintf("automation %04d", i)), dateCreation: ptr(now)})
		}
	}
	r := request("tasks", tasksTable(rows))
	r.GroupBy, r.Limit = []string{"activityLabel"}, 5000
	lines := mustMake(t, makeTimeSeries, r)
	requireNotice(t, lines, "1000 of 1100 series")
	all := names(lines, "activityLabel")
	require.Len(t, all, 1000)
	require.Equal(t, "automation 0002", all[0], "the first of those with three")
	require.Equal(t, "automation 0798", all[999], "of those with one, the first by label")
	r.Limit = 2
	require.Equal(t, all[:2], names(mustMake(t, makeTimeSeries, r), "activityLabel"))
	require.Empty(t, mustMake(t, makeTimeSeries, r).Meta.Notices, "as many as the query asks for")
}
