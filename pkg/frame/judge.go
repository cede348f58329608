package frame

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"golang.org/x/text/number"

	"github.com/insights/insights-reporting-datasource/pkg/attention"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/period"
	"github.com/insights/insights-reporting-datasource/schema"
)

// judge finds out what there is to say about the groups of a request, and says it.
type judge struct {
	*Attention
	*message.Printer
	promises *promises
	holidays []attention.Span
}

func newJudge(r *Attention) *judge {
	return &judge{r, message.NewPrinter(language.Make(string(r.Language))), r.promises(), r.holidays()}
}

// holidays returns those of the last half year.
func (r *Selection) holidays() (all []attention.Span) {
	if r.Calendar == nil {
		return nil
	}
	year, month, today := r.Now.In(r.Calendar.Zone).Date()
	midnight := func(n int) time.Time { return period.Date(year, month, n, 0, 0, 0, 0, r.Calendar.Zone) }
	for n := today - 182; n <= today; n++ {
		if r.Calendar.IsHoliday(midnight(n)) {
			all = append(all, attention.Span{Began: midnight(n).UnixNano(), Ended: midnight(n + 1).UnixNano()})
		}
	}
	return all
}

// concern is why a person should look at a group, the most urgent finding first. There is at least one.
type concern struct {
	group    *group
	findings []attention.Finding
	judged   *attention.Group
}

// silent returns the finding about a silence; nil if there is none.
func (c *concern) silent() *attention.Finding {
	n := slices.IndexFunc(c.findings, isSilent)
	if n < 0 {
		return nil
	}
	return &c.findings[n]
}

func isSilent(f attention.Finding) bool { return f.Reason == attention.Silent }

// verdict is what there is to say about the chosen groups.
type verdict struct {
	concerns  []concern // the most urgent first
	judged    int       // groups
	notJudged []*group
	noGroups  []string // entries of Ignored
	forgets   bool     // tasks of deadlines could come before the oldest task
	forgotten []*group // of these, and no other deadline of theirs is late
}

// judge judges the groups with a chosen row. Tasks without an automation, or without a runner, are no group.
func (a *judge) judge(ctx context.Context, chosen []int) (v verdict) {
	isChosen := map[string]bool{}
	for _, g := range a.groups(chosen) {
		isChosen[g.labels[0]] = g.labels[0] != ""
	}
	v.noGroups = slices.Clone(a.Ignored)
	for _, g := range a.groups(allRows(a.Rows)) {
		v.noGroups = slices.DeleteFunc(v.noGroups, func(name string) bool { return name == g.labels[0] })
		switch {
		case !isChosen[g.labels[0]] || ctx.Err() != nil:
		case slices.Contains(a.Ignored, g.labels[0]):
			v.judged++
		default:
			a.add(&v, g)
		}
	}
	a.join(&v)
	slices.SortFunc(v.concerns, byUrgency)
	return v
}

// join says once what fell silent together: one cause, such as a strike, is likelier than many. The next tasks of all were to come
// when the first of them fell silent. Three are together, whatever else runs, or two while no group had a task. It is said of the
// first of those with the same further labels, so that an instance of a rule begins with it, and nothing of it moves.
func (a *judge) join(v *verdict) {
	fell, silent := map[*concern]int64{}, []*concern{}
	for i := range v.concerns {
		if c := &v.concerns[i]; c.silent() != nil {
			fell[c], silent = c.judged.FellSilent(c.silent().Since), append(silent, c)
		}
	}
	if len(silent) < 2 {
		return
	}
	quiet := int64(0) // since then: when the newest task came to any group
	for _, t := range a.tasks() {
		if came := t.Came(a.isOfRunners()); came <= a.Now.UnixNano() {
			quiet = max(quiet, came)
		}
	}
	slices.SortFunc(silent, func(x, y *concern) int {
		return cmp.Or(cmp.Compare(fell[x], fell[y]), slices.Compare(x.group.labels, y.group.labels))
	})
	for len(silent) > 0 {
		first := silent[0]
		isTogether := func(c *concern) bool {
			return c == first || c.silent().Since < fell[first] && slices.Equal(c.group.labels[1:], first.group.labels[1:])
		}
		together := slices.DeleteFunc(slices.Clone(silent), func(c *concern) bool { return !isTogether(c) })
		silent = slices.DeleteFunc(silent, isTogether)
		isAll := fell[first] > quiet
		if n := len(together); n < 2 || n == 2 && !isAll {
			silent = append(slices.DeleteFunc(together, func(c *concern) bool { return c == first }), silent...)
			continue
		}
		unite(together, isAll, quiet)
	}
	v.concerns = slices.DeleteFunc(v.concerns, func(c concern) bool { return len(c.findings) == 0 })
}

