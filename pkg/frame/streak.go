package frame

import (
	"context"
	"math"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
)

// streak counts the tasks of each cell that failed since the last one that succeeded, at least partially, by their ends.
// It skips tasks that have not finished.
func streak(r *Request, described *datasets.Measure) *measure {
	s := &streaks{status: r.Rows.Column("finishStatus"), ended: r.Rows.Column("dateLastModified")}
	return &measure{described: described, values: s.values}
}

type streaks struct{ status, ended *columns.Column }

func (s *streaks) values(ctx context.Context, rows []int, in *cells) []*float64 {
	succeeded := make([]int64, in.number) // the last end of each cell
	for i := range succeeded {
		succeeded[i] = math.MinInt64
	}
	for n, row := range each(ctx, rows) {
		if status := s.status.Text(row); s.ended.Valid[row] && (status == statusSuccess || status == statusPartial) {
			cell := in.of(n, row)
			succeeded[cell] = max(succeeded[cell], s.ended.Times[row])
		}
	}
	failed := make([]float64, in.number)
	for n, row := range each(ctx, rows) {
		if s.ended.Valid[row] && s.status.Text(row) == statusFailed {
			if cell := in.of(n, row); s.ended.Times[row] > succeeded[cell] {
				failed[cell]++
			}
		}
	}
	return nullable(in.number, func(i int) (float64, bool) { return failed[i], true })
}
