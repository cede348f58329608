package frame

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/inputerror"
	"github.com/insights/insights-reporting-datasource/pkg/period"
	"github.com/insights/insights-reporting-datasource/schema"
)

// numbers are the measures of a frame with their groups: what numeric and timeseries frames show.
type numbers struct {
	measures    []*measure
	groups      []*result
	starts      []time.Time       // of the compared period and of the time range; nil: no comparison
	knownSince  time.Time         // the start of what is known of the compared period; zero: all of it is known
	automations map[string]string // display names by label
	notices     []data.Notice
}

// result is a group of the frame, and what each measure says of it.
type result struct {
	*group
	readings []reading  // by measure
	figures  []*float64 // in order; nil for null
}

type reading struct {
	value, before *float64
	margin        *float64 // of a sum of whole days
}

func (r *Grouping) numbers(ctx context.Context) *numbers {
	n := &numbers{automations: r.automationNames(r.GroupBy), notices: r.noDeadlines()}
	if r.isCompared("") {
		n.starts = []time.Time{r.Earlier.From.UTC(), r.From.UTC()}
		n.checkKnown(&r.Range, r.Earlier.From, r.Earlier.To)
	}
	var isNull []string
	for _, name := range schema.MeasuresOf(r.Figures) {
		m := n.count(ctx, r, name, r.Selection)
		if m.isNull {
			isNull = append(isNull, name)
		} else if r.isCompared(name) {
			earlier := r.Selection
			earlier.From, earlier.To = r.Earlier.From, r.Earlier.To
			earlier.earlierBy = r.Now.Sub(r.Earlier.Shift(r.Now))
			m.earlier = n.count(ctx, r, name, earlier)
		}
		n.measures = append(n.measures, m)
	}
	n.notices = append(n.notices, upToNowNotice(isNull)...)
	n.total(r)
	return n
}

// isCompared reports whether a figure compares a measure, or any of them, with an earlier period of tasks.
func (r *Grouping) isCompared(measure string) bool {
	return r.Earlier != nil && !r.Earlier.From.IsZero() && slices.ContainsFunc(r.Figures, func(f schema.Figure) bool {
		return f.IsCompared() && (measure == "" || f.Measure == measure)
	})
}

// count creates a measure of a selection, and groups the rows that it counts, once for all measures that count the same.
func (n *numbers) count(ctx context.Context, r *Grouping, name string, of Selection) *measure {
	column, described := r.Rows.ColumnOrNulls(name), of.described(name)
	if r.DataSet.Measure(name) == nil && (column == nil || column.Type != schema.Number && slices.Contains(column.Valid, true)) {
		r.fail(inputerror.Errorf("unknown measure %q of data set %s: use one of %s", name, r.DataSet.Name, schema.List(schema.Names(r.DataSet.Measures()))))
	}
	if described.HasHistory() {
		of.Since = time.Time{}
	}
	f := formulaOf(r.DataSet, described)
	m := &measure{Selection: &of, described: described, counted: f.when(&of), fold: f.fold, isNull: r.upToNow(column) != nil}
	if r.fail(of.err); m.isNull {
		return m
	}
	by := &Grouping{Selection: of, GroupBy: r.GroupBy}
	m.hours = by.hoursOf(m)
	rows := once(&by.Selection, "rows of "+m.name, by.over(), func() []int {
		rows, notices := by.rows(ctx, m.keeps)
		if by.earlierBy == 0 {
			n.notices = united(n.notices, notices)
		}
		return rows
	})
	shared := keyOf(append([]string{"groups of " + m.name}, by.GroupBy...))
	m.groups = once(&by.Selection, shared, by.over(), func() map[string]*group { return by.groups(rows) })
	r.fail(by.err)
	return m
}

// total collects the groups that some measure shows, and what all say of them. Nothing is 0 of time that nothing is known of.
func (n *numbers) total(r *Grouping) {
	known, quiet := map[string]bool{}, r.quiet()
	for _, m := range n.measures {
		for _, labels := range slices.Concat(m.shown(r), m.earlier.shown(r), quiet) {
			if key := keyOf(labels); !known[key] {
				known[key] = true
				n.groups = append(n.groups, &result{group: &group{labels: labels}})
			}
		}
	}
	for _, m := range n.measures {
		now, earlier := m.line(r, nil), m.earlier.line(r, nil)
		if r.isUnknown() && !m.described.IsAboutNow() {
			now = nulls(1)
		}
		if !n.knownSince.IsZero() {
			earlier = nulls(1)
		}
		for _, g := range n.groups {
			g.readings = append(g.readings, reading{value: now(g.labels)[0], before: earlier(g.labels)[0]})
		}
	}
}

