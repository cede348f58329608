package frame

import (
	"maps"
	"slices"
	"strings"

	"github.com/grafana/grafana-plugin-sdk-go/data"

	"github.com/insights/insights-reporting-datasource/schema"
)

// newFrame returns a frame of a type of Grafana's data plane, version 0.1, without fields.
func newFrame(name string, kind data.FrameType, shownAs data.VisType) *data.Frame {
	frame := data.NewFrame(name)
	frame.Meta = &data.FrameMeta{Type: kind, TypeVersion: data.FrameTypeVersion{0, 1}, PreferredVisualization: shownAs}
	return frame
}

// fieldConfig returns the display name, unit, decimals, description, status colors and link of a field; nil for a field
// that is not in the description.
func (r *Selection) fieldConfig(f *schema.Field) *data.FieldConfig {
	if f == nil {
		return nil
	}
	config := &data.FieldConfig{DisplayNameFromDS: f.Called(r.Language), Description: f.Description, Unit: r.unit(f.Unit, f.Rate, f.Money), Decimals: f.Decimals, Links: r.links(f.Name, linkedValue)}
	if len(f.Colors) > 0 {
		config.Mappings = data.ValueMappings{mapping(f.Colors, slices.Sorted(maps.Keys(f.Colors)), strings.Clone)}
	}
	return config
}

// mapping colors values, and shows their display names.
func mapping(colors map[string]string, values []string, nameOf func(string) string) data.ValueMapper {
	mapper := data.ValueMapper{}
	for i, value := range values {
		result := data.ValueMappingResult{Color: colors[value], Index: i}
		if name := nameOf(value); name != value {
			result.Text = name
		}
		mapper[value] = result
	}
	return mapper
}

// unit returns a unit. The description leaves open the unit of rates and amounts of money.
func (r *Selection) unit(unit string, rate, money bool) string {
	switch {
	case rate && r.Scale == ScaleFraction:
		return "percentunit"
	case rate && r.Scale == ScalePercent:
		return "percent"
	case money && r.Currency != "":
		return currencyUnit(r.Currency)
	default:
		return unit
	}
}

// measureConfig is fieldConfig for a measure. Axes of counts start at 0.
func (r *Selection) measureConfig(m *schema.Measure) *data.FieldConfig {
	config := &data.FieldConfig{Description: m.Description, Unit: r.unit(m.Unit, m.Rate, m.Money), Decimals: m.Decimals}
	if m.Unit == "locale" && !m.Money {
		config.Min = new(data.ConfFloat64(0))
	}
	return config
}
