package list

import (
	"math"
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
)

// Goal is what a question needs: all rows that the service lists for so many days or, of these, only those since a time,
// or a number of them.
type Goal struct {
	Days int
	// Field is the time by which the list must be newest first, so that reading can stop before its end. Empty: the goal
	// counts rows in whatever order the service returns them.
	Field string
	From  time.Time // rows before are not needed; zero: all are
	To    time.Time // rows after do not count towards Rows; zero: all do
	Rows  int       // number of rows needed; 0: all since From
}

// All reports whether the goal needs all rows of its days.
func (g Goal) All() bool { return g.From.IsZero() && g.Rows == 0 }

// endsWithDays reports whether the rows of the goal may end with its days, so that rows of more days do not answer it.
// Otherwise, it starts within its days, whatever a day of the service is.
func (g Goal) endsWithDays() bool {
	return g.From.IsZero() || time.Since(g.From) > time.Duration(g.Days-1)*24*time.Hour
}

// all returns the goal that needs all rows of the same days.
func (g Goal) all() Goal { return Goal{Days: g.Days} }

// includes reports whether the goal needs all rows that another one needs, so that it fails where the other one fails.
func (g Goal) includes(other Goal) bool {
	switch {
	case g.All() || other.All():
		return g.All() && g.Days >= other.Days
	case g.Rows > 0 || other.Rows > 0:
		return other.Rows > 0 && (g.Rows == 0 || g.Rows >= other.Rows) && !g.From.After(other.From)
	default:
		return !g.From.After(other.From)
	}
}

// tolerance is how far the times of rows may be out of order: a service may set them before it lists the row.
const tolerance = time.Minute

// needed returns how many leading rows of a list the goal needs, up to the n that are known, and whether these are
// enough. A goal that starts at a time needs so many earlier rows behind the last one that it covers, which show that no
// later one follows: in a list by last change, an old task may be among new ones.
func (g Goal) needed(n int, timeOf func(row int) int64, behind int) (rows int, enough bool) {
	switch {
	case g.All():
		return n, false
	case g.Field == "":
		return min(n, g.Rows), n >= g.Rows
	}
	from, until := int64(math.MinInt64), int64(math.MaxInt64)
	if !g.From.IsZero() {
		from = columns.Nanoseconds(g.From.Add(-tolerance))
	}
	if !g.To.IsZero() {
		until = columns.Nanoseconds(g.To)
	}
	found, earlier := 0, 0
	for row := range n {
		at := timeOf(row)
		if at < from {
			if earlier++; earlier >= behind {
				return row + 1, true
			}
			continue
		}
		earlier = 0
		if at <= until {
			found++
		}
		if g.Rows > 0 && found == g.Rows {
			return row + 1, true
		}
	}
	return n, false
}

// noTime is the time of a row without one: later than any other.
const noTime = math.MaxInt64

// timesOf returns the times of the rows of a table, in nanoseconds since the epoch.
func timesOf(t *columns.Table, field string) func(row int) int64 {
	times := t.Column(field)
	return func(row int) int64 {
		if times == nil || !times.Valid[row] {
			return noTime
		}
		return times.Times[row]
	}
}
