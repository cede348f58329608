package query

import (
	"math"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"

	"github.com/insights/insights-reporting-datasource/pkg/inputerror"
	"github.com/insights/insights-reporting-datasource/pkg/period"
	"github.com/insights/insights-reporting-datasource/schema"
)

const (
	day   = 24 * time.Hour
	slack = period.Slack
	// earlierMargin is how far tasks are read beyond a period that is not about their creation: tasks that were created before
	// it may run or end in it, such as one that hangs since before the weekend.
	earlierMargin = 3 * day
)

// A time range is limited to these dates, so that its times, an equally long period before it, and their differences fit
// into 64 bits of nanoseconds.
var (
	earliest = time.Date(1900, 1, 1, 0, 0, 0, 0, time.UTC)
	latest   = time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)
)

// Period is the time that a query covers, and what is read for it. It is resolved once, as of one moment.
type Period struct {
	period.Range
	// Steps are the days of the windows whose differences are the activity of totals; nil: no windows are needed.
	Steps *period.Steps
	// Notice says that the steps of a line are not what was asked for, and why; empty: they are.
	Notice string

	requested backend.TimeRange // which the numbers may not cover
}

// resolve sets the period from the time range of the request. Errors are inputerror.Err.
func (q *Plan) resolve(timeRange backend.TimeRange, now time.Time) error {
	switch from, to := timeRange.From.UTC().Format(time.RFC3339), timeRange.To.UTC().Format(time.RFC3339); {
	case !timeRange.To.After(timeRange.From):
		return inputerror.Errorf("the time range from %s to %s is empty: select an end after its start", from, to)
	case timeRange.From.Before(earliest) || timeRange.To.After(latest):
		return inputerror.Errorf("the time range from %s to %s is too long: select one between %s and %s", from, to, earliest.Format(time.DateOnly), latest.Format(time.DateOnly))
	}
	p := &q.Period
	p.Now = now
	if q.isUntilNow && !q.Set.HasTimes() && now.After(timeRange.To) {
		// The range ended at now when the panel was drawn, but is out of date since, for example while a panel is edited.
		// Totals up to now would appear to belong to a range that has ended.
		timeRange.From, timeRange.To = timeRange.From.Add(now.Sub(timeRange.To)), now
	}
	p.requested, p.From, p.To = timeRange, timeRange.From, timeRange.To
	drawsTasks := q.Set.HasTimes() && (q.Format == TimeSeries || q.Format == Timeline)
	if q.days > 0 && !drawsTasks {
		if now.Sub(p.To).Abs() >= slack {
			p.To = now
		}
		p.From = p.daysBefore(p.To, q.days)
	}
	p.Cut = q.Set.HasTimes() && (q.days == 0 || drawsTasks || q.compare != "")
	p.Earlier = q.earlier()
	p.Since = q.since()
	q.setSteps()
	return nil
}

// since returns the creation of the first tasks that count; zero if that are the first ones of the days.
func (q *Plan) since() time.Time {
	switch begin := q.Period.Begin(); {
	case !q.Set.HasTimes() || q.days > 0 && q.compare == "" || q.areAll(hasHistory):
		return time.Time{}
	case q.Format == Timeline || q.isAny(isOfRuns) || q.TimeField != q.Set.TimeFields[0]:
		return begin.Add(-earlierMargin)
	default:
		return begin
	}
}

// lookBack returns how many days the service is asked to look back. They cover the period, the one it is compared with, and
// since when tasks count.
func (q *Plan) lookBack() int {
	p := &q.Period
	switch {
	case q.isAny(hasHistory) && (q.days == 0 || q.compare != ""):
		return max(q.days, schema.Attention.Days, p.daysSpanned(p.Begin().Add(-earlierMargin)))
	case !p.Since.IsZero():
		return max(q.days, p.daysSpanned(p.Since))
	case q.days > 0 && q.Format == Timeline: // The range is drawn whole; the days are those of its lanes.
		return max(q.days, p.daysSpanned(p.From.Add(-earlierMargin)))
	case q.days > 0:
		return q.days
	default:
		return p.length()
	}
}

// length returns the days of the period up to now, rounded up, at least 1. It counts calendar days, as Grafana does for
// "last 7 days": these are 7 even if the clocks have changed since. They are also 7 if they ended an hour ago.
func (p *Period) length() int {
	return wholeDays(p.wallClock(p.end()).Sub(p.wallClock(p.From)) - slack)
}

// Begin returns the start of the period, including a compared one of tasks.
func (p *Period) Begin() time.Time {
	if p.Earlier == nil || p.Earlier.From.IsZero() {
		return p.From
	}
	return p.Earlier.From
}

// hasEnded reports whether the period ended on a day before the last one.
func (p *Period) hasEnded() bool {
	_, near := p.ends()
	return near > 0
}

// daysSpanned returns the days of 24 hours that reach back to a time of tasks, and one more: a day of the service may be a
// calendar day, of which today is the first, and its clock or time zone another one.
func (p *Period) daysSpanned(t time.Time) int { return wholeDays(p.Now.Sub(t)-slack) + 1 }

// daysSince returns how many days of 24 hours before now a time is, to the nearest.
func (p *Period) daysSince(t time.Time) int { return nearestDays(p.Now.Sub(t)) }

// daysBefore returns the same time of day a number of calendar days earlier.
func (p *Period) daysBefore(t time.Time, days int) time.Time {
	t = p.local(t)
	year, month, d := t.Date()
	return onDate(t, year, month, d-days)
}

// local converts a time to the period's time zone.
func (p *Period) local(t time.Time) time.Time { return t.In(p.Zone) }

// wallClock returns what a clock of the period's time zone shows.
func (p *Period) wallClock(t time.Time) time.Time { return period.WallClock(p.local(t)) }

// wholeDays rounds a duration up to days, at least 1.
func wholeDays(d time.Duration) int { return max(1, int(math.Ceil(d.Hours()/24))) }

// nearestDays rounds a duration to the nearest number of days.
func nearestDays(d time.Duration) int { return int(math.Round(d.Hours() / 24)) }
