package query

import (
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/frame"
)

// covers describes the time of a number or of a table of totals; empty if it is the time range that was asked for.
func (q *Query) covers(asked backend.TimeRange, l frame.Language) string {
	p := &q.Period
	switch {
	case q.Format == TimeSeries || q.Format == Timeline || q.Set.HasTimes() && q.Days == 0 || q.IsAboutNow():
		return ""
	case !p.hasEnded():
		days := p.Days
		if q.Days > 0 {
			days = q.Days // a comparison looks further back
		}
		if p.isLast(asked.From, days) && !asked.To.Before(p.Now.Add(-liveSlack)) {
			return ""
		}
		return l.LastDays(days)
	case p.Steps == nil:
		return l.Since(p.local(p.From), p.local(p.Now))
	case p.isLast(p.From, p.Steps.Days[0]) && p.isLast(p.To, p.Steps.Days[1]):
		return ""
	default:
		// A period up to midnight does not touch the next day.
		return l.Between(p.local(p.From), p.local(p.To.Add(-time.Millisecond)), p.local(p.Now))
	}
}

// isLast reports whether a time is that number of days ago.
func (p *Period) isLast(t time.Time, days int) bool {
	return t.Sub(p.daysBefore(p.Now, days)).Abs() <= rangeSlack
}

// notice says which time the numbers cover if it is not the time range.
func (q *Query) notice(covers string) string {
	p := &q.Period
	switch {
	case q.Days > 0 && q.Format == Numeric && covers != "":
		return "These numbers cover the " + covers + ", as set in Last days (days), not the time range"
	case q.Set.HasTimes() || q.Days > 0:
		return ""
	case p.Now.Sub(p.To) >= liveSlack:
		return "The time range ends at " + p.To.UTC().Format(time.RFC3339) + ", but the service totals " + q.Set.Name +
			" up to now, so these numbers include later activity. Data set " + datasets.Default().Name + " can be limited to the time range."
	case covers != "":
		return "These numbers cover the " + covers + ": the service totals " + q.Set.Name + " over whole days up to now, and the time range is shorter"
	default:
		return ""
	}
}
