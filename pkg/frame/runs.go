package frame

import (
	"cmp"
	"slices"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/filter"
	"github.com/insights/insights-reporting-datasource/schema"
)

// interval is when a task ran or waited: its start, and its exclusive end.
type interval struct{ began, ended int64 }

// intervals returns the interval of a task; ok is false if it has none.
type intervals func(row int) (of interval, ok bool)

// runs returns when tasks ran: until now or, if they have ended, until they were last modified. Tasks that have not
// started, or whose end is unknown or before their start, have no interval.
func (r *Selection) runs() intervals {
	state, started, modified := r.Rows.Column("state"), r.Rows.Column("dateStartRunning"), r.Rows.Column("dateLastModified")
	now := columns.Nanoseconds(r.Now)
	return func(i int) (interval, bool) {
		ended, known := modified.Times[i], modified.Valid[i]
		if state.Text(i) == stateRunning {
			ended, known = now, true
		}
		if !started.Valid[i] || !known || ended < started.Times[i] {
			return interval{}, false
		}
		// A task of zero duration still ran at its start.
		return interval{started.Times[i], max(ended, started.Times[i]+1)}, true
	}
}

// waits returns when tasks waited in the queue: from their creation until they started, were canceled, or now.
func (r *Selection) waits() intervals {
	state, created := r.Rows.Column("state"), r.Rows.Column("dateCreation")
	started, modified := r.Rows.Column("dateStartRunning"), r.Rows.Column("dateLastModified")
	now := columns.Nanoseconds(r.Now)
	return func(i int) (interval, bool) {
		until, known := started.Times[i], started.Valid[i]
		switch {
		case state.Text(i) == stateQueued:
			until, known = now, true
		case !known && state.Text(i) == stateCanceled:
			until, known = modified.Times[i], modified.Valid[i]
		}
		return interval{created.Times[i], until}, known && created.Valid[i] && until > created.Times[i]
	}
}

// timeRange has both ends inclusive.
type timeRange struct{ from, to int64 }

func (r *Selection) timeRange() timeRange {
	from, to := r.Span()
	return timeRange{columns.Nanoseconds(from), columns.Nanoseconds(to)}
}

// inRange reports whether a task ran or waited in the time range, regardless of its time field.
func (r *Selection) inRange(when intervals) filter.Test {
	over := r.timeRange()
	return func(row int) bool {
		of, ok := when(row)
		return ok && of.began <= over.to && of.ended > over.from
	}
}

// activity is what the tasks did in a cell.
type activity struct {
	most   int     // maximum of tasks at the same moment
	busy   int64   // nanoseconds in which at least one task ran
	ran    float64 // nanoseconds that all tasks ran
	length int64   // nanoseconds of the cell, up to now
}

func concurrency(d activity) float64 { return float64(d.most) }

func occupancy(d activity) float64 { return float64(d.busy) / float64(d.length) }

func meanConcurrency(d activity) float64 { return d.ran / float64(d.length) }

// overlap returns measures of when tasks ran or waited: each counts in every cell that it touches, regardless of the
// time field. What is to come, and what the service has no data of, does not
// count; nothing is known of a cell of only that.
func overlap(counts string, of func(*Selection) intervals, result func(activity) float64) formula {
	return overlapOf(counts, of, func(_ *Selection, rows []int, when intervals) []interval { return each(rows, when) }, result)
}

// busyRunners is the mean number of runners that ran at least one task.
var busyRunners = overlapOf("runs", (*Selection).runs, (*Selection).byRunner, meanConcurrency)

func overlapOf(counts string, of func(*Selection) intervals, spansOf func(*Selection, []int, intervals) []interval, result func(activity) float64) formula {
	return func(r *Selection, described *schema.Measure) *measure {
		when, over, now := of(r), r.knownRange(), columns.Nanoseconds(r.Now)
		values := func(rows []int, in *cells) []*float64 {
			activities := in.sweep(events(spansOf(r, rows, when), in.starts, over), over.to, now)
			return nullable(in.n, func(i int) (float64, bool) { return result(activities[i]), activities[i].length > 0 })
		}
		return &measure{described: described, counts: counts, keeps: r.inRange(when), when: when, values: values}
	}
}

// knownRange returns the time range since when the service has data: nobody knows whether something ran before.
func (r *Selection) knownRange() timeRange {
	over := r.timeRange()
	if r.IsTold() {
		over.from = max(over.from, columns.Nanoseconds(r.Known))
	}
	return over
}

// each returns when each task ran or waited.
func each(rows []int, when intervals) (spans []interval) {
	for _, row := range rows {
		if of, ok := when(row); ok {
			spans = append(spans, of)
		}
	}
	return spans
}

// byRunner returns when each runner was busy, even if several of its tasks ran at the same time.
func (r *Selection) byRunner(rows []int, when intervals) (spans []interval) {
	runner, of := r.Rows.Column("machineId"), map[string][]interval{}
	for _, row := range rows {
		if ran, ok := when(row); ok && runner.Text(row) != "" {
			of[runner.Text(row)] = append(of[runner.Text(row)], ran)
		}
	}
	for _, runs := range of {
		spans = append(spans, union(runs)...)
	}
	return spans
}

// union returns the same time as intervals that don't touch, in order.
func union(of []interval) (spans []interval) {
	slices.SortFunc(of, func(a, b interval) int { return cmp.Compare(a.began, b.began) })
	for _, next := range of {
		if last := len(spans) - 1; last >= 0 && next.began <= spans[last].ended {
			spans[last].ended = max(spans[last].ended, next.ended)
			continue
		}
		spans = append(spans, next)
	}
	return spans
}

// event is the start or end of a task, or the start of a piece of time.
type event struct {
	at      int64
	running int // by how many more tasks run from then on
	pieces  int // how many pieces start
}

// events returns the events of tasks and pieces within the time range, in order.
func events(spans []interval, pieces []int64, over timeRange) []event {
	events := make([]event, 0, len(pieces)+2*len(spans))
	for _, at := range pieces {
		events = append(events, event{at: max(at, over.from), pieces: 1})
	}
	for _, of := range spans {
		events = append(events, event{at: max(of.began, over.from), running: 1}, event{at: max(min(of.ended, over.to+1), over.from), running: -1})
	}
	slices.SortFunc(events, func(a, b event) int { return cmp.Compare(a.at, b.at) })
	return events
}

// sweep moves through time from one event to the next, so its effort is the sum of tasks and pieces instead of their
// product. The time range starts in the first piece and ends in the last, at to.
func (c *cells) sweep(events []event, to, now int64) []activity {
	activities := make([]activity, c.n)
	piece, running := -1, 0
	for i, e := range events {
		piece, running = piece+e.pieces, running+e.running
		end := to + 1
		if i+1 < len(events) {
			end = events[i+1].at
		}
		if piece < 0 || c.of[piece] == outside || e.at >= end {
			continue // more happens at this time, or it doesn't count
		}
		d, length := &activities[c.of[piece]], min(end, to, now)-min(e.at, to, now)
		d.most, d.length = max(d.most, running), d.length+length
		d.ran += float64(running) * float64(length)
		if running > 0 {
			d.busy += length
		}
	}
	return activities
}
