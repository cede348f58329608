package frame

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"net/url"
	"slices"
	"sort"
	"strings"
	"time"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"golang.org/x/text/number"

	"github.com/insights/insights-reporting-datasource/pkg/attention"
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

func (r *Selection) holidays() (all []attention.Span) {
	if r.Calendar == nil {
		return nil
	}
	days := period.Day.Starts(r.Now.AddDate(0, 0, -182), r.Now.AddDate(0, 0, 1), r.Calendar.Zone)
	for n, midnight := range days[1:] {
		if r.Calendar.IsHoliday(days[n].In(r.Calendar.Zone)) {
			all = append(all, attention.Span{Began: days[n].UnixNano(), Ended: midnight.UnixNano()})
		}
	}
	return all
}

// concern is why a person should look at a group, the most urgent finding first. A group that is well has none.
type concern struct {
	group    *group
	findings []attention.Finding
	judged   *attention.Group
	robot    *attention.Robot // of All
}

// about returns the row of an example, and since when it is so: of a robot, its last task, and its state; 0: it is not known.
func (c *concern) about() (row int, since int64) {
	if c.robot != nil {
		return c.robot.Last.Row, c.robot.Since
	}
	return c.findings[0].About.Row, c.findings[0].Since
}

func (c *concern) silent() *attention.Finding {
	n := slices.IndexFunc(c.findings, isSilent)
	if n < 0 {
		return nil
	}
	return &c.findings[n]
}

func isSilent(f attention.Finding) bool { return f.Reason == attention.Silent }

type verdict struct {
	concerns  []concern // the most urgent first
	well      []concern // groups without a finding
	judged    int       // groups
	notJudged []*group
	noGroups  []string // entries of Ignored
	forgets   bool     // tasks of deadlines could come before the oldest task
	forgotten []*group // of these, and no other deadline of theirs is late
	ahead     int      // robots whose last tasks have dates after now
}

// judge judges the groups with a chosen row. Tasks without an automation, or without a runner, are no group.
func (a *judge) judge(ctx context.Context, chosen []int) (v verdict) {
	isChosen := a.groups(chosen)
	v.noGroups = slices.Clone(a.Ignored)
	for _, g := range a.sorted(a.groups(allRows(a.Rows))) {
		v.noGroups = slices.DeleteFunc(v.noGroups, func(name string) bool { return name == g.labels[0] })
		switch {
		case g.labels[0] == "" || isChosen[keyOf(g.labels)] == nil || ctx.Err() != nil:
		case slices.Contains(a.Ignored, g.labels[0]):
			v.judged++
		default:
			a.add(&v, g)
		}
	}
	a.join(&v)
	slices.SortFunc(v.concerns, byUrgency)
	n := sort.Search(len(v.concerns), func(n int) bool { return len(v.concerns[n].findings) == 0 })
	v.concerns, v.well = v.concerns[:n], v.concerns[n:]
	return v
}

// join says once what fell silent together, as in a strike: the next tasks of all were to come when the first of them fell silent. Three
// are together, or two while no group had a task. It is said of the first, so that nothing moves in the instance of a rule.
func (a *judge) join(v *verdict) {
	fell, silent := map[*concern]int64{}, []*concern{}
	for i := range v.concerns {
		if c := &v.concerns[i]; c.silent() != nil {
			fell[c], silent = c.judged.FellSilent(c.silent().Since), append(silent, c)
		}
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
		isOther := func(c *concern) bool {
			return c != first && (c.silent().Since >= fell[first] || !slices.Equal(c.group.labels[1:], first.group.labels[1:]))
		}
		together := slices.DeleteFunc(slices.Clone(silent), isOther)
		others := slices.DeleteFunc(slices.Clone(silent), func(c *concern) bool { return !isOther(c) })
		if isAll := fell[first] > quiet; len(together) > 2 || len(together) == 2 && isAll {
			unite(together, isAll, quiet)
			silent = others
		} else {
			silent = silent[1:]
		}
	}
}

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
	c := concern{group: g, findings: findings, judged: of}
	if a.All {
		c.robot = new(of.Robot())
		v.ahead += int(truth(c.robot.State == ""))
		c.robot.Last = cmp.Or(c.robot.Last, &attention.Task{Row: g.rows[0]})
		if isAtRest := c.robot.State == attention.Idle || c.robot.State == attention.Quiet; isAtRest && !tellsSilence {
			c.robot.State, c.robot.Since = "", 0
		}
	}
	if v.concerns = append(v.concerns, c); len(findings) > 0 || isKnown {
		v.judged++
	} else {
		v.notJudged = append(v.notJudged, g)
	}
}

