// Package health checks a data source for Save & test, and reports what an administrator can act on. It knows nothing of Grafana.
package health

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/attention"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/deadlines"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/rates"
	"github.com/insights/insights-reporting-datasource/pkg/service"
	"github.com/insights/insights-reporting-datasource/schema"
)

const (
	days      = 30               // the look-back of a check: the service's own default
	timeLimit = 30 * time.Second // of a whole check
	rowLimit  = 2000             // rows of a page that are inspected
)

// Steps of a check, in order.
const (
	StepSettings = "settings"
	StepLogin    = "login"
	StepPage     = "page" // the first page of tasks
)

// DataSource is what a check examines.
type DataSource struct {
	Sets      schema.DataSets // what the service offers
	Client    *service.Client
	Source    *pages.Source
	PageSize  int // rows to request per page; 0: the service's default
	RateScale rates.Scale
	Currency  string // ISO 4217 code, or empty
	IsCrowded bool   // rows that are in use do not fit in memory
	Deadlines []*deadlines.Deadline
	Teams     deadlines.Teams
}

// Result is the outcome of a check.
type Result struct {
	Step    string           // the last step
	Err     error            // why it failed: an *service.Error, or the cause of a context that ended. The fields below are only set without it
	Message schema.Finding   // the result in one sentence
	Report  []schema.Finding // what was found out
}

type report struct {
	DataSource
	ahead     time.Duration // of the service's clock
	lines     []schema.Finding
	refusing  []string // labels of the data sets that are not read with a page size
	unchecked []string // labels of the data sets that the check did not get to
	empty     int      // data sets without records
}

// Check logs in, reads tasks, and then checks everything else. It takes at most 30 seconds, and reports what it did not get to.
func Check(ctx context.Context, dataSource DataSource) *Result {
	ctx, cancel := context.WithTimeoutCause(ctx, timeLimit, &service.Error{Kind: service.ErrTimeout, Cause: context.DeadlineExceeded,
		Message: fmt.Sprintf("the check stopped after %s, its limit: the service responds slowly", timeLimit),
	})
	defer cancel()
	r := &report{DataSource: dataSource}
	tasks, others := dataSource.Sets.Default(), dataSource.Sets[1:]
	organization, err := r.Client.Login(ctx)
	if err != nil {
		return &Result{Step: StepLogin, Err: err}
	}
	page, err := r.page(ctx, r.Source, tasks)
	if err != nil {
		return &Result{Step: StepPage, Err: err}
	}
	r.found(tasks, page)
	for _, set := range others {
		r.other(ctx, set)
	}
	r.sayIf(r.empty == len(r.Sets), "no-records", schema.Values{"organization": organization, "days": days})
	r.sayIf(len(r.refusing) > 0, "size-refused", schema.Values{"sets": strings.Join(r.refusing, ", "), "size": r.PageSize})
	r.sayIf(r.IsCrowded, "crowded", nil)
	r.sayIf(r.Client.IsLimited(), "rate-limited", nil)
	r.holidays()
	off := schema.Values{"seconds": int(math.Ceil(r.ahead.Abs().Seconds()))}
	r.sayIf(r.ahead > service.ClockTolerance, "clock-ahead", off)
	r.sayIf(-r.ahead > service.ClockTolerance, "clock-behind", off)
	r.sayIf(len(r.unchecked) > 0, "unchecked", schema.Values{"sets": strings.Join(r.unchecked, ", "), "seconds": int(timeLimit.Seconds())})
	key, values, warnings := "connected", schema.Values{"organization": organization, "tasks": totalOf(page), "days": days}, 0
	for _, line := range r.lines {
		if line.Severity == schema.SeverityWarning {
			warnings++
			key, values["warnings"] = "connected-with-warnings", warnings
		}
	}
	return &Result{Step: StepPage, Message: r.finding(key, values), Report: r.lines}
}

