package plugin

import (
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"

	"github.com/insights/insights-reporting-datasource/pkg/reads"
)

// addMeta adds what the panel inspector shows: requests, their cost, and warnings about truncated results.
func addMeta(out *data.Frame, result *reads.Result, now time.Time) {
	out.Meta.ExecutedQueryString = result.Executed
	age := 0.0
	if result.Reused {
		age = max(0, now.Sub(result.ReadAt).Seconds())
	}
	out.Meta.Stats = []data.QueryStat{
		stat("Pages read", "locale", float64(result.Stats.Pages)),
		stat("Rows read", "locale", float64(result.Stats.Rows)),
		stat("Requests to the service", "locale", float64(result.Stats.Requests)),
		stat("Bytes received", "decbytes", float64(result.Stats.Bytes)),
		stat("Time to read", "ms", float64(result.Stats.Took.Microseconds())/1000),
		stat("Age of the cached read", "s", age),
		stat("Rows kept from an earlier read", "locale", float64(result.Stats.Kept)),
		stat("Age of the earlier read", "s", result.Stats.BaseAge.Seconds()),
	}
	for _, warning := range result.Warnings {
		out.AppendNotices(data.Notice{Severity: data.NoticeSeverityWarning, Text: warning})
	}
	for _, note := range result.Notes {
		out.AppendNotices(data.Notice{Severity: data.NoticeSeverityInfo, Text: note})
	}
}

func stat(name, unit string, value float64) data.QueryStat {
	return data.QueryStat{FieldConfig: data.FieldConfig{DisplayName: name, Unit: unit}, Value: value}
}
