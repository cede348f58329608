package paging

import (
	"math"
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
)

// Goal says how much of a list is needed. The zero value needs all of it.
type Goal struct {
	// Field is the time by which the list must be descending, so that reading can stop before its end. Empty: the goal
	// counts rows in whatever order the service returns them.
	Field string
	From  time.Time // rows before are not needed; zero: all are
	To    time.Time // rows after do not count towards Rows; zero: all do
	Rows  int       // number of rows needed; 0: all since From
}

// All reports whether the goal needs the whole list.
func (g Goal) All() bool { return g.From.IsZero() && g.Rows == 0 }

// from and until are the range in nanoseconds since the epoch, limited to 1677 and 2262.
func (g Goal) from() int64 {
	if g.From.Before(time.Unix(0, math.MinInt64)) {
		return math.MinInt64
	}
	return g.From.UnixNano()
}

func (g Goal) until() int64 {
	if g.To.IsZero() || g.To.After(time.Unix(0, math.MaxInt64)) {
		return math.MaxInt64
	}
	return g.To.UnixNano()
}

// Needed returns how many leading rows of a list the goal needs, up to the n that are known, and whether these are
// enough. A goal that ends at a time includes the first row before it, which shows that no later one is missing.
func (g Goal) Needed(n int, timeOf func(row int) int64) (rows int, enough bool) {
	switch {
	case g.All():
		return n, false
	case g.Field == "":
		return min(n, g.Rows), n >= g.Rows
	}
	from, until, found := g.from(), g.until(), 0
	for row := range n {
		at := timeOf(row)
		if at < from {
			return row + 1, true
		}
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

// TimesOf returns the times of the rows of a table for Goal.Needed, in nanoseconds since the epoch. A row without a time
// is later than any other.
func TimesOf(t *columns.Table, field string) func(row int) int64 {
	times := t.Column(field)
	return func(row int) int64 {
		if !times.Valid[row] {
			return noTime
		}
		return times.Times[row]
	}
}
