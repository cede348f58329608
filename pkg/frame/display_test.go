package frame_test

import (
	"cmp"
	"testing"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/filter"
	"github.com/insights/insights-reporting-datasource/pkg/period"
	"github.com/insights/insights-reporting-datasource/pkg/rates"
	"github.com/insights/insights-reporting-datasource/schema"
)

func displayed(f *data.Frame) []string {
	var names []string
	for _, field := range f.Fields {
		if field.Config != nil {
			names = append(names, field.Config.DisplayNameFromDS)
		}
	}
	return names
}

// automationsCalled returns automations with these labels and names, alternating.
func automationsCalled(labelsAndNames ...string) *columns.Table {
	var records []record
	for i := 0; i < len(labelsAndNames); i += 2 {
		called := record{"label": labelsAndNames[i], "repositoryLabel": "main", "savings": 1.0}
		if labelsAndNames[i+1] != "" {
			called["name"] = labelsAndNames[i+1]
		}
		records = append(records, called)
	}
	return tableOf("automations", records)
}

func TestNamesOfAutomations(t *testing.T) {
	for name, test := range map[string]struct {
		rows    *columns.Table
		groupBy []string
		want    []string // sorted by label
	}{
		"by label and another field":   {automationsCalled("refunds", "Customer refunds"), []string{"repositoryLabel", "label"}, []string{"main, Customer refunds"}},
		"a row without a name":         {automationsCalled("orders", "", "refunds", "Customer refunds"), []string{"label"}, []string{"orders", "Customer refunds"}},
		"a name that two have":         {automationsCalled("a", "Same", "b", "Same"), []string{"label"}, []string{"a", "b"}},
		"a name of spaces":             {automationsCalled("a", "  "), []string{"label"}, []string{"a"}},
		"names that differ in spaces":  {automationsCalled("a", "Same", "b", "Same ", "refunds", " Customer refunds"), []string{"label"}, []string{"a", "b", "Customer refunds"}},
		"a name that is another label": {automationsCalled("a", "b", "b", ""), []string{"label"}, []string{"a", "b"}},
		"the name of an absent one":    {automationsCalled("a", "Orders"), []string{"label"}, []string{"a"}},
		"names in the groups already":  {automationsCalled("refunds", "Customer refunds"), []string{"label", "name"}, []string{"refunds, Customer refunds"}},
		"grouped by something else":    {automationsCalled("refunds", "Customer refunds"), []string{"repositoryLabel"}, []string{"main"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := request("automations", test.rows)
			r.Measure, r.GroupBy, r.Automations = "savings", test.groupBy, map[string]string{"elsewhere": "Orders"}
			f := mustMake(t, makeNumeric, r)
			assert.Equal(t, test.want, displayed(f))
			assert.Equal(t, "savings", f.Fields[0].Name)

			r.Language = "api"
			for _, field := range mustMake(t, makeNumeric, r).Fields {
				assert.Contains(t, field.Config.DisplayNameFromDS, field.Labels[test.groupBy[0]], "the API's names")
			}
		})
	}
}

// Tasks of a deleted automation have its label only, which may be the name of another one.
func TestAutomationNamedLikeADeletedOne(t *testing.T) {
	r := request("tasks", tasksTable([]task{{activityLabel: ptr("Orders"), dateCreation: &now}, {activityLabel: ptr("orders-2"), dateCreation: &now}}))
	r.Measure, r.GroupBy, r.Automations = "tasks", []string{"activityLabel"}, map[string]string{"orders-2": "Orders", "refunds": "Refunds"}
	assert.Equal(t, []string{"Orders", "orders-2"}, displayed(mustMake(t, makeNumeric, r)))
}

