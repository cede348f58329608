package health

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/findings"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/frame"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
)

// found reports what the first page of a data set shows.
func (r *report) found(set *datasets.DataSet, page *pages.Page) {
	key := "rows"
	if page.Total < 0 && !page.Bare {
		key = "rows-at-least"
	}
	r.say(key, findings.Values{"set": set.Label, "rows": totalOf(page), "days": Days})
	if page.Table.Rows == 0 {
		return
	}
	if isInOtherOrder(set, page.Table) {
		r.say("order-other", findings.Values{"set": set.Label})
	}
	if set.Name == "automations" {
		r.rates(page.Table)
		r.costs(page.Table)
	}
	r.fields(set, page)
}

// isInOtherOrder reports whether rows are not newest first by any of their times.
func isInOtherOrder(set *datasets.DataSet, rows *columns.Table) bool {
	other := false
	for _, name := range set.TimeFields {
		var times []int64
		for row, valid := range rows.Column(name).Valid {
			if valid {
				times = append(times, rows.Column(name).Times[row])
			}
		}
		descending := slices.IsSortedFunc(times, func(a, b int64) int { return cmp.Compare(b, a) })
		switch {
		case !descending:
			other = true
		case len(times) > 0 && times[0] > times[len(times)-1]:
			return false
		}
	}
	return other
}

// fields reports how the records of a data set differ from the description.
func (r *report) fields(set *datasets.DataSet, page *pages.Page) {
	rows := page.Table
	for _, f := range set.Fields {
		if unknown := unknownValues(f, rows.Column(f.Name)); len(unknown) > 0 {
			r.say("values-unknown", findings.Values{"field": f.Name, "values": listed(unknown)})
		}
	}
	var unknown []string
	for _, c := range rows.Columns[len(set.Fields):] {
		unknown = append(unknown, c.Name)
	}
	if len(unknown) > 0 {
		r.say("fields-new", findings.Values{"set": set.Label, "fields": listed(unknown)})
	}
	var problems pages.Problems
	for _, problem := range page.Problems {
		problems.Add(problem)
	}
	for _, notice := range problems.Notices(r.Client.Quote) {
		r.say("values-unreadable", findings.Values{"set": set.Label, "problem": notice.Text})
	}
}

// unknownValues returns the values of a column that have no color, if the description has one for every known value.
func unknownValues(field datasets.Field, c *columns.Column) []string {
	if field.Colors == nil {
		return nil
	}
	unknown := map[string]bool{}
	for row, valid := range c.Valid {
		if _, known := field.Colors[c.Text(row)]; valid && !known {
			unknown[c.Text(row)] = true
		}
	}
	return slices.Sorted(maps.Keys(unknown))
}

// scaleNames are the display names of the scales.
var scaleNames = map[frame.RateScale]string{frame.ScaleFraction: "0–1", frame.ScalePercent: "0–100"}

// rates reports whether the setting agrees with the scale of the rows.
func (r *report) rates(rows *columns.Table) {
	switch found := frame.DetectScale(rows); {
	case found == frame.ScaleUnknown && r.RateScale == frame.ScaleAuto:
		r.say("rates-unknown", nil)
	case found == frame.ScaleUnknown || found == r.RateScale:
		// The rows do not contradict the setting.
	case r.RateScale == frame.ScaleAuto:
		r.suggest("rates-auto", findings.Values{"found": scaleNames[found]}, "rateScale", string(found))
	default:
		r.suggest("rates-differ", findings.Values{"found": scaleNames[found], "chosen": scaleNames[r.RateScale]}, "rateScale", string(found))
	}
}

// costs reports whether costs are entered in the workspace, from which its money is computed.
func (r *report) costs(rows *columns.Table) {
	switch {
	case !hasAmount(rows, "roi", "savings", "fte"):
		r.say("costs-missing", nil)
	case r.Currency == "":
		r.say("costs-no-currency", nil)
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

// clockTolerance is the accepted clock difference: the same slack as for ranges of whole days.
const clockTolerance = time.Minute

// clock compares the service's clock with this server's, which determines time ranges.
func (r *report) clock() {
	ahead := time.Duration(r.usage.Ahead.Load())
	if ahead.Abs() <= clockTolerance {
		return
	}
	key := "clock-behind"
	if ahead > 0 {
		key = "clock-ahead"
	}
	r.say(key, findings.Values{"seconds": int(math.Ceil(ahead.Abs().Seconds()))})
}
