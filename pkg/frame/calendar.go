package frame

import (
	"slices"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend/gtime"
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

// Fitting returns the unit, or the next larger one that divides a range into at most limit buckets.
func (u Unit) Fitting(from, to time.Time, limit int64) Unit {
	units := []Unit{Hour, Day, Week, Month}
	for _, fitting := range units[slices.Index(units, u):] {
		if pointsOf(to.Sub(from), shortest[fitting]) <= limit {
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
			// The same hour, or a day that Samoa skipped when it moved across the date line.
		default:
			starts = append(starts, t.UTC())
		}
	}
}

func hourStarts(from, to time.Time, location *time.Location) []time.Time {
	first := hourStart(from, location)
	// Each half hour, so that none of the hours is skipped that start with a change of clocks by half an hour.
	return dateStarts(func(i int) time.Time { return hourStart(first.Add(time.Duration(i)*time.Hour/2), location) }, to)
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

const (
	// maxPoints is also Prometheus's limit of points per series.
	maxPoints = 11_000
	day       = 24 * time.Hour
)

// A timeseries is limited to these dates, so that times and their differences in nanoseconds fit into 64 bits.
var (
	earliest = time.Date(1900, 1, 1, 0, 0, 0, 0, time.UTC)
	latest   = time.Date(2190, 1, 1, 0, 0, 0, 0, time.UTC)
)

// bucketWidth returns the width of the buckets: the requested interval or, if that would produce more points than limit,
// the next suitable round interval.
func bucketWidth(from, to time.Time, interval time.Duration, limit int64) time.Duration {
	length := to.Sub(from)
	if pointsOf(length, interval) <= limit {
		return interval
	}
	width := gtime.RoundInterval(length / time.Duration(limit-2))
	for pointsOf(length, width) > limit {
		width *= 2
	}
	return width
}

// pointsOf returns the maximum number of buckets that a range of that length can touch. The calendar can have a day
// more than the clock: offsets from UTC range from -12 to +14 hours, and zones have moved from one end to the other.
func pointsOf(length, width time.Duration) int64 {
	if width%day == 0 {
		length += 26 * time.Hour
	}
	return int64(length/width) + 2
}

// bucketStarts returns the starts of the buckets from the one that contains from to the one that contains to. They are
// aligned to the epoch in UTC; buckets of whole days start at midnight in location.
func bucketStarts(from, to time.Time, width time.Duration, location *time.Location) []time.Time {
	if width%day == 0 {
		return dayBuckets(from, to, int(width/day), 0, location)
	}
	starts := make([]time.Time, 0, int(to.Sub(from)/width)+2)
	for t := floor(from, width); !t.After(to); t = t.Add(width) {
		starts = append(starts, t)
	}
	return starts
}

// floor is Truncate relative to the epoch instead of the year 1, which differs for weeks.
func floor(t time.Time, width time.Duration) time.Time {
	ns := t.UnixNano()
	rest := (ns%int64(width) + int64(width)) % int64(width)
	return time.Unix(0, ns-rest).UTC()
}

// dayBuckets counts days on the calendar, because a day has 23 or 25 hours when clocks change. One bucket starts first
// days after the epoch, which was a Thursday.
func dayBuckets(from, to time.Time, days, first int, location *time.Location) []time.Time {
	year, month, d := from.In(location).Date()
	sinceEpoch := int(time.Date(year, month, d, 0, 0, 0, 0, time.UTC).Unix() / int64(day/time.Second))
	offset := ((sinceEpoch-first)%days + days) % days
	return dateStarts(func(i int) time.Time { return dayStart(year, month, d-offset+i*days, location) }, to)
}

// dayStart returns the start of a day. Where clocks change at midnight, as in Brazil until 2018, time.Date returns an
// hour of the day before, or the second of two midnights.
func dayStart(year int, month time.Month, d int, location *time.Location) time.Time {
	asUTC := time.Date(year, month, d, 0, 0, 0, 0, time.UTC)
	t := time.Date(year, month, d, 0, 0, 0, 0, location)
	begin, end := t.ZoneBounds()
	if !sameDate(t, asUTC) {
		return end
	}
	if before := begin.Add(-1); !begin.IsZero() && sameDate(before, asUTC) {
		_, offset := before.Zone()
		return asUTC.Add(-time.Duration(offset) * time.Second)
	}
	return t
}

func sameDate(a, b time.Time) bool { return a.Year() == b.Year() && a.YearDay() == b.YearDay() }
