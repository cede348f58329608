package plugin

import (
	"fmt"
	"math"
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/frame"
)

// daysSince returns how many days before now a time is, rounded to the nearest.
func daysSince(t, now time.Time) int { return nearestDays(now.Sub(t)) }

// nearestDays rounds a duration to the nearest number of days.
func nearestDays(d time.Duration) int { return int(math.Round(d.Hours() / 24)) }

// daysShifted returns by how many days totals are shifted to compare them with an earlier period.
func (q *query) daysShifted(far, near int, now time.Time) int {
	end := now.AddDate(0, 0, -near)
	shift := daysSince(q.shift(now)(end), end)
	if q.compare == comparePrevious {
		return max(shift, far-near)
	}
	return shift
}

// numberBefore returns the earlier period that a number from far to near days ago is compared with, in days.
func (q *query) numberBefore(far, near int, now time.Time) []int {
	if near == 0 {
		shift := q.daysShifted(far, near, now)
		return []int{far + shift, shift}
	}
	// Both ends follow the calendar: the month before October is September, not the preceding 31 days. The difference
	// in length is rounded once, so that no day is lost between periods of equal length.
	shift := q.shift(now)
	begin, end := shift(q.from), shiftEnd(shift, q.to)
	to := near + daysSince(end, q.to)
	if q.compare == comparePrevious {
		to = far // so that the periods are adjacent, however their ends were rounded
	}
	longer := nearestDays(end.Sub(begin) - q.to.Sub(q.from))
	return []int{to + max(1, far-near+longer), to}
}

// calendar splits the range into weeks or months. Their starts are rounded to whole days back from now, because the
// service has totals only for these; points are placed at the calendar starts. If there are too many, it adds no steps.
func (q *query) calendar(w *windows) error {
	now := w.steps.Now
	from, to, near := q.from, q.to, 0
	switch {
	case q.days > 0:
		from, to = now.AddDate(0, 0, -q.days), now
	case q.hasEnded(now):
		near = daysSince(q.to, now)
	default:
		to = now
	}
	if err := frame.CheckRange(from, to); err != nil {
		return err
	}
	starts := q.per.Starts(from, to, q.location)
	if len(starts) > q.stepsAtMost(near) {
		return nil
	}
	for _, start := range starts {
		// A week that just started has no full day yet.
		if days := daysSince(start, now); days > near {
			w.steps.Days, w.steps.At = append(w.steps.Days, days), append(w.steps.At, start)
		}
	}
	if len(w.steps.Days) == 0 {
		w.steps.At = nil
		return nil
	}
	w.steps.Days = append(w.steps.Days, near)
	w.covers = q.calendarCovers(w, near)
	w.notice = fmt.Sprintf("Each point covers a %s and is placed at its start: from %s to %s. The service counts whole days back from now, so a %s may start and end up to 12 hours earlier or later",
		q.per, w.steps.At[0].Format(time.RFC3339), w.bound(near), q.per)
	if q.compare != "" {
		q.calendarBefore(w, to)
	}
	return nil
}

// calendarCovers describes the period of whole weeks or months, the first of which may start before the range.
func (q *query) calendarCovers(w *windows, days int) string {
	begin, now := w.steps.At[0], w.steps.Now
	switch {
	case near(q.from, begin):
		return ""
	case days == 0:
		return q.date(begin, now) + " until now"
	default:
		return q.between(begin, now.AddDate(0, 0, -days), now)
	}
}

// calendarBefore adds the compared period: the starts of weeks or months, and the end of the range, moved back on the
// calendar.
func (q *query) calendarBefore(w *windows, to time.Time) {
	now := w.steps.Now
	shift := q.shift(now)
	for _, at := range w.steps.At {
		w.steps.Before = append(w.steps.Before, daysSince(shift(at), now))
	}
	last := min(daysSince(shiftEnd(shift, to), now), w.steps.Before[len(w.steps.Before)-1])
	w.steps.Before = append(w.steps.Before, last)
	w.notice += fmt.Sprintf(". The dashed lines start at %s", w.bound(w.steps.Before[0]))
}
