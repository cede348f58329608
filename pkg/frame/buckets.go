package frame

import (
	"slices"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend/gtime"
)

const (
	// maxPoints is where Prometheus, too, says no to a series.
	maxPoints = 11_000
	day       = 24 * time.Hour
)

// bucketWidth returns the width of the buckets: the interval asked for or, where that would make too many points, the
// next round one that does not. widened says that it had to.
func bucketWidth(from, to time.Time, interval time.Duration) (width time.Duration, widened bool) {
	span := to.Sub(from)
	if span/interval < maxPoints-1 {
		return interval, false
	}
	width = gtime.RoundInterval(span / (maxPoints - 2))
	for span/width >= maxPoints-1 {
		width *= 2
	}
	return width, true
}

// buckets returns the beginnings of the buckets from the one that holds from to the one that holds to. They are
// aligned to the epoch in UTC; buckets of whole days begin at midnight in location.
func buckets(from, to time.Time, width time.Duration, location *time.Location) []time.Time {
	if width%day == 0 {
		return dayBuckets(from, to, int(width/day), location)
	}
	starts := make([]time.Time, 0, int(to.Sub(from)/width)+2)
	for t := floor(from, width); !t.After(to); t = t.Add(width) {
		starts = append(starts, t)
	}
	return starts
}

// floor is Truncate, counted from the epoch rather than from the year 1: weeks would differ.
func floor(t time.Time, width time.Duration) time.Time {
	ns := t.UnixNano()
	rest := ns % int64(width)
	if rest < 0 {
		rest += int64(width)
	}
	return time.Unix(0, ns-rest).UTC()
}

// dayBuckets counts days on the calendar, because a day has 23 or 25 hours when clocks change.
func dayBuckets(from, to time.Time, days int, location *time.Location) []time.Time {
	if location == nil {
		location = time.UTC
	}
	year, month, d := from.In(location).Date()
	sinceEpoch := int(time.Date(year, month, d, 0, 0, 0, 0, time.UTC).Unix() / int64(day/time.Second))
	offset := ((sinceEpoch % days) + days) % days
	var starts []time.Time
	for i := 0; ; i++ {
		t := time.Date(year, month, d-offset+i*days, 0, 0, 0, 0, location)
		if t.After(to) {
			return starts
		}
		starts = append(starts, t.UTC())
	}
}

// bucketOf returns the number of the bucket that holds t, or -1 for a time before the first.
func bucketOf(starts []int64, t int64) int {
	i, exact := slices.BinarySearch(starts, t)
	if exact {
		return i
	}
	return i - 1
}
