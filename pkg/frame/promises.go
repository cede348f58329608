package frame

import (
	"slices"

	"github.com/grafana/grafana-plugin-sdk-go/data"

	"github.com/insights/insights-reporting-datasource/pkg/attention"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/deadlines"
	"github.com/insights/insights-reporting-datasource/schema"
)

// noDeadlines says where to set deadlines, if a query needs them and there is none.
func (r *Selection) noDeadlines() []data.Notice {
	if r.Deadlines == nil || len(r.Deadlines) > 0 {
		return nil
	}
	return notice(data.NoticeSeverityInfo, "No deadline is set: add the first one on the settings page of the data source, or to its provisioning file: %s", schema.GetSetting("deadlines").Title())
}

// promises are the deadlines of the automations in the rows of a selection, and of those without rows.
type promises struct {
	*Selection
	lines []*deadlines.Deadline
	rows  map[string][]int // by automation
	known int64            // from when on all tasks are known
	work  *attention.Work  // nil without lines
}

// promises adds a row, of nothing but its label, for what a deadline names if it is not one of any automation in the rows: nothing
// says more clearly that it is not done. Without any rows, nothing is known.
func (r *Selection) promises() *promises {
	p := &promises{Selection: r, known: r.Now.UnixNano()}
	if r.Rows.Rows > 0 && len(r.Deadlines) > 0 {
		p.lines, p.rows = r.Deadlines, byText(r.Rows.Column(r.DataSet.AutomationField), allRows(r.Rows))
		names := p.unmatched()
		for n, name := range names {
			p.rows[name] = []int{r.Rows.Rows + n}
		}
		r.addRows(names)
		p.work = r.expected()
	}
	for _, t := range r.tasks() {
		if t.Created != 0 {
			p.known = min(p.known, t.Created)
		}
	}
	return p
}

// unmatched returns what the deadlines name that are not those of any automation in the rows.
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

// isAbsent reports whether a row stands for an automation without tasks.
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

// knows reports whether the rows of an automation show when its last tasks ended, and how. That there is none shows it.
func (p *promises) knows(automation string) bool {
	rows := p.rows[automation]
	return p.isAbsent(rows[0]) || attention.KnowsNewest(p.tasksOf(rows), p.Now.UnixNano())
}

// group returns the tasks and deadlines of an automation.
func (p *promises) group(automation string) *attention.Group {
	return &attention.Group{
		Tasks: p.tasksByAutomation()[automation], Now: p.Now.UnixNano(), Known: p.known,
		Automation: automation, Deadlines: p.of(automation), Work: p.work, Row: p.rows[automation][0],
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
		if isPromised[label] && p.knows(label) {
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