// linkOf returns the parameters of a link to a dashboard that shows the tasks of the most urgent finding: a time range, an outcome, of
// which Grafana would keep the last one, and a filter, which would also hide what failures are compared with. Of a silence, and of a
// robot that is well, these are the tasks of two weeks before.
func (a *judge) linkOf(c *concern) string {
	_, since := c.about()
	from, which := cmp.Or(nullOr(since == 0, time.Unix(0, since)), &a.Now).AddDate(0, 0, -14), ""
	if len(c.findings) > 0 && !isSilent(c.findings[0]) {
		from, which = time.Unix(0, c.findings[0].From), a.whichTasks(&c.findings[0])
	}
	link := url.Values{"from": {fmt.Sprint(from.UnixMilli())}, "to": {"now"}, "var-outcome": {"$__all"}}
	if failed, is := strings.CutPrefix(which, outcome+"|=|"); is {
		link.Set("var-outcome", failed)
	} else if which != "" {
		link.Set("var-Filters", which)
	}
	return link.Encode()
}

// whichTasks returns the filter of the tasks that a finding is about; empty: those that there are since then, if any.
func (a *judge) whichTasks(f *attention.Finding) string {
	switch {
	case f.Due != nil && f.Due.Within == 0:
		return ""
	case f.Due != nil && f.Due.Late > 1:
		return fmt.Sprintf("%s|!=|%s", outcome, attention.Success)
	case f.Reason == attention.Waiting:
		return "state|=|" + attention.StateQueued
	case f.Reason == attention.Empty:
		return "totalItems|=|0"
	case f.Reason != attention.Failing:
		return fmt.Sprintf("%s|=|%s", a.DataSet.Key, a.Rows.Column(a.DataSet.Key).Text(f.About.Row))
	case 2*f.Failed >= f.Count:
		return fmt.Sprintf("%s|=|%s", outcome, attention.Failed)
	default:
		return "failedItems|>|0"
	}
}

const mostReasons, mostNames = 2, 5 // findings that a row has sentences for, and groups that a sentence names

// why returns the sentences about findings. All times in them are of one zone, which is that of a deadline if there is one.
func (a *judge) why(findings []attention.Finding) string {
	findings, zone := findings[:min(mostReasons, len(findings))], a.Zone
	for _, f := range findings {
		if f.Due != nil {
			zone = cmp.Or(f.Due.Zone, zone)
		}
	}
	sentences, moment := make([]string, len(findings)), a.clock(zone)
	for i := range findings {
		which, values := a.sentence(&findings[i], moment)
		sentences[i] = a.Sprintf(schema.AttentionReason(findings[i].Reason).Sentence(which, a.Language), values...)
	}
	return strings.Join(sentences, "; ")
}

// clock returns what formats times as clocks of a zone show them. The first one names the zone if the reader's clock shows another time.
func (a *judge) clock(zone *time.Location) func(at int64) string {
	isNamed := false
	return func(at int64) string {
		text, own := a.moment(zone, at), a.moment(a.Zone, at)
		if isNamed || text == own {
			return text
		}
		isNamed = true
		return text + " " + zone.String()
	}
}

