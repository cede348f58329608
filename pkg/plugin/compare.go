package plugin

import (
	"time"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/frame"
	"github.com/insights/insights-reporting-datasource/pkg/inputerror"
)

// The values of compare: which earlier period to compare with.
const (
	comparePrevious = "previous"
	compareDay      = "day"
	compareWeek     = "week"
	compareMonth    = "month"
	compareYear     = "year"
)

var comparisons = []string{comparePrevious, compareDay, compareWeek, compareMonth, compareYear}

// comparison returns the earlier period to compare the range with, or nil.
func (q *query) comparison(now time.Time) *frame.Comparison {
	if q.compare == "" {
		return nil
	}
	shift := q.shift(now)
	c := &frame.Comparison{Name: q.compare, Words: q.compare + " before", Shift: shift}
	if q.compare == comparePrevious {
		c.Words = "period before"
	}
	if q.set.HasHistory() {
		from, to := q.compared(now)
		if q.format == formatNumeric && to.After(now) {
			to = now // the current month is compared with the same part of the previous one
		}
		c.From, c.To = shift(from), shiftEnd(shift, to)
		if c.To.Equal(from) {
			c.To = c.To.Add(-time.Millisecond) // both ends are included: a task on the boundary counts once
		}
	}
	return c
}

// compared returns the period that is compared with an earlier one: the time range or, if days are set, the last days.
func (q *query) compared(now time.Time) (from, to time.Time) {
	if q.days > 0 && !q.cutsToRange() {
		return now.AddDate(0, 0, -q.days), now
	}
	return q.from, q.to
}

// checkEarlier validates the range that an earlier period is read for. Errors are inputerror.Err.
func (q *query) checkEarlier(now time.Time) error {
	if q.compare == "" {
		return nil
	}
	from, to := q.compared(now)
	if err := frame.CheckRange(from, to); err != nil {
		return err
	}
	return frame.CheckRange(q.begin(now), to)
}

// shift returns a function that moves a time back by the compared period, on the calendar of the query's time zone:
// clocks may change in between.
func (q *query) shift(now time.Time) func(time.Time) time.Time {
	switch q.compare {
	case compareDay:
		return q.back(0, 1)
	case compareWeek:
		return q.back(0, 7)
	case compareMonth:
		return q.back(1, 0)
	case compareYear:
		return q.back(12, 0)
	default:
		return q.periodBack(q.compared(now))
	}
}

// periodBack moves a time back by the length of a range: by calendar months or days if the range, or its points,
// consist of these.
func (q *query) periodBack(from, to time.Time) func(time.Time) time.Time {
	length := to.Sub(from) - rangeSlack
	switch months := q.wholeMonths(from, to); {
	case months > 0:
		return q.back(months, 0)
	case q.per == frame.Hour:
		return func(t time.Time) time.Time { return t.Add(-(length.Truncate(time.Hour) + time.Hour)) }
	case q.per == frame.Day:
		return q.back(0, wholeDays(length))
	case q.per == frame.Week:
		return q.back(0, (wholeDays(length)+6)/7*7)
	case q.per == frame.Month:
		return q.back(q.monthsOf(from, to), 0)
	case q.calendarDays(from, to) > 0:
		return q.back(0, q.calendarDays(from, to))
	default:
		return func(t time.Time) time.Time { return t.Add(from.Sub(to)) }
	}
}

// monthsOf returns the smallest number of months that moves the end of a range to its start or earlier.
func (q *query) monthsOf(from, to time.Time) int {
	begin, end := q.local(from), q.local(to)
	months := max(1, 12*(end.Year()-begin.Year())+int(end.Month()-begin.Month())-1)
	for monthsBefore(end, months).Add(-rangeSlack).After(begin) {
		months++
	}
	return months
}

// back moves a time back by months or by days.
func (q *query) back(months, days int) func(time.Time) time.Time {
	return func(t time.Time) time.Time {
		if months > 0 {
			return monthsBefore(q.local(t), months).UTC()
		}
		return q.local(t).AddDate(0, 0, -days).UTC()
	}
}

// shiftEnd moves the end of a range. Grafana's days and months end a millisecond before midnight: the end of November
// becomes the end of October, not October 30.
func shiftEnd(shift func(time.Time) time.Time, to time.Time) time.Time {
	return shift(to.Add(time.Millisecond)).Add(-time.Millisecond)
}

// local converts a time to the query's time zone.
func (q *query) local(t time.Time) time.Time {
	if q.location == nil {
		return t.UTC()
	}
	return t.In(q.location)
}

// monthsBefore returns the same day of an earlier month, or the last day of that month if it is shorter.
func monthsBefore(t time.Time, months int) time.Time {
	year, month, d := t.Date()
	last := time.Date(year, month-time.Month(months)+1, 0, 0, 0, 0, 0, time.UTC).Day()
	hour, minute, second := t.Clock()
	return time.Date(year, month-time.Month(months), min(d, last), hour, minute, second, t.Nanosecond(), t.Location())
}

// wholeMonths returns how many calendar months a range covers, so that the period before October is September; 0 if it
// does not cover whole months.
func (q *query) wholeMonths(from, to time.Time) int {
	begin, end := q.local(from), q.local(rangeEnd(to))
	if !atMidnight(begin) || !atMidnight(end) || begin.Day() != 1 || end.Day() != 1 {
		return 0
	}
	return 12*(end.Year()-begin.Year()) + int(end.Month()-begin.Month())
}

// calendarDays returns how many calendar days a range covers; 0 if it does not run from midnight to midnight.
func (q *query) calendarDays(from, to time.Time) int {
	begin, end := q.local(from), q.local(rangeEnd(to))
	if !atMidnight(begin) || !atMidnight(end) {
		return 0
	}
	return nearestDays(end.Sub(begin))
}

// rangeEnd returns the exclusive end of a range that ends in the last millisecond of a second.
func rangeEnd(to time.Time) time.Time {
	if to.Nanosecond() >= int(999*time.Millisecond) {
		return to.Truncate(time.Second).Add(time.Second)
	}
	return to
}

func atMidnight(t time.Time) bool {
	hour, minute, second := t.Clock()
	return hour == 0 && minute == 0 && second == 0 && t.Nanosecond() == 0
}

// checkCompare rejects queries that cannot be compared with an earlier period. Errors are inputerror.Err.
func (q *query) checkCompare() error {
	switch {
	case q.compare == "":
		return nil
	case q.format == formatTable:
		return inputerror.Errorf("compare %q: table rows cannot be compared. Use format numeric or timeseries, or omit compare", q.compare)
	case q.isAboutNow():
		return inputerror.Errorf("compare %q: measure %s describes the current state of tasks, and its earlier values are not available. Use another measure, omit compare, or record the value with a Grafana recording rule", q.compare, q.measure)
	case !q.set.HasHistory() && !q.set.Measure(q.measure).Additive:
		return inputerror.Errorf("compare %q: measure %s of data set %s is not available for an earlier period: the service reports it only up to now, and it is not additive. Use one of %s, use data set tasks, or omit compare",
			q.compare, q.measure, q.set.Name, datasets.List(q.set.DrawnNames()))
	default:
		return nil
	}
}
