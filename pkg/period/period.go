// Package period is the time of a query: its range, what it is compared with, the days of totals of the service, and the calendar.
package period

import (
	"slices"
	"strings"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend/gtime"
)

// Range is the time that the numbers of a frame cover.
type Range struct {
	Now  time.Time
	Zone *time.Location // of calendar days
	// both inclusive: the time range or, if days are set and tasks are not drawn over time, so many last days
	From, To time.Time
	Cut      bool      // tasks are limited to From and To; otherwise, they are from From to Now
	Since    time.Time // when the first tasks that count were created; zero: all of the days. Tasks of more days change nothing then
	// Known is since when the service has data: nothing before it is 0, but null. It is Now if that is not known; zero: all is known.
	Known   time.Time
	Covers  string      // describes the time of the numbers, such as "last 24 h"; empty if it is the time range
	Earlier *Comparison // the period to compare with; nil: none
}

// Slack is how long ago a range may have ended and still count as ending now, and how far past a whole number of days it may start and
// still count as that number: "last 24 hours" is slightly longer on arrival, and two days would be another total of the service.
const Slack = time.Minute

// End returns when the range ends, which is now if that is about now.
func (r *Range) End() time.Time {
	if r.Now.Sub(r.To) < Slack {
		return r.Now
	}
	return r.To
}

// tolerated is the share of a period that may precede what is known: of 40 days, the oldest task is some time after their start.
const tolerated = 0.05

// IsKnown reports whether the service has data of a whole period, which ends now at the latest.
func (r *Range) IsKnown(from, to time.Time) bool {
	if to.After(r.Now) {
		to = r.Now
	}
	return float64(r.Known.Sub(from)) <= tolerated*float64(to.Sub(from))
}

// IsTold reports whether it is known since when the service has data.
func (r *Range) IsTold() bool { return r.Known.Before(r.Now) }

// OnClock returns the range as a clock shows it that is ahead of this server's, such as that of the service, which dates its rows.
func (r Range) OnClock(ahead time.Duration) Range {
	now := r.Now.Add(ahead)
	if !r.IsTold() {
		r.Known = now
	}
	r.Now, r.From, r.To = now, r.From.Add(ahead), r.To.Add(ahead)
	if !r.Since.IsZero() {
		r.Since = r.Since.Add(ahead)
	}
	if e := r.Earlier; e != nil {
		shift := func(t time.Time) time.Time { return e.Shift(t.Add(-ahead)).Add(ahead) }
		r.Earlier = &Comparison{Name: e.Name, From: e.From.Add(ahead), To: e.To.Add(ahead), Shift: shift}
	}
	return r
}

// Comparison is an earlier period that a range is compared with.
type Comparison struct {
	Name     string                    // value of compare, and of the label that tells its series apart
	From, To time.Time                 // of that period, both inclusive; zero for totals up to now: see Steps
	Shift    func(time.Time) time.Time // maps a time of the range to the compared period, monotonically
}

// Steps split a range into whole days back from Now: step i starts Days[i] days ago and ends where the next one starts.
type Steps struct {
	Now    time.Time
	Days   []int // descending; 0 is Now itself
	Before []int // those of the compared period; nil: none
	// Inner and Outer are days that are all in a time range, and that it is all in: of so many ago until so many ago; nil: not needed.
	Inner, Outer []int
}

// Ago returns the time that is a number of days before Now, of 24 hours each, as the service is assumed to count them.
func (s Steps) Ago(days int) time.Time { return s.Now.UTC().AddDate(0, 0, -days) }

// Starts returns the starts of the steps.
func (s Steps) Starts() []time.Time {
	starts := make([]time.Time, len(s.Days)-1)
	for n := range starts {
		starts[n] = s.Ago(s.Days[n])
	}
	return starts
}

// End returns when the last step ends.
func (s Steps) End() time.Time { return s.Ago(s.Days[len(s.Days)-1]) }

// HaveEnded reports whether they end before Now.
func (s Steps) HaveEnded() bool { return s.Days[len(s.Days)-1] > 0 }

// Windows returns the look-back days of the windows that the steps are computed from, descending. Now itself needs no window.
func (s Steps) Windows() []int {
	days := slices.DeleteFunc(slices.Concat(s.Days, s.Before, s.Inner, s.Outer), func(days int) bool { return days == 0 })
	slices.SortFunc(days, func(a, b int) int { return b - a })
	return slices.Compact(days)
}

// Unit is a calendar unit that a bucket of a line can have, in the viewer's time zone.
type Unit string

// The units. A week starts on Monday.
const (
	Hour  Unit = "hour"
	Day   Unit = "day"
	Week  Unit = "week"
	Month Unit = "month"
)

