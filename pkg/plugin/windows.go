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
	covers string // see frame.Request
	notice string // what the points or numbers cover, and why
}

// windows returns what to read for the past of sums, or nil where the query needs none: its data set has the times of its
// rows, or it shows sums up to now. Errors are frame.ErrInput.
func (q *query) windows(now time.Time) (*windows, error) {
	switch {
	case q.set.HasHistory():
		return nil, q.checkEarlier(now)
	case q.format == formatTimeSeries:
		return q.line(now)
	case q.format == formatNumeric && (q.compare != "" || q.summed() && q.hasEnded(now)):
		return q.number(now)
	default:
		return nil, nil
	}
}

// number is the difference of two windows: what happened in the range.
func (q *query) number(now time.Time) (*windows, error) {
	far, near := q.daysOfRange(now)
	w := &windows{steps: frame.Steps{Now: now, Days: []int{far, near}}, covers: q.covers(now)}
	w.notice = fmt.Sprintf("These totals run from %s to %s: the service counts whole days back from now, and this is the closest match to the time range",
		w.bound(far), w.bound(near))
	if q.compare == "" {
		return w, nil
	}
	before := q.numberBefore(far, near, now)
	w.steps.Before = before
	w.notice += fmt.Sprintf(". They are compared with the totals from %s to %s", w.bound(before[0]), w.bound(before[1]))
	return w, frame.CheckRange(now.AddDate(0, 0, -before[0]), now)
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
	w := &windows{steps: frame.Steps{Now: now}}
	if now.Sub(q.to).Abs() < liveSlack {
		// The panel's own end: the oldest point then lies on its left edge, rather than a moment beyond.
		w.steps.Now = q.to
	}
	if q.per == frame.Week || q.per == frame.Month {
		if err := q.calendar(w); err != nil || w.steps.Days != nil {
			return w, err
		}
	}
	far, near := q.daysOfRange(now)
	wanted := min(q.stepWanted(), far-near)
	most := q.stepsAtMost(near)
	step := max(wanted, (far-near+most-1)/most)
	for days := near + (far-near+step-1)/step*step; days >= near; days -= step {
		w.steps.Days = append(w.steps.Days, days)
	}
	w.covers = q.sinceDays(w.steps.Days[0], w.steps.Now)
	if near > 0 {
		w.covers = q.between(w.steps.Time(0), w.steps.Time(len(w.steps.Days)-1), now)
	}
	w.notice = fmt.Sprintf("Each point covers %s of 24 hours, counted back from now, and is placed at its start: from %s to %s", counted(step), w.bound(w.steps.Days[0]), w.bound(near))
	switch {
	case step > wanted:
		w.notice += fmt.Sprintf(". Shorter steps would need more than %d windows of the service: select a shorter time range", maxWindows)
	case q.per == frame.Hour:
		w.notice += ". The service counts whole days, so hourly points are not available"
	case q.per == "" && q.interval%day != 0:
		w.notice += fmt.Sprintf(". The service counts whole days, so the interval %s is rounded up", gtime.FormatInterval(q.interval))
	}
	if q.compare != "" {
		w.compareWith(q.daysShifted(far, near, now))
	}
	return w, frame.CheckRange(w.steps.Time(0), w.steps.Now)
}

// stepWanted is the step in days, before what windows there can be is known.
func (q *query) stepWanted() int {
	switch q.per {
	case frame.Hour, frame.Day:
		return 1
	case frame.Week:
		return 7
	case frame.Month:
		return 30
	default:
		return wholeDays(q.interval)
	}
}

// stepsAtMost is how many steps a line can have that ends so many days ago.
func (q *query) stepsAtMost(near int) int {
	most := maxWindows
	if q.compare != "" {
		most /= 2
	}
	if near > 0 || q.compare != "" {
		most-- // the end is a window, too
	}
	return most
}

// compareWith adds the same steps so many days earlier.
func (w *windows) compareWith(shift int) {
	for _, days := range w.steps.Days {
		w.steps.Before = append(w.steps.Before, days+shift)
	}
	w.notice += fmt.Sprintf(". The dashed lines are %s earlier", counted(shift))
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

// bound names the moment so many days ago.
func (w *windows) bound(days int) string {
	if days == 0 {
		return "now"
	}
	return w.steps.Now.UTC().AddDate(0, 0, -days).Format(time.RFC3339)
}
