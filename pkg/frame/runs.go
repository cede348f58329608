package frame

import (
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
)

// run is when a task ran: from its start up to its end, which is later.
type run struct{ began, ended int64 }

// runs reads when tasks ran. ok is false for one that has not started, or whose end is unknown or before its start.
func (r *Request) runs() func(row int) (of run, ok bool) {
	state, started, modified := r.Rows.Column("state"), r.Rows.Column("dateStartRunning"), r.Rows.Column("dateLastModified")
	now := nanoseconds(r.Now)
	return func(i int) (run, bool) {
		ended, known := runEnd(state, modified, now, i)
		if !started.Valid[i] || !known || ended < started.Times[i] {
			return run{}, false
		}
		// What took no time still ran at its moment.
		return run{started.Times[i], max(ended, started.Times[i]+1)}, true
	}
}

// runEnd: a task that is running has run until now; any other one until it was last modified.
func runEnd(state, modified *columns.Column, now int64, row int) (ended int64, known bool) {
	if state.Text(row) == stateRunning {
		return now, true
	}
	return modified.Times[row], modified.Valid[row]
}

// span is a time from one moment to another, both included.
type span struct{ from, to int64 }

// touches says whether a task ran in the time.
func (s span) touches(of run) bool { return of.began <= s.to && of.ended > s.from }

// span is the time that the request is about: its range, or as far as its rows reach back. It keeps between the dates of
// a timeseries, so that its length fits 64 bits.
func (r *Request) span() span {
	from, to := r.From, r.To
	if from.IsZero() {
		from, to = r.Since, r.Now
	}
	return span{within(from).UnixNano(), within(to).UnixNano()}
}

func within(t time.Time) time.Time {
	switch {
	case t.Before(earliest):
		return earliest
	case t.After(latest):
		return latest
	default:
		return t
	}
}
