package pages

import (
	"math"
	"time"
)

// noOffset is a date-time without an offset, which means UTC. time.Parse accepts a fraction after the seconds.
const (
	noOffset      = "2006-01-02T15:04:05"
	offsetNoColon = "2006-01-02T15:04:05Z0700"
)

// Frames hold times as nanoseconds in 64 bits; a date outside (the years 1678 to 2262) would come out as another one.
var (
	earliest = time.Unix(0, math.MinInt64)
	latest   = time.Unix(0, math.MaxInt64)
)

// parseTime reads an ISO 8601 date-time with "+00:00", "+0000", "Z" or no offset (= UTC), with or without a
// fraction of a second, and returns nanoseconds since the epoch.
func parseTime(text []byte) (int64, bool) {
	for _, layout := range [...]string{time.RFC3339, noOffset, offsetNoColon} {
		t, err := time.Parse(layout, string(text))
		if err == nil {
			return t.UnixNano(), t.After(earliest) && t.Before(latest)
		}
	}
	return 0, false
}
