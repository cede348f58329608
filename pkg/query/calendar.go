package query

import (
	"fmt"
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/frame"
)

// calendar splits the period into weeks or months. Their starts are rounded to whole days back from now, because the
// service has totals only for these; points are placed at the calendar starts. If there are too many, it adds no steps.
func (q *Query) calendar() error {
	p, s := &q.Period, q.Period.Steps
	to, near := s.Now, 0
	if p.hasEnded() {
		to, near = p.To, p.daysSince(p.To)
	}
	if err := frame.CheckRange(p.From, to); err != nil {
		return err
	}
	starts := q.Per.Starts(p.From, to, p.Zone)
	if len(starts) > q.stepsAtMost(near) {
		return nil
	}
	for _, start := range starts {
		// A week that just started has no full day yet.
		if days := p.daysSince(start); days > near {
			s.Days, s.At = append(s.Days, days), append(s.At, start)
		}
	}
	if len(s.Days) == 0 {
		return nil
	}
	s.Days = append(s.Days, near)
	p.Notice = fmt.Sprintf("Each point covers a %s and is placed at its start: from %s to %s. The service counts whole days back from now, so a %s may start and end up to 12 hours earlier or later",
		q.Per, s.At[0].Format(time.RFC3339), p.bound(near), q.Per)
	if p.Earlier != nil {
		q.calendarBefore(to)
	}
	return nil
}

// calendarBefore adds the compared period: the starts of weeks or months, and the end of the period, moved back on the
// calendar.
func (q *Query) calendarBefore(to time.Time) {
	p, s := &q.Period, q.Period.Steps
	for _, at := range s.At {
		s.Before = append(s.Before, p.daysSince(p.Earlier.Shift(at)))
	}
	last := min(p.daysSince(shiftEnd(p.Earlier.Shift, to)), s.Before[len(s.Before)-1])
	s.Before = append(s.Before, last)
	p.Notice += fmt.Sprintf(". The dashed lines start at %s", p.bound(s.Before[0]))
}

// daysShifted returns by how many days totals are shifted to compare them with an earlier period.
func (q *Query) daysShifted(far, near int) int {
	p := &q.Period
	end := p.Steps.Ago(near)
	shift := nearestDays(end.Sub(p.Earlier.Shift(end)))
	if q.Compare == comparePrevious {
		return max(shift, far-near)
	}
	return shift
}

// numberBefore returns the earlier period that a number from far to near days ago is compared with, in days.
func (q *Query) numberBefore(far, near int) (from, to int) {
	if near == 0 {
		shift := q.daysShifted(far, near)
		return far + shift, shift
	}
	// Both ends follow the calendar: the month before October is September, not the preceding 31 days. The difference
	// in length is rounded once, so that no day is lost between periods of equal length.
	p := &q.Period
	begin, end := p.Earlier.Shift(p.From), shiftEnd(p.Earlier.Shift, p.To)
	to = near + nearestDays(p.To.Sub(end))
	if q.Compare == comparePrevious {
		to = far // so that the periods are adjacent, however their ends were rounded
	}
	longer := nearestDays(end.Sub(begin) - p.To.Sub(p.From))
	return to + max(1, far-near+longer), to
}
