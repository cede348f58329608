package frame

import (
	"context"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"

	"github.com/insights/insights-reporting-datasource/schema"
)

// numbers are a measure with its groups, in order: what numeric and timeseries frames show.
type numbers struct {
	*measure
	groups  []*group
	earlier *measure // of the tasks of the compared period; nil: none
	// starts are when the compared period and the time range start; nil: no comparison.
	starts []time.Time
	// knownSince is the start of what is known of the compared period; zero: all of it is known.
	knownSince time.Time
	// automations are the display names of automations by their labels.
	automations map[string]string
	notices     []data.Notice
}

func (r *Grouping) numbers(ctx context.Context) (*numbers, error) {
	if r.Differences != nil {
		r.Rows = r.Differences.table()
	}
	r.resolveRates()
	measure, err := newMeasure(r.Measure, &r.Selection)
	if err != nil {
		return nil, err
	}
	rows, notices, err := r.rows(ctx, measure.keeps)
	if err != nil {
		return nil, err
	}
	if r.sortsRows() {
		if err := r.sortRows(rows); err != nil {
			return nil, err
		}
	}
	n := &numbers{measure: measure, automations: r.automationNames(r.GroupBy), notices: notices}
	earlier, err := n.compare(ctx, r)
	if err != nil {
		return nil, err
	}
	if n.groups, err = r.groups(rows, earlier); err != nil {
		return nil, err
	}
	for _, g := range n.groups {
		g.value = n.total(g.rows)
		if n.earlier != nil && n.knownSince.IsZero() {
			g.before = n.earlier.total(g.earlier)
		}
	}
	r.order(n.groups)
	return finished(ctx, n)
}

// seriesField builds the field of a group. Its name in the legend are its labels, or the measure and the period that it
// covers. Groups have no period in their names: it changes with the range, and overrides refer to the names. API names
// have none either: the Fields option of a Stat contains the whole name. Without a display name, Grafana would number
// the first of two lines.
func (r *Grouping) seriesField(n *numbers, of *group, values []*float64) *data.Field {
	field := data.NewField(r.Measure, r.labels(of), values)
	field.Config = r.measureConfig(n.described)
	field.Config.DisplayNameFromDS, field.Config.Links = r.seriesName(n, of), r.groupLinks(of)
	if len(of.labels) == 0 && r.Language != schema.API {
		field.Config.DisplayNameFromDS = withWords(field.Config.DisplayNameFromDS, r.Covers)
	}
	if len(of.labels) == 1 {
		if f := r.DataSet.Field(r.GroupBy[0]); f != nil && f.Colors[of.labels[0]] != "" {
			field.Config.Color = map[string]any{"mode": "fixed", "fixedColor": f.Colors[of.labels[0]]}
		}
	}
	return field
}

// seriesName returns the display name of a series: the values of its labels or, without labels, the measure.
func (r *Grouping) seriesName(n *numbers, of *group) string {
	if len(of.labels) == 0 {
		return n.described.Called(r.Language)
	}
	return r.groupName(of, n.automations)
}
