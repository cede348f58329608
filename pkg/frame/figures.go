package frame

import (
	"slices"

	"github.com/grafana/grafana-plugin-sdk-go/data"

	"github.com/insights/insights-reporting-datasource/schema"
)

// aspect returns the value of a figure, null where there is nothing to compare with.
func (r *Grouping) aspect(f schema.Figure, described *schema.Measure, value, before *float64) *float64 {
	switch {
	case f.Aspect == "":
		return value
	case f.Aspect == schema.Before:
		return before
	case value == nil || before == nil:
		return nil
	case f.Aspect == schema.Difference && r.measureConfig(described).Unit == "percentunit":
		return new((*value - *before) * 100) // percentage points
	case f.Aspect == schema.Difference:
		return new(*value - *before)
	case *before == 0:
		return nil
	default:
		return new(*value / *before - 1)
	}
}

// figureConfig returns how a figure is displayed.
func (r *Grouping) figureConfig(f schema.Figure, described *schema.Measure) *data.FieldConfig {
	config := r.measureConfig(described)
	called := described.Called(r.Language)
	switch f.Aspect {
	case schema.Before:
		if r.Earlier != nil {
			called = withWords(called, r.Language.Words().Before[r.Earlier.Name])
		}
	case schema.Difference:
		called += " ±"
		config.Min = nil
		if config.Unit == "percentunit" || config.Unit == "percent" {
			config.Unit, config.Decimals = "", nil
		}
	case schema.Change:
		config = &data.FieldConfig{Unit: "percentunit"}
		if called += " ± %"; f.Name == schema.Change {
			called = r.Language.Words().Change
		}
	}
	config.DisplayNameFromDS = called
	return config
}

// measures returns the figures that are no aspects: what lines and points show.
func (r *Grouping) measures() []schema.Figure {
	return slices.DeleteFunc(slices.Clone(r.Figures), func(f schema.Figure) bool { return f.Aspect != "" })
}

// seriesField builds the field of a figure of a group. Its name in the legend are its labels, or the figure and the period that
// it covers, and both if there are several figures. Groups have no period in their names: it changes with the range, and overrides
// refer to the names. API names have none either: the Fields option of a Stat contains the whole name. Without a display name,
// Grafana would number the first of two lines.
func (r *Grouping) seriesField(n *numbers, of *group, f schema.Figure, isOnly bool, values []*float64) *data.Field {
	field := data.NewField(f.Name, r.labels(of), values)
	described := n.measure(f.Measure).described
	field.Config = r.figureConfig(f, described)
	field.Config.Links = r.groupLinks(of)
	called := field.Config.DisplayNameFromDS
	switch {
	case len(of.labels) == 0:
		called = r.covering(called, described)
	case len(of.labels) > 0 && isOnly:
		called = r.groupName(of, n.automations)
	case len(of.labels) > 0:
		called = r.groupName(of, n.automations) + ": " + called
	}
	field.Config.DisplayNameFromDS = called
	if len(of.labels) == 1 && isOnly {
		if f := r.DataSet.Field(r.GroupBy[0]); f != nil && f.Colors[of.labels[0]] != "" {
			field.Config.Color = map[string]any{"mode": "fixed", "fixedColor": f.Colors[of.labels[0]]}
		}
	}
	return field
}

// covering appends to the display name of a measure the period that it covers. API names have none.
func (r *Grouping) covering(called string, described *schema.Measure) string {
	if r.Language == schema.API || described.IsAboutNow() {
		return called
	}
	return withWords(called, r.Covers)
}
