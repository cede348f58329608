package frame

import "time"

// Unit is a part of the calendar that a bucket of a line can be, in the time zone of those who look at it.
type Unit string

// The units, the smallest first. A week begins on Monday.
const (
	Hour  Unit = "hour"
	Day   Unit = "day"
	Week  Unit = "week"
	Month Unit = "month"
)

// shortest is the least time that a unit takes, but for days on which clocks change.
func (u Unit) shortest() time.Duration {
	switch u {
	case Hour:
		return time.Hour
	case Day:
		return day
	case Week:
		return 7 * day
	default:
		return 28 * day
	}
}

// wider is the next larger unit; a month has none.
func (u Unit) wider() Unit {
	switch u {
	case Hour:
		return Day
	case Day:
		return Week
	default:
		return Month
	}
}

// Fitting returns the unit, or the next larger one of which a range has at most so many.
func (u Unit) Fitting(from, to time.Time, most int64) Unit {
	for u != Month && pointsOf(to.Sub(from), u.shortest()) > most {
		u = u.wider()
	}
	return u
}

// Starts returns the beginnings of the units from the one that holds from to the one that holds to. location nil is UTC.
func (u Unit) Starts(from, to time.Time, location *time.Location) []time.Time {
	if location == nil {
		location = time.UTC
	}
	year, month, d := from.In(location).Date()
	switch u {
	case Hour:
		return hourStarts(from, to, location)
	case Day:
		return dateStarts(func(i int) time.Time { return dayStart(year, month, d+i, location) }, to)
	case Week:
		d -= int(from.In(location).Weekday()+6) % 7
		return dateStarts(func(i int) time.Time { return dayStart(year, month, d+7*i, location) }, to)
	default:
		return dateStarts(func(i int) time.Time { return dayStart(year, month+time.Month(i), 1, location) }, to)
	}
}

// dateStarts are the beginnings of dates that follow each other.
func dateStarts(start func(i int) time.Time, to time.Time) []time.Time {
	var starts []time.Time
	for i := 0; ; i++ {
		t := start(i)
		switch {
		case t.After(to):
			return starts
		case len(starts) > 0 && !t.After(starts[len(starts)-1]):
			// Samoa left out a day when it moved across the date line.
		default:
			starts = append(starts, t.UTC())
		}
	}
}

func hourStarts(from, to time.Time, location *time.Location) []time.Time {
	var starts []time.Time
	for t := hourStart(from, location); !t.After(to); {
		starts = append(starts, t)
		next := hourStart(t.Add(time.Hour), location)
		if !next.After(t) {
			next = t.Add(time.Hour)
		}
		t = next
	}
	return starts
}

// hourStart returns the first moment of an hour by the clock on the wall. Zones may be half an hour off, and Lord Howe
// moves its clocks by half an hour: there an hour can begin with the change.
func hourStart(t time.Time, location *time.Location) time.Time {
	local := t.In(location)
	_, seconds := local.Zone()
	offset := time.Duration(seconds) * time.Second
	start := floor(t.Add(offset), time.Hour).Add(-offset)
	if changed, _ := local.ZoneBounds(); start.Before(changed) {
		return changed.UTC()
	}
	return start
}

// spacing is the longest time from one start to the next. Grafana takes what is farther apart for a gap in a line.
func spacing(starts []time.Time, otherwise time.Duration) time.Duration {
	if len(starts) < 2 {
		return otherwise
	}
	var longest time.Duration
	for i, t := range starts[1:] {
		longest = max(longest, t.Sub(starts[i]))
	}
	return longest
}
