package query

import (
	"cmp"
	"fmt"
	"math"
	"slices"
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

// A time range is limited to these dates, so that an equally long period before it fits into 64 bits of nanoseconds.
var (
	earliest = time.Date(1900, 1, 1, 0, 0, 0, 0, time.UTC)
	latest   = time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)
)

// Period is the time that a query covers, and what is read for it. It is resolved once, as of one moment.
type Period struct {
	period.Range
	Steps     *period.Steps     // the days of the windows whose differences are the activity of totals; nil: no windows are needed
	Notice    string            // that the steps of a line are not what was asked for, and why; empty: they are
	requested backend.TimeRange // which the numbers may not cover
}

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
		// While a panel is edited, for example, its range gets old: totals up to now would appear to belong to one that has ended.
		timeRange.From, timeRange.To = timeRange.From.Add(now.Sub(timeRange.To)), now
	}
	p.requested, p.From, p.To = timeRange, timeRange.From, timeRange.To
	drawsTasks := q.Set.HasTimes() && (q.Format == TimeSeries || q.Format == Timeline)
	if q.days > 0 && !drawsTasks {
		if now.Sub(p.To).Abs() >= slack {
			p.To = now
		}
		p.From = p.before(p.To, calendar{days: q.days})
	}
	p.Cut = q.Set.HasTimes() && (q.days == 0 || drawsTasks || q.compare != "")
	p.Earlier = q.earlier()
	p.Since = q.since()
	q.setSteps()
	return nil
}

// since returns the creation of the first tasks that count; zero if that are the first ones of the days.
func (q *Plan) since() time.Time {
	begin := q.Period.Begin()
	switch {
	case !q.Set.HasTimes() || q.days > 0 && q.compare == "" || q.areAll((*schema.Measure).HasHistory):
		return time.Time{}
	case q.Format == Timeline || q.isAny(isOfRuns) || q.TimeField != q.Set.TimeFields[0]:
		return begin.Add(-earlierMargin)
	}
	return begin
}