func TestLanguages(t *testing.T) {
	for language, want := range map[schema.Language]struct{ column, measure, compared, change, none, weekday, link string }{
		"en-US": {"Finish status", "Mean duration", "Mean duration (previous week)", "Change", "(none)", "Friday", "Open runner"},
		"pt-BR": {"Status de conclusão", "Duração média", "Duração média (semana anterior)", "Variação", "(nenhum)", "sexta-feira", "Abrir runner"},
		"es-ES": {"Estado de finalización", "Duración media", "Duración media (semana anterior)", "Variación", "(ninguno)", "viernes", "Abrir runner"},
		"api":   {"finishStatus", "duration", "duration (previous week)", "Change", "(none)", "Friday", "Open runner"},
	} {
		t.Run(string(language), func(t *testing.T) {
			r := request("tasks", olderTasks())
			r.Language, r.Measure, r.Columns = language, "duration", []string{"finishStatus"}
			assert.Equal(t, []string{want.column}, displayed(mustMake(t, makeTable, r)))
			assert.Equal(t, []string{want.measure}, displayed(mustMake(t, makeNumeric, r)))

			r.Compare = &period.Comparison{Name: "week", From: now.Add(-8 * time.Hour), To: now.Add(-4 * time.Hour), Shift: func(t time.Time) time.Time { return t.Add(-4 * time.Hour) }}
			assert.Contains(t, displayed(mustMake(t, makeTimeSeries, r)), want.compared)
			r.Long = true
			assert.Equal(t, []string{want.measure, want.compared, want.change}, displayed(mustMake(t, makeNumeric, r)))

			r.Long, r.Compare, r.GroupBy = false, nil, []string{"machineId"}
			assert.Contains(t, displayed(mustMake(t, makeNumeric, r)), "7")
			r.Measure, r.GroupBy = "tasks", []string{"machineId", "weekday"}
			assert.Contains(t, displayed(mustMake(t, makeNumeric, r)), want.none+", "+want.weekday)

			r.Columns, r.Links = []string{"machineId", "weekday"}, map[string]string{"runnerUrl": "https://o/${machineId}"}
			for name, make := range map[string]builder{"table": makeTable, "long": long} {
				fields := mustMake(t, make, r).Fields
				assert.Equal(t, want.link, fields[0].Config.Links[0].Title, name)
				assert.Equal(t, want.weekday, cmp.Or(fields[1].Config.Mappings[0].(data.ValueMapper)["Friday"].Text, "Friday"), name)
			}
		})
	}
}

// A number of the whole workspace shows the period that it covers: series of groups, and their columns, keep their names.
func TestPeriodInNames(t *testing.T) {
	r := request("tasks", goldenTasks())
	r.Covers = "last 30 days"
	number := mustMake(t, makeNumeric, r)
	assert.Equal(t, []string{"Tasks (last 30 days)"}, displayed(number))
	assert.Equal(t, "tasks (last 30 days)", number.Name)
	assert.Equal(t, []string{"Tasks (last 30 days)"}, displayed(mustMake(t, long, r)))
	r.Long, r.Language = false, schema.API
	assert.Equal(t, []string{"tasks"}, displayed(mustMake(t, makeNumeric, r)), "panels refer to the whole name")
	r.Language = schema.English
	r.GroupBy = []string{"machineId"}
	assert.Equal(t, []string{"Runner", "Tasks"}, displayed(mustMake(t, long, r)))
	r.GroupBy, r.Workspace = []string{"dataSource"}, map[string]string{"dataSource": "Bank"}
	assert.Equal(t, []string{"Data source", "Tasks"}, displayed(mustMake(t, long, r)))
	r.Long = false
	assert.Equal(t, []string{"Bank"}, displayed(mustMake(t, makeNumeric, r)))
	r.Figures = figuresOf("tasks", "runTime", "oldestQueued")
	assert.Equal(t, []string{"Bank: Tasks (last 30 days)", "Bank: Run time (last 30 days)", "Bank: Oldest queued task"}, displayed(mustMake(t, makeNumeric, r)))
	r.Figures, r.GroupBy = nil, []string{"machineId"}
	groups := mustMake(t, makeNumeric, r)
	assert.ElementsMatch(t, []string{"(none)", "7", "8"}, displayed(groups))
	assert.Equal(t, "tasks (last 30 days)", groups.Name)
	assert.Equal(t, "tasks", mustMake(t, makeTable, r).Name, "rows show their times")

	sums := request("automations", goldenAutomations())
	assert.Equal(t, "automations", mustMake(t, makeTable, sums).Name)
	sums.Covers = "last 24 h"
	table := mustMake(t, makeTable, sums)
	assert.Equal(t, "automations (last 24 h)", table.Name)
	require.Contains(t, displayed(table), "Failed items")
}

// ratesOf returns automations by uptime and downtime; both report a success rate of their own.
func ratesOf(upAndDown ...[2]float64) []record {
	rows := make([]record, len(upAndDown))
	for i, r := range upAndDown {
		rows[i] = record{"label": string(rune('a' + i)), "uptimeRate": r[0], "downtimeRate": r[1], "successRate": r[0]}
	}
	return rows
}

