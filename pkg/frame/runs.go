package frame

import (
	"cmp"
	"slices"

	"github.com/insights/insights-reporting-datasource/pkg/attention"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/filter"
)

// intervals returns when a task ran or waited; ok is false if it did not.
type intervals func(row int) (of attention.Span, ok bool)

// intervals binds when tasks run or wait to the rows.
func (r *Selection) intervals(of func(t *attention.Task, now int64) (attention.Span, bool)) intervals {
	tasks, now := r.tasks(), columns.Nanoseconds(r.Now)
	return func(row int) (attention.Span, bool) { return of(&tasks[row], now) }
}

// runs returns when a task ran. One of zero duration still ran at its start.
func runs(t *attention.Task, now int64) (attention.Span, bool) {
	of, ok := t.Runs(now)
	of.Ended = max(of.Ended, of.Began+1)
	return of, ok
}

func waits(t *attention.Task, now int64) (attention.Span, bool) {
	of, ok := t.Waits(now)
	return of, ok && of.Ended > of.Began
}

// timeRange has both ends inclusive.
type timeRange struct{ from, to int64 }

func (o timeRange) has(at int64) bool { return at >= o.from && at <= o.to }

// over returns the time range as far as it can be known what happened: since when the service has data, and until now.
func (r *Selection) over() timeRange {
	from, to := r.From, r.End() // at most now
	if r.IsTold() && r.Known.After(from) {
		from = r.Known
	}
	return timeRange{columns.Nanoseconds(from), columns.Nanoseconds(to)}
}

// inRange reports whether a task ran or waited in the time range, regardless of its time field.
func (r *Selection) inRange(when intervals) filter.Test {
	over := r.over()
	return func(row int) bool {
		of, ok := when(row)
		return ok && of.Began <= over.to && min(of.Ended, over.to+1) > over.from
	}
}

var (
	running = throughoutSpans("runs", runs, each)
	waiting = throughoutSpans("waits", waits, each)
)

// throughoutSpans counts tasks in every cell that they touch, regardless of the time field. spansOf returns when some of them count.
func throughoutSpans(name string, of func(t *attention.Task, now int64) (attention.Span, bool), spansOf func([]int, intervals) []attention.Span) counting {
	return func(r *Selection) *counted {
		when := r.intervals(of)
		return &counted{name: name, keeps: r.inRange(when), touches: when, tallies: func(rows []int) []tally {
			spans := spansOf(rows, when)
			all := make([]tally, len(spans))
			for i, of := range spans {
				all[i].Span = of
			}
			return all
		}}
	}
}

// runnersAtWork counts each runner while it was busy, even if several of its tasks ran at the same time.
func runnersAtWork(r *Selection) *counted {
	runner := r.Rows.Column("machineId")
	return throughoutSpans("runs", runs, func(rows []int, when intervals) (spans []attention.Span) {
		for label, own := range byText(runner, rows) {
			if label != "" {
				spans = append(spans, union(each(own, when))...)
			}
		}
		return spans
	})(r)
}

// each returns when each task ran or waited.
func each(rows []int, when intervals) []attention.Span {
	spans := make([]attention.Span, 0, len(rows))
	for _, row := range rows {
		if of, ok := when(row); ok {
			spans = append(spans, of)
		}
	}
	return spans
}

// union returns the same time as spans that don't touch, in order.
func union(of []attention.Span) (spans []attention.Span) {
	slices.SortFunc(of, func(a, b attention.Span) int { return cmp.Compare(a.Began, b.Began) })
	for _, next := range of {
		if last := len(spans) - 1; last >= 0 && next.Began <= spans[last].Ended {
			spans[last].Ended = max(spans[last].Ended, next.Ended)
			continue
		}
		spans = append(spans, next)
	}
	return spans
}
