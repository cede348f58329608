package frame

import (
	"context"
	"slices"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"

	"github.com/insights/insights-reporting-datasource/schema"
)

// numbers are the measures of a frame with their groups: what numeric and timeseries frames show.
type numbers struct {
	measures []*compared
	index    map[string]int // of measures, by name
	groups   []*result
	// starts are when the compared period and the time range start; nil: no comparison.
	starts []time.Time
	// knownSince is the start of what is known of the compared period; zero: all of it is known.
	knownSince time.Time
	// automations are the display names of automations by their labels.
	automations map[string]string
	notices     []data.Notice
}

// result is a group of the frame, and what each measure says of it.
type result struct {
	*group
	values, before []*float64 // by measure; nil for null
	figures        []*float64 // in order; nil for null
}

// compared is a measure of the time range and of the compared period.
type compared struct {
	*grouped
	earlier *grouped // nil: it is not compared
}

// grouped is a measure of a period, with the groups of the rows that it counts, by their labels that are no part of the calendar.
type grouped struct {
	*measure
	hours  *hours // that count; nil: all
	groups map[string]*group
	isNull bool // the service reports it only up to now, and the time range has ended
}

// numbers computes the measures of the groups.
func (r *Grouping) numbers(ctx context.Context) *numbers {
	r.resolve()
	r.shared = map[derivation]any{}
	n := &numbers{index: map[string]int{}, automations: r.automationNames(r.GroupBy), notices: r.noDeadlines()}
	if r.isCompared("") {
		n.starts = []time.Time{r.Earlier.From.UTC(), r.From.UTC()}
		n.checkKnown(&r.Range, r.Earlier.From, r.Earlier.To)
	}
	var isNull []string
	for _, name := range schema.MeasuresOf(r.Figures) {
		m := &compared{grouped: n.count(ctx, r, name, r.Selection)}
		if m.isNull {
			isNull = append(isNull, name)
		} else if r.isCompared(name) {
			earlier := r.Selection
			earlier.From, earlier.To = r.Earlier.From, r.Earlier.To
			earlier.earlierBy = r.Now.Sub(r.Earlier.Shift(r.Now))
			m.earlier = n.count(ctx, r, name, earlier)
		}
		n.index[name], n.measures = len(n.measures), append(n.measures, m)
	}
	if isNull != nil {
		n.notices = append(n.notices, notice(data.NoticeSeverityInfo, upToNowText, schema.List(isNull))...)
	}
	n.total(r)
	return n
}

// isCompared reports whether a figure compares a measure, or any of them, with an earlier period of tasks.
func (r *Grouping) isCompared(measure string) bool {
	return r.Earlier != nil && !r.Earlier.From.IsZero() && slices.ContainsFunc(r.Figures, func(f schema.Figure) bool {
		return f.Aspect != "" && (measure == "" || f.Measure == measure)
	})
}

// count creates a measure of a selection, and groups the rows that it counts, once for all measures that count the same.
func (n *numbers) count(ctx context.Context, r *Grouping, name string, of Selection) *grouped {
	if described := r.DataSet.Measure(name); described != nil && described.HasHistory() {
		of.Since = time.Time{}
	}
	g := &grouped{isNull: r.upToNow(r.Rows.ColumnOrNulls(name)) != nil, measure: newMeasure(name, &of)}
	if r.fail(of.err); g.isNull {
		return g
	}
	by := &Grouping{Selection: of, GroupBy: r.GroupBy}
	g.hours = by.hoursOf(g.measure)
	type partition struct {
		groups  map[string]*group
		notices []data.Notice
	}
	p := once(&by.Selection, "groups of "+g.name, by.over(), func() partition {
		rows, notices := by.rows(ctx, g.keeps)
		groups := by.groups(rows)
		if !by.isEarlier() {
			groups = by.withQuiet(groups)
		}
		p := partition{map[string]*group{}, notices}
		for _, of := range groups {
			p.groups[keyOf(of.labels)] = of
		}
		return p
	})
	r.fail(by.err)
	g.groups = p.groups
	for _, each := range p.notices {
		if !of.isEarlier() && !slices.Contains(n.notices, each) {
			n.notices = append(n.notices, each)
		}
	}
	return g
}

// total collects the groups that some measure shows, and what all of them say of these. Nothing is 0 of time that nothing is
// known of.
func (n *numbers) total(r *Grouping) {
	known := map[string]bool{}
	var values, before []line
	for _, m := range n.measures {
		now, earlier := m.line(r, nil), m.earlier.line(r, nil)
		if r.isUnknown() && !m.described.IsAboutNow() {
			now = nulls(1)
		}
		if !n.knownSince.IsZero() {
			earlier = nulls(1)
		}
		values, before = append(values, now), append(before, earlier)
		for _, labels := range slices.Concat(m.shown(r), m.earlier.shown(r)) {
			if key := keyOf(labels); !known[key] {
				known[key] = true
				n.groups = append(n.groups, &result{group: &group{labels: labels}})
			}
		}
	}
	for _, g := range n.groups {
		for at := range n.measures {
			g.values, g.before = append(g.values, values[at](g.labels)[0]), append(g.before, before[at](g.labels)[0])
		}
	}
}

// line returns the values of a group in buckets, by its labels.
type line func(labels []string) []*float64

func nulls(buckets int) line { return func([]string) []*float64 { return make([]*float64, buckets) } }

// line returns the values in buckets; nil: in a single one. Those of all parts of the calendar are computed at once.
func (g *grouped) line(r *Grouping, buckets []int64) line {
	length := max(1, len(buckets))
	if g == nil || g.isNull {
		return nulls(length)
	}
	in, known := g.hours.cells(buckets), map[string][]*float64{}
	return func(labels []string) []*float64 {
		number := 0
		if g.hours != nil {
			whole, part := r.split(labels)
			found, isPart := g.hours.number[keyOf(part)]
			if !isPart {
				return make([]*float64, length)
			}
			labels, number = whole, found
		}
		key := keyOf(labels)
		if known[key] == nil {
			known[key] = g.values(g.rowsOf(labels), in)
		}
		return known[key][number*length:][:length]
	}
}

// rowsOf returns the rows of a group that the measure counts, by its labels.
func (g *grouped) rowsOf(labels []string) []int {
	if of := g.groups[keyOf(labels)]; of != nil {
		return of.rows
	}
	return nil
}

// shown returns the labels of the groups that a measure shows.
func (g *grouped) shown(r *Grouping) (all [][]string) {
	if g == nil {
		return nil
	}
	for _, of := range g.groups {
		if g.hours == nil {
			all = append(all, of.labels)
		} else {
			all = append(all, g.hours.shown(r, g.measure, of)...)
		}
	}
	return all
}

// measure returns a measure by its name.
func (n *numbers) measure(name string) *compared { return n.measures[n.index[name]] }

// ordered returns the groups in order, with their figures.
func (n *numbers) ordered(r *Grouping) []*result {
	for _, g := range n.groups {
		for _, f := range r.Figures {
			at := n.index[f.Measure]
			g.figures = append(g.figures, r.aspect(f, n.measures[at].described, g.values[at], g.before[at]))
		}
	}
	r.order(n.groups)
	return n.groups
}

// said returns what a reader of the values has to know.
func (n *numbers) said() (notices []data.Notice) {
	for _, m := range n.measures {
		if m.says == nil {
			continue
		}
		for _, text := range m.says() {
			notices = append(notices, notice(data.NoticeSeverityInfo, "%s", text)...)
		}
	}
	return notices
}