// unite moves the silence of some groups to the first of them.
func unite(groups []*concern, isAll bool, quiet int64) {
	all := groups[0].silent()
	with := &attention.Together{IsAll: isAll}
	for n, c := range groups {
		f := c.silent()
		with.Since, with.Groups = max(with.Since, f.Since), append(with.Groups, c.group.labels[0])
		if n > 0 {
			all.Severity, all.Count, all.Usual = max(all.Severity, f.Severity), all.Count+f.Count, all.Usual+f.Usual
			c.findings = slices.DeleteFunc(c.findings, isSilent)
		}
	}
	if isAll {
		with.Since = quiet
	}
	all.Together = with
	slices.SortStableFunc(groups[0].findings, attention.ByUrgency)
}

func (a *judge) isOfRunners() bool { return a.GroupBy[0] == "machineId" }

// add adds what there is to say about a group.
func (a *judge) add(v *verdict, g *group) {
	of := &attention.Group{Tasks: inOrder(a.tasksOf(g.rows)), Now: a.Now.UnixNano(), Known: a.promises.known}
	isKnown, isWhole := a.knows(g.rows), true
	if len(a.promises.lines) > 0 {
		of = a.promises.group(g.labels[0])
		_, isWhole = of.Dues()
		v.forgets = v.forgets || isKnown && !isWhole
	}
	of.Holidays, of.Runners, of.Sensitivity = a.holidays, a.isOfRunners(), a.Sensitivity
	tellsSilence := isKnown || len(of.Tasks) == len(g.rows) // Otherwise, tasks may have come whose dates are missing.
	findings := slices.DeleteFunc(of.Findings(), func(f attention.Finding) bool {
		return !slices.Contains(a.Reasons, f.Reason) || isSilent(f) && !tellsSilence || f.Reason == attention.Deadline && !isKnown
	})
	isLate := func(f attention.Finding) bool { return f.Reason == attention.Deadline }
	if isKnown && !isWhole && slices.Contains(a.Reasons, attention.Deadline) && !slices.ContainsFunc(findings, isLate) {
		v.forgotten = append(v.forgotten, g)
	}
	switch {
	case len(findings) > 0:
		v.judged++
		v.concerns = append(v.concerns, concern{g, findings, of})
	case isKnown:
		v.judged++
	default:
		v.notJudged = append(v.notJudged, g)
	}
}

// taskReader reads the tasks of rows.
type taskReader struct {
	state, status, created, started, ended, items, failedItems, runner *columns.Column
	first, last                                                        int64 // times that differ from now by more are bounded
}

func newTaskReader(r *Selection) *taskReader {
	column := r.Rows.Column
	return &taskReader{
		state: column("state"), status: column("finishStatus"),
		created: column("dateCreation"), started: column("dateStartRunning"), ended: column("dateLastModified"),
		items: column("totalItems"), failedItems: column("failedItems"), runner: column("machineId"),
		first: r.Now.AddDate(-10, 0, 0).UnixNano(), last: r.Now.AddDate(10, 0, 0).UnixNano(),
	}
}

// inOrder returns those of some tasks that have a date of creation, in its order.
func inOrder(tasks []attention.Task) []attention.Task {
	tasks = slices.DeleteFunc(tasks, func(t attention.Task) bool { return t.Created == 0 })
	slices.SortStableFunc(tasks, func(a, b attention.Task) int { return cmp.Compare(a.Created, b.Created) })
	return tasks
}

// outcome is the derived field that says how a task ended.
const outcome = "outcome"

// task returns the task of a row. That a service reports no items at all is not 0 items.
func (r *taskReader) task(row int) attention.Task {
	t := attention.Task{
		Row: row, Created: r.at(r.created, row), Started: r.at(r.started, row), Ended: r.at(r.ended, row),
		Runner:   r.runner.Text(row),
		HasItems: r.items.Valid[row],
		Items:    r.items.Numbers[row], FailedItems: r.failedItems.Numbers[row] * truth(r.failedItems.Valid[row]),
	}
	t.State, t.Status = attention.Read(r.state.Text(row), r.status.Text(row))
	return t
}

// at returns a time in nanoseconds since the epoch, near enough to now to be added to others; 0 for null.
func (r *taskReader) at(c *columns.Column, row int) int64 {
	if !c.Valid[row] {
		return 0
	}
	return min(max(c.Times[row], r.first), r.last)
}

// linkOf returns the parameters of a link to a dashboard that shows the tasks of a finding: a time range, and a filter.
func (a *judge) linkOf(f *attention.Finding) string {
	which := fmt.Sprintf("%s|=|%s", a.DataSet.Key, a.Rows.Column(a.DataSet.Key).Text(f.About.Row))
	times := url.Values{"from": {fmt.Sprint(time.Unix(0, f.From).UnixMilli())}, "to": {"now"}}
	switch {
	case f.Due != nil && f.Due.Within > 0 && f.Due.Late > 1:
		which = fmt.Sprintf("%s|!=|%s", outcome, attention.Success)
	case f.Due != nil && f.Due.Within > 0: // one task
	case f.Reason == attention.Deadline: // the tasks that there are since then, if any
		return times.Encode()
	case f.Reason == attention.Waiting:
		which = "state|=|" + attention.StateQueued
	case f.Reason == attention.Empty:
		which = "totalItems|=|0"
	case f.Reason != attention.Failing:
	case f.About.Outcome(a.Now.UnixNano()) == attention.Failed:
		which = fmt.Sprintf("%s|=|%s", outcome, attention.Failed)
	default:
		which = "failedItems|>|0"
	}
	times.Set("var-Filters", which)
	return times.Encode()
}