func (n *numbers) ordered(r *Grouping) []*result {
	measures := schema.MeasuresOf(r.Figures)
	for _, g := range n.groups {
		for _, f := range r.Figures {
			g.figures = append(g.figures, r.aspect(f, g.readings[slices.Index(measures, f.Measure)]))
		}
	}
	r.order(n.groups)
	return n.groups
}

func (n *numbers) said() (notices []data.Notice) {
	for _, m := range n.measures {
		if m.says != nil {
			notices = united(notices, m.says())
		}
	}
	return notices
}

// united adds notices that are not among the others: several measures may say the same.
func united(notices, more []data.Notice) []data.Notice {
	return append(notices, slices.DeleteFunc(more, func(each data.Notice) bool { return slices.Contains(notices, each) })...)
}

type line func(labels []string) []*float64

func nulls(buckets int) line { return func([]string) []*float64 { return make([]*float64, buckets) } }

// line returns the values in buckets; nil: in a single one. Those of all parts of the calendar are computed at once.
func (m *measure) line(r *Grouping, buckets []int64) line {
	length := max(1, len(buckets))
	if m == nil || m.isNull {
		return nulls(length)
	}
	in, known := m.hours.cells(buckets), map[string][]*float64{}
	isToCome := (&Grouping{Selection: *m.Selection, GroupBy: r.GroupBy}).toCome(buckets)
	return func(all []string) []*float64 {
		labels, number := all, 0
		if m.hours != nil {
			found, isPart := m.hours.number[keyOf(r.of(all, true))]
			if !isPart {
				return make([]*float64, length)
			}
			labels, number = r.of(all, false), found
		}
		key := keyOf(labels)
		if known[key] == nil {
			known[key] = nullable(m.fold(m, m.tallies(m.rowsOf(labels)), in))
		}
		values := known[key][number*length:][:length]
		for n, value := range values {
			if value != nil && *value == 0 && isToCome(all, n) {
				values[n] = nil
			}
		}
		return values
	}
}

func (m *measure) rowsOf(labels []string) []int {
	return cmp.Or(m.groups[keyOf(labels)], &group{}).rows
}

func (n *numbers) checkKnown(r *period.Range, from, to time.Time) {
	if r.IsKnown(from, to) {
		return
	}
	n.knownSince = r.Known
	start, known := from.UTC().Format(time.RFC3339), r.Known.UTC().Format(time.RFC3339)
	n.notices = slices.Concat(n.notices,
		noticeIf(r.IsTold(), data.NoticeSeverityInfo, "The period to compare with starts at %s, but the service is known to have data only since %s: there is nothing to compare with before that", start, known),
		noticeIf(!r.IsTold(), data.NoticeSeverityInfo, "The period to compare with starts at %s, but the service lists no tasks, or does not tell since when it has data: there is nothing to compare with", start))
}

// before returns values of the earlier period; nil if nothing is known: the total of a line of nulls would be 0 in a legend.
func (n *numbers) before(r *Grouping, m *measure, starts []time.Time) line {
	if m.earlier == nil {
		return nil
	}
	c := r.Earlier
	cells := align(c, starts, r.To)
	known := make([]bool, len(starts))
	for i := range known {
		start, end := cells[2*i], cells[2*i+1]
		known[i] = start < end && start <= c.To.UnixNano() && start >= columns.Nanoseconds(n.knownSince)
	}
	if !slices.Contains(known, true) {
		return nil
	}
	of := m.earlier.line(r, cells)
	return func(labels []string) []*float64 {
		values, out := of(labels), make([]*float64, len(known))
		for i := range out {
			if known[i] {
				out[i] = values[2*i]
			}
		}
		return out
	}
}

// align shifts the buckets of the range into the earlier period. Bucket i becomes cell 2i. The time between two shifted
// buckets becomes the cell in between, such as January 30 between the cells of February 28 and March 1. No time is counted
// twice: the cell of March 30, shifted by a month, is empty. to is the end of the range.
func align(c *period.Comparison, starts []time.Time, to time.Time) (cells []int64) {
	end := c.Shift(starts[0]).UnixNano()
	for i, start := range starts {
		last := to
		if i+1 < len(starts) {
			last = starts[i+1].Add(-1)
		}
		from := max(c.Shift(start).UnixNano(), end)
		// If clocks skip the end, the next one starts at the same time.
		end = max(min(c.Shift(last).UnixNano()+1, c.Shift(last.Add(1)).UnixNano()), from)
		cells = append(cells, from, end)
	}
	return cells
}
