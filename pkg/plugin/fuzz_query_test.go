package plugin

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/grafana/grafana-plugin-sdk-go/data"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/inputerror"
	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
	"github.com/insights/insights-reporting-datasource/schema"
)

// extremes returns rows of a data set with nulls, empty texts and the limits of each type, and two fields that are not in the
// description.
func extremes(set *schema.DataSet) string {
	cells := map[schema.Type][]any{
		schema.Integer: {nil, 1, math.MinInt64, math.MaxInt64},
		schema.Number:  {nil, 0.5, -math.MaxFloat64, math.MaxFloat64},
		schema.Time:    {nil, "2026-11-20T10:05:00Z", "1677-09-21T00:12:43.145224193Z", "2262-04-11T23:47:16.854775806Z"},
		schema.String:  {nil, "FINISHED", "", `a "ü", b`},
	}
	var rows []string
	for n := range 4 {
		row := map[string]any{"extra": cells[schema.String][n], "flag": cells[schema.Number][n]}
		for _, f := range set.Fields {
			row[f.Name] = cells[f.Type][n]
		}
		raw, _ := json.Marshal(row)
		rows = append(rows, string(raw))
	}
	return page(rows...)
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
	s := servicetest.New()
	for _, set := range schema.All() {
		s.Data(set.Path, servicetest.OK(extremes(set)))
	}
	i := newInstance(f.Context(), source(s.Start(f).URL, "currency", "BRL", "cacheTTL", 3600), schema.All())
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, raw []byte, queryType string, from, to, interval, points int64) {
		frames, err := i.answer(t.Context(), backend.DataQuery{
			JSON: raw, QueryType: queryType, Interval: time.Duration(interval) * time.Millisecond, MaxDataPoints: points,
			TimeRange: backend.TimeRange{From: time.UnixMilli(from), To: time.UnixMilli(to)},
		}, false, now)
		if err != nil {
			require.ErrorIs(t, err, inputerror.Err)
			return
		}
		require.NotEmpty(t, frames)
		for _, out := range frames {
			raw, err := out.MarshalArrow()
			require.NoError(t, err)
			arrived, err := data.UnmarshalArrowFrame(raw)
			require.NoError(t, err)
			require.Equal(t, out.Rows(), arrived.Rows())
		}
	})
}
