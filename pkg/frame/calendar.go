package frame

import (
	"slices"
	"time"
)

// Unit is a calendar unit that a bucket of a line can have, in the viewer's time zone.
type Unit string

// The units in ascending order. A week starts on Monday.
const (
	Hour  Unit = "hour"
	Day   Unit = "day"
	Week  Unit = "week"
	Month Unit = "month"
)

// shortest are the minimum lengths of the units, ignoring clock changes.
var shortest = map[Unit]time.Duration{Hour: time.Hour, Day: day, Week: 7 * day, Month: 28 * day}

// Fitting returns the unit, or the next larger one that divides a range into at most that many buckets.
func (u Unit) Fitting(from, to time.Time, most int64) Unit {
	units := []Unit{Hour, Day, Week, Month}
	for _, fitting := range units[slices.Index(units, u):] {
		if pointsOf(to.Sub(from), shortest[fitting]) <= most {
			return fitting
		}
	}
	return Month
}

// Starts returns the starts of the units from the one that contains from to the one that contains to.
func (u Unit) Starts(from, to time.Time, location *time.Location) []time.Time {
	switch u {
	case Hour:
		return hourStarts(from, to, location)
	case Day:
		return dayBuckets(from, to, 1, 0, location)
	case Week:
		return dayBuckets(from, to, 7, 4, location)
	default:
		year, month, _ := from.In(location).Date()
		return dateStarts(func(i int) time.Time { return dayStart(year, month+time.Month(i), 1, location) }, to)
	}
}

// dateStarts returns the starts of consecutive dates or hours.
func dateStarts(start func(i int) time.Time, to time.Time) []time.Time {
	var starts []time.Time
	for i := 0; ; i++ {
		t := start(i)
		switch {
		case t.After(to):
			return starts
		case len(starts) > 0 && !t.After(starts[len(starts)-1]):
			// Samoa skipped a day when it moved across the date line.
		default:
			starts = append(starts, t.UTC())
		}
	}
}

func hourStarts(from, to time.Time, location *time.Location) []time.Time {
	first := hourStart(from, location)
	return dateStarts(func(i int) time.Time { return hourStart(first.Add(time.Duration(i)*time.Hour), location) }, to)
}

// hourStart returns the start of an hour of local time. Zones may be half an hour off, and Lord Howe moves its clocks
// by half an hour: there, an hour can start with the change.
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

// spacing returns the longest time between two starts.
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
