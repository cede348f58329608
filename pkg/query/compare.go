package query

import (
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/inputerror"
	"github.com/insights/insights-reporting-datasource/pkg/period"
	"github.com/insights/insights-reporting-datasource/schema"
)

// The values of compare: which earlier period to compare with.
const (
	comparePrevious = "previous"
	compareDay      = "day"
	compareWeek     = "week"
	compareMonth    = "month"
	compareYear     = "year"
)

// Comparisons are the values of compare.
var Comparisons = []string{comparePrevious, compareDay, compareWeek, compareMonth, compareYear}

// checkCompare rejects queries that cannot be compared with an earlier period. Errors are inputerror.Err.
func (q *Query) checkCompare() error {
	switch {
	case q.Compare == "":
		return nil
	case !q.showsMeasure():
		return inputerror.Errorf("compare %q: %s rows cannot be compared. Use format numeric or timeseries, or omit compare", q.Compare, q.Format)
	case q.IsAboutNow():
		return inputerror.Errorf("compare %q: measure %s describes the current state of tasks, and its earlier values are not available. Use another measure, omit compare, or record the value with a Grafana recording rule", q.Compare, q.Measure)
	case !q.Set.HasTimes() && !q.described().Additive:
		return inputerror.Errorf("compare %q: measure %s of data set %s is not available for an earlier period: the service reports it only up to now, and it is not additive. Use one of %s, use data set tasks, or omit compare",
			q.Compare, q.Measure, q.Set.Name, schema.List(schema.Names(q.Set.Drawn())))
	default:
		return nil
	}
}

// IsAboutNow reports whether the measure describes the current state of tasks, independent of the time range.
func (q *Query) IsAboutNow() bool { return q.described().Time == "now" }

// IsAboutRuns reports whether the frames are about when tasks ran, so that tasks count outside of the time range of
// their time field.
func (q *Query) IsAboutRuns() bool { return q.Format == Timeline || q.described().Time == "runs" }

// earlier returns the period to compare with, or nil.
func (q *Query) earlier() *period.Comparison {
	if q.Compare == "" {
		return nil
	}
	p := &q.Period
	shift := q.shift()
	c := &period.Comparison{Name: q.Compare, Shift: shift}
	if !q.Set.HasTimes() {
		return c
	}
	to := p.To
	if q.Format == Numeric {
		to = p.end()
	}
	c.From, c.To = shift(p.From), shiftEnd(shift, to)
	if c.To.Equal(p.From) {
		c.To = c.To.Add(-time.Millisecond) // both ends are included: a task on the boundary counts once
	}
	return c
}

// end returns the end of the period up to now: the current month is compared with the same part of the previous one.
func (p *Period) end() time.Time {
	if p.To.After(p.Now) {
		return p.Now
	}
	return p.To
}

// shift returns a function that moves a time of the period back to the period to compare with. It moves on the calendar of
// the time zone, because clocks may change in between, unless the period is no whole number of days or months.
func (q *Query) shift() func(time.Time) time.Time {
	p := &q.Period
	switch q.Compare {
	case compareDay:
		return p.back(0, 1)
	case compareWeek:
		return p.back(0, 7)
	case compareMonth:
		return p.back(1, 0)
	case compareYear:
		return p.back(12, 0)
	}
	if months := p.months(); months > 0 {
		return p.back(months, 0)
	}
	shown := p.wallClock(p.To).Sub(p.wallClock(p.From))
	if days := nearestDays(shown); days > 0 && (shown-time.Duration(days)*day).Abs() < time.Second {
		return p.back(0, days)
	}
	length := p.To.Sub(p.From)
	return func(t time.Time) time.Time { return t.Add(-length) }
}

// back moves a time back by months or by days.
func (p *Period) back(months, days int) func(time.Time) time.Time {
	return func(t time.Time) time.Time {
		if months > 0 {
			return monthsBefore(p.local(t), months).UTC()
		}
		return p.daysBefore(t, days)
	}
}

// months returns how many calendar months the period covers, so that the one before October is September; 0 if it does
// not cover whole months.
func (p *Period) months() int {
	start, end := p.local(p.From), p.local(rangeEnd(p.To))
	if !startsMonth(start) || !startsMonth(end) {
		return 0
	}
	return 12*(end.Year()-start.Year()) + int(end.Month()-start.Month())
}

func startsMonth(t time.Time) bool {
	hour, minute, second := t.Clock()
	return t.Day() == 1 && hour == 0 && minute == 0 && second == 0 && t.Nanosecond() == 0
}

// monthsBefore returns the same day of an earlier month, or the last day of that month if it is shorter.
func monthsBefore(t time.Time, months int) time.Time {
	year, month, d := t.Date()
	last := time.Date(year, month-time.Month(months)+1, 0, 0, 0, 0, 0, time.UTC).Day()
	hour, minute, second := t.Clock()
	return time.Date(year, month-time.Month(months), min(d, last), hour, minute, second, t.Nanosecond(), t.Location())
}

// shiftEnd moves the end of a period. Grafana's days and months end a millisecond before midnight: the end of November
// becomes the end of October, not October 30.
func shiftEnd(shift func(time.Time) time.Time, to time.Time) time.Time {
	return shift(to.Add(time.Millisecond)).Add(-time.Millisecond)
}

// rangeEnd returns the exclusive end of a range that ends in the last millisecond of a second.
func rangeEnd(to time.Time) time.Time {
	if to.Nanosecond() >= int(999*time.Millisecond) {
		return to.Truncate(time.Second).Add(time.Second)
	}
	return to
}
