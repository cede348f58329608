package plugin

import (
	"context"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/findings"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/frame"
)

func (r *report) automations(ctx context.Context) {
	set := datasets.Get("automations")
	s, err := r.instance.reads.Survey(ctx, set, healthDays, &r.usage)
	if err != nil {
		r.say("automations-failed", findings.Values{"error": oneLine(err)})
		return
	}
	r.say("automations", findings.Values{"rows": s.Total})
	if s.Table.Rows > 0 {
		r.rates(ctx, s.Table)
		r.costs(s.Table)
	}
	r.records(set, s.Table, s.Forms)
}

// scaleNames are the display names of the scales.
var scaleNames = map[frame.RateScale]string{frame.ScaleFraction: "0–1", frame.ScalePercent: "0–100"}

// rates reports which scale the rows suggest, and whether the setting agrees.
func (r *report) rates(ctx context.Context, rows *columns.Table) {
	found, err := frame.DetectScale(ctx, rows)
	chosen := r.instance.settings.RateScale
	switch {
	case err != nil:
	case found == frame.ScaleUnknown && chosen == frame.ScaleAuto:
		r.say("rates-unknown", nil)
	case found == frame.ScaleUnknown:
		// The rows do not contradict the setting.
	case chosen == frame.ScaleAuto:
		r.suggest("rates-"+string(found)+"-auto", nil, "rateScale", string(found))
	case chosen != found:
		r.suggest("rates-differ", findings.Values{"found": scaleNames[found], "chosen": scaleNames[chosen]}, "rateScale", string(found))
	default:
		r.say("rates-"+string(found), nil)
	}
}

// costs reports whether costs are entered in the workspace, from which its money is computed.
func (r *report) costs(rows *columns.Table) {
	switch {
	case !hasAmount(rows, "roi", "savings", "fte"):
		r.say("costs-missing", nil)
	case r.instance.settings.Currency == "":
		r.say("costs-entered-no-currency", nil)
	default:
		r.say("costs-entered", nil)
	}
}

// hasAmount reports whether any row has a nonzero number in one of the fields.
func hasAmount(rows *columns.Table, fields ...string) bool {
	for _, name := range fields {
		c := rows.Column(name)
		for row, valid := range c.Valid {
			if valid && c.Numbers[row] != 0 {
				return true
			}
		}
	}
	return false
}
