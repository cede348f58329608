package frame_test

import (
	"testing"

	"github.com/grafana/grafana-plugin-sdk-go/data"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/filter"
	"github.com/insights/insights-reporting-datasource/pkg/rates"
	"github.com/insights/insights-reporting-datasource/schema"
)

// ratesOf returns automations by uptime and downtime; both report a success rate of their own.
func ratesOf(upAndDown ...[2]float64) []record {
	rows := make([]record, len(upAndDown))
	for i, r := range upAndDown {
		rows[i] = record{"label": string(rune('a' + i)), "uptimeRate": r[0], "downtimeRate": r[1], "successRate": r[0]}
	}
	return rows
}

// The scale of rates is detected from uptime + downtime, which is near 1 or near 100, and only if all rows agree.
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
			}
		})
	}
}

// The scale belongs to the workspace: filters do not change it, and all formats agree. A rate is never rescaled.
func TestRateScaleIsReadFromAllRows(t *testing.T) {
	r := request("automations", tableOf("automations", ratesOf([2]float64{0.9, 0.1}, [2]float64{90, 10})[:1]))
	r.Filters, r.Measure, r.GroupBy = []*filter.Filter{where(t, "label", "=", "none")}, "uptimeRate", []string{"label"}
	require.Equal(t, "percentunit", unitOf(t, mustMake(t, makeTable, r), "uptimeRate"))
	r.Filters = nil
	f := mustMake(t, makeNumeric, r)
	require.Equal(t, "percentunit", unitOf(t, f, "uptimeRate"))
	require.Equal(t, instances{key(map[string]string{"label": "a"}): ptr(0.9)}, readNumeric(t, f, "uptimeRate"))
}

// The setting adds its currency to savings only, and rates that the plugin computes are fractions in any case. Grafana writes
// rates, durations, and decimals with a decimal point, and "23 hours", in every language: where a point separates thousands,
// numbers have no separators, and durations no words.
func TestUnits(t *testing.T) {
	for _, test := range []struct{ set, measure, currency, english, others string }{
		{"automations", "sumItems", "", "locale", "none"},
		{"automations", "savings", "", "locale", "none"},
		{"automations", "savings", "BRL", "currencyBRL", "currencyBRL"},
		{"automations", "savings", "ARS", "currency:ARS ", "currency:ARS "},
		{"automations", "roi", "BRL", "", ""},
		{"tasks", "duration", "", "s", "dthms"},
		{"tasks", "successRate", "", "percentunit", "percentunit"},
	} {
		for language, want := range map[schema.Language]string{"": test.english, schema.English: test.english, schema.API: test.english, "pt-BR": test.others, "es-ES": test.others} {
			r := request(test.set, map[string]*columns.Table{"automations": goldenAutomations(), "tasks": goldenTasks()}[test.set])
			r.Language, r.Measure, r.Columns, r.Currency, r.Scale = language, test.measure, []string{test.measure}, test.currency, rates.Percent
			require.Equal(t, want, unitOf(t, mustMake(t, makeNumeric, r), test.measure), language)
			if r.DataSet.Field(test.measure) != nil {
				require.Equal(t, want, unitOf(t, mustMake(t, makeTable, r), test.measure), language)
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
