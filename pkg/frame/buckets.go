package frame

import (
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend/gtime"
)

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

// bucketWidth returns the width of the buckets: the requested interval or, if that would produce more points than most,
// the next suitable round interval.
func bucketWidth(from, to time.Time, interval time.Duration, most int64) time.Duration {
	length := to.Sub(from)
	if pointsOf(length, interval) <= most {
		return interval
	}
	width := gtime.RoundInterval(length / time.Duration(most-2))
	for pointsOf(length, width) > most {
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
