package plugin

import (
	"context"
	"errors"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"

	"github.com/insights/insights-reporting-datasource/pkg/frame"
	"github.com/insights/insights-reporting-datasource/pkg/reads"
)

// partialRows is how many rows of a table are shown while it is read: more than fit on a screen.
const partialRows = 500

// partial builds the frame of the rows read so far, or nil if they would mislead: a number is wrong until all rows are
// there, and so are the first rows in an order that the plugin sorts itself.
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
		// For example, a field that only later rows have. The query itself reports the error.
		return nil, nil
	}
	return out, err
}
