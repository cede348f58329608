package query

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/period"
)

// Automations and runners are totals up to now. The activity within a period is the difference of two of them: this
// file determines which windows a query needs, pkg/reads reads them, and pkg/frame computes the differences.

// MaxWindows bounds the windows that one query reads.
const MaxWindows = 60

// setSteps sets the steps of the period if the query shows the history of totals, with their notice.
func (q *Query) setSteps() {
	p := &q.Period
	switch {
	case q.Set.HasTimes():
	case q.Format == TimeSeries:
		p.Steps = &period.Steps{Now: p.Now}
		if p.Now.Sub(p.To).Abs() < slack {
			// Uses the panel's own end, so that the oldest point lies on its left edge instead of slightly outside.
			p.Steps.Now = p.To
		}
		if q.Per != period.Month || !q.months() {
			q.line()
		}
	case q.Compare != "" || p.hasEnded():
		q.totals()
	}
}

// totals reads the activity in the period as the difference of two windows.
func (q *Query) totals() {
	p := &q.Period
	far, near := p.ends()
	p.Steps = &period.Steps{Now: p.Now, Days: []int{far, near}}
	p.Notice = fmt.Sprintf("These totals run from %s to %s: the service counts whole days back from now, and this is the closest match to the time range",
		p.bound(far), p.bound(near))
	if p.Earlier != nil {
		from, to := q.before(far, near)
		p.Steps.Before = []int{from, to}
		p.Notice += fmt.Sprintf(". They are compared with the totals from %s to %s", p.bound(from), p.bound(to))
	}
}

// ends returns how many days ago the period started and ended, at least one day apart: as many as it has up to now, or else
// to the nearest day.
func (p *Period) ends() (far, near int) {
	far, near = p.daysSince(p.From), p.daysSince(p.To)
	if far == near {
		far = wholeDays(p.Now.Sub(p.From) - slack)
		near = far - 1
	}
	if near <= 0 {
		return p.length(), 0
	}
	return far, near
}

// before returns the earlier period that one from far to near days ago is compared with, in days. Both ends follow the
// calendar: the month before October is September, not the preceding 31 days. The difference in length is rounded once,
// so that no day is lost between periods of equal length.
func (q *Query) before(far, near int) (from, to int) {
	p := &q.Period
	start, end := p.Earlier.Shift(p.From), shiftEnd(p.Earlier.Shift, p.end())
	to = near + nearestDays(p.end().Sub(end))
	if q.Compare == comparePrevious && (p.hasEnded() || to < far) {
		to = far // so that the periods are adjacent, however their ends were rounded
	}
	longer := nearestDays(end.Sub(start) - p.end().Sub(p.From))
	return to + max(1, far-near+longer), to
}

// line splits the period into steps of whole days that cover it.
func (q *Query) line() {
	p := &q.Period
	far, near := p.ends()
	perUnit := map[period.Unit]int{period.Hour: 1, period.Day: 1, period.Week: 7, period.Month: 30}
	wanted := min(cmp.Or(perUnit[q.Per], wholeDays(q.Interval)), far-near)
	limit := q.maxSteps(near)
	step := max(wanted, (far-near+limit-1)/limit)
	for days := near + (far-near+step-1)/step*step; days >= near; days -= step {
		p.Steps.Days = append(p.Steps.Days, days)
	}
	p.Notice = fmt.Sprintf("Each point covers %s of 24 hours, counted back from now, and is placed at its start: from %s to %s",
		formatDays(step), p.bound(p.Steps.Days[0]), p.bound(near))
	switch {
	case step > wanted:
		p.Notice += fmt.Sprintf(". Shorter steps would need more than %d windows of the service: select a shorter time range", MaxWindows)
	case q.Per == period.Hour || q.Per == "" && q.Interval%day != 0:
		p.Notice += ". The service counts whole days, so shorter steps are not available"
	}
	if p.Earlier != nil {
		end := p.Steps.Ago(near)
		shift := nearestDays(end.Sub(p.Earlier.Shift(end)))
		if q.Compare == comparePrevious {
			shift = max(shift, far-near)
		}
		for _, days := range p.Steps.Days {
			p.Steps.Before = append(p.Steps.Before, days+shift)
		}
		p.Notice += fmt.Sprintf(". The dashed lines are %s earlier", formatDays(shift))
	}
}

// maxSteps returns how many steps a line can have that ends near days ago.
func (q *Query) maxSteps(near int) int {
	limit := MaxWindows
	if q.Compare != "" {
		limit /= 2
	}
	if near > 0 || q.Compare != "" {
		limit-- // the end takes a window, too
	}
	return limit
}

func formatDays(days int) string {
	if days == 1 {
		return "1 day"
	}
	return fmt.Sprintf("%d days", days)
}

// bound formats the start of the window of that number of days.
func (p *Period) bound(days int) string {
	if days == 0 {
		return "now"
	}
	return p.Steps.Ago(days).Format(time.RFC3339)
}

// months splits the period into months of the calendar. Their starts are rounded to whole days back from now, because the
// service has totals only for these; points are placed at the calendar starts. If there are too many, or only one that
// has no full day yet, it adds no steps.
func (q *Query) months() bool {
	p, s := &q.Period, q.Period.Steps
	to, near := s.Now, 0
	if p.hasEnded() {
		to, near = p.To, p.daysSince(p.To)
	}
	starts := slices.DeleteFunc(period.Month.Starts(p.From, to, p.Zone), func(t time.Time) bool { return p.daysSince(t) <= near })
	if len(starts) == 0 || len(starts) > q.maxSteps(near) {
		return false
	}
	for _, start := range starts {
		s.Days = append(s.Days, p.daysSince(start))
	}
	s.At, s.Days = starts, append(s.Days, near)
	p.Notice = fmt.Sprintf("Each point covers a month and is placed at its start: from %s to %s. The service counts whole days back from now, so a month may start and end up to 12 hours earlier or later",
		s.At[0].Format(time.RFC3339), p.bound(near))
	if p.Earlier != nil {
		for _, start := range starts {
			s.Before = append(s.Before, p.daysSince(p.Earlier.Shift(start)))
		}
		s.Before = append(s.Before, p.daysSince(shiftEnd(p.Earlier.Shift, to)))
		p.Notice += fmt.Sprintf(". The dashed lines start at %s", p.bound(s.Before[0]))
	}
	return true
}
