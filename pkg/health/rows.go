package health

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/deadlines"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/rates"
	"github.com/insights/insights-reporting-datasource/schema"
)

// found reports what the first page of a data set shows.
func (r *report) found(set *schema.DataSet, page *pages.Page) {
	r.say("rows", schema.Values{"set": set.Label, "rows": totalOf(page), "days": Days})
	if totalOf(page) == 0 {
		r.empty++
	}
	r.unread(set, page)
	if set.HasTimes() {
		r.windows(set, page.Table)
	}
	if set.Name == "automations" && page.Table.Rows > 0 {
		r.rates(page.Table)
		if r.Currency == "" && slices.ContainsFunc(page.Table.Column("savings").Numbers, func(amount float64) bool { return amount != 0 }) {
			r.say("costs-no-currency", nil)
		}
		if rowsOf(page) >= page.Total {
			r.ofAutomations(page.Table.Column(set.Key).Strings)
		}
	}
}

// unread reports values that cannot be read: rules that they decide fail.
func (r *report) unread(set *schema.DataSet, page *pages.Page) {
	var problems pages.Problems
	for _, problem := range page.Problems {
		problems.Add(problem)
	}
	for _, u := range problems.Unread(r.Client.Quote) {
		r.say("values-unread", schema.Values{"set": set.Label, "field": u.Field, "count": u.Count, "example": cmp.Or(u.Example, "…")})
	}
}

// ofAutomations reports lines of the settings of none of the automations, and automations of none of the teams.
func (r *report) ofAutomations(labels []string) {
	unmatched := func(setting string, line int, automation string, matches func(string) bool) {
		if !slices.ContainsFunc(labels, matches) {
			r.suggest("line-unmatched", schema.Values{"line": deadlines.Title(setting, line), "automation": automation, "days": Days}, setting, nil)
		}
	}
	for _, d := range r.Deadlines {
		unmatched("deadlines", d.Line, d.Automation, d.Matches)
	}
	for _, t := range r.Teams {
		unmatched("teams", t.Line, t.Automation, t.Matches)
	}
	others := slices.DeleteFunc(slices.Clone(labels), func(label string) bool { return label == "" || r.Teams.Of(label) != "" })
	if len(r.Teams) > 0 && len(others) > 0 {
		named := strings.Join(others[:min(3, len(others))], ", ")
		if len(others) > 3 {
			named += ", …"
		}
		r.suggest("teams-others", schema.Values{"teams": deadlines.Title("teams", 0), "count": len(others), "automations": named}, "teams", nil)
	}
}

// holidays reports the first deadline of workdays if no holiday of this year is known.
func (r *report) holidays() {
	year := time.Now().Year()
	i := slices.IndexFunc(r.Deadlines, func(d *deadlines.Deadline) bool { return d.LacksHolidays(year) })
	if i >= 0 {
		values := schema.Values{"calendar": deadlines.Title("calendar", 0), "year": strconv.Itoa(year), "line": r.Deadlines[i].Line}
		r.suggest("no-holidays", values, "calendar", nil)
	}
}

// fewestWindows say what is usual.
const fewestWindows = 3

// windows reports deadlines before which there usually are more tasks than they take: any of them keeps the deadline. It judges
// windows that are within the page.
func (r *report) windows(set *schema.DataSet, rows *columns.Table) {
	labels, created := rows.Column(set.AutomationField), rows.Column(set.TimeFields[0])
	times := map[string][]int64{} // of creation, by automation
	for row, label := range labels.Strings {
		if label != "" && created.Valid[row] {
			times[label] = append(times[label], created.Times[row])
		}
	}
	for _, d := range r.Deadlines {
		first := rows.Earliest(created.Name)
		if d.Within > 0 || first.IsZero() {
			continue
		}
		windows := slices.DeleteFunc(d.Between(first, time.Now()), func(o deadlines.Occasion) bool { return o.From.Before(first) })
		for _, label := range slices.Sorted(maps.Keys(times)) {
			if usual := usualCount(windows, times[label]); usual > d.Count && d.Matches(label) {
				r.suggest("window-crowded", schema.Values{"line": deadlines.Title("deadlines", d.Line), "automation": label, "tasks": usual, "count": d.Count}, "deadlines", nil)
				break
			}
		}
	}
}

// usualCount returns how many tasks are in most windows, before they are due; 0 if that is not known.
func usualCount(windows []deadlines.Occasion, times []int64) int {
	var counts []int
	for _, o := range windows {
		others := slices.DeleteFunc(slices.Clone(times), func(at int64) bool { return o.Has(at) && at < o.Due.UnixNano() })
		counts = append(counts, len(times)-len(others))
	}
	if len(counts) < fewestWindows {
		return 0
	}
	slices.Sort(counts)
	return counts[(len(counts)-1)/2]
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

// clockTolerance is the accepted clock difference.
const clockTolerance = 2 * time.Minute

// clock compares the service's clock with this server's, which determines time ranges.
func (r *report) clock() {
	ahead := r.usage.Ahead
	if ahead.Abs() <= clockTolerance {
		return
	}
	key := "clock-behind"
	if ahead > 0 {
		key = "clock-ahead"
	}
	r.say(key, schema.Values{"seconds": int(math.Ceil(ahead.Abs().Seconds()))})
}