// The scale of rates is detected from uptime + downtime, which is near 1 or near 100, and only if all rows agree. It belongs to the
// workspace: filters do not change it, and all formats agree. A rate is never rescaled.
func TestRateScale(t *testing.T) {
	onlyUp := record{"uptimeRate": 97.0}
	for name, test := range map[string]struct {
		rows []record
		unit string
	}{
		"fractions":         {ratesOf([2]float64{0.9, 0.1}, [2]float64{0, 1}, [2]float64{1, 0}), "percentunit"},
		"percents":          {ratesOf([2]float64{1, 99}, [2]float64{0, 100}, [2]float64{100, 0}), "percent"},
		"rounded fractions": {ratesOf([2]float64{0.67, 0.34}, [2]float64{0.3, 0.69}), "percentunit"},
		"rounded percents":  {ratesOf([2]float64{67, 34}, [2]float64{30.4, 69.5}), "percent"},
		"both at once":      {ratesOf([2]float64{0.9, 0.1}, [2]float64{90, 10}), ""},
		"neither":           {ratesOf([2]float64{0.9, 0.1}, [2]float64{0.4, 0.2}), ""},
		"negative":          {ratesOf([2]float64{-0.5, 0.1}), ""},
		"automations that never ran are inconclusive": {ratesOf([2]float64{0, 0}, [2]float64{0, 0}), ""},
		"automations that never ran are ignored":      {ratesOf([2]float64{0, 0}, [2]float64{0.9, 0.1}), "percentunit"},
		"one of the two is null":                      {[]record{onlyUp}, ""},
		"one of the two is null, with other rows":     {append(ratesOf([2]float64{0.9, 0.1}), onlyUp), "percentunit"},
		"no rows": {nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			for scale, unit := range map[rates.Scale]string{rates.Auto: test.unit, rates.Fraction: "percentunit", rates.Percent: "percent"} {
				r := request("automations", tableOf("automations", test.rows))
				r.Scale = scale
				f := mustMake(t, makeTable, r)
				for _, name := range []string{"uptimeRate", "downtimeRate", "successRate"} {
					require.Equal(t, unit, unitOf(t, f, name))
				}
				for _, name := range []string{"taskCount", "roi", "savings"} {
					require.NotContains(t, unitOf(t, f, name), "percent", "%s is not a rate", name)
				}
				r.Measure, r.GroupBy = "uptimeRate", []string{"label"}
				if len(test.rows) > 0 {
					label, _ := test.rows[0]["label"].(string)
					f := mustMake(t, makeNumeric, r)
					require.Equal(t, unit, unitOf(t, f, r.Measure))
					require.Equal(t, test.rows[0].cell("uptimeRate"), orNull(readNumeric(t, f, r.Measure)[key(map[string]string{"label": label})]))
				}
				r.Filters = []*filter.Filter{where(t, "label", "=", "none")}
				require.Equal(t, unit, unitOf(t, mustMake(t, makeTable, r), "uptimeRate"))
			}
		})
	}
}

// The setting adds its currency to savings only, and rates that the plugin computes are fractions in any case. In every language,
// counts are in the notation of the viewer, and durations have no English words. Shares have bounds, but their differences have none.
func TestUnits(t *testing.T) {
	type bounds = []*data.ConfFloat64
	zero, one, hundred := new(data.ConfFloat64(0)), new(data.ConfFloat64(1)), new(data.ConfFloat64(100))
	for _, test := range []struct {
		set, measure, currency, unit string
		ofNumber, ofColumn           bounds
	}{
		{"automations", "sumItems", "", "locale", bounds{zero, nil}, bounds{nil, nil}},
		{"automations", "savings", "", "locale", bounds{nil, nil}, bounds{nil, nil}},
		{"automations", "savings", "BRL", "currency:financial:R$", bounds{nil, nil}, bounds{nil, nil}},
		{"automations", "savings", "ARS", "currency:financial:ARS ", bounds{nil, nil}, bounds{nil, nil}},
		{"automations", "uptimeRate", "", "percent", bounds{zero, hundred}, bounds{zero, hundred}},
		{"automations", "roi", "BRL", "locale", bounds{nil, nil}, bounds{nil, nil}},
		{"tasks", "duration", "", "dtdhms", bounds{nil, nil}, bounds{nil, nil}},
		{"tasks", "successRate", "", "percentunit", bounds{zero, one}, nil},
	} {
		for _, language := range []schema.Language{"", schema.English, schema.API, "pt-BR", "es-ES"} {
			r := request(test.set, map[string]*columns.Table{"automations": goldenAutomations(), "tasks": goldenTasks()}[test.set])
			r.Language, r.Measure, r.Columns, r.Currency, r.Scale = language, test.measure, []string{test.measure}, test.currency, rates.Percent
			check := func(make builder, want bounds) {
				f := mustMake(t, make, r)
				require.Equal(t, test.unit, unitOf(t, f, test.measure), language)
				field, _ := f.FieldByName(test.measure)
				require.Equal(t, want, bounds{field.Config.Min, field.Config.Max}, test.measure)
			}
			check(makeNumeric, test.ofNumber)
			if r.DataSet.Field(test.measure) != nil {
				check(makeTable, test.ofColumn)
			}
		}
	}
}

func unitOf(t *testing.T, f *data.Frame, name string) string {
	t.Helper()
	field, _ := f.FieldByName(name)
	require.NotNil(t, field, name)
	return field.Config.Unit
}
