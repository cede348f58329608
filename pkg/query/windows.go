package query

import (
	"cmp"
	"fmt"
	"math"

	"github.com/insights/insights-reporting-datasource/pkg/period"
)

// MaxWindows bounds the windows that one query reads. Automations and runners are totals up to now: the activity within a period is the
// difference of two such windows, which pkg/reads reads, and whose differences pkg/frame computes.
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
	q.stepsBefore(far, near)
}

func formatDays(days int) string {
	if days == 1 {
		return "1 day"
	}
	return fmt.Sprintf("%d days", days)
}
