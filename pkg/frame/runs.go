package frame

import (
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
)

// run is the interval in which a task ran: its start, and its exclusive end.
type run struct{ began, ended int64 }

// runs returns when tasks ran. ok is false for one that has not started, or whose end is unknown or before its start.
func (r *Request) runs() func(row int) (of run, ok bool) {
	state, started, modified := r.Rows.Column("state"), r.Rows.Column("dateStartRunning"), r.Rows.Column("dateLastModified")
	now := nanoseconds(r.Now)
	return func(i int) (run, bool) {
		ended, known := runEnd(state, modified, now, i)
		if !started.Valid[i] || !known || ended < started.Times[i] {
			return run{}, false
		}
		// A task of zero duration still ran at its start.
		return run{started.Times[i], max(ended, started.Times[i]+1)}, true
	}
}

// runEnd returns the end of a run: now for a running task, otherwise when it was last modified.
func runEnd(state, modified *columns.Column, now int64, row int) (ended int64, known bool) {
	if state.Text(row) == stateRunning {
		return now, true
	}
	return modified.Times[row], modified.Valid[row]
}

// timeRange has both ends inclusive.
type timeRange struct{ from, to int64 }

// span returns the time range of the request or, without one, as far as its rows reach back.
func (r *Request) span() (from, to time.Time) {
	if r.From.IsZero() {
		return r.Since, r.Now
	}
	return r.From, r.To
}

// timeRange returns the span of the request, limited to the dates of a timeseries, so that its length fits into 64 bits.
func (r *Request) timeRange() timeRange {
	from, to := r.span()
	return timeRange{within(from).UnixNano(), within(to).UnixNano()}
}

// inRange reports whether a task ran in the time range, regardless of its time field.
func (r *Request) inRange() test {
	runs, over := r.runs(), r.timeRange()
	return func(row int) bool {
		of, ok := runs(row)
		return ok && of.began <= over.to && of.ended > over.from
	}
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
