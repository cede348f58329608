package frame

import (
	"cmp"
	"slices"

	"github.com/insights/insights-reporting-datasource/pkg/attention"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
)

// cells divide time into those that have a value of a measure each: the buckets of a line, the hours with the same name, or
// both. Time is cut into pieces. The first one contains whatever is before it, too. Of pieces that start at the same time,
// all but the last are empty.
type cells struct {
	n      int
	starts []int64 // of the pieces, ascending; a single one is all of time
	of     []int   // the cell of each piece, or outside
}

// outside is where time is that doesn't count.
const outside = -1

// pieceAt returns the piece that a time is in.
func pieceAt(starts []int64, at int64) int {
	after, _ := slices.BinarySearch(starts, at+1)
	return max(0, after-1)
}

// activity is what the tasks did in a cell.
type activity struct {
	most   int     // maximum of tasks at the same moment
	busy   int64   // nanoseconds in which at least one task ran
	ran    float64 // nanoseconds that all tasks ran
	length int64   // nanoseconds of the cell, as far as they can be known
}

func most(d activity) float64 { return float64(d.most) }

func busy(d activity) float64 { return float64(d.busy) / float64(d.length) }

func mean(d activity) float64 { return d.ran / float64(d.length) }

// throughout folds what counts in every cell that it touches. What is to come, and what the service has no data of, does not
// count; nothing is known of a cell of only that.
func throughout(result func(activity) float64) fold {
	return func(m *measure, of []tally, in *cells) []float64 {
		over := m.over()
		numbers := make([]float64, in.n)
		for n, d := range in.sweep(events(of, in.starts, over), over.to) {
			numbers[n] = unless(d.length == 0, result(d))
		}
		return numbers
	}
}

// event is the start or end of a task, or the start of a piece of time.
type event struct {
	at      int64
	running int // by how many more tasks run from then on
	pieces  int // how many pieces start
}

// events returns the events of tasks and pieces within the time range, in order.
func events(of []tally, pieces []int64, over timeRange) []event {
	events := make([]event, 0, len(pieces)+2*len(of))
	for _, at := range pieces {
		events = append(events, event{at: max(at, over.from), pieces: 1})
	}
	for i := range of {
		t := &of[i]
		events = append(events, event{at: max(t.Began, over.from), running: 1}, event{at: max(min(t.Ended, over.to+1), over.from), running: -1})
	}
	slices.SortFunc(events, func(a, b event) int { return cmp.Compare(a.at, b.at) })
	return events
}

// sweep moves through time from one event to the next, so its effort is the sum of tasks and pieces instead of their
// product. The time range starts in the first piece and ends at to.
func (c *cells) sweep(events []event, to int64) []activity {
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
		d, length := &activities[c.of[piece]], min(end, to)-min(e.at, to)
		d.most, d.length = max(d.most, running), d.length+length
		d.ran += float64(running) * float64(length)
		if running > 0 {
			d.busy += length
		}
	}
	return activities
}

// atEnd adds what is left at the end of each bucket or, of the last one, now: the value of what waits then and, of what has begun
// to run, as many seconds less as it has run, at least 0.
func atEnd(m *measure, of []tally, in *cells) []float64 {
	over, now := m.over(), columns.Nanoseconds(m.Now)
	moments, numbers := make([]int64, in.n), make([]float64, in.n)
	for i := range moments {
		moments[i] = over.to + 1
		if i+1 < in.n {
			moments[i] = in.starts[i+1]
		}
		moments[i] = min(moments[i], now)
		numbers[i] = unless(max(in.starts[i], over.from) >= moments[i], 0)
	}
	for _, t := range of {
		if t.Ended != attention.Open {
			t.Ended = min(t.Ended, now)
		}
		first, _ := slices.BinarySearch(moments, t.Began)
		for i := first; i < in.n && moments[i] < t.Ended; i++ {
			left := attention.Span{Began: t.Began, Ended: moments[i]}.Seconds(now)
			numbers[i] += max(0, t.value-t.weight*left)
		}
	}
	return numbers
}
