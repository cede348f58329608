package frame

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/insights/insights-reporting-datasource/datasets"
)

// activity is that of the tasks in a cell.
type activity struct {
	most   int   // maximum of concurrent tasks
	busy   int64 // nanoseconds in which at least one task ran
	length int64 // nanoseconds of the cell within the time range, up to now; 0 or less: none
}

func concurrency(d activity) (float64, bool) { return float64(d.most), true }

func occupancy(d activity) (float64, bool) { return float64(d.busy) / float64(d.length), d.length > 0 }

// overlap returns measures of when tasks ran: each counts in every cell that it touches, regardless of the time field.
func overlap(result func(activity) (float64, bool)) measureFactory {
	return func(r *Request, described *datasets.Measure) *measure {
		s := &sweep{runs: r.runs(), over: r.timeRange(), now: within(r.Now, earliest, latest).UnixNano(), result: result}
		return &measure{described: described, keeps: r.inRange(), values: s.values}
	}
}

// sweep moves through time from one start or end of a task to the next, so its effort is the sum of tasks and cells
// instead of their product.
type sweep struct {
	runs   func(row int) (run, bool)
	over   timeRange
	now    int64
	result func(activity) (float64, bool)

	began, ended []int64 // of the current rows, ascending
	begun, gone  int     // how many of them are at or before the current time
	step         int
}

func (s *sweep) values(ctx context.Context, rows []int, in *cells) []*float64 {
	if in.parts == nil {
		return s.through(ctx, rows, in.starts)
	}
	out := make([]*float64, in.number)
	for i, part := range partition(ctx, rows, in.parts, in.number) {
		out[i] = s.through(ctx, part, []int64{s.over.from})[0]
	}
	return out
}

// through returns the values of the cells that begin at starts. The time range starts in the first and ends in the
// last.
func (s *sweep) through(ctx context.Context, rows []int, starts []int64) []*float64 {
	s.load(ctx, rows)
	ends := append(slices.Clone(starts[1:]), s.over.to+1)
	return nullable(len(starts), func(i int) (float64, bool) {
		return s.result(s.cell(ctx, max(starts[i], s.over.from), ends[i]))
	})
}

func (s *sweep) load(ctx context.Context, rows []int) {
	s.began, s.ended, s.begun, s.gone = s.began[:0], s.ended[:0], 0, 0
	for _, row := range each(ctx, rows) {
		if of, ok := s.runs(row); ok {
			s.began, s.ended = append(s.began, of.began), append(s.ended, of.ended)
		}
	}
	slices.SortFunc(s.began, orEqual(ctx, cmp.Compare[int64]))
	slices.SortFunc(s.ended, orEqual(ctx, cmp.Compare[int64]))
}

// cell moves from the start of a cell to its exclusive end.
func (s *sweep) cell(ctx context.Context, at, end int64) activity {
	limit := min(end, s.over.to, s.now)
	d := activity{length: limit - at}
	for ; !ended(ctx, s.step); s.step++ {
		s.advance(at)
		running := s.begun - s.gone
		d.most = max(d.most, running)
		next := min(s.next(), end)
		if running > 0 {
			d.busy += min(next, limit) - min(at, limit)
		}
		if next == end {
			break
		}
		at = next
	}
	return d
}

// advance counts starts and ends up to a time.
func (s *sweep) advance(at int64) {
	for s.begun < len(s.began) && s.began[s.begun] <= at {
		s.begun++
	}
	for s.gone < len(s.ended) && s.ended[s.gone] <= at {
		s.gone++
	}
}

// next returns the next start or end of a task.
func (s *sweep) next() int64 {
	next := int64(math.MaxInt64)
	if s.begun < len(s.began) {
		next = s.began[s.begun]
	}
	if s.gone < len(s.ended) {
		next = min(next, s.ended[s.gone])
	}
	return next
}