var shortest = map[Unit]time.Duration{Hour: time.Hour, Day: day, Week: 7 * day, Month: 28 * day}

// Shortest returns the minimum length of the unit, ignoring clock changes.
func (u Unit) Shortest() time.Duration { return shortest[u] }

// Fitting returns the unit, or the next larger unit that divides a range into at most limit buckets.
func (u Unit) Fitting(from, to time.Time, limit int64) Unit {
	for _, fitting := range []Unit{Hour, Day, Week, Month} {
		if fitting.Shortest() >= u.Shortest() && pointsOf(to.Sub(from), fitting.Shortest()) <= limit {
			return fitting
		}
	}
	return Month
}

// Starts returns the starts of the units that a range touches, both ends included.
func (u Unit) Starts(from, to time.Time, location *time.Location) []time.Time {
	switch u {
	case Hour:
		return hourStarts(from, to, location)
	case Day:
		return dayBuckets(from, to, 1, 0, location)
	case Week:
		return dayBuckets(from, to, 7, 4, location)
	}
	year, month, _ := from.In(location).Date()
	return dateStarts(func(i int) time.Time { return Date(year, month+time.Month(i), 1, 0, 0, 0, 0, location) }, to)
}

func dateStarts(start func(i int) time.Time, to time.Time) (starts []time.Time) {
	for i := 0; !start(i).After(to); i++ {
		starts = append(starts, start(i).UTC())
	}
	return starts
}

// hourStarts returns when clocks begin another hour, or change within one: zones may be half an hour off.
func hourStarts(from, to time.Time, location *time.Location) (starts []time.Time) {
	sinceHour := func(t time.Time) time.Duration { return WallClock(t).Sub(WallClock(t).Truncate(time.Hour)) }
	from = from.In(location)
	for t := from.Add(-sinceHour(from)); !t.After(to); {
		starts = append(starts, t.UTC())
		end := t.Add(time.Hour - sinceHour(t))
		if _, change := t.ZoneBounds(); !change.IsZero() && change.Before(end) {
			end = change
		}
		t = end.In(location)
	}
	return starts
}

const day = 24 * time.Hour

// Width returns the width of buckets: the interval or, if that gives more points than limit, the next suitable round one.
func Width(from, to time.Time, interval time.Duration, limit int64) time.Duration {
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

// Buckets returns the starts of the buckets that a range touches, both ends included. Those of whole days start at midnight in location.
func Buckets(from, to time.Time, width time.Duration, location *time.Location) []time.Time {
	if width%day == 0 {
		return dayBuckets(from, to, int(width/day), 0, location)
	}
	starts := make([]time.Time, 0, int(to.Sub(from)/width)+2)
	sinceStart := (from.UnixNano()%int64(width) + int64(width)) % int64(width) // Truncate counts from the year 1, which differs for weeks.
	for t := time.Unix(0, from.UnixNano()-sinceStart).UTC(); !t.After(to); t = t.Add(width) {
		starts = append(starts, t)
	}
	return starts
}

// dayBuckets counts days on the calendar, where they may have 23 or 25 hours. One bucket starts first days after Thursday, the epoch.
func dayBuckets(from, to time.Time, days, first int, location *time.Location) []time.Time {
	year, month, d := from.In(location).Date()
	sinceEpoch := int(time.Date(year, month, d, 0, 0, 0, 0, time.UTC).Unix() / int64(day/time.Second))
	offset := ((sinceEpoch-first)%days + days) % days
	return dateStarts(func(i int) time.Time { return Date(year, month, d-offset+i*days, 0, 0, 0, 0, location) }, to)
}

// Date returns when clocks of a zone show a date and a time or, where they skip it, when they change: in Chile, some days
// start at 1:00. time.Date takes the time before or after the change then, depending on the zone.
func Date(year int, month time.Month, d, hour, minute, second, ns int, location *time.Location) time.Time {
	t := time.Date(year, month, d, hour, minute, second, ns, location)
	shown, asked := WallClock(t), time.Date(year, month, d, hour, minute, second, ns, time.UTC)
	if shown.Equal(asked) {
		return t
	}
	start, end := t.ZoneBounds()
	if shown.Before(asked) {
		return end
	}
	return start
}

// WallClock returns what a clock in a time's zone shows, as if it were UTC: so differences ignore changes of clocks.
func WallClock(t time.Time) time.Time {
	_, offset := t.Zone()
	return t.Add(time.Duration(offset) * time.Second).UTC()
}

// Zone returns the time zone of an IANA name, UTC without one. The server's own zone, whatever that is, is none.
func Zone(name string) (zone *time.Location, ok bool) {
	if name == "" || strings.EqualFold(name, "utc") {
		return time.UTC, true
	}
	zone, err := time.LoadLocation(name)
	return zone, err == nil && zone != time.Local
}
