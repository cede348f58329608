package plugin

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"

	"github.com/insights/insights-reporting-datasource/pkg/frame"
	"github.com/insights/insights-reporting-datasource/pkg/query"
	"github.com/insights/insights-reporting-datasource/pkg/reads"
)

// addMeta adds what the panel inspector shows: requests, costs, and what a reader of the numbers has to know. Of several frames,
// only the first one has costs and notices: Grafana lists them for each.
func addMeta(frames data.Frames, plan *query.Plan, rows *rows, shown *frame.Selection) {
	for _, out := range frames {
		out.Meta.ExecutedQueryString = rows.Executed
	}
	out := frames[0]
	age := 0.0
	if rows.Reused {
		age = max(0, plan.Period.Now.Sub(rows.AsOf).Seconds())
	}
	out.Meta.Stats = []data.QueryStat{
		stat("Pages read", "locale", float64(rows.Stats.Pages)),
		stat("Rows read", "locale", float64(rows.Stats.Rows)),
		stat("Requests to the service", "locale", float64(rows.Stats.Requests)),
		stat("Bytes received", "decbytes", float64(rows.Stats.Bytes)),
		stat("Time to read", "ms", float64(rows.Stats.Took.Microseconds())/1000),
		stat("Age of the cached read", "s", age),
	}
	if plan.Period.Notice != "" {
		notice(out, data.NoticeSeverityInfo, plan.Period.Notice)
	}
	if rows.differences != nil || rows.Complete() {
		addBegin(out, shown, plan.Format == query.TimeSeries)
	}
	for _, w := range rows.Warnings {
		field, isOfValues := strings.CutPrefix(w.Code, "value of ")
		if isOther := isOfValues && plan.Set.Field(field) != nil && !slices.Contains(plan.Read.Deciding, field); !isOther {
			notice(out, data.NoticeSeverityWarning, w.Text)
		}
	}
}

func notice(out *data.Frame, severity data.NoticeSeverity, text string) {
	out.AppendNotices(data.Notice{Severity: severity, Text: text})
}

func stat(name, unit string, value float64) data.QueryStat {
	return data.QueryStat{FieldConfig: data.FieldConfig{DisplayName: name, Unit: unit}, Value: value}
}

// addBegin informs that a part of the requested period is before what the service is known to have data of.
func addBegin(out *data.Frame, r *frame.Selection, isLine bool) {
	switch {
	case r.IsKnown(r.From, r.To):
	case r.IsTold():
		notice(out, data.NoticeSeverityInfo, "The service is known to have data only since "+r.Known.UTC().Format(time.RFC3339)+": there is no data of the period before that time")
	case isLine || r.End().Before(r.Known):
		notice(out, data.NoticeSeverityInfo, "The service lists no tasks, or does not tell since when it has data: a time without data is null, not 0")
	}
}

// combined returns the costs and warnings of the windows of a query.
func combined(windows []*reads.Result) *reads.Result {
	total := &reads.Result{Executed: windows[0].Executed, Organization: windows[0].Organization}
	if last := len(windows) - 1; last > 0 {
		total.Executed += fmt.Sprintf(" … %s (%d windows)", windows[last].Executed, last+1)
	}
	sum := &total.Stats
	for _, r := range windows {
		sum.Pages += r.Stats.Pages
		sum.Rows += r.Stats.Rows
		sum.Requests += r.Stats.Requests
		sum.Bytes += r.Stats.Bytes
		sum.Took += r.Stats.Took
		// The oldest of the cached windows.
		if r.Reused && (!total.Reused || r.AsOf.Before(total.AsOf)) {
			total.Reused, total.AsOf = true, r.AsOf
		}
		for _, w := range r.Warnings {
			// Sixty windows would repeat the same warning with sixty counts.
			if !slices.ContainsFunc(total.Warnings, func(other reads.Warning) bool { return other.Code == w.Code }) {
				total.Warnings = append(total.Warnings, w)
			}
		}
	}
	return total
}
