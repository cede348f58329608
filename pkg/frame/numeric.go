package frame

import (
	"context"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"
)

// Numeric is the format of type numeric-wide, version 0.1: a number field for each group, with its labels, named after
// the measure (https://grafana.com/developers/dataplane/numeric). If it is Long, it is numeric-long: the groupBy fields as
// strings and the number. With nothing to show it has no fields. With a comparison, see twoPoints and changes.
type Numeric struct {
	Grouping
	Long bool // a row for each group instead of a field
}

// Frame builds the frame. Errors are inputerror.Err, or the cause of a context that ended.
func (r *Numeric) Frame(ctx context.Context) (*data.Frame, error) {
	if r.Differences != nil {
		return r.Differences.numeric(ctx, r)
	}
	r.resolveRates()
	m, err := r.measured(ctx)
	if err != nil {
		return nil, err
	}
	return finished(ctx, r.frame(m))
}

func (r *Numeric) frame(m *measured) *data.Frame {
	frame := newFrame(r.frameName(false), data.FrameTypeNumericWide, data.VisTypeTable)
	if r.Long {
		frame.Meta.Type = data.FrameTypeNumericLong
	}
	groups, notices := r.cut(m.groups, "groups")
	frame.AppendNotices(append(m.notices, notices...)...)
	switch {
	case r.Earlier != nil && r.Long:
		r.changes(frame, m, groups)
	case r.Earlier != nil:
		r.twoPoints(frame, m, groups)
	case len(groups) == 0 || len(r.GroupBy) == 0 && groups[0].value == nil:
	case r.Long:
		frame.Fields = r.longFields(m, groups)
	default:
		for _, g := range groups {
			frame.Fields = append(frame.Fields, r.seriesField(m, g, []*float64{g.value}))
		}
	}
	return frame
}

// longFields returns the labels of the groups, and their values.
func (r *Numeric) longFields(m *measured, groups []*group) []*data.Field {
	fields := make([]*data.Field, 0, len(r.GroupBy)+1)
	for i, name := range r.GroupBy {
		labels := make([]string, len(groups))
		for row, g := range groups {
			labels[row] = g.labels[i]
		}
		field := data.NewField(name, nil, labels)
		field.Config = r.fieldConfig(r.DataSet.Field(name))
		fields = append(fields, field)
	}
	field := numberField(r.Measure, groups, func(g *group) *float64 { return g.value })
	field.Config = r.measureConfig(m.measure.described)
	field.Config.DisplayNameFromDS = m.measure.described.Called(r.Language)
	if len(r.GroupBy) == 0 {
		field.Config.DisplayNameFromDS = r.nameWithPeriod(m, groups[0])
	}
	return append(fields, field)
}

// numberField returns a number of each group.
func numberField(name string, groups []*group, of func(*group) *float64) *data.Field {
	values := make([]*float64, len(groups))
	for row, g := range groups {
		values[row] = of(g)
	}
	return data.NewField(name, nil, values)
}

// measured is a measure with its groups, in order, and their rows.
type measured struct {
	measure *measure
	groups  []*group
	rows    []int
	parts   []int32   // the number of each row's group
	before  *measured // rows of the compared period; nil: none
	// starts are when the compared period and the time range start; nil: no comparison.
	starts []time.Time
	// knownSince is the start of what is known of the compared period; zero: all of it is known.
	knownSince time.Time
	// automations are the display names of automations by their labels.
	automations map[string]string
	notices     []data.Notice
}

func (r *Grouping) measured(ctx context.Context) (*measured, error) {
	measure, err := newMeasure(r.Measure, &r.Selection)
	if err != nil {
		return nil, err
	}
	m := &measured{measure: measure, automations: r.automationNames(r.GroupBy)}
	if m.rows, m.notices, err = r.rows(ctx, m.measure.keeps); err != nil {
		return nil, err
	}
	if r.sortsRows() {
		if err := r.sortRows(m.rows); err != nil {
			return nil, err
		}
	}
	all, err := m.compareRows(ctx, r)
	if err != nil {
		return nil, err
	}
	if m.groups, m.parts, err = r.groups(all); err != nil {
		return nil, err
	}
	m.splitParts()
	for number, value := range m.totals() {
		m.groups[number].value = value
	}
	m.compareGroups()
	r.order(m.groups)
	return finished(ctx, m)
}

// totals returns the values of groups over all rows, by the numbers of the groups.
func (m *measured) totals() []*float64 {
	return m.measure.values(m.rows, &cells{parts: m.parts, number: len(m.groups)})
}
