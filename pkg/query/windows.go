package query

import (
	"cmp"
	"fmt"

	"github.com/insights/insights-reporting-datasource/pkg/period"
)

// Automations and runners are totals up to now. The activity within a period is the difference of two of them: this
// file determines which windows a query needs, pkg/reads reads them, and pkg/frame computes the differences.

// MaxWindows bounds the windows that one query reads.
const MaxWindows = 60

// setSteps sets the steps of the period if the query shows the history of totals, with their notice.
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
	case q.compare != "" || p.hasEnded():
		q.totals()
	}
}

// totals reads the activity in the period as the difference of two windows.
func (q *Plan) totals() {
	p := &q.Period
	far, near := p.ends()
	p.Steps = &period.Steps{Now: p.Now, Days: []int{far, near}}
	if p.Earlier != nil {
		from, to := q.before(far, near)
		p.Steps.Before = []int{from, to}
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
func (q *Plan) before(far, near int) (from, to int) {
	p := &q.Period
	start, end := p.Earlier.Shift(p.From), shiftEnd(p.Earlier.Shift, p.end())
	to = near + nearestDays(p.end().Sub(end))
	if q.compare == comparePrevious && (p.hasEnded() || to < far) {
		to = far // so that the periods are adjacent, however their ends were rounded
	}
	longer := nearestDays(end.Sub(start) - p.end().Sub(p.From))
	return to + max(1, far-near+longer), to
}

// line splits the period into steps of whole days that cover it.
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
	switch {
	case step > wanted:
		p.Notice = fmt.Sprintf("Each point covers %s: shorter steps would need more than %d windows of the service. Select a shorter time range", formatDays(step), MaxWindows)
	case q.Per != "" && q.Per != period.Day:
		p.Notice = fmt.Sprintf("Each point covers %s of 24 hours, counted back from now, instead of one %s of the calendar: the service totals only whole days", formatDays(step), q.Per)
	}
	if p.Earlier != nil {
		end := p.Steps.Ago(near)
		shift := nearestDays(end.Sub(p.Earlier.Shift(end)))
		if q.compare == comparePrevious {
			shift = max(shift, far-near)
		}
		for _, days := range p.Steps.Days {
			p.Steps.Before = append(p.Steps.Before, days+shift)
		}
	}
}

func formatDays(days int) string {
	if days == 1 {
		return "1 day"
	}
	return fmt.Sprintf("%d days", days)
}
