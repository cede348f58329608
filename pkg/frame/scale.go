package frame

import (
	"context"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
)

// judgedScale is the key of the fact what scale the rates of a table have.
type judgedScale struct{}

// scale finds out how rates are to be read: as the setting says or, where it says auto, as all rows of the read do.
func (r *Request) scale(ctx context.Context) (RateScale, error) {
	if r.Scale == ScaleFraction || r.Scale == ScalePercent {
		return r.Scale, nil
	}
	return columns.Fact(ctx, r.Rows, judgedScale{}, func() (RateScale, int64, error) {
		scale, err := JudgeScale(ctx, r.Rows)
		return scale, int64(len(scale)), err
	})
}

// JudgeScale reads the scale of the rates of automations from uptime + downtime, which is near 1 or near 100. Where the rows
// do not agree on one, the scale stays unknown and rates have no unit.
func JudgeScale(ctx context.Context, rows *columns.Table) (RateScale, error) {
	up, down := rows.Column("uptimeRate"), rows.Column("downtimeRate")
	if up == nil || down == nil || up.Type != datasets.Number || down.Type != datasets.Number {
		return ScaleAuto, nil
	}
	fractions, percents, others := 0, 0, 0
	for i := range rows.Rows {
		if err := look(ctx, i); err != nil {
			return ScaleAuto, err
		}
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
		return ScaleFraction, nil
	case percents > 0 && fractions == 0 && others == 0:
		return ScalePercent, nil
	default:
		return ScaleAuto, nil
	}
}
