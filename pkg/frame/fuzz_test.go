package frame_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// For any range and interval, buckets are ascending, within the limit, cover the range and contain every row in it.
func FuzzBuckets(f *testing.F) {
	for _, seed := range [][3]int64{
		{now.UnixNano(), int64(time.Hour), int64(time.Minute)}, {0, 1, 1}, {-1, 2, int64(day)}, {now.UnixNano(), int64(90 * day), int64(day)},
		{1541300400000000000, int64(3 * day), int64(day)}, {now.UnixNano(), int64(time.Second), 1}, {-5e17, int64(20000 * day), int64(37 * time.Minute)},
		{now.UnixNano(), int64(1e18), math.MaxInt64}, {math.MinInt64, math.MaxInt64, 1}, {math.MaxInt64, 1, 1},
	} {
		f.Add(seed[0], seed[1], seed[2], uint8(0))
		f.Add(seed[0], seed[1], seed[2], uint8(1))
	}
	zones := []*time.Location{nil}
	for _, c := range changes {
		location, err := time.LoadLocation(c.zone)
		require.NoError(f, err)
		zones = append(zones, location)
	}
	f.Fuzz(func(t *testing.T, start, span, interval int64, zone uint8) {
		if span <= 0 || interval <= 0 {
			t.Skip("the query is refused before")
		}
		from := time.Unix(0, start)
		to := from.Add(time.Duration(span))
		if from.Year() < 1900 || to.Year() > 2100 || to.Before(from) {
			t.Skip("the query is refused before")
		}
		r := overTime(created(from, to, from.Add(time.Duration(span/2)), from.Add(-1), to.Add(1)), from, to, time.Duration(interval))
		r.Location = zones[int(zone)%len(zones)]
		out := mustMake(t, makeTimeSeries, r)
		at := begins(t, out)
		require.LessOrEqual(t, len(at), mostPoints)
		require.False(t, at[0].After(from))
		require.False(t, at[len(at)-1].After(to))
		require.Equal(t, 3.0, total(only(t, out, "tasks")))
	})
}
