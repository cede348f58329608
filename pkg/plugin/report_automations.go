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

// scaleNames are the scales as a person reads them.
var scaleNames = map[frame.RateScale]string{frame.ScaleFraction: "0–1", frame.ScalePercent: "0–100"}

// rates says which scale the rows show, and whether the setting says so too.
func (r *report) rates(ctx context.Context, rows *columns.Table) {
	found, err := frame.JudgeScale(ctx, rows)
	chosen := r.instance.settings.RateScale
	switch {
	case err != nil:
	case found == frame.ScaleAuto && chosen == frame.ScaleAuto:
		r.say("rates-unknown", nil)
	case found == frame.ScaleAuto:
		// The setting says what the rows do not.
	case chosen == frame.ScaleAuto:
		r.suggest("rates-"+string(found)+"-auto", nil, "rateScale", string(found))
	case chosen != found:
		r.suggest("rates-differ", findings.Values{"found": scaleNames[found], "chosen": scaleNames[chosen]}, "rateScale", string(found))
	default:
		r.say("rates-"+string(found), nil)
	}
}

// costs says whether the workspace has entered what its money is computed from.
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

// hasAmount says whether some row has another number than 0 in one of the fields.
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
