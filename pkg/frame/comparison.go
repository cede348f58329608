package frame

import (
	"context"
	"slices"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"

	"github.com/insights/insights-reporting-datasource/datasets"
)

// Comparison is an earlier time that the time range is compared with.
type Comparison struct {
	Name  string // value of the label that tells its series apart
	Words string // such as "week before"
	// From and To are that time, both included. Sums that the service makes up to now have none: see Steps.
	From, To time.Time
	// Shift returns the moment that a moment of the time range is compared with. Later moments have no earlier one.
	Shift func(time.Time) time.Time
}

// compareLabel is the label that only the series of the earlier time have: Grafana tells series apart by labels alone.
const compareLabel = "compare"

// earlier is the request on the time that the range is compared with.
func (r *Request) earlier() *Request {
	e := *r
	e.From, e.To, e.Compare = r.Compare.From, r.Compare.To, nil
	return &e
}

// compareRows adds the rows of the earlier time. Groups are those of both times.
func (m *measured) compareRows(ctx context.Context, r *Request) (rows []int, err error) {
	if r.Compare == nil || r.Compare.From.IsZero() {
		return m.rows, nil
	}
	earlier := r.earlier()
	m.before = &measured{}
	if m.before.measure, err = earlier.measure(); err != nil {
		return nil, err
	}
	if m.before.rows, err = earlier.rows(ctx, m.before.measure.keeps); err != nil {
		return nil, err
	}
	return slices.Concat(m.rows, m.before.rows), nil
}

// part gives rows of the earlier time their groups.
func (m *measured) part() {
	if m.before != nil {
		m.before.groups = m.groups
		m.parts, m.before.parts = m.parts[:len(m.rows)], m.parts[len(m.rows):]
	}
}

// compareGroups gives each group the value that it had in the earlier time.
func (m *measured) compareGroups(ctx context.Context) error {
	if m.before == nil {
		return nil
	}
	values, err := m.before.measure.values(ctx, m.before.rows, &cells{parts: m.before.parts, number: len(m.groups)})
	if err != nil {
		return err
	}
	for _, g := range m.groups {
		g.before = values[g.number]
	}
	return nil
}

// compared makes a frame of type timeseries-wide, version 0.1, from numbers: for each group a series of two points, what
// was before and what is now. That is what Stat shows a change of, and rules can reduce. A group without a value now has
// none before either: the last value of a series that is not null would be the old one. The points stand at the beginnings
// of the two times.
func (r *Request) compared(frame *data.Frame, m *measured, groups []*group, before, now time.Time) {
	frame.Meta.Type, frame.Meta.PreferredVisualization = data.FrameTypeTimeSeriesWide, data.VisTypeGraph
	groups = slices.DeleteFunc(slices.Clone(groups), func(g *group) bool { return g.value == nil })
	if len(groups) == 0 {
		return
	}
	frame.Fields = append(frame.Fields, data.NewField("time", nil, []time.Time{before.UTC(), now.UTC()}))
	for _, g := range groups {
		field := data.NewField(r.Measure, r.labels(g), []*float64{g.before, g.value})
		field.Config = r.seriesConfig(m.measure.described, g)
		frame.Fields = append(frame.Fields, field)
	}
}

// alignment is where the buckets of the range find their values in the earlier time.
type alignment struct {
	starts []time.Time // of cells, the gaps between buckets among them
	cell   []int       // of each bucket; -1 where there is none, such as of March 30 a month before
}

// align moves the buckets of the range into the earlier time. No moment of that counts twice, and what lies between two
// buckets, as January 30 does between those of February 28 and March 1, in none. to is the end of the range.
func (c *Comparison) align(starts []time.Time, to time.Time) alignment {
	a := alignment{cell: make([]int, len(starts))}
	end := c.Shift(starts[0])
	for i, start := range starts {
		begin := later(c.Shift(start), end)
		if begin.After(end) {
			a.starts = append(a.starts, end)
		}
		end = begin
		if i+1 < len(starts) {
			end = later(begin, c.Shift(starts[i+1].Add(-1)).Add(1))
		}
		if i+1 < len(starts) && !end.After(begin) || begin.After(c.To) {
			a.cell[i] = -1
			continue
		}
		a.cell[i] = len(a.starts)
		a.starts = append(a.starts, begin)
	}
	if end := c.Shift(to).Add(1); end.Before(c.To) {
		a.starts = append(a.starts, end)
	}
	return a
}

// pick returns the values of the buckets from those of the cells.
func (a alignment) pick(values []*float64) []*float64 {
	out := make([]*float64, len(a.cell))
	for i, cell := range a.cell {
		if cell >= 0 {
			out[i] = values[cell]
		}
	}
	return out
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// beforeField makes the second line of a group, dashed, beside the first one.
func (r *Request) beforeField(m *datasets.Measure, of *group, values []*float64) *data.Field {
	labels, label := r.labels(of).Copy(), compareLabel
	for slices.Contains(r.GroupBy, label) {
		label += "_" // a service may add a field of that name
	}
	labels[label] = r.Compare.Name
	field := data.NewField(r.Measure, labels, values)
	field.Config = r.seriesConfig(m, of)
	field.Config.DisplayNameFromDS = withWords(r.nameOf(of), r.Compare.Words)
	field.Config.Custom = map[string]any{"lineStyle": map[string]any{"fill": "dash", "dash": []int{10, 10}}}
	return field
}