func (r *report) say(key string, values schema.Values) *schema.Finding {
	r.lines = append(r.lines, r.finding(key, values))
	return &r.lines[len(r.lines)-1]
}

func (r *report) sayIf(is bool, key string, values schema.Values) {
	if is {
		r.say(key, values)
	}
}

func (r *report) finding(key string, values schema.Values) schema.Finding {
	for name, value := range values {
		if text, ok := value.(string); ok {
			values[name] = r.Client.Quote(text)
		}
	}
	return schema.NewFinding(key, values)
}

func (r *report) page(ctx context.Context, source *pages.Source, set *schema.DataSet) (*pages.Page, error) {
	q := schema.Question{DataSet: set, Days: days, Size: r.PageSize}
	page, err := source.Page(ctx, q, 0, rowLimit, pages.NewInterner())
	if err != nil {
		return nil, err
	}
	r.ahead = page.Usage.Ahead
	if set.Parameters.Size != "" && source.Size(q) < r.PageSize {
		r.refusing = append(r.refusing, set.Label)
	}
	return page, nil
}

func totalOf(p *pages.Page) int { return max(p.Total, rowsOf(p)) }

func rowsOf(p *pages.Page) int { return p.Table.Rows + p.Left }

func (r *report) other(ctx context.Context, set *schema.DataSet) {
	page, err := r.page(ctx, r.Source, set)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		r.unchecked = append(r.unchecked, set.Label)
	case set.PathSetting != "" && slices.ContainsFunc(aboutPath, func(kind error) bool { return errors.Is(err, kind) }):
		r.elsewhere(ctx, set, err)
	case err != nil:
		r.say("set-failed", schema.Values{"set": set.Label, "error": err.Error()})
	default:
		r.found(set, page)
	}
}

// aboutPath are the errors after which another path may succeed: the route does not exist, or it belongs to something else.
var aboutPath = []error{service.ErrNotFound, service.ErrForbidden, service.ErrRejected, service.ErrUnreadable}

func (r *report) elsewhere(ctx context.Context, set *schema.DataSet, failed error) {
	path := r.Source.Route(set).Path
	others := slices.DeleteFunc(slices.Clone(set.LikelyPaths), func(other string) bool { return other == path })
	for _, other := range others {
		if _, err := r.page(ctx, &pages.Source{Client: r.Client, Paths: map[string]string{set.Name: other}}, set); err == nil {
			r.say("path-other", schema.Values{"set": set.Label, "path": path, "found": other}).Value = other
			return
		}
	}
	r.say("path-not-found", schema.Values{"set": set.Label, "error": failed.Error(), "tried": strings.Join(others, ", ")})
}

func (r *report) found(set *schema.DataSet, page *pages.Page) {
	r.say("rows", schema.Values{"set": set.Label, "rows": totalOf(page), "days": days})
	if totalOf(page) == 0 {
		r.empty++
	}
	r.unread(set, page)
	if set.Name == "tasks" {
		r.windows(set, page.Table)
	}
	if set.Name == "automations" && page.Table.Rows > 0 {
		r.rates(page.Table)
		hasCosts := slices.ContainsFunc(page.Table.Column("savings").Numbers, func(amount float64) bool { return amount != 0 })
		r.sayIf(r.Currency == "" && hasCosts, "costs-no-currency", nil)
		if rowsOf(page) >= page.Total {
			r.ofAutomations(page.Table.Column(set.Key).Strings)
		}
	}
}

func (r *report) unread(set *schema.DataSet, page *pages.Page) {
	var problems pages.Problems
	problems.Add(page.Problems...)
	for _, u := range pages.WithLacks(problems.Unread(r.Client.Quote), set, page.Table) {
		r.say("values-unread", schema.Values{"set": set.Label, "field": u.Field, "count": u.Count, "example": cmp.Or(u.Example, "…")})
	}
	if later := pages.Later(set, page.Table, time.Now().Add(r.ahead)); len(later) > 0 {
		r.say("dates-later", schema.Values{"set": set.Label, "field": later[0].Field, "count": later[0].Count, "example": later[0].Example})
	}
}

