package frame_test

import (
	"fmt"
	"testing"
	"time"
	_ "time/tzdata" // independent of the host's time zones

	"github.com/stretchr/testify/require"
)

// changes are days on which clocks change, in every way that daily buckets must support.
var changes = []struct {
	zone  string
	year  int
	month time.Month
	day   int
}{
	{"America/Santiago", 2026, time.September, 6},  // no midnight: 23:59 is followed by 01:00
	{"America/Sao_Paulo", 2018, time.February, 18}, // the day before has 25 hours, with 23:00 twice
	{"America/Sao_Paulo", 2026, time.November, 4},  // without daylight saving time
	{"Europe/Berlin", 2026, time.March, 29},        // 23 hours
	{"Europe/Berlin", 2026, time.October, 25},      // 25 hours
	{"Asia/Beirut", 2025, time.March, 30},          // no midnight, east of Greenwich
	{"Asia/Kathmandu", 2026, time.May, 1},          // a quarter of an hour, no change
	{"UTC", 2026, time.March, 1},
}

// localDay returns the local calendar day.
func localDay(at time.Time, location *time.Location) string {
	return at.In(location).Format(time.DateOnly)
}

func TestDaysFollowTheCalendarOfTheTimeZone(t *testing.T) {
	for _, c := range changes {
		t.Run(fmt.Sprintf("%s %d-%02d-%02d", c.zone, c.year, c.month, c.day), func(t *testing.T) {
			location, err := time.LoadLocation(c.zone)
			require.NoError(t, err)
			noon := time.Date(c.year, c.month, c.day, 12, 0, 0, 0, time.UTC)
			from, to := noon.Add(-80*time.Hour), noon.Add(80*time.Hour)
			// With a task every quarter of an hour, the first of a local day is at the start of its bucket.
			begin, count := map[string]time.Time{}, map[string]float64{}
			var dates []time.Time
			for at := from.Add(-2 * day); !at.After(to); at = at.Add(15 * time.Minute) {
				dates = append(dates, at)
				name := localDay(at, location)
				if _, ok := begin[name]; !ok {
					begin[name] = at
				}
				if !at.Before(from) {
					count[name]++
				}
			}
			want := line{}
			for name, n := range count {
				want[begin[name]] = &n
			}
			r := overTime(created(dates...), from, to, day)
			r.Location = location
			require.Equal(t, want, only(t, mustMake(t, makeTimeSeries, r), "tasks"))
		})
	}
}

// Buckets of several days are counted on the calendar, too, from its 1970-01-01.
func TestSeveralDaysFollowTheCalendar(t *testing.T) {
	location, err := time.LoadLocation("Europe/Berlin")
	require.NoError(t, err)
	for _, days := range []int{2, 3, 7, 30} {
		r := overTime(created(), now.Add(-300*day), now, time.Duration(days)*day)
		r.Location = location
		at := begins(t, mustMake(t, makeTimeSeries, r))
		require.False(t, at[0].After(r.From))
		require.False(t, at[len(at)-1].AddDate(0, 0, days).Before(r.To))
		for _, begin := range at {
			local := begin.In(location)
			require.Equal(t, "00:00:00", local.Format(time.TimeOnly))
			onCalendar := time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, time.UTC)
			require.Zero(t, int(onCalendar.Sub(time.Unix(0, 0))/day)%days)
		}
	}
}

// Shorter buckets, and those of a fractional number of days, stay in UTC.
func TestOtherIntervalsStayInUTC(t *testing.T) {
	location, err := time.LoadLocation("Asia/Kathmandu")
	require.NoError(t, err)
	for _, interval := range []time.Duration{time.Hour, 6 * time.Hour, 36 * time.Hour} {
		r := overTime(created(), now.Add(-10*day), now, interval)
		want := begins(t, mustMake(t, makeTimeSeries, r))
		r.Location = location
		require.Equal(t, want, begins(t, mustMake(t, makeTimeSeries, r)))
	}
}