// lookBack returns how many days the service is asked for: of the period, the one it is compared with, and since when tasks count.
func (q *Plan) lookBack() int {
	p := &q.Period
	switch {
	case q.isAny((*schema.Measure).HasHistory) && (q.days == 0 || q.compare != ""):
		return max(q.days, schema.Attention.Days, p.daysSpanned(p.Begin().Add(-earlierMargin)))
	case !p.Since.IsZero():
		return max(q.days, p.daysSpanned(p.Since))
	case q.days > 0 && q.Format == Timeline: // The range is drawn whole; the days are those of its lanes.
		return max(q.days, p.daysSpanned(p.From.Add(-earlierMargin)))
	case q.days > 0:
		return q.days
	}
	return p.length()
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

func (p *Period) hasEnded() bool {
	_, near := p.ends()
	return near > 0
}

// daysSpanned returns the days of 24 hours that reach back to a time of tasks, and one more: a day of the service may be a
// calendar day, of which today is the first, and its clock or time zone another one.
func (p *Period) daysSpanned(t time.Time) int { return wholeDays(p.Now.Sub(t)-slack) + 1 }

func (p *Period) local(t time.Time) time.Time { return t.In(p.Zone) }

func (p *Period) wallClock(t time.Time) time.Time { return period.WallClock(p.local(t)) }

func wholeDays(d time.Duration) int { return max(1, int(math.Ceil(d.Hours()/24))) }

func nearestDays(d time.Duration) int { return int(math.Round(d.Hours() / 24)) }

const (
	comparePrevious = "previous"
	compareHour     = "hour"
)

// Comparisons are the values of compare: which earlier period to compare with.
var Comparisons = []string{comparePrevious, compareHour, "day", "week", "month", "year"}

// calendar is a number of months or, without these, of days.
type calendar struct{ months, days int }

// before returns the same time of day so much earlier; of a month without such a day, on its last one.
func (p *Period) before(t time.Time, by calendar) time.Time {
	t = p.local(t)
	year, month, d := t.Date()
	month -= time.Month(by.months)
	d = min(d, time.Date(year, month+1, 0, 0, 0, 0, 0, time.UTC).Day()) - by.days
	hour, minute, second := t.Clock()
	return period.Date(year, month, d, hour, minute, second, t.Nanosecond(), p.Zone).UTC()
}

// shifts are how far back the earlier periods are on the calendar.
var shifts = map[string]calendar{"day": {days: 1}, "week": {days: 7}, "month": {months: 1}, "year": {months: 12}}

// isOfRuns reports whether a measure is of when tasks ran, so that they count outside of the time range of their time field.
func isOfRuns(m *schema.Measure) bool { return m.Time == "runs" }

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
func (p *Period) end() time.Time { return slices.MinFunc([]time.Time{p.To, p.Now}, time.Time.Compare) }

// shift returns a function that moves a time back to the period to compare with: on the calendar of the time zone, as clocks may
// change in between, unless it is by an hour, or the period is no whole number of days or months.
func (q *Plan) shift() func(time.Time) time.Time {
	p, by, length := &q.Period, shifts[q.compare], time.Hour
	if q.compare == comparePrevious {
		by, length = p.calendarLength(), p.To.Sub(p.From)
	}
	if by == (calendar{}) {
		return func(t time.Time) time.Time { return t.Add(-length) }
	}
	return func(t time.Time) time.Time { return p.before(t, by) }
}

// calendarLength returns how many whole months the period covers, so that September precedes October, or else how many whole days.
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

// shiftEnd moves an end, which may be a millisecond before midnight: the end of November becomes that of October, not October 30.
func shiftEnd(shift func(time.Time) time.Time, to time.Time) time.Time {
	return shift(to.Add(time.Millisecond)).Add(-time.Millisecond)
}

// Range returns the range of the frames, with words in a language, given since when the service is known to have data.
func (q *Plan) Range(known time.Time, l schema.Language) period.Range {
	r := q.Period.Range
	r.Known = known
	r.Covers = q.covers(&r, l)
	return r
}

// covers describes the time of a number or of a table of totals; empty if it is the time range of the request.
func (q *Plan) covers(r *period.Range, l schema.Language) string {
	p, from, only := &q.Period, r.From, ""
	missesBeginning := r.IsTold() && !r.IsKnown(r.From, r.To) && !r.Known.After(r.To)
	if missesBeginning {
		from, only = r.Known, l.Words().Only+" "
	}
	switch {
	case q.Format == TimeSeries || q.Format == Timeline || q.Set.HasTimes() && q.days == 0 && !missesBeginning || q.areAll((*schema.Measure).IsAboutNow):
		return ""
	case !p.hasEnded():
		days := cmp.Or(q.days, p.length()) // a comparison looks further back
		switch requested := p.requested; {
		case missesBeginning:
			return only + "≈ " + date(l, p.local(from), p.local(p.Now)) + " " + l.Words().UntilNow
		case p.isLast(requested.From, days) && !requested.To.Before(p.Now.Add(-slack)):
			return ""
		case days == 1:
			return l.Words().LastDay
		}
		return fmt.Sprintf(l.Words().LastDays, days)
	case !missesBeginning && p.isLast(p.From, p.Steps.Days[0]) && p.isLast(p.To, p.Steps.Days[1]):
		return ""
	} // A period up to midnight does not touch the next day.
	return only + between(l, p.local(from), p.local(p.To.Add(-time.Millisecond)), p.local(p.Now))
}

func (p *Period) isLast(t time.Time, days int) bool {
	return t.Sub(p.before(p.Now, calendar{days: days})).Abs() <= slack
}

// between describes about the days from one to another: "≈ 1 – 31 Oct", with the year unless it is the current one.
func between(l schema.Language, from, to, now time.Time) string {
	first := ""
	switch {
	case from.Year() != to.Year() || from.Month() != to.Month():
		first = date(l, from, now) + " – "
	case from.Day() != to.Day():
		first = from.Format("2 – ")
	}
	return "≈ " + first + date(l, to, now)
}

func date(l schema.Language, t, now time.Time) string {
	text := t.Format("2 ") + l.Words().Months[t.Month()-1]
	if t.Year() != now.Year() {
		text += t.Format(" 2006")
	}
	return text
}

// MaxWindows bounds the windows that one query reads: the activity within a period is the difference of two totals up to now.
const MaxWindows = 60

func (q *Plan) setSteps() {
	p := &q.Period
	switch {
	case q.Set.HasTimes():
	case q.Format == TimeSeries:
		p.Steps = &period.Steps{Now: p.Now}
		if p.Now.Sub(p.To).Abs() < slack {
			// Uses the panel's own end, so that the oldest point lies on its left edge instead of slightly outside.
			p.Steps.Now = p.To
		}
		q.line()
	case q.compare != "" || p.hasEnded() || q.hasMargin():
		far, near := p.ends()
		p.Steps = &period.Steps{Now: p.Now, Days: []int{far, near}}
		q.stepsBefore(far, near)
		if q.hasMargin() {
			p.bound(p.Steps)
		}
	}
}

// bound sets the days that are all in the period, and those that the period and the days that are shown are all in. A range that
// ended less than a minute ago is one until now; at any other end, a minute may contain something.
func (p *Period) bound(s *period.Steps) {
	far, near := p.Now.Sub(p.From), max(0, p.Now.Sub(p.To))
	if late := p.Now.Sub(p.To); late.Abs() < slack {
		far, near = far-late, 0
	}
	s.Outer = []int{max(wholeDays(far), s.Days[0]), min(int(near/day), s.Days[1])}
	s.Inner = []int{int(far / day), int(math.Ceil(near.Hours() / 24))}
	s.Inner[0] = max(s.Inner[0], s.Inner[1]) // Less than two days may contain no whole one.
}

// ends returns how many days ago the period started and ended, to the nearest day, at least one day apart.
func (p *Period) ends() (far, near int) {
	far, near = nearestDays(p.Now.Sub(p.From)), nearestDays(p.Now.Sub(p.To))
	if far == near {
		far = wholeDays(p.Now.Sub(p.From) - slack)
		near = far - 1
	}
	if near <= 0 {
		return p.length(), 0
	}
	return far, near
}

// stepsBefore sets the steps that those of a period are compared with: as many days before them as the calendar has between the
// ends of both periods. Those of the previous period precede them without a gap.
func (q *Plan) stepsBefore(far, near int) {
	p := &q.Period
	if p.Earlier == nil {
		return
	}
	shift := nearestDays(p.end().Sub(shiftEnd(p.Earlier.Shift, p.end())))
	if q.compare == comparePrevious && (near > 0 || shift < far-near) {
		shift = far - near
	}
	for _, days := range p.Steps.Days {
		p.Steps.Before = append(p.Steps.Before, days+shift)
	}
}

func (q *Plan) line() {
	p := &q.Period
	far, near := p.ends()
	perUnit := map[period.Unit]int{period.Hour: 1, period.Day: 1, period.Week: 7, period.Month: 30}
	wanted := min(cmp.Or(perUnit[q.Per], wholeDays(q.Interval)), far-near)
	limit := MaxWindows
	if q.compare != "" {
		limit /= 2
	}
	if near > 0 || q.compare != "" {
		limit-- // the end takes a window, too
	}
	step := max(wanted, (far-near+limit-1)/limit)
	for days := near + (far-near+step-1)/step*step; days >= near; days -= step {
		p.Steps.Days = append(p.Steps.Days, days)
	}
	days := fmt.Sprintf("%d days", step)
	if step == 1 {
		days = "1 day"
	}
	switch {
	case step > wanted:
		p.Notice = fmt.Sprintf("Each point covers %s: shorter steps would need more than %d windows of the service. Select a shorter time range", days, MaxWindows)
	case q.Per != "" && q.Per != period.Day:
		p.Notice = fmt.Sprintf("Each point covers %s of 24 hours, counted back from now, instead of one %s of the calendar: the service totals only whole days", days, q.Per)
	}
	q.stepsBefore(far, near)
}
