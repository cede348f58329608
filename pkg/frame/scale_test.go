package frame_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/filter"
	"github.com/insights/insights-reporting-datasource/pkg/frame"
	"github.com/insights/insights-reporting-datasource/schema"
)

// rates returns automations by uptime and downtime; both report a success rate of their own.
func rates(upAndDown ...[2]float64) []record {
	rows := make([]record, len(upAndDown))
	for i, r := range upAndDown {
		rows[i] = record{
			texts:   map[string]string{"label": string(rune('a' + i))},
			numbers: map[string]float64{"uptimeRate": r[0], "downtimeRate": r[1], "successRate": r[0]},
		}
	}
	return rows
}

// The scale of rates is detected from uptime + downtime, which is near 1 or near 100, and only if all rows agree.
func TestRateScale(t *testing.T) {
	onlyUp := record{numbers: map[string]float64{"uptimeRate": 97}}
	tests := []struct {
		name string
		rows []record
		unit string
	}{
		{"fractions", rates([2]float64{0.9, 0.1}, [2]float64{0, 1}, [2]float64{1, 0}), "percentunit"},
		{"percents", rates([2]float64{90, 10}, [2]float64{0, 100}, [2]float64{100, 0}), "percent"},
		{"rounded fractions", rates([2]float64{0.67, 0.34}, [2]float64{0.3, 0.69}), "percentunit"},
		{"rounded percents", rates([2]float64{67, 34}, [2]float64{30.4, 69.5}), "percent"},
		{"1 percent is not a fraction if others are percents", rates([2]float64{1, 99}, [2]float64{99, 1}), "percent"},
		{"both at once", rates([2]float64{0.9, 0.1}, [2]float64{90, 10}), ""},
		{"neither", rates([2]float64{40, 20}), ""},
		{"one of many is neither", rates([2]float64{0.9, 0.1}, [2]float64{0.4, 0.2}), ""},
		{"negative", rates([2]float64{-0.5, 0.1}), ""},
		{"automations that never ran are inconclusive", rates([2]float64{0, 0}, [2]float64{0, 0}), ""},
		{"automations that never ran are ignored", rates([2]float64{0, 0}, [2]float64{0.9, 0.1}), "percentunit"},
		{"one of the two is null", []record{onlyUp}, ""},
		{"one of the two is null, with other rows", append(rates([2]float64{0.9, 0.1}), onlyUp), "percentunit"},
		{"no rows", nil, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			require.Equal(t, test.unit, unitOfRates(t, test.rows, frame.ScaleAuto))
			require.Equal(t, "percentunit", unitOfRates(t, test.rows, frame.ScaleFraction), "the setting decides")
			require.Equal(t, "percent", unitOfRates(t, test.rows, frame.ScalePercent), "the setting decides")
		})
	}
}

// unitOfRates returns the unit of all rates of a table and of a number, and checks that the scale changes only the
// unit.
func unitOfRates(t *testing.T, rows []record, scale frame.RateScale) string {
	t.Helper()
	r := request("automations", tableOf("automations", rows))
	r.Scale = scale
	f := mustMake(t, makeTable, r)
	var unit string
	for _, name := range []string{"uptimeRate", "downtimeRate", "successRate"} {
		field, _ := f.FieldByName(name)
		unit = field.Config.Unit
		for i, row := range rows {
			value, ok := field.ConcreteAt(i)
			want, known := row.numbers[name]
			require.Equal(t, known, ok)
			if known {
				require.Equal(t, want, value, "a rate is never rescaled")
			}
		}
	}
	for _, name := range []string{"taskCount", "roi", "savings"} {
		field, _ := f.FieldByName(name)
		require.NotContains(t, field.Config.Unit, "percent", "%s is not a rate", name)
	}
	r.Measure, r.GroupBy = "uptimeRate", []string{"label"}
	if len(rows) > 0 {
		number := mustMake(t, makeNumeric, r)
		require.Equal(t, unit, number.Fields[0].Config.Unit)
	}
	return unit
}

// The scale belongs to the workspace: filters do not change it, and all formats agree.
func TestRateScaleIsReadFromAllRows(t *testing.T) {
	r := request("automations", tableOf("automations", rates([2]float64{0.9, 0.1}, [2]float64{0, 0})))
	r.Filters = []*filter.Filter{where(t, "label", "=", "b")}
	f := mustMake(t, makeTable, r)
	require.Equal(t, 1, f.Rows())
	up, _ := f.FieldByName("uptimeRate")
	require.Equal(t, "percentunit", up.Config.Unit)
}

// Runners have no uptime: their scale is known from the setting only. Rates that the plugin computes are fractions in
// any case.
func TestRateScaleOfOtherDataSets(t *testing.T) {
	runners := []record{{texts: map[string]string{"_id": "7"}, numbers: map[string]float64{"utilizationRate": 0.5}}}
	for scale, unit := range map[frame.RateScale]string{frame.ScaleAuto: "", frame.ScaleFraction: "percentunit", frame.ScalePercent: "percent"} {
		r := &spec{DataSet: schema.All().Get("runners"), Rows: tableOf("runners", runners), Measure: "utilizationRate", Scale: scale}
		f := mustMake(t, makeNumeric, r)
		require.Equal(t, unit, f.Fields[0].Config.Unit)
		require.Equal(t, instances{key(nil): ptr(0.5)}, readNumeric(t, f, "utilizationRate"))

		tasks := request("tasks", tasksTable([]task{{finishStatus: ptr("SUCCESS"), dateCreation: ptr(now)}}))
		tasks.Measure, tasks.Scale = "successRate", scale
		require.Equal(t, "percentunit", mustMake(t, makeNumeric, tasks).Fields[0].Config.Unit)
		require.Equal(t, "percentunit", mustMake(t, makeTimeSeries, tasks).Fields[1].Config.Unit)
	}
}
