package frame

import (
	"context"
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
)

// earliestOf is the key of the fact that caches the earliest time of a column.
type earliestOf struct{ field string }

// Earliest returns the earliest time of a field; zero if no row has one. Errors are those of a context that ended.
func Earliest(ctx context.Context, rows *columns.Table, field string) (time.Time, error) {
	return columns.Fact(ctx, rows, earliestOf{field}, func() (time.Time, int64, error) {
		c, first := rows.Column(field), time.Time{}
		for i := range rows.Rows {
			if err := checkCanceled(ctx, i); err != nil {
				return first, 0, err
			}
			if c.Valid[i] && (first.IsZero() || c.Times[i] < first.UnixNano()) {
				first = c.Time(i)
			}
		}
		return first, 24, nil
	})
}