// mostReasons is how many findings a row has a sentence for.
const mostReasons = 2

// mostNames is how many groups a sentence names.
const mostNames = 5

// why returns the sentences about a group.
func (a *judge) why(c *concern) string {
	var sentences []string
	for _, f := range c.findings[:min(mostReasons, len(c.findings))] {
		sentences = append(sentences, a.says(&f))
	}
	return strings.Join(sentences, "; ")
}

// says returns the sentence about a finding.
func (a *judge) says(f *attention.Finding) string {
	which, values := a.sentence(f)
	return a.Sprintf(schema.AttentionReason(f.Reason).Sentence(which, a.Language), values...)
}

// sentence returns which sentence of its reason a finding has, and the values in it.
func (a *judge) sentence(f *attention.Finding) (which string, values []any) {
	isNew := math.IsNaN(f.Usual)
	within := a.span(time.Duration(f.Within).Seconds())
	switch f.Reason {
	case attention.Deadline:
		return a.dueSentence(f.Due)
	case attention.Failing:
		which, values = "share", []any{percent(f.Value), a.moment(f.Since), f.Count, f.Of}
		if f.InARow == f.Of {
			which, values = "inARow", []any{f.InARow, a.moment(f.Since)}
		}
		switch {
		case f.Since == 0:
			which, isNew = which+"Old", false
			values[1] = a.span(a.Now.Sub(time.Unix(0, f.From)).Seconds())
		case !isNew:
			values = append(values, percent(f.Usual), f.UsualCount, f.UsualOf)
		}
	case attention.Empty:
		which, values, isNew = "missing", []any{f.Count, a.moment(f.Since), int(f.Usual), within}, false
	case attention.Silent:
		which, values = "missing", []any{a.span(f.Value), int(f.Usual)}
		switch {
		case f.Together != nil:
			which, values = a.silentTogether(f.Together)
		case within != values[0]:
			which, values = "missingLong", append(values, within)
		}
	case attention.Waiting:
		which, values = "queue", []any{a.span(f.Value), a.span(f.Usual), f.Of}
		if isNew {
			values = []any{values[0], f.Of}
		}
	case attention.Slow:
		which, values = "running", []any{a.span(f.Value)}
		switch {
		case f.About.State != attention.Running:
			which, values = "took", []any{f.Count, f.Of, a.moment(f.Since), values[0]}
		case f.Count > 1:
			which, values = "several", []any{f.Count, values[0]}
		}
		if !isNew {
			values = append(values, a.span(f.Usual))
		}
	}
	if isNew {
		which += "New"
	}
	return which, values
}

// silentTogether returns which sentence there is about groups that fell silent together, and the values in it.
func (a *judge) silentTogether(of *attention.Together) (which string, values []any) {
	which, values = "all", []any{a.moment(of.Since), len(of.Groups)}
	if !of.IsAll {
		names := strings.Join(of.Groups[:min(len(of.Groups), mostNames)], ", ")
		if len(of.Groups) > mostNames {
			names += ", …"
		}
		which, values = "some", []any{len(of.Groups), a.moment(of.Since), names}
	}
	if a.isOfRunners() {
		which += "Runners"
	}
	return which, values
}

// percent formats a share. What is not quite all, or nothing, doesn't look like it.
func percent(share float64) number.Formatter {
	if share > 0 && share < 0.01 || share > 0.99 && share < 1 {
		return number.Percent(share, number.MaxFractionDigits(1))
	}
	return number.Percent(share)
}

// moment formats a time of the last days by its weekday, and an earlier one by its date.
func (r *Selection) moment(at int64) string {
	t, words := time.Unix(0, at).In(r.Zone), r.Language.Words()
	if r.Now.Sub(t) > 6*24*time.Hour {
		return fmt.Sprintf("%d %s", t.Day(), words.Months[t.Month()-1])
	}
	return words.ShortWeekdays[t.Weekday()] + t.Format(" 15:04")
}

// span formats seconds, rounded as Grafana does it beside. Days begin at two, and hours have minutes while these matter.
func (a *judge) span(seconds float64) string {
	if math.IsNaN(seconds) {
		return ""
	}
	d := time.Duration(seconds * float64(time.Second))
	inMinutes := d.Round(time.Minute)
	switch {
	case d < time.Minute:
		return a.Sprintf("%d s", int(d.Seconds()))
	case inMinutes < time.Hour:
		return a.Sprintf("%d min", int(inMinutes.Minutes()))
	case d < 10*time.Hour && inMinutes%time.Hour > 0:
		return a.Sprintf("%d h %d min", int(inMinutes.Hours()), int(inMinutes.Minutes())%60)
	case d < 48*time.Hour:
		return a.Sprintf("%d h", int(d.Round(time.Hour).Hours()))
	default:
		return a.Sprintf(a.Language.Words().Days, int(math.Round(d.Hours()/24)))
	}
}
