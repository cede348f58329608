package frame

import (
	"cmp"
	"context"
	"math"

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
		s := &sweep{runs: r.runs(), over: r.timeRange(), now: within(r.Now).UnixNano(), result: result}
		return &measure{described: described, keeps: s.keeps, values: s.values}
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

func (s *sweep) keeps(row int) bool {
	of, ok := s.runs(row)
	return ok && s.over.touches(of)
}

func (s *sweep) values(ctx context.Context, rows []int, in *cells) ([]*float64, error) {
	if in.parts == nil {
		return s.through(ctx, rows, in.starts)
	}
	parts, err := partition(ctx, rows, in.parts, in.number)
	if err != nil {
		return nil, err
	}
	out := make([]*float64, in.number)
	for i, part := range parts {
		values, err := s.through(ctx, part, []int64{s.over.from})
		if err != nil {
			return nil, err
		}
		out[i] = values[0]
	}
	return out, nil
}

// through returns the values of the cells that begin at starts. The time range starts in the first and ends in the
// last.
func (s *sweep) through(ctx context.Context, rows []int, starts []int64) ([]*float64, error) {
	if err := s.load(ctx, rows); err != nil {
		return nil, err
	}
	values := make([]float64, len(starts))
	out := make([]*float64, len(starts))
	for i, start := range starts {
		end := s.over.to + 1
		if i+1 < len(starts) {
			end = starts[i+1]
		}
		d, err := s.cell(ctx, max(start, s.over.from), end)
		if err != nil {
			return nil, err
		}
		var ok bool
		if values[i], ok = s.result(d); ok {
			out[i] = &values[i]
		}
	}
	return out, nil
}

func (s *sweep) load(ctx context.Context, rows []int) error {
	s.began, s.ended, s.begun, s.gone = s.began[:0], s.ended[:0], 0, 0
	for n, row := range rows {
		if err := checkCanceled(ctx, n); err != nil {
			return err
		}
		if of, ok := s.runs(row); ok {
			s.began, s.ended = append(s.began, of.began), append(s.ended, of.ended)
		}
	}
	if err := sortAnyUntil(ctx, s.began, cmp.Compare[int64]); err != nil {
		return err
	}
	return sortAnyUntil(ctx, s.ended, cmp.Compare[int64])
}

// cell moves from the start of a cell to its exclusive end.
func (s *sweep) cell(ctx context.Context, at, end int64) (activity, error) {
	limit := min(end, s.over.to, s.now)
	d := activity{length: limit - at}
	for {
		if err := checkCanceled(ctx, s.step); err != nil {
			return d, err
		}
		s.step++
		s.advance(at)
		running := s.begun - s.gone
		d.most = max(d.most, running)
		next := min(s.next(), end)
		if running > 0 {
			d.busy += min(next, limit) - min(at, limit)
		}
		if next == end {
			return d, nil
		}
		at = next
	}
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
