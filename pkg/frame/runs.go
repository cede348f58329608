package frame

import (
	"cmp"
	"slices"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/filter"
	"github.com/insights/insights-reporting-datasource/schema"
)

// run is the interval in which a task ran or waited: its start, and its exclusive end.
type run struct{ began, ended int64 }

// runs returns the interval of a task; ok is false if it has none.
type runs func(row int) (of run, ok bool)

// runs returns when tasks ran: until now or, if they have ended, until they were last modified. Tasks that have not
// started, or whose end is unknown or before their start, have no interval.
func (r *Selection) runs() runs {
	state, started, modified := r.Rows.Column("state"), r.Rows.Column("dateStartRunning"), r.Rows.Column("dateLastModified")
	now := columns.Nanoseconds(r.Now)
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

// waits returns when tasks waited in the queue: from their creation until they started, were canceled, or now.
func (r *Selection) waits() runs {
	state, created := r.Rows.Column("state"), r.Rows.Column("dateCreation")
	started, modified := r.Rows.Column("dateStartRunning"), r.Rows.Column("dateLastModified")
	now := columns.Nanoseconds(r.Now)
	return func(i int) (run, bool) {
		until, known := started.Times[i], started.Valid[i]
		switch {
		case state.Text(i) == stateQueued:
			until, known = now, true
		case !known && state.Text(i) == stateCanceled:
			until, known = modified.Times[i], modified.Valid[i]
		}
		return run{created.Times[i], until}, known && created.Valid[i] && until > created.Times[i]
	}
}

// timeRange has both ends inclusive.
type timeRange struct{ from, to int64 }

func (r *Selection) timeRange() timeRange {
	from, to := r.Span()
	return timeRange{columns.Nanoseconds(from), columns.Nanoseconds(to)}
}

// inRange reports whether a task ran or waited in the time range, regardless of its time field.
func (r *Selection) inRange(when runs) filter.Test {
	over := r.timeRange()
	return func(row int) bool {
		of, ok := when(row)
		return ok && of.began <= over.to && of.ended > over.from
	}
}

// activity is what the tasks did in a cell.
type activity struct {
	most   int   // maximum of tasks at the same moment
	busy   int64 // nanoseconds in which at least one task ran
	length int64 // nanoseconds of the cell within the time range, up to now
}

func concurrency(d activity) (float64, bool) { return float64(d.most), true }

func occupancy(d activity) (float64, bool) { return float64(d.busy) / float64(d.length), d.length > 0 }

// overlap returns measures of when tasks ran or waited: each counts in every cell that it touches, regardless of the
// time field.
func overlap(when func(*Selection) runs, result func(activity) (float64, bool)) measureFactory {
	return func(r *Selection, described *schema.Measure) *measure {
		s := &sweep{runs: when(r), over: r.timeRange(), now: columns.Nanoseconds(r.Now), result: result}
		return &measure{described: described, keeps: r.inRange(s.runs), values: s.values}
	}
}

// sweep moves through time from one event to the next, so its effort is the sum of tasks and cells instead of their
// product.
type sweep struct {
	runs   runs
	over   timeRange
	now    int64
	result func(activity) (float64, bool)
	events []event // reused for each series
}

// event is the start or end of a task, or the start of a cell.
type event struct {
	at      int64
	running int // by how many more tasks run from then on
	cells   int // how many cells start
}

func (s *sweep) values(rows []int, in *cells) []*float64 {
	if in.parts == nil {
		return s.through(rows, in.starts)
	}
	out := make([]*float64, in.number)
	for i, part := range partition(rows, in.parts, in.number) {
		out[i] = s.through(part, []int64{s.over.from})[0]
	}
	return out
}

// through returns the values of the cells with these starts. The time range starts in the first and ends in the
// last.
func (s *sweep) through(rows []int, starts []int64) []*float64 {
	s.load(rows, starts)
	activities := make([]activity, len(starts))
	cell, running := -1, 0
	for i, e := range s.events {
		cell, running = cell+e.cells, running+e.running
		end := s.over.to + 1
		if i+1 < len(s.events) {
			end = s.events[i+1].at
		}
		if cell < 0 || e.at == end {
			continue // more happens at this time
		}
		d, length := &activities[cell], min(end, s.over.to, s.now)-min(e.at, s.over.to, s.now)
		d.most, d.length = max(d.most, running), d.length+length
		if running > 0 {
			d.busy += length
		}
	}
	return nullable(len(starts), func(i int) (float64, bool) { return s.result(activities[i]) })
}

// load sorts the events of rows and cells within the time range.
func (s *sweep) load(rows []int, starts []int64) {
	s.events = s.events[:0]
	for _, at := range starts {
		s.events = append(s.events, event{at: max(at, s.over.from), cells: 1})
	}
	for _, row := range rows {
		if of, ok := s.runs(row); ok {
			s.events = append(s.events, event{at: max(of.began, s.over.from), running: 1}, event{at: min(of.ended, s.over.to+1), running: -1})
		}
	}
	slices.SortFunc(s.events, func(a, b event) int { return cmp.Compare(a.at, b.at) })
}
