// Package period is the time that a query covers: its range, the period that it is compared with, the days that totals of
// the service are split into, and the calendar.
package period

import (
	"slices"
	"time"
)

// Range is the time that the numbers of a frame cover.
type Range struct {
	Now  time.Time
	Zone *time.Location // of calendar days
	// From and To, both inclusive, are the time range or, if days are set, that number of last days. Lines and timelines of
	// tasks always have the time range.
	From, To time.Time
	// Cut reports whether tasks are limited to From and To. Otherwise, they are from From to Now.
	Cut bool
	// Since is when the first tasks that count were created; zero: all of the days. Tasks of more days change nothing then.
	Since time.Time
	// Known is since when the service is known to have data. Nothing before it is 0: it is null. It is Now if that is not
	// known, and zero if all of the time is known.
	Known time.Time
	// Covers describes the time of the numbers, such as "last 24 h"; empty if it is the time range.
	Covers string
	// Earlier is the period to compare with; nil: none.
	Earlier *Comparison
}

// Slack is how long ago a range may have ended and still count as ending now, and how far past a whole number of days it may
// start and still count as that number. "Last 24 hours" is slightly longer on arrival; rounded up to two days, it would read
// twice as much and, for totals of the service, show another value.
const Slack = time.Minute

// End returns when the range ends, which is now if that is about now.
func (r *Range) End() time.Time {
	if r.Now.Sub(r.To) < Slack {
		return r.Now
	}
	return r.To
}

// tolerated is the share of a period that may precede what is known: a service that keeps 40 days lists its oldest task
// some time after the start of the 20 days before the last 20 days.
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

// OnClock returns the range as a clock shows it that is ahead of this server's, such as that of the service, which dates its
// rows. Otherwise, the last minutes of a service whose clock is behind would be in no range.
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
	Name string // value of compare, and of the label that tells its series apart
	// From and To are that period, both inclusive. They are zero for totals up to now: see Steps.
	From, To time.Time
	// Shift maps a time of the range to the compared period. It is monotonic.
	Shift func(time.Time) time.Time
}

// Steps split a range into whole days back from Now: step i starts Days[i] days ago and ends where the next one starts.
type Steps struct {
	Now  time.Time
	Days []int // descending; 0 is Now itself
	// Before holds the steps of the compared period, like Days; nil: none.
	Before []int
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

// HaveEnded reports whether the steps end before Now.
func (s Steps) HaveEnded() bool { return s.Days[len(s.Days)-1] > 0 }

// Windows returns the look-back days of the windows that the steps are computed from, descending. Now itself needs no window.
func (s Steps) Windows() []int {
	days := slices.DeleteFunc(slices.Concat(s.Days, s.Before), func(days int) bool { return days == 0 })
	slices.SortFunc(days, func(a, b int) int { return b - a })
	return slices.Compact(days)
}
