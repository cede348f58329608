package frame

import (
	"context"
	"slices"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/period"
)

// compareLabel is a label that only the series of the earlier period have: Grafana distinguishes series by labels
// alone.
const compareLabel = "compare"

// compare returns the rows of the earlier period of tasks, so that groups are made from both periods.
func (n *numbers) compare(ctx context.Context, r *Grouping) []int {
	if r.Earlier == nil || r.Earlier.From.IsZero() {
		return nil
	}
	earlier := r.Selection
	earlier.From, earlier.To = r.Earlier.From, r.Earlier.To
	n.starts = []time.Time{r.Earlier.From.UTC(), r.From.UTC()}
	n.earlier = newMeasure(r.Measure, &earlier)
	n.checkKnown(&r.Selection)
	earlier.earlierBy = r.Now.Sub(r.Earlier.Shift(r.Now))
	rows, _ := earlier.rows(ctx, n.earlier.keeps)
	return rows
}

// toleratedShare is the share of the compared period that may precede the first task: a service that keeps 40 days lists
// its oldest task some time after the start of the 20 days before the last 20 days.
const toleratedShare = 0.05

// checkKnown determines since when it is known what happened in the compared period: since the first task of the rows,
// which reach further back if the service does, or of the service.
func (n *numbers) checkKnown(r *Selection) {
	first := columns.Earlier(r.Rows.Earliest(r.DataSet.TimeFields[0]), r.Earlier.Known)
	slack := time.Duration(toleratedShare * float64(r.Earlier.To.Sub(r.Earlier.From)))
	switch {
	case first.IsZero():
		n.knownSince = r.Earlier.To.Add(1)
		n.notices = append(n.notices, notice(data.NoticeSeverityInfo, "The service lists no tasks, so there is nothing to compare with")...)
	case first.Sub(r.Earlier.From) > slack:
		n.knownSince = first
		n.notices = append(n.notices, notice(data.NoticeSeverityInfo, "The period to compare with starts at %s, before the first task that the service lists, which was created at %s: there is nothing to compare with before that",
			r.Earlier.From.UTC().Format(time.RFC3339), first.UTC().Format(time.RFC3339))...)
	}
}

// before returns the values of the earlier period in the buckets of the time range; nil if nothing is known there: in a
// legend, the total of a line of nulls would be 0.
func (n *numbers) before(c *period.Comparison, starts []time.Time, to time.Time) func(*group) []*float64 {
	cells := align(c, starts, to)
	known := make([]bool, len(starts))
	for i := range known {
		start, end := cells[2*i], cells[2*i+1]
		known[i] = start < end && start <= c.To.UnixNano() && (n.knownSince.IsZero() || start >= n.knownSince.UnixNano())
	}
	if !slices.Contains(known, true) {
		return nil
	}
	return func(g *group) []*float64 {
		values, out := n.earlier.values(g.earlier, cells), make([]*float64, len(known))
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

// beforeField builds the second, dashed line of a group.
func (r *Grouping) beforeField(n *numbers, of *group, values []*float64) *data.Field {
	field := r.seriesField(n, of, values)
	field.Labels = field.Labels.Copy()
	field.Labels[compareLabel] = r.Earlier.Name
	field.Config.DisplayNameFromDS = withWords(r.seriesName(n, of), r.Language.Words().Before[r.Earlier.Name])
	field.Config.Custom = map[string]any{"lineStyle": map[string]any{"fill": "dash", "dash": []int{10, 10}}}
	return field
}
