package plugin

import (
	"context"
	"errors"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"

	"github.com/insights/insights-reporting-datasource/pkg/frame"
	"github.com/insights/insights-reporting-datasource/pkg/reads"
)

// partialRows is how many rows of a table are shown while it is read: more than a screen has.
const partialRows = 500

// partial makes the frame of the rows that have been read so far, or nil where they do not tell: a number is not true before
// all rows are there, and neither are the first rows by an order of their own.
func (q *query) partial(ctx context.Context, found *reads.Progress, settings *Settings, now time.Time) (*data.Frame, error) {
	r := q.request(found.Table, settings, now)
	r.Partial = true
	build := frame.TimeSeries
	switch {
	case q.format == formatTable && (r.Sort == nil || r.Limit == 0):
		build, r.Limit = frame.Table, partialRows
		if q.limit > 0 {
			r.Limit = min(q.limit, partialRows)
		}
	case q.format != formatTimeSeries:
		return nil, nil
	}
	out, err := build(ctx, r)
	if errors.Is(err, frame.ErrNotYet) || errors.Is(err, frame.ErrInput) {
		// A field, for example, that only rows have which are still to come. The query itself will tell.
		return nil, nil
	}
	return out, err
}
