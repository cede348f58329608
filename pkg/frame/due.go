package frame

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"

	"github.com/insights/insights-reporting-datasource/pkg/attention"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/deadlines"
	"github.com/insights/insights-reporting-datasource/schema"
)

// DueToday is the format with a row for each deadline of today, and each earlier one that is still late, in the order in
// which they fall due. All rows of an automation decide; search and filters choose the automations.
type DueToday struct{ Grouping }

type dueRow struct {
	attention.Due
	label string
	row   int
}

// Frame builds the frame, with all its fields without rows, too. Errors are inputerror.Err, or those of a context that ended.
func (r *DueToday) Frame(ctx context.Context) (*data.Frame, error) {
	a := newJudge(&Attention{Grouping: r.Grouping})
	chosen, notices := a.rows(ctx, nil)
	var dues []dueRow
	forgets := false
	for _, g := range a.groups(chosen) {
		label := g.labels[0]
		if label == "" || len(a.promises.lines) == 0 || ctx.Err() != nil {
			continue
		}
		of := a.promises.group(label)
		all, isWhole := of.Dues()
		forgets = forgets || !isWhole
		for _, due := range all {
			if !a.knows(a.promises.rows[label]) {
				due.State = dueUnknown
			}
			dues = append(dues, dueRow{due, label, cmp.Or(due.About, &attention.Task{Row: of.Row}).Row})
		}
	}
	slices.SortFunc(dues, func(x, y dueRow) int {
		return cmp.Or(cmp.Compare(x.At, y.At), strings.Compare(x.label, y.label), cmp.Compare(x.Line, y.Line))
	})
	frame := a.dueFrame(cutRows(&a.Selection, dues))
	isQuiet := !forgets && len(dues) == 0
	noTasks := noticeIf(isQuiet && a.Rows.Rows == 0, data.NoticeSeverityInfo, "%s", a.Language.Words().NoTasks)
	noneToday := noticeIf(isQuiet && len(a.promises.lines) > 0 && len(chosen) > 0, data.NoticeSeverityInfo, "No deadline falls due today")
	frame.AppendNotices(slices.Concat(a.noDeadlines(), notices, a.forgotten(forgets), noTasks, noneToday)...)
	return finished(ctx, &a.Selection, frame)
}

const dueUnknown attention.DueState = "unknown" // the state of a deadline of an automation whose last tasks don't show when they ended, or how

func (a *judge) dueFrame(dues []dueRow) *data.Frame {
	frame := newFrame(a.DataSet.Name, data.FrameTypeTable, data.VisTypeTable)
	about := make([]int, len(dues))
	for i, due := range dues {
		about[i] = due.row
	}
	task := func(name string) *data.Field { return a.tableField(a.Rows.Column(name), about) }
	frame.Fields = []*data.Field{
		task(a.DataSet.AutomationField),
		fieldOf(a, schema.DueField("due"), dues, func(d *dueRow) *time.Time { return new(time.Unix(0, d.At).UTC()) }),
		stateField(a, schema.DueField("state"), schema.Attention.DueStates, dues, func(d *dueRow) string { return string(d.State) }),
		fieldOf(a, schema.DueField("doneAt"), dues, func(d *dueRow) *time.Time { return nullOr(d.DoneAt == 0, time.Unix(0, d.DoneAt).UTC()) }),
		fieldOf(a, schema.DueField("why"), dues, func(d *dueRow) *string {
			isSaid := d.State == attention.DueLate || d.State == attention.DueAtRisk
			return nullOr(!isSaid, a.why([]attention.Finding{{Reason: attention.Deadline, Due: &d.Due}}))
		}),
		fieldOf(a, schema.DueField("done"), dues, func(d *dueRow) *float64 { return nullOr(d.Within > 0, float64(d.Done)) }),
		fieldOf(a, schema.DueField("required"), dues, func(d *dueRow) *float64 { return nullOr(d.Within > 0, float64(d.Count)) }),
		fieldOf(a, schema.DueField("usual"), dues, func(d *dueRow) *float64 { return nullOr(d.Usual == 0, time.Duration(d.Usual).Seconds()) }),
		task("machineId"), task(a.DataSet.Key),
	}
	if a.Rows.Rows == 0 { // A table without rows shows nothing but its header.
		frame.Fields[0].Config.DisplayNameFromDS = a.nothing(&verdict{})
	}
	return frame
}

func (a *judge) dueSentence(d *attention.Due, moment func(at int64) string) (which string, values []any) {
	span := func(ns int64) string { return lasting(time.Duration(ns)) }
	by, left := moment(d.At), span(d.At-a.Now.UnixNano())
	switch {
	case d.State == attention.DueLate:
		which, values = "late", []any{by}
		switch {
		case d.Late > 1:
			which, values = "lateTasks", []any{d.Late, lasting(d.Within), by}
		case d.Within > 0:
			which, values = "lateTask", []any{by, lasting(d.Within)}
		case d.Count > 1:
			which, values = "lateCount", []any{d.Done, d.Count, by}
		}
		return which, append(values, a.whyLate(d, moment))
	case d.Queue > int64(time.Minute) && d.ToDo == 1:
		return "riskQueue", []any{by, span(d.Queue), span(d.Usual), left}
	case d.ToDo > 1:
		return "riskCount", []any{by, d.ToDo, span(d.Each), d.AtOnce, left}
	case d.About != nil && d.About.State == attention.Running:
		return "riskRunning", []any{by, span(a.Now.UnixNano() - cmp.Or(d.About.Started, d.About.Created)), span(d.Usual), left}
	default:
		return "risk", []any{by, span(d.Usual), left}
	}
}

