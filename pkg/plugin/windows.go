package plugin

import (
	"fmt"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend/gtime"

	"github.com/insights/insights-reporting-datasource/pkg/frame"
)

// Automations and runners are totals up to now. The activity within a range is the difference of two of them: this file
// determines which windows a query needs, pkg/reads reads them, and pkg/frame computes the differences.

const (
	day = 24 * time.Hour
	// maxWindows bounds the windows that one query reads.
	maxWindows = 60
)

// windows is what to read to compute the history of totals.
type windows struct {
	steps  frame.Steps
	covers string // see frame.Request
	notice string // explains the period of the points or numbers
}

// windows returns what to read for the history of totals, or nil if the query needs none: its rows have times, or it
// shows totals up to now. Errors are inputerror.Err.
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

// number reads the activity in the range as the difference of two windows.
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

// hasEnded reports whether the range ended at least a day ago.
func (q *query) hasEnded(now time.Time) bool { return now.Sub(q.to) >= day-liveSlack }

// daysOfRange returns how many days ago the range started and ended. A range up to now starts where totals up to now
// start. The ends of a past range are rounded to the nearest day, at least one day apart.
func (q *query) daysOfRange(now time.Time) (far, near int) {
	if q.days > 0 {
		return q.days, 0
	}
	if !q.hasEnded(now) {
		return daysBack(q.from, now), 0
	}
	if far, near = daysSince(q.from, now), daysSince(q.to, now); far == near {
		near = int((now.Sub(q.to) + liveSlack) / day)
		far = near + 1
	}
	return far, near
}

// line splits the range into steps of whole days that cover it.
func (q *query) line(now time.Time) (*windows, error) {
	w := &windows{steps: frame.Steps{Now: now}}
	if now.Sub(q.to).Abs() < liveSlack {
		// Uses the panel's own end, so that the oldest point lies on its left edge instead of slightly outside.
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

// stepWanted returns the step in days before it is limited by the number of windows.
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

// stepsAtMost returns how many steps a line can have that ends near days ago.
func (q *query) stepsAtMost(near int) int {
	most := maxWindows
	if q.compare != "" {
		most /= 2
	}
	if near > 0 || q.compare != "" {
		most-- // the end takes a window, too
	}
	return most
}

// compareWith adds the same steps, so many days earlier.
func (w *windows) compareWith(shift int) {
	for _, days := range w.steps.Days {
		w.steps.Before = append(w.steps.Before, days+shift)
	}
	w.notice += fmt.Sprintf(". The dashed lines are %s earlier", counted(shift))
}

// wholeDays rounds a duration up to days, at least 1. Adding to the duration first could overflow: Sub returns the
// maximum of 292 years for anything longer.
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

// bound formats the time so many days ago.
func (w *windows) bound(days int) string {
	if days == 0 {
		return "now"
	}
	return w.steps.Now.UTC().AddDate(0, 0, -days).Format(time.RFC3339)
}
