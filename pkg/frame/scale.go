package frame

import (
	"context"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
)

// detectedScale is the key of the fact that caches the scale of a table.
type detectedScale struct{}

// scale returns the configured scale or, for ScaleAuto, the one detected from all rows of the read.
func (r *Request) scale(ctx context.Context) (RateScale, error) {
	if r.Scale != ScaleAuto {
		return r.Scale, nil
	}
	return columns.Fact(ctx, r.Rows, detectedScale{}, func() (RateScale, int64, error) {
		scale, err := DetectScale(ctx, r.Rows)
		return scale, int64(len(scale)), err
	})
}

// DetectScale detects the scale of the rates of automations from uptime + downtime, which is near 1 or near 100. It
// returns ScaleUnknown if the rows are inconclusive or disagree.
func DetectScale(ctx context.Context, rows *columns.Table) (RateScale, error) {
	up, down := rows.Column("uptimeRate"), rows.Column("downtimeRate")
	if up == nil || down == nil || up.Type != datasets.Number || down.Type != datasets.Number {
		return ScaleUnknown, nil
	}
	fractions, percents, others := 0, 0, 0
	for i := range rows.Rows {
		if err := checkCanceled(ctx, i); err != nil {
			return ScaleUnknown, err
		}
		if !up.Valid[i] || !down.Valid[i] {
			continue
		}
		switch sum := up.Numbers[i] + down.Numbers[i]; {
		case sum == 0: // an automation that did not run is inconclusive
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
		return ScaleFraction, nil
	case percents > 0 && fractions == 0 && others == 0:
		return ScalePercent, nil
	default:
		return ScaleUnknown, nil
	}
}
