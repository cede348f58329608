package query

import (
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/period"
	"github.com/insights/insights-reporting-datasource/schema"
)

const (
	comparePrevious = "previous"
	compareHour     = "hour"
)

// Comparisons are the values of compare: which earlier period to compare with.
var Comparisons = []string{comparePrevious, compareHour, "day", "week", "month", "year"}

// calendar is a number of months or, without these, of days.
type calendar struct{ months, days int }

// shifts are how far back the earlier periods are on the calendar.
var shifts = map[string]calendar{"day": {days: 1}, "week": {days: 7}, "month": {months: 1}, "year": {months: 12}}

// Kinds of measures: of when tasks ran, so that they count outside of the time range of their time field, and those about which
// tasks from before the time range decide.
var (
	isOfRuns   = func(m *schema.Measure) bool { return m.Time == "runs" }
	hasHistory = (*schema.Measure).HasHistory
)

// earlier returns the period to compare with, or nil.
func (q *Plan) earlier() *period.Comparison {
	if q.compare == "" {
		return nil
	}
	p := &q.Period
	c := &period.Comparison{Name: q.compare, Shift: q.shift()}
	if !q.Set.HasTimes() {
		return c
	}
	to := p.To
	if q.Format == Numeric {
		to = p.end()
	}
	c.From, c.To = c.Shift(p.From), shiftEnd(c.Shift, to)
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
// the time zone, because clocks may change in between, unless it is by an hour, or the period is no whole number of days or months.
func (q *Plan) shift() func(time.Time) time.Time {
	p, by, length := &q.Period, shifts[q.compare], time.Hour
	if q.compare == comparePrevious {
		by, length = p.calendarLength(), p.To.Sub(p.From)
	}
	switch {
	case by.months > 0:
		return func(t time.Time) time.Time { return monthsBefore(p.local(t), by.months) }
	case by.days > 0:
		return func(t time.Time) time.Time { return p.daysBefore(t, by.days) }
	default:
		return func(t time.Time) time.Time { return t.Add(-length) }
	}
}

// calendarLength returns how many calendar months the period covers, so that the one before October is September, or how
// many days; nothing if it covers neither whole months nor whole days.
func (p *Period) calendarLength() calendar {
	start, end := p.local(p.From), p.local(p.To.Add(time.Millisecond).Truncate(time.Second))
	if startsMonth(start) && startsMonth(end) {
		return calendar{months: 12*(end.Year()-start.Year()) + int(end.Month()-start.Month())}
	}
	length := p.wallClock(p.To).Sub(p.wallClock(p.From))
	if days := nearestDays(length); (length - time.Duration(days)*day).Abs() < time.Second {
		return calendar{days: days}
	}
	return calendar{}
}

func startsMonth(t time.Time) bool {
	return t.Equal(time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, t.Location()))
}

// monthsBefore returns the same time of the same day of an earlier month, or of the last day of that month if it is shorter.
func monthsBefore(t time.Time, months int) time.Time {
	year, month, d := t.Date()
	month -= time.Month(months)
	last := time.Date(year, month+1, 0, 0, 0, 0, 0, time.UTC).Day()
	return onDate(t, year, month, min(d, last))
}

// onDate returns the same time of another day.
func onDate(t time.Time, year int, month time.Month, d int) time.Time {
	hour, minute, second := t.Clock()
	return period.Date(year, month, d, hour, minute, second, t.Nanosecond(), t.Location()).UTC()
}

// shiftEnd moves the end of a period. Grafana's days and months end a millisecond before midnight: the end of November
// becomes the end of October, not October 30.
func shiftEnd(shift func(time.Time) time.Time, to time.Time) time.Time {
	return shift(to.Add(time.Millisecond)).Add(-time.Millisecond)
}
