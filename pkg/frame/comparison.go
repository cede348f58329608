package frame

import (
	"slices"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/period"
)

// compareLabel is a label that only the series of the earlier period have: Grafana distinguishes series by labels
// alone.
const compareLabel = "compare"

// checkKnown determines since when it is known what happened in the compared period.
func (n *numbers) checkKnown(r *period.Range, from, to time.Time) {
	if r.IsKnown(from, to) {
		return
	}
	n.knownSince = r.Known
	start, known := from.UTC().Format(time.RFC3339), r.Known.UTC().Format(time.RFC3339)
	unknown := notice(data.NoticeSeverityInfo, "The period to compare with starts at %s, but the service is known to have data only since %s: there is nothing to compare with before that", start, known)
	if !r.IsTold() {
		unknown = notice(data.NoticeSeverityInfo, "The period to compare with starts at %s, but the service lists no tasks, or does not tell since when it has data: there is nothing to compare with", start)
	}
	n.notices = append(n.notices, unknown...)
}

// before returns the values of the earlier period in the buckets of the time range; nil if nothing is known there: in a
// legend, the total of a line of nulls would be 0.
func (n *numbers) before(r *Grouping, m *compared, starts []time.Time) line {
	if m.earlier == nil {
		return nil
	}
	c := r.Earlier
	cells := align(c, starts, r.To)
	known := make([]bool, len(starts))
	for i := range known {
		start, end := cells[2*i], cells[2*i+1]
		known[i] = start < end && start <= c.To.UnixNano() && start >= columns.Nanoseconds(n.knownSince)
	}
	if !slices.Contains(known, true) {
		return nil
	}
	of := m.earlier.line(r, cells)
	return func(labels []string) []*float64 {
		values, out := of(labels), make([]*float64, len(known))
		for i := range out {
			if known[i] {
				out[i] = values[2*i]
			}
		}
		return out
	}
}

// align shifts the buckets of the range into the earlier period. Bucket i becomes cell 2i. The time between two shifted
// buckets becomes the cell in between, such as January 30 between the cells of February 28 and March 1. No time is counted
// twice: the cell of March 30, shifted by a month, is empty. to is the end of the range.
func align(c *period.Comparison, starts []time.Time, to time.Time) (cells []int64) {
	end := c.Shift(starts[0]).UnixNano()
	for i, start := range starts {
		last := to
		if i+1 < len(starts) {
			last = starts[i+1].Add(-1)
		}
		from := max(c.Shift(start).UnixNano(), end)
		// If clocks skip the end, the next one starts at the same time.
		end = max(min(c.Shift(last).UnixNano()+1, c.Shift(last.Add(1)).UnixNano()), from)
		cells = append(cells, from, end)
	}
	return cells
}

// markBefore makes a line the second, dashed one of its group.
func (r *Grouping) markBefore(field *data.Field) {
	field.Labels = field.Labels.Copy()
	field.Labels[compareLabel] = r.Earlier.Name
	field.Config.DisplayNameFromDS = withWords(field.Config.DisplayNameFromDS, r.Language.Words().Before[r.Earlier.Name])
	field.Config.Custom = map[string]any{"lineStyle": map[string]any{"fill": "dash", "dash": []int{10, 10}}}
}
