package frame_test

import (
	"fmt"
	"math"
	"testing"
	"time"
	_ "time/tzdata" // independent of the host's time zones

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/period"
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

// units are the units with their names on the local calendar. An hour that clocks repeat is two.
var units = []struct {
	unit   period.Unit
	before time.Duration // maximum time since the start of the current unit
	name   func(at time.Time) string
}{
	{period.Hour, 2 * time.Hour, func(at time.Time) string { return at.Format("2006-01-02T15 -0700") }},
	{period.Day, 2 * day, func(at time.Time) string { return at.Format(time.DateOnly) }},
	{period.Week, 9 * day, func(at time.Time) string {
		year, week := at.ISOWeek()
		return fmt.Sprint(year, week)
	}},
	{"", 2 * day, func(at time.Time) string { return at.Format(time.DateOnly) }}, // an interval of a day
	{period.Month, 33 * day, func(at time.Time) string { return at.Format("2006-01") }},
}

// With a task every quarter of an hour, the first of a unit is at the start of its bucket, and all of them are in it.
func TestUnitsFollowTheCalendarOfTheTimeZone(t *testing.T) {
	for _, c := range changes {
		location := mustLoad(t, c.zone)
		noon := time.Date(c.year, c.month, c.day, 12, 0, 0, 0, time.UTC)
		for _, u := range units {
			t.Run(fmt.Sprintf("%s %d-%02d-%02d per %s", c.zone, c.year, c.month, c.day, u.unit), func(t *testing.T) {
				from, to := noon.Add(-40*day), noon.Add(40*day)
				if u.unit == period.Hour {
					from, to = noon.Add(-80*time.Hour), noon.Add(80*time.Hour)
				}
				begin, count := map[string]time.Time{}, map[string]float64{}
				var dates []time.Time
				for at := from.Add(-u.before); !at.After(to); at = at.Add(15 * time.Minute) {
					dates = append(dates, at)
					name := u.name(at.In(location))
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
				r.Location, r.Per = location, u.unit
				require.Equal(t, want, only(t, mustMake(t, makeTimeSeries, r), "tasks"))
			})
		}
	}
}

// Too many units are replaced by longer ones, with a notice.
func TestTooManyUnits(t *testing.T) {
	for unit, test := range map[period.Unit]struct {
		years int
		used  string
	}{period.Hour: {2, "per day"}, period.Day: {31, "per week"}} {
		r := overTime(created(now), now.AddDate(-test.years, 0, 0), now, time.Hour)
		r.Per = unit
		f := mustMake(t, makeTimeSeries, r)
		require.LessOrEqual(t, f.Rows(), 11_000)
		require.Len(t, f.Meta.Notices, 1)
		assert.Contains(t, f.Meta.Notices[0].Text, "per "+string(unit)+" would produce more than 11000 points in each series, so "+test.used+" is used")
	}
	r := overTime(created(now), now.AddDate(-1, 0, 0), now, time.Hour)
	r.Per = period.Hour
	assert.Empty(t, mustMake(t, makeTimeSeries, r).Meta.Notices)
}

// Grafana interrupts a line where points are farther apart than the interval of the time field.
func TestNoGapInALineOfMonths(t *testing.T) {
	for unit, longest := range map[period.Unit]time.Duration{period.Month: 31*day + time.Hour, period.Week: 7*day + time.Hour, period.Day: 25 * time.Hour, period.Hour: time.Hour} {
		r := overTime(created(now), now.AddDate(0, -3, 0), now, time.Hour)
		r.Per, r.Location = unit, mustLoad(t, "Europe/Berlin")
		assert.InDelta(t, longest.Milliseconds(), mustMake(t, makeTimeSeries, r).Fields[0].Config.Interval, 0, unit)
	}
}

func mustLoad(t *testing.T, zone string) *time.Location {
	t.Helper()
	location, err := time.LoadLocation(zone)
	require.NoError(t, err)
	return location
}

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
