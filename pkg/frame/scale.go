package frame

import (
	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/schema"
)

// RateScale is the scale of the service's rates. A rate is never rescaled: the scale only determines its unit.
type RateScale string

// The scales. The setting rateScale has all but ScaleUnknown.
const (
	ScaleAuto     RateScale = "auto"     // detect the scale from the rows
	ScaleUnknown  RateScale = ""         // the rows do not show one scale: rates have no unit
	ScaleFraction RateScale = "fraction" // 0..1
	ScalePercent  RateScale = "percent"  // 0..100
)

// DetectScale detects the scale of the rates of automations from uptime + downtime, which is near 1 or near 100. It
// returns ScaleUnknown if the rows are inconclusive or disagree.
func DetectScale(rows *columns.Table) RateScale {
	up, down := rows.Column("uptimeRate"), rows.Column("downtimeRate")
	if up == nil || down == nil || up.Type != schema.Number || down.Type != schema.Number {
		return ScaleUnknown
	}
	detected := ScaleUnknown
	for i := range rows.Rows {
		sum := up.Numbers[i] + down.Numbers[i]
		if !up.Valid[i] || !down.Valid[i] || sum == 0 {
			continue // without a rate, or an automation that did not run: inconclusive
		}
		of := scaleOf(sum)
		if of == ScaleUnknown || detected != ScaleUnknown && of != detected {
			return ScaleUnknown
		}
		detected = of
	}
	return detected
}

// scaleOf returns the scale of rates with this sum.
func scaleOf(sum float64) RateScale {
	switch {
	case sum > 0.9 && sum < 1.1:
		return ScaleFraction
	case sum > 90 && sum < 110:
		return ScalePercent
	default:
		return ScaleUnknown
	}
}