func (a *judge) sentence(f *attention.Finding, moment func(at int64) string) (which string, values []any) {
	isNew := math.IsNaN(f.Usual)
	within := lasting(time.Duration(f.Within))
	span := func(seconds float64) string { return lasting(time.Duration(seconds * 1e9)) }
	switch f.Reason {
	case attention.Deadline:
		return a.dueSentence(f.Due, moment)
	case attention.Failing:
		return a.failingSentence(f, moment)
	case attention.Empty:
		which, values, isNew = "missing", []any{f.Count, moment(f.Since), int(f.Usual), within}, false
	case attention.Silent:
		which, values = "missing", []any{span(f.Value), int(f.Usual)}
		switch {
		case f.Together != nil:
			which, values = a.silentTogether(f.Together, moment)
		case within != values[0]:
			which, values = "missingLong", append(values, within)
		}
	case attention.Waiting:
		which, values = "queue", []any{span(f.Value), f.Of}
		if !isNew {
			values = slices.Insert(values, 1, any(span(f.Usual)))
		}
	case attention.Slow:
		if which, values = "running", []any{span(f.Value)}; f.About.Runner != "" && !a.isOfRunners() {
			values[0] = a.Sprintf(schema.AttentionReason(attention.Slow).Sentence("onRunner", a.Language), values[0], f.About.Runner)
		}
		switch {
		case f.About.State != attention.Running:
			which, values = "took", []any{f.Count, f.Of, moment(f.Since), span(f.Value)}
		case f.Count > 1:
			which, values = "several", []any{f.Count, values[0]}
		}
		if usual := span(f.Usual); !isNew && a.isOfRunners() { // That of the automation is another one.
			values = append(values, a.Sprintf(schema.AttentionReason(attention.Slow).Sentence("ofRunner", a.Language), usual))
		} else if !isNew {
			values = append(values, usual)
		}
	}
	if isNew {
		which += "New"
	}
	return which, values
}

// failingSentence says what happened, and how often, since when, and how often it happened before. A link shows the tasks that failed or, of
// mostly failed items, those with any.
func (a *judge) failingSentence(f *attention.Finding, moment func(at int64) string) (which string, values []any) {
	say := func(which string, values ...any) string {
		return a.Sprintf(schema.AttentionReason(attention.Failing).Sentence(which, a.Language), values...)
	}
	what := say("both", percent(f.Value), f.Failed, f.Count-f.Failed, f.Of)
	switch {
	case f.InARow == f.Of:
		what = say("inARow", f.InARow)
	case f.Failed == f.Count:
		what = say("share", percent(f.Value), f.Count, f.Of)
	case f.Failed == 0:
		what = say("items", percent(f.Value), f.Count, f.Of)
	}
	if f.Failed > 0 && !f.Succeeds && f.Count < f.Of { // The success rate is 0.
		what = say("partly", what)
	}
	switch which = "since"; {
	case f.Since == 0:
		return "sinceOld", []any{what, lasting(a.Now.Sub(time.Unix(0, f.From)))}
	case f.UsualOf == 0:
		return "sinceNew", []any{what, moment(f.Since)}
	case f.Failed == f.Count && f.UsualFailed < f.UsualCount || f.Failed == 0 && f.UsualFailed > 0:
		which = "sinceOther"
	}
	return which, []any{what, moment(f.Since), percent(f.Usual), lasting(time.Duration(f.Within)), f.UsualCount, f.UsualOf}
}

func (a *judge) silentTogether(of *attention.Together, moment func(at int64) string) (which string, values []any) {
	which, values = "all", []any{moment(of.Since), len(of.Groups)}
	if !of.IsAll {
		names := strings.Join(of.Groups[:min(len(of.Groups), mostNames)], ", ")
		if len(of.Groups) > mostNames {
			names += ", …"
		}
		which, values = "some", []any{len(of.Groups), moment(of.Since), names}
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
func (r *Selection) moment(zone *time.Location, at int64) string {
	t, words := time.Unix(0, at).In(zone), r.Language.Words()
	if r.Now.Sub(t) > 6*24*time.Hour {
		return fmt.Sprintf("%d %s", t.Day(), words.Months[t.Month()-1])
	}
	return words.ShortWeekdays[t.Weekday()] + t.Format(" 15:04")
}

// lasting formats a duration as cells beside show it, in Grafana's unit dtdhms: 1 d 01:12:04. From two days on, only days matter.
func lasting(d time.Duration) string {
	d = max(0, d) // Clocks differ.
	days, clock := d/(24*time.Hour), time.Time{}.Add(d).Format(time.TimeOnly)
	if days > 1 {
		return fmt.Sprintf("%d d", days)
	}
	return [...]string{"", "1 d "}[days] + clock
}
