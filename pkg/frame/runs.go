package frame

import (
	"slices"
	"time"
)

// run is the interval in which a task ran: its start, and its exclusive end.
type run struct{ began, ended int64 }

// runs returns when tasks ran: until now or, if they have ended, until they were last modified. ok is false for one that
// has not started, or whose end is unknown or before its start.
func (r *Request) runs() func(row int) (of run, ok bool) {
	state, started, modified := r.Rows.Column("state"), r.Rows.Column("dateStartRunning"), r.Rows.Column("dateLastModified")
	now := nanoseconds(r.Now)
	return func(i int) (run, bool) {
		ended, known := modified.Times[i], modified.Valid[i]
		if state.Text(i) == stateRunning {
			ended, known = now, true
		}
		if !started.Valid[i] || !known || ended < started.Times[i] {
			return run{}, false
		}
		// A task of zero duration still ran at its start.
		return run{started.Times[i], max(ended, started.Times[i]+1)}, true
	}
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
	return timeRange{within(from, earliest, latest).UnixNano(), within(to, earliest, latest).UnixNano()}
}

// inRange reports whether a task ran in the time range, regardless of its time field.
func (r *Request) inRange() test {
	runs, over := r.runs(), r.timeRange()
	return func(row int) bool {
		of, ok := runs(row)
		return ok && of.began <= over.to && of.ended > over.from
	}
}

func within(t, from, to time.Time) time.Time { return sooner(later(t, from), to) }

func sooner(a, b time.Time) time.Time { return slices.MinFunc([]time.Time{a, b}, time.Time.Compare) }

func later(a, b time.Time) time.Time { return slices.MaxFunc([]time.Time{a, b}, time.Time.Compare) }
