package plugin

import (
	"math"
	"testing"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/grafana/grafana-plugin-sdk-go/data"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/columnstest"
	"github.com/insights/insights-reporting-datasource/pkg/frame"
	"github.com/insights/insights-reporting-datasource/pkg/inputerror"
	"github.com/insights/insights-reporting-datasource/pkg/query"
	"github.com/insights/insights-reporting-datasource/pkg/rates"
	"github.com/insights/insights-reporting-datasource/pkg/reads"
	"github.com/insights/insights-reporting-datasource/schema"
)

// fuzzTable has a few rows of a data set, with nulls, empty texts and the limits of each type, and two fields that are
// not in the description.
func fuzzTable(set *schema.DataSet) *columns.Table {
	cells := map[schema.Type][]any{
		schema.Integer: {nil, int64(1), int64(math.MinInt64), int64(math.MaxInt64)},
		schema.Number:  {nil, 0.5, -math.MaxFloat64, math.MaxFloat64},
		schema.Time:    {nil, time.Date(2026, 11, 20, 10, 5, 0, 0, time.UTC), time.Unix(0, math.MinInt64+1), time.Unix(0, math.MaxInt64-1)},
		schema.String:  {nil, "FINISHED", "", `a "ü", b`},
	}
	table := &columns.Table{Rows: 4}
	fields := append([]schema.Field{{Named: schema.Named{Name: "extra"}, Type: schema.String}, {Named: schema.Named{Name: "flag"}, Type: schema.Number}}, set.Fields...)
	for _, field := range fields {
		table.Columns = append(table.Columns, columnstest.New(field.Name, field.Type, cells[field.Type]...))
	}
	return table
}

// The saved query is JSON that other programs write, too. Any input yields a frame that Grafana can read, or a 400.
func FuzzQuery(f *testing.F) {
	at := time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC).UnixMilli()
	for _, seed := range []string{
		`{}`, `[]`, `{"days":1e999}`, `{"queryType":"automations","days":7,"sort":{"field":"label","order":"asc"},"limit":2}`,
		`{"queryType":"runners","columns":["tasks","_id","extra"],"sort":{"field":"flag","order":"desc"},"search":"a"}`,
		`{"format":"numeric","measure":"tasks","groupBy":["state"],"filters":[{"key":"state","operator":"=~","value":"a|b"}]}`,
		`{"format":"timeseries","measure":"duration","groupBy":["machineId"],"timeField":"dateLastModified","timezone":"America/Sao_Paulo","limit":1}`,
		`{"queryType":"automations","format":"numeric","measure":"savings","groupBy":["label"],"sort":{"field":"savings"}}`,
		`{"format":"timeseries","measure":"tasks","groupBy":["state"],"compare":"month","per":"day","timezone":"Europe/Berlin"}`,
		`{"format":"attention"}`, `{"format":"attention","groupBy":["machineId"],"attention":{"failures":"2","slow":0.5,"silent":0}}`,
		`{"format":"timeseries","measure":"occupancy","compare":"previous","per":"month"}`,
		`{"format":"numeric","measure":"successRate","groupBy":["state"],"compare":"previous","days":7,"untilNow":true}`,
		`{"queryType":"automations","format":"timeseries","measure":"savings","compare":"previous","per":"month","timezone":"America/Sao_Paulo"}`,
		`{"queryType":"automations","format":"numeric","measure":"savings","compare":"year","groupBy":["label"]}`,
		`{"days":30,"filters":[{"key":"id","operator":"=|","values":["1",""]},{"key":"dateCreation","operator":">","value":"2026-01-31"}]}`,
	} {
		f.Add([]byte(seed), "", at, at+86_400_000, int64(60_000), int64(1000))
		f.Add([]byte(seed), "runners", int64(math.MinInt64), int64(math.MaxInt64), int64(-1), int64(0))
	}
	tables := map[string]*columns.Table{}
	for _, set := range schema.All() {
		tables[set.Name] = fuzzTable(set)
	}
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, raw []byte, queryType string, from, to, interval, points int64) {
		q, err := query.Parse(schema.All(), backend.DataQuery{
			JSON: raw, QueryType: queryType, Interval: time.Duration(interval) * time.Millisecond, MaxDataPoints: points,
			TimeRange: backend.TimeRange{From: time.UnixMilli(from), To: time.UnixMilli(to)},
		}, now, false)
		if err != nil {
			require.ErrorIs(t, err, inputerror.Err)
			return
		}
		require.GreaterOrEqual(t, q.Read.All.Days, 1)
		frames, err := made(t, q, tables[q.Set.Name])
		if err != nil {
			require.ErrorIs(t, err, inputerror.Err)
			return
		}
		require.NotEmpty(t, frames)
		for _, out := range frames {
			requireSent(t, out)
		}
	})
}

var fuzzed = &Instance{settings: &Settings{RateScale: rates.Auto, Currency: "BRL"}}

// made returns the frames of a plan, if needed from windows that all have the same rows.
func made(t *testing.T, q *query.Plan, table *columns.Table) (data.Frames, error) {
	t.Helper()
	q.Read.KnownSince = false // There is no service to ask.
	read := &rows{Result: &reads.Result{Table: table}}
	if q.Period.Steps != nil {
		days := q.Period.Steps.Windows()
		require.LessOrEqual(t, len(days), query.MaxWindows)
		read.differences = frame.NewDifferences(q.Set, q.Read.Additive, *q.Period.Steps)
		for n := range days {
			require.True(t, days[n] >= 1 && (n == 0 || days[n] < days[n-1]))
			read.differences.Add(days[n], table)
		}
	}
	return framesOf(t.Context(), q, fuzzed.selection(t.Context(), q, read))
}

// requireSent checks that a frame can be sent to Grafana.
func requireSent(t *testing.T, out *data.Frame) {
	t.Helper()
	raw, err := out.MarshalArrow()
	require.NoError(t, err)
	arrived, err := data.UnmarshalArrowFrame(raw)
	require.NoError(t, err)
	require.Equal(t, out.Rows(), arrived.Rows())
}
