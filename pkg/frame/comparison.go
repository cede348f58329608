package frame

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/period"
)

// compareLabel is a label that only the series of the earlier period have: Grafana distinguishes series by labels
// alone.
const compareLabel = "compare"

// compareRows adds the rows of the earlier period, so that groups are made from both periods.
func (m *measured) compareRows(ctx context.Context, r *Grouping) (rows []int, err error) {
	if r.Earlier == nil || r.Earlier.From.IsZero() {
		return m.rows, nil
	}
	earlier := r.Selection
	earlier.From, earlier.To = r.Earlier.From, r.Earlier.To
	m.starts = []time.Time{r.Earlier.From, r.From}
	m.before = &measured{}
	if m.before.measure, err = newMeasure(r.Measure, &earlier); err != nil {
		return nil, err
	}
	if m.before.rows, _, err = earlier.rows(ctx, m.before.measure.keeps); err != nil {
		return nil, err
	}
	m.checkKnown(&r.Selection)
	return slices.Concat(m.rows, m.before.rows), nil
}

// toleratedShare is the share of the compared period that may precede the first task: a service that keeps 40 days lists
// its oldest task some time after the start of the 20 days before the last 20 days.
const toleratedShare = 0.05

// checkKnown determines since when it is known what happened in the compared period: since the first task of the rows,
// which reach further back if the service does, or of the service.
func (m *measured) checkKnown(r *Selection) {
	first := columns.Earlier(r.Rows.Earliest(r.DataSet.TimeFields[0]), r.Earlier.Known)
	text := "The service lists no tasks, so there is nothing to compare with"
	if !first.IsZero() {
		slack := time.Duration(toleratedShare * float64(r.Earlier.To.Sub(r.Earlier.From)))
		if first.Sub(r.Earlier.From) <= slack {
			return
		}
		text = fmt.Sprintf("The period to compare with starts at %s, before the first task that the service lists, which was created at %s: there is nothing to compare with before that",
			r.Earlier.From.UTC().Format(time.RFC3339), first.UTC().Format(time.RFC3339))
	} else {
		first = r.Earlier.To.Add(1)
	}
	m.knownSince = first
	m.notices = append(m.notices, data.Notice{Severity: data.NoticeSeverityInfo, Text: text})
}

// splitParts assigns groups to the rows of the earlier period.
func (m *measured) splitParts() {
	if m.before != nil {
		m.before.groups = m.groups
		m.parts, m.before.parts = m.parts[:len(m.rows)], m.parts[len(m.rows):]
	}
}

// compareGroups sets each group's value in the earlier period if that is known.
func (m *measured) compareGroups() {
	if m.before == nil || !m.knownSince.IsZero() {
		return
	}
	values := m.before.totals()
	for _, g := range m.groups {
		g.before = values[g.number]
	}
}

// changes adds a row for each group, with the value of the earlier period, and by which fraction of that the current
// value has changed; null where there is nothing to compare with.
func (r *Numeric) changes(frame *data.Frame, m *measured, groups []*group) {
	if len(groups) == 0 {
		return
	}
	before := numberField(r.unused("before"), groups, func(g *group) *float64 { return g.before })
	before.Config = r.measureConfig(m.measure.described)
	before.Config.DisplayNameFromDS = withWords(m.measure.described.Called(r.Language), r.Language.Words().Before[r.Earlier.Name])
	change := numberField(r.unused("change"), groups, func(g *group) *float64 {
		if g.value == nil || g.before == nil || *g.before == 0 {
			return nil
		}
		return new(*g.value / *g.before - 1)
	})
	change.Config = &data.FieldConfig{Unit: "percentunit", DisplayNameFromDS: r.Language.Words().Change}
	frame.Fields = append(r.longFields(m, groups), before, change)
}

// unused returns a name that no groupBy field has: the service may have fields of any name.
func (r *Grouping) unused(name string) string {
	for slices.Contains(r.GroupBy, name) {
		name += "_"
	}
	return name
}

// twoPoints makes a frame of type timeseries-wide, version 0.1, from numbers: for each group a series of two points,
// the earlier and the current value. Stat shows its change, and rules can reduce it. A group without a current value is
// omitted, because the last non-null value of its series would be the old one. The points are at the starts of the two
// periods.
func (r *Numeric) twoPoints(frame *data.Frame, m *measured, groups []*group) {
	frame.Meta.Type, frame.Meta.PreferredVisualization = data.FrameTypeTimeSeriesWide, data.VisTypeGraph
	groups = slices.DeleteFunc(slices.Clone(groups), func(g *group) bool { return g.value == nil })
	if len(groups) == 0 {
		return
	}
	frame.Fields = append(frame.Fields, data.NewField("time", nil, []time.Time{m.starts[0].UTC(), m.starts[1].UTC()}))
	for _, g := range groups {
		frame.Fields = append(frame.Fields, r.seriesField(m, g, []*float64{g.before, g.value}))
	}
}

// align shifts the buckets of the range into the earlier period. Bucket i becomes cell 2i. The time between two shifted
// buckets becomes the cell in between, such as January 30 between the cells of February 28 and March 1. No time is counted
// twice: the cell of March 30, shifted by a month, is empty. to is the end of the range.
func align(c *period.Comparison, starts []time.Time, to time.Time) (cells []time.Time) {
	end := c.Shift(starts[0])
	for i, start := range starts {
		last := to
		if i+1 < len(starts) {
			last = starts[i+1].Add(-1)
		}
		from := latest(c.Shift(start), end)
		end = latest(c.Shift(last).Add(1), from)
		cells = append(cells, from, end)
	}
	return cells
}

func latest(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// knownBuckets reports for each bucket whether its cell is not empty and starts at a time or later.
func knownBuckets(c *period.Comparison, cells []time.Time, since time.Time) []bool {
	known := make([]bool, len(cells)/2)
	for i := range known {
		start, end := cells[2*i], cells[2*i+1]
		known[i] = start.Before(end) && !start.After(c.To) && !start.Before(since)
	}
	return known
}

// pick returns the values of known buckets from the values of cells.
func pick(values []*float64, known []bool) []*float64 {
	out := make([]*float64, len(known))
	for i := range out {
		if known[i] {
			out[i] = values[2*i]
		}
	}
	return out
}

// beforeField builds the second, dashed line of a group.
func (r *Grouping) beforeField(m *measured, of *group, values []*float64) *data.Field {
	field := r.seriesField(m, of, values)
	field.Labels = field.Labels.Copy()
	field.Labels[r.unused(compareLabel)] = r.Earlier.Name
	field.Config.DisplayNameFromDS = withWords(r.nameOf(m, of), r.Language.Words().Before[r.Earlier.Name])
	field.Config.Custom = map[string]any{"lineStyle": map[string]any{"fill": "dash", "dash": []int{10, 10}}}
	return field
}
