package frame

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"

	"github.com/insights/insights-reporting-datasource/schema"
)

// numbers are the measures of a frame with their groups: what numeric and timeseries frames show.
type numbers struct {
	measures []*counts
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

// result is a group of the frame, with the labels of all measures.
type result struct {
	*group
	shares  []*share   // by measure
	figures []*float64 // in order; nil for null
}

// share is what a measure says of a group: its rows are those of all parts of the calendar.
type share struct {
	*group
	part          int      // of the calendar
	value, before *float64 // nil for null
}

// counted is a measure of a period.
type counted struct {
	*measure
	*calendar
	of    *Selection // without the filters that choose hours
	hours *hours     // that count; nil: all
}

// line returns the values of a share in buckets. Those of all parts of the calendar are computed at once.
func (c *counted) line(buckets []int64, rows func(*group) []int) func(*share) []*float64 {
	in, known := c.cells(buckets), map[*group][]*float64{}
	return func(s *share) []*float64 {
		if known[s.group] == nil {
			known[s.group] = c.values(rows(s.group), in)
		}
		return known[s.group][s.part*len(buckets):][:len(buckets)]
	}
}

// counts are a measure of the time range and of the compared period, with their groups.
type counts struct {
	*counted
	earlier *counted // nil: it is not compared
	isNull  bool     // the service reports it only up to now, and the time range has ended
	*partition
	known map[*group]totals
}

// totals are the values of a group in each part of the calendar, of the time range and of the compared period.
type totals struct{ values, before []*float64 }

// partition are the groups of the rows that a measure counts, by their labels that are no part of the calendar.
type partition struct {
	groups []*group
	by     map[string]*group
}

// numbers computes the measures of the groups.
func (r *Grouping) numbers(ctx context.Context) *numbers {
	if r.Differences != nil {
		r.Rows = r.Differences.table(r.isUnknown())
	}
	r.resolveRates()
	r.shared = map[derivation]any{}
	n := &numbers{index: map[string]int{}, automations: r.automationNames(r.GroupBy), notices: r.noDeadlines()}
	n.compare(r)
	var isNull []string
	for _, name := range schema.MeasuresOf(r.Figures) {
		m := r.counts(name)
		n.index[name], n.measures = len(n.measures), append(n.measures, m)
		if m.isNull {
			isNull = append(isNull, name)
		}
	}
	if isNull != nil {
		n.notices = append(n.notices, notice(data.NoticeSeverityInfo, upToNowText, schema.List(isNull))...)
	}
	n.divide(ctx, r)
	n.group(r)
	return n
}

// isCompared reports whether a figure compares a measure, or any of them, with an earlier period of tasks.
func (r *Grouping) isCompared(measure string) bool {
	return r.Earlier != nil && !r.Earlier.From.IsZero() && slices.ContainsFunc(r.Figures, func(f schema.Figure) bool {
		return f.Aspect != "" && (measure == "" || f.Measure == measure)
	})
}

// counts creates a measure of both periods, of a selection of its own, which it may add rows to.
func (r *Grouping) counts(name string) *counts {
	of, in := r.Selection, &calendar{number: map[string]int{}}
	m := &counts{isNull: r.upToNow(r.Rows.ColumnOrNulls(name)) != nil, known: map[*group]totals{}}
	if m.isNull {
		m.counted = &counted{measure: newMeasure(name, &of)}
		r.fail(of.err)
		return m
	}
	m.counted = r.count(name, &of, in)
	if r.isCompared(name) {
		of.From, of.To = r.Earlier.From, r.Earlier.To
		of.earlierBy = r.Now.Sub(r.Earlier.Shift(r.Now))
		m.earlier = r.count(name, &of, in)
	}
	return m
}

// count creates a measure of a period.
func (r *Grouping) count(name string, of *Selection, in *calendar) *counted {
	if described := r.DataSet.Measure(name); described != nil && described.HasHistory() {
		of.Since = time.Time{}
	}
	c := &counted{measure: newMeasure(name, of), calendar: in, of: new(*of)}
	c.hours = r.hoursOf(c.measure, c.of, in)
	return c
}

// divide selects the rows that measures count, and groups them, once for all measures that count the same.
func (n *numbers) divide(ctx context.Context, r *Grouping) {
	of := map[string][]*counts{}
	for _, m := range n.measures {
		if !m.isNull {
			of[m.measure.counts] = append(of[m.measure.counts], m)
		}
	}
	isCompared := func(m *counts) bool { return m.earlier != nil }
	for _, name := range slices.Sorted(maps.Keys(of)) {
		same := of[name]
		groups := n.partition(ctx, r, same[max(0, slices.IndexFunc(same, isCompared))])
		for _, m := range same {
			m.partition = groups
		}
	}
}

// partition groups the rows that a measure counts.
func (n *numbers) partition(ctx context.Context, r *Grouping, m *counts) *partition {
	rows, notices := m.of.rows(ctx, m.keeps)
	r.fail(m.of.err)
	for _, each := range notices {
		if !slices.Contains(n.notices, each) {
			n.notices = append(n.notices, each)
		}
	}
	var earlier []int
	if m.earlier != nil {
		earlier, _ = m.earlier.of.rows(ctx, m.earlier.keeps)
		r.fail(m.earlier.of.err)
	}
	by := *r
	by.Rows = m.of.Rows
	if m.hours != nil {
		by.GroupBy = r.named(false)
	}
	p := &partition{groups: by.groups(rows, earlier), by: map[string]*group{}}
	r.fail(by.err)
	for _, g := range p.groups {
		p.by[keyOf(g.labels)] = g
	}
	return p
}

// group collects the groups that some measure shows, and what all of them say of these.
func (n *numbers) group(r *Grouping) {
	isKnown := map[string]bool{}
	for _, m := range n.measures {
		for _, labels := range m.shown(r) {
			if key := keyOf(labels); !isKnown[key] {
				isKnown[key] = true
				n.groups = append(n.groups, &result{group: &group{labels: labels}})
			}
		}
	}
	for _, g := range n.groups {
		key := keyOf(g.labels)
		for _, m := range n.measures {
			g.shares = append(g.shares, n.share(r, m, key, g.labels))
		}
	}
}

// shown returns the labels of the groups that a measure shows.
func (m *counts) shown(r *Grouping) (all [][]string) {
	if m.isNull {
		return nil
	}
	quiet := r.quietParts(m.counted)
	for _, g := range m.groups {
		isShown := m.shows == nil || len(r.GroupBy) == 0 || slices.ContainsFunc(g.rows, m.shows) || m.earlier != nil && slices.ContainsFunc(g.earlier, m.earlier.shows)
		if !isShown {
			continue
		}
		parts := slices.Clone(quiet)
		m.touch(parts, g.rows)
		m.earlier.touch(parts, g.earlier)
		for part, is := range parts {
			if is {
				all = append(all, m.labels(r, g, part))
			}
		}
	}
	return all
}

// share returns what a measure says of the group with some labels, which may have no rows that it counts.
func (n *numbers) share(r *Grouping, m *counts, key string, labels []string) *share {
	if m.isNull {
		return &share{group: &group{}}
	}
	var part []string
	if m.hours != nil {
		labels, part = m.split(r, labels)
		key = keyOf(labels)
	}
	g := m.by[key]
	if g == nil {
		g = &group{labels: labels}
		m.by[key] = g
	}
	number, isKnown := m.number[strings.Join(part, " ")]
	if !isKnown {
		return &share{group: g}
	}
	of, isKnown := m.known[g]
	if !isKnown {
		of.values = m.total(g.rows, !r.isUnknown() || m.described.IsAboutNow())
		of.before = m.earlier.total(g.earlier, n.knownSince.IsZero())
		m.known[g] = of
	}
	s := &share{group: g, part: number, value: of.values[number]}
	if of.before != nil {
		s.before = of.before[number]
	}
	return s
}

// measure returns a measure by its name.
func (n *numbers) measure(name string) *counts { return n.measures[n.index[name]] }

// total returns the values of a group in each part of the calendar; null if nothing is known of the period.
func (c *counted) total(rows []int, isKnown bool) []*float64 {
	if c == nil {
		return nil
	}
	if !isKnown {
		return make([]*float64, len(c.parts))
	}
	return c.values(rows, c.cells(nil))
}

// ordered returns the groups that the conditions keep, in order, with their figures.
func (n *numbers) ordered(r *Grouping) []*result {
	for _, g := range n.groups {
		for _, f := range r.Figures {
			g.figures = append(g.figures, r.aspect(f, n.measure(f.Measure).described, g.shares[n.index[f.Measure]]))
		}
	}
	groups := r.having(n.groups)
	r.order(groups)
	return groups
}

// said returns what a reader of the values has to know.
func (n *numbers) said() (notices []data.Notice) {
	for _, m := range n.measures {
		if m.says != nil {
			for _, text := range m.says() {
				notices = append(notices, notice(data.NoticeSeverityInfo, "%s", text)...)
			}
		}
		if m.earlier != nil && m.earlier.says != nil {
			for _, text := range m.earlier.says() {
				notices = append(notices, notice(data.NoticeSeverityInfo, "In the period to compare with: %s", text)...)
			}
		}
	}
	return notices
}