// whyLate says what has become of a task of a deadline that is late or, without one that waits, runs, or failed, when the last one succeeded.
func (a *judge) whyLate(d *attention.Due, moment func(at int64) string) string {
	which, values, t := "noSuccess", []any(nil), cmp.Or(d.About, &attention.Task{State: attention.Finished})
	began, outcome := cmp.Or(t.Started, t.Created), t.Outcome(a.Now.UnixNano())
	lasts := []any{lasting(a.Now.Sub(time.Unix(0, began)))}
	switch {
	case t.State == attention.Queued && d.IsTaken:
		which, values = "queued", lasts
	case t.State == attention.Queued:
		which, values = "notTaken", lasts
	case t.State == attention.Running && d.Usual == 0:
		which, values = "runningNew", lasts
	case t.State == attention.Running:
		which, values = "running", append(lasts, lasting(time.Duration(d.Usual)))
	case outcome == attention.Failed:
		which, values = "failed", []any{moment(cmp.Or(t.Ended, began))}
	case outcome == attention.Partial:
		which, values = "partly", []any{moment(cmp.Or(t.Ended, began))}
	case d.Success > 0:
		which, values = "success", []any{moment(d.Success)}
	}
	return a.Sprintf(schema.AttentionReason(attention.Deadline).Sentence(which, a.Language), values...)
}

func (r *Selection) noDeadlines() []data.Notice {
	return noticeIf(r.Deadlines != nil && len(r.Deadlines) == 0, data.NoticeSeverityInfo,
		"No deadline is set: add the first one on the settings page of the data source, or to its provisioning file: %s", schema.GetSetting("deadlines").Title())
}

type promises struct {
	*Selection
	lines []*deadlines.Deadline
	rows  map[string][]int // by automation
	known int64            // from when on all tasks are known
}

// promises adds a row, of nothing but its label, for what deadlines name but no row has: it is not done. Without any rows, nobody knows.
func (r *Selection) promises() *promises {
	p := &promises{Selection: r, known: columns.Earlier(r.Rows.Earliest("dateCreation"), r.Now).UnixNano()}
	if r.Rows.Rows > 0 && len(r.Deadlines) > 0 {
		p.lines, p.rows = r.Deadlines, byText(r.Rows.Column(r.DataSet.AutomationField), allRows(r.Rows))
		names := p.unmatched()
		for n, name := range names {
			p.rows[name] = []int{r.Rows.Rows + n}
		}
		r.addRows(names)
	}
	return p
}

func (p *promises) unmatched() (names []string) {
	for _, d := range p.lines {
		isMatched := slices.Contains(names, d.Automation)
		for label := range p.rows {
			isMatched = isMatched || label != "" && d.Matches(label)
		}
		if !isMatched {
			names = append(names, d.Automation)
		}
	}
	return names
}

func (r *Selection) isAbsent(row int) bool { return row >= r.Rows.Rows-r.absent }

// addRows adds rows that stand for automations without tasks. The rows themselves are shared and not modified.
func (r *Selection) addRows(names []string) {
	if len(names) == 0 {
		return
	}
	labels := columns.Nulls(r.DataSet.AutomationField, schema.String, len(names))
	for n, name := range names {
		labels.Valid[n], labels.Strings[n] = true, name
	}
	all := &columns.Table{}
	all.Append(r.Rows, nil)
	all.Append(&columns.Table{Rows: len(names), Columns: []*columns.Column{labels}}, nil)
	r.Rows, r.absent = all, len(names)
}

// knows reports whether the rows of a group show when its last tasks ended, and how. That there is none shows it.
func (r *Selection) knows(rows []int) bool {
	return r.isAbsent(rows[0]) || attention.KnowsNewest(r.tasksOf(rows), r.Now.UnixNano())
}

func (p *promises) group(automation string) *attention.Group {
	return &attention.Group{
		Tasks: p.tasksByAutomation()[automation], Now: p.Now.UnixNano(), Known: p.known,
		Automation: automation, Deadlines: p.of(automation), Work: p.expected(), Row: p.rows[automation][0],
	}
}

// of returns the deadlines of an automation. One without tasks may be a pattern, which others may match, too.
func (p *promises) of(automation string) []*deadlines.Deadline {
	isAbsent := p.isAbsent(p.rows[automation][0])
	return slices.DeleteFunc(slices.Clone(p.lines), func(d *deadlines.Deadline) bool {
		return isAbsent && d.Automation != automation || !d.Matches(automation)
	})
}

// occasions counts when deadlines fell due, and whether they were kept. All tasks of an automation decide about its deadlines:
// search, filters, and groups choose the automations, but weekdays and hours are those on which a deadline falls due.
func occasions(r *Selection) *counted {
	p := r.promises()
	over := r.over()
	automation, outcomes := r.Rows.Column(r.DataSet.AutomationField), map[string][]attention.Due{}
	isPromised := map[string]bool{}
	for label := range p.rows {
		isPromised[label] = label != "" && len(p.of(label)) > 0
		if isPromised[label] && p.knows(p.rows[label]) {
			outcomes[label] = p.group(label).Outcomes(over.from, over.to)
		}
	}
	return &counted{
		name:    "deadlines",
		keeps:   func(row int) bool { return isPromised[automation.Text(row)] },
		touches: func(int) (attention.Span, bool) { return attention.Span{Began: over.from, Ended: over.to + 1}, true },
		tallies: func(rows []int) (all []tally) {
			for label := range byText(automation, rows) {
				for _, o := range outcomes[label] {
					all = append(all, tally{Span: attention.Span{Began: o.On}, value: truth(o.IsKept()), weight: 1})
				}
			}
			return all
		},
	}
}
