package frame

import (
	"maps"
	"slices"

	"github.com/grafana/grafana-plugin-sdk-go/data"

	"github.com/insights/insights-reporting-datasource/datasets"
)

// newFrame returns a frame of a type of Grafana's data plane, version 0.1, without fields.
func newFrame(name string, kind data.FrameType, shownAs data.VisType) *data.Frame {
	frame := data.NewFrame(name)
	frame.Meta = &data.FrameMeta{Type: kind, TypeVersion: data.FrameTypeVersion{0, 1}, PreferredVisualization: shownAs}
	return frame
}

// fieldConfig returns the display name, unit, decimals, description and status colors of a field; nil for a field that
// is not in the description.
func (r *Request) fieldConfig(f *datasets.Field, of units) *data.FieldConfig {
	if f == nil {
		return nil
	}
	config := &data.FieldConfig{DisplayNameFromDS: f.Called(string(r.Language)), Description: f.Description, Unit: of.unit(f.Unit, f.Rate, f.Money), Decimals: decimals(f.Decimals)}
	if len(f.Colors) > 0 {
		config.Mappings = data.ValueMappings{colorMapping(f.Colors)}
	}
	return config
}

// colorMapping colors values and keeps their text.
func colorMapping(colors map[string]string) data.ValueMapper {
	mapper := data.ValueMapper{}
	for i, value := range slices.Sorted(maps.Keys(colors)) {
		mapper[value] = data.ValueMappingResult{Color: colors[value], Index: i}
	}
	return mapper
}

// units are the units that the description leaves open.
type units struct {
	scale    RateScale
	currency string
}

func (u units) unit(unit string, rate, money bool) string {
	switch {
	case rate && u.scale == ScaleFraction:
		return "percentunit"
	case rate && u.scale == ScalePercent:
		return "percent"
	case money && u.currency != "":
		return currencyUnit(u.currency)
	default:
		return unit
	}
}

func decimals(n *int) *uint16 {
	if n == nil {
		return nil
	}
	return new(uint16(*n)) //nolint:gosec // datasets.json holds small counts
}

// measureConfig is fieldConfig for a measure.
func measureConfig(m *datasets.Measure, of units) *data.FieldConfig {
	return &data.FieldConfig{Description: m.Description, Unit: of.unit(m.Unit, m.Rate, m.Money), Decimals: decimals(m.Decimals)}
}
