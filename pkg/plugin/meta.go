package plugin

import (
	"context"
	"fmt"
	"regexp"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"

	"github.com/insights/insights-reporting-datasource/pkg/frame"
	"github.com/insights/insights-reporting-datasource/pkg/query"
	"github.com/insights/insights-reporting-datasource/pkg/reads"
)

// addMeta adds what the panel inspector shows: requests, their cost, and warnings about truncated results. Of several
// frames, only the first one has cost and warnings: Grafana lists those of each.
func addMeta(frames data.Frames, result *reads.Result, now time.Time) {
	for _, out := range frames {
		out.Meta.ExecutedQueryString = result.Executed
	}
	out := frames[0]
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

// note adds what the period of a query says about its numbers.
func note(out *data.Frame, q *query.Query) {
	if q.Period.Notice != "" {
		out.AppendNotices(data.Notice{Severity: data.NoticeSeverityInfo, Text: q.Period.Notice})
	}
}

// visibly is the share of a period that has to be empty before the first task for a notice.
const visibly = 0.1

// beginNotice informs that the first task is later than the start of the requested period.
func beginNotice(ctx context.Context, q *query.Query, result *reads.Result) ([]data.Notice, error) {
	if !q.Set.HasTimes() || q.IsAboutNow() || !result.Complete() {
		return nil, nil
	}
	first, err := frame.Earliest(ctx, result.Table, q.Set.TimeFields[0])
	if err != nil || first.IsZero() {
		return nil, err
	}
	begin := q.Period.From
	if empty := first.Sub(begin); empty < 24*time.Hour || empty < time.Duration(visibly*float64(q.Period.Now.Sub(begin))) {
		return nil, nil
	}
	text := "The first task that the service lists was created at " + first.UTC().Format(time.RFC3339) +
		", after the requested period starts: there is no data before that time"
	return []data.Notice{{Severity: data.NoticeSeverityInfo, Text: text}}, nil
}

// summary combines the costs and warnings of the windows of a query, without their rows.
type summary struct {
	total    reads.Result
	executed []string
	warnings [][]string
	notes    [][]string
}

func newSummary(windows int) *summary {
	return &summary{executed: make([]string, windows), warnings: make([][]string, windows), notes: make([][]string, windows)}
}

func (s *summary) add(n int, r *reads.Result) {
	s.executed[n], s.warnings[n], s.notes[n] = r.Executed, r.Warnings, r.Notes
	sum := &s.total.Stats
	sum.Pages += r.Stats.Pages
	sum.Rows += r.Stats.Rows
	sum.Requests += r.Stats.Requests
	sum.Bytes += r.Stats.Bytes
	sum.Took += r.Stats.Took
	sum.Kept += r.Stats.Kept
	sum.BaseAge = max(sum.BaseAge, r.Stats.BaseAge)
	// The oldest of the cached windows.
	if r.Reused && (!s.total.Reused || r.ReadAt.Before(s.total.ReadAt)) {
		s.total.Reused, s.total.ReadAt = true, r.ReadAt
	}
}

func (s *summary) result() *reads.Result {
	s.total.Executed = s.executed[0]
	if last := len(s.executed) - 1; last > 0 {
		s.total.Executed += fmt.Sprintf(" … %s (%d windows)", s.executed[last], last+1)
	}
	s.total.Warnings, s.total.Notes = once(s.warnings), once(s.notes)
	return &s.total
}

var digits = regexp.MustCompile(`\d+`)

// once keeps the first of messages that differ only in their numbers: sixty windows would repeat the same warning with
// sixty counts.
func once(windows [][]string) []string {
	var kept []string
	seen := map[string]bool{}
	for _, texts := range windows {
		for _, text := range texts {
			if kind := digits.ReplaceAllString(text, ""); !seen[kind] {
				seen[kind] = true
				kept = append(kept, text)
			}
		}
	}
	return kept
}
