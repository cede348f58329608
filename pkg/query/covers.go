package query

import (
	"fmt"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"

	"github.com/insights/insights-reporting-datasource/datasets"
)

// covers describes the time of a number or of a table of totals; empty if it is the time range that was asked for.
func (q *Query) covers(asked backend.TimeRange) string {
	p := &q.Period
	switch {
	case q.Format == TimeSeries || q.Set.HasHistory() && q.Days == 0 || q.IsAboutNow():
		return ""
	case !p.hasEnded():
		if q.Days > 0 {
			return p.lastDays(q.Days, asked)
		}
		return p.lastDays(p.Days, asked)
	case p.Steps == nil:
		return "≈ " + p.date(p.From) + " until now"
	case p.isLast(p.From, p.Steps.Days[0]) && p.isLast(p.To, p.Steps.Days[1]):
		return ""
	default:
		return "≈ " + p.dates()
	}
}

// lastDays describes the last so many days; empty if the range that was asked for is these.
func (p *Period) lastDays(days int, asked backend.TimeRange) string {
	switch {
	case p.isLast(asked.From, days) && !asked.To.Before(p.Now.Add(-liveSlack)):
		return ""
	case days == 1:
		return "last 24 h"
	default:
		return fmt.Sprintf("last %d days", days)
	}
}

// isLast reports whether a time is so many days ago.
func (p *Period) isLast(t time.Time, days int) bool {
	return t.Sub(p.daysBefore(p.Now, days)).Abs() <= rangeSlack
}

// dates describes the days of the period: "1 – 31 Oct".
func (p *Period) dates() string {
	// A period up to midnight does not touch the next day.
	begin, end := p.local(p.From), p.local(p.To.Add(-time.Millisecond))
	switch {
	case begin.Year() != end.Year() || begin.Month() != end.Month():
		return p.date(begin) + " – " + p.date(end)
	case begin.Day() != end.Day():
		return begin.Format("2") + " – " + p.date(end)
	default:
		return p.date(end)
	}
}

// date formats a day, with its year if that is not the current one.
func (p *Period) date(t time.Time) string {
	if t = p.local(t); t.Year() != p.local(p.Now).Year() {
		return t.Format("2 Jan 2006")
	}
	return t.Format("2 Jan")
}

// notice says which time the numbers cover if it is not the time range.
func (q *Query) notice() string {
	p := &q.Period
	switch {
	case q.Days > 0 && q.Format == Numeric && p.Covers != "":
		return "These numbers cover the " + p.Covers + ", as set in Days (days), not the time range"
	case q.Set.HasHistory() || q.Days > 0:
		return ""
	case p.Now.Sub(p.To) >= liveSlack:
		return "The time range ends at " + p.To.UTC().Format(time.RFC3339) + ", but the service totals " + q.Set.Name +
			" up to now, so these numbers include later activity. Data set " + datasets.Get("tasks").Name + " can be limited to the time range."
	case p.Covers != "":
		return "These numbers cover the " + p.Covers + ": the service totals " + q.Set.Name + " over whole days up to now, and the time range is shorter"
	default:
		return ""
	}
}
