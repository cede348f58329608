// Package rates is the scale of the service's rates, which it does not tell. It determines their unit; none is rescaled.
package rates

import (
	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/schema"
)

// Scale is the scale of rates.
type Scale string

// The scales. The setting rateScale has all but Unknown.
const (
	Auto     Scale = "auto"     // detect the scale from the rows
	Unknown  Scale = ""         // the rows do not show one scale: rates have no unit
	Fraction Scale = "fraction" // 0..1
	Percent  Scale = "percent"  // 0..100
)

// Whole is what all of something is on the scale. A scale that is not known is taken to be that of fractions.
func (s Scale) Whole() float64 {
	if s == Percent {
		return 100
	}
	return 1
}

// Detect detects the scale from uptime + downtime of automations, near 1 or near 100; Unknown if rows disagree or do not show it.
func Detect(rows *columns.Table) Scale {
	up, down := rows.Column("uptimeRate"), rows.Column("downtimeRate")
	if up == nil || down == nil || up.Type != schema.Number || down.Type != schema.Number {
		return Unknown
	}
	detected := Unknown
	for i := range rows.Rows {
		sum := up.Numbers[i] + down.Numbers[i]
		if !up.Valid[i] || !down.Valid[i] || sum == 0 {
			continue // without a rate, or an automation that did not run: inconclusive
		}
		of := Unknown
		switch {
		case sum > 0.9 && sum < 1.1:
			of = Fraction
		case sum > 90 && sum < 110:
			of = Percent
		}
		if of == Unknown || detected != Unknown && of != detected {
			return Unknown
		}
		detected = of
	}
	return detected
}
