package health

import (
	"cmp"
	"math"
	"slices"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/deadlines"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/rates"
	"github.com/insights/insights-reporting-datasource/pkg/service"
	"github.com/insights/insights-reporting-datasource/schema"
)

// found reports what the first page of a data set shows.
func (r *report) found(set *schema.DataSet, page *pages.Page) {
	r.say("rows", schema.Values{"set": set.Label, "rows": totalOf(page), "days": Days})
	if totalOf(page) == 0 {
		r.empty++
	}
	r.unread(set, page)
	if set.Name == "automations" && page.Table.Rows > 0 {
		r.rates(page.Table)
		if r.Currency == "" && slices.ContainsFunc(page.Table.Column("savings").Numbers, func(amount float64) bool { return amount != 0 }) {
			r.say("costs-no-currency", nil)
		}
		if rowsOf(page) >= page.Total {
			r.unmatched(page.Table.Column(set.Key))
		}
	}
}

// unread reports values that cannot be read: rules that they decide fail.
func (r *report) unread(set *schema.DataSet, page *pages.Page) {
	var problems pages.Problems
	for _, problem := range page.Problems {
		problems.Add(problem)
	}
	for _, u := range pages.WithLacks(problems.Unread(r.Client.Quote), set, page.Table) {
		r.say("values-unread", schema.Values{"set": set.Label, "field": u.Field, "count": u.Count, "example": cmp.Or(u.Example, "…")})
	}
}

// unmatched reports deadlines of none of the automations.
func (r *report) unmatched(labels *columns.Column) {
	for _, d := range r.Deadlines {
		if !slices.ContainsFunc(labels.Strings, d.Matches) {
			r.say("deadline-unmatched", schema.Values{"deadline": deadlines.Title(d.Line), "automation": d.Automation, "days": Days})
		}
	}
}

// scaleNames are the display names of the scales.
var scaleNames = map[rates.Scale]string{rates.Fraction: "0–1", rates.Percent: "0–100"}

// rates reports whether the setting agrees with the scale of the rows.
func (r *report) rates(rows *columns.Table) {
	switch found := rates.Detect(rows); {
	case found == rates.Unknown && r.RateScale == rates.Auto:
		r.say("rates-unknown", nil)
	case found == rates.Unknown || found == r.RateScale:
		// The rows do not contradict the setting.
	case r.RateScale == rates.Auto:
		r.suggest("rates-auto", schema.Values{"found": scaleNames[found]}, "rateScale", string(found))
	default:
		r.suggest("rates-differ", schema.Values{"found": scaleNames[found], "chosen": scaleNames[r.RateScale]}, "rateScale", string(found))
	}
}

// clock compares the service's clock with this server's, which determines time ranges.
func (r *report) clock() {
	ahead := r.usage.Ahead
	if ahead.Abs() <= service.ClockTolerance {
		return
	}
	key := "clock-behind"
	if ahead > 0 {
		key = "clock-ahead"
	}
	r.say(key, schema.Values{"seconds": int(math.Ceil(ahead.Abs().Seconds()))})
}
