package frame

import "github.com/insights/insights-reporting-datasource/datasets"

// scale finds out how rates are to be read: as the setting says or, where it says auto, from uptime + downtime, which
// is near 1 or near 100. Where the rows do not agree on one, the scale stays unknown and rates have no unit.
func (r *Request) scale() RateScale {
	if r.Scale == ScaleFraction || r.Scale == ScalePercent {
		return r.Scale
	}
	up, down := r.Rows.Column("uptimeRate"), r.Rows.Column("downtimeRate")
	if up == nil || down == nil || up.Type != datasets.Number || down.Type != datasets.Number {
		return ScaleAuto
	}
	fractions, percents, others := 0, 0, 0
	for i := range r.Rows.Rows {
		if !up.Valid[i] || !down.Valid[i] {
			continue
		}
		switch sum := up.Numbers[i] + down.Numbers[i]; {
		case sum == 0: // an automation that did not run says nothing
		case sum > 0.9 && sum < 1.1:
			fractions++
		case sum > 90 && sum < 110:
			percents++
		default:
			others++
		}
	}
	switch {
	case fractions > 0 && percents == 0 && others == 0:
		return ScaleFraction
	case percents > 0 && fractions == 0 && others == 0:
		return ScalePercent
	default:
		return ScaleAuto
	}
}