func (r *report) ofAutomations(labels []string) {
	unmatched := func(setting string, line int, automation string, matches func(string) bool) {
		if !slices.ContainsFunc(labels, matches) {
			r.say("line-unmatched", schema.Values{"line": deadlines.Title(setting, line), "automation": automation, "days": days}).Setting = setting
		}
	}
	for _, d := range r.Deadlines {
		unmatched("deadlines", d.Line, d.Automation, d.Matches)
	}
	for _, t := range r.Teams {
		unmatched("teams", t.Line, t.Automation, t.Matches)
	}
	others := slices.DeleteFunc(slices.Clone(labels), func(label string) bool { return label == "" || r.Teams.Of(label) != "" })
	named := strings.Join(others[:min(3, len(others))], ", ")
	r.sayIf(len(r.Teams) > 0 && len(others) > 0, "teams-others", schema.Values{"teams": deadlines.Title("teams", 0), "count": len(others), "automations": named})
}

func (r *report) holidays() {
	year := time.Now().Year()
	if i := slices.IndexFunc(r.Deadlines, func(d *deadlines.Deadline) bool { return d.LacksHolidays(year) }); i >= 0 {
		r.say("no-holidays", schema.Values{"calendar": deadlines.Title("calendar", 0), "year": strconv.Itoa(year), "line": r.Deadlines[i].Line})
	}
}

// windows reports deadlines before which the page usually has more successes than they take: any of them keeps one.
func (r *report) windows(set *schema.DataSet, rows *columns.Table) {
	labels, created := rows.Column(set.AutomationField), rows.Column(set.TimeFields[0])
	state, finishStatus := rows.Column("state"), rows.Column("finishStatus")
	first := rows.Earliest(created.Name)
	if asked := time.Now().AddDate(0, 0, -days); first.Before(asked) { // A single date may be centuries old, and there may be none.
		first = asked
	}
	for _, d := range r.Deadlines {
		if d.Within > 0 {
			continue
		}
		windows := slices.DeleteFunc(d.Between(first, time.Now()), func(o deadlines.Occasion) bool { return o.From.Before(first) })
		if len(windows) < 3 {
			continue // They do not show what is usual.
		}
		counts := map[string][]int{} // of successes before they are due, in each window, by automation
		for row, label := range labels.Strings {
			n := slices.IndexFunc(windows, func(o deadlines.Occasion) bool {
				return o.Has(created.Times[row]) && created.Times[row] < o.Due.UnixNano()
			})
			_, status := attention.Read(state.Text(row), finishStatus.Text(row))
			if label == "" || n < 0 || status != attention.Success || !d.Matches(label) {
				continue
			}
			if counts[label] == nil {
				counts[label] = make([]int, len(windows))
			}
			counts[label][n]++
		}
		for _, label := range slices.Sorted(maps.Keys(counts)) {
			slices.Sort(counts[label])
			if usual := counts[label][(len(windows)-1)/2]; usual > d.Count {
				r.say("window-crowded", schema.Values{"line": deadlines.Title("deadlines", d.Line), "automation": label, "tasks": usual, "count": d.Count})
				break
			}
		}
	}
}

var scaleNames = map[rates.Scale]string{rates.Fraction: "0–1", rates.Percent: "0–100"}

func (r *report) rates(rows *columns.Table) {
	switch found := rates.Detect(rows); {
	case found == rates.Unknown && r.RateScale == rates.Auto:
		r.say("rates-unknown", nil)
	case found == rates.Unknown || found == r.RateScale: // The rows do not contradict the setting.
	case r.RateScale == rates.Auto:
		r.say("rates-auto", schema.Values{"found": scaleNames[found]}).Value = string(found)
	default:
		r.say("rates-differ", schema.Values{"found": scaleNames[found], "chosen": scaleNames[r.RateScale]}).Value = string(found)
	}
}
