package plugin

import (
	"fmt"
	"math"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend/gtime"

	"github.com/insights/insights-reporting-datasource/pkg/frame"
)

// Automations and runners are sums that the service makes up to now. What happened in a range is the difference of two of
// them: this file says which windows a query needs, pkg/reads reads them, and pkg/frame makes the differences.

const (
	day = 24 * time.Hour
	// maxWindows is how many windows one query reads at the most.
	maxWindows = 60
)

// windows are what a query is answered from that asks for the past of sums.
type windows struct {
	steps  frame.Steps
	notice string // what the points or numbers cover, and why
}

// windows returns what to read for the past of sums, or nil where the query needs none: its data set has the times of its
// rows, or it shows sums up to now. Errors are frame.ErrInput.
func (q *query) windows(now time.Time) (*windows, error) {
	if q.set.HasHistory() {
		return nil, nil
	}
	switch {
	case q.format == formatTimeSeries:
		return q.line(now)
	case q.format == formatNumeric && q.days == 0 && q.hasEnded(now) && q.set.Measure(q.measure).Additive:
		far, near := q.daysOfRange(now)
		w := &windows{steps: frame.Steps{Now: now, Days: []int{far, near}}}
		w.notice = fmt.Sprintf("These sums are from %s to %s: the service counts whole days back from now, and these come nearest to the time range",
			w.bound(0), w.bound(1))
		return w, nil
	default:
		return nil, nil
	}
}

// hasEnded says whether the range ended so long ago that whole days lie between.
func (q *query) hasEnded(now time.Time) bool { return now.Sub(q.to) >= day-liveSlack }

// daysOfRange is how many days ago the range began and ended. One that reaches up to now begins where sums up to now do;
// of one that has ended, begin and end are rounded to the nearest day, and it is a day long at least.
func (q *query) daysOfRange(now time.Time) (far, near int) {
	if q.days > 0 {
		return q.days, 0
	}
	if !q.hasEnded(now) {
		return daysBack(q.from, now), 0
	}
	nearest := func(t time.Time) int { return int(math.Round(now.Sub(t).Hours() / 24)) }
	if far, near = nearest(q.from), nearest(q.to); far == near {
		near = int((now.Sub(q.to) + liveSlack) / day)
		far = near + 1
	}
	return far, near
}

// line parts the range into steps of whole days, which reach back until they cover it.
func (q *query) line(now time.Time) (*windows, error) {
	far, near := q.daysOfRange(now)
	w := &windows{steps: frame.Steps{Now: now}}
	if now.Sub(q.to).Abs() < liveSlack {
		// The panel's own end: the oldest point then lies on its left edge, rather than a moment beyond.
		w.steps.Now = q.to
	}
	wanted := min(wholeDays(q.interval), far-near)
	most := maxWindows
	if near > 0 {
		most-- // the end is a window, too
	}
	step := max(wanted, (far-near+most-1)/most)
	for days := near + (far-near+step-1)/step*step; days >= near; days -= step {
		w.steps.Days = append(w.steps.Days, days)
	}
	w.notice = fmt.Sprintf("Each point is %s of 24 hours, counted back from now, at its beginning: from %s to %s", counted(step), w.bound(0), w.bound(len(w.steps.Days)-1))
	switch {
	case step > wanted:
		w.notice += fmt.Sprintf(". Shorter steps would take more than %d windows of the service: ask for a shorter range", maxWindows)
	case q.interval%day != 0:
		w.notice += fmt.Sprintf(". The service counts whole days, so the interval %s is rounded up", gtime.FormatInterval(q.interval))
	}
	return w, frame.CheckRange(w.steps.Time(0), w.steps.Now)
}

// wholeDays rounds up to days, at least 1. Nothing may be added: a duration holds 292 years, and Sub gives those for all that
// is longer.
func wholeDays(d time.Duration) int {
	days := int(d / day)
	if d%day > 0 {
		days++
	}
	return max(1, days)
}

func counted(days int) string {
	if days == 1 {
		return "1 day"
	}
	return fmt.Sprintf("%d days", days)
}

// bound names the beginning of a step, or the end of the last.
func (w *windows) bound(step int) string {
	if w.steps.Days[step] == 0 {
		return "now"
	}
	return w.steps.Time(step).Format(time.RFC3339)
}
