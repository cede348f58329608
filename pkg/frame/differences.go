package frame

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/period"
	"github.com/insights/insights-reporting-datasource/schema"
)

// Differences is the activity of each row in each step. The service reports totals up to now over any number of days, and the
// difference of two of them is the activity between their starts. This requires additive fields (schema.Field.Additive).
type Differences struct {
	steps period.Steps
	set   *schema.DataSet

	rows    *columns.Table       // of the longest window
	rowOf   map[string]int       // by the key of the data set
	first   string               // field that numbers and lines show
	totals  map[string]*windowed // by field
	current *columns.Table       // of the window of the whole range up to now; empty: the range has ended
	missing bool                 // whether a shorter window has a row that is missing from the longest
	lost    string               // that differences are missing; empty: none are
}

// windowed are the totals of a field up to now, over the days of each window.
type windowed struct {
	windows  map[int]*columns.Column // by their days, for the rows of the longest one
	shortest []int                   // days of the shortest window with a number for the row; neverListed: none
}

const neverListed = math.MaxInt

// NewDifferences returns the activity in additive fields, of which numbers and lines show the first. Add adds the windows.
func NewDifferences(set *schema.DataSet, fields []string, steps period.Steps) *Differences {
	d := &Differences{steps: steps, set: set, first: fields[0], totals: map[string]*windowed{}, current: &columns.Table{}}
	for _, field := range fields {
		d.totals[field] = &windowed{windows: map[int]*columns.Column{}}
	}
	return d
}

// Add adds the window of a number of days of Steps.Windows, the longest one first. The tables of that one and of the whole
// range are kept, but only the values of the others, so that sixty windows do not need the memory of sixty tables.
func (d *Differences) Add(days int, window *columns.Table) {
	if d.rows == nil {
		keys := window.Column(d.set.Key)
		d.rows, d.rowOf = window, make(map[string]int, window.Rows)
		for i := window.Rows - 1; i >= 0; i-- {
			d.rowOf[keys.Text(i)] = i // the first row of a key
		}
		for _, t := range d.totals {
			t.shortest = slices.Repeat([]int{neverListed}, window.Rows)
		}
	}
	for field, t := range d.totals {
		t.windows[days] = d.sum(field, days, window)
	}
	if days == d.steps.Days[0] && !d.steps.HaveEnded() {
		d.current = window
	}
}

func (d *Differences) sum(field string, days int, window *columns.Table) *columns.Column {
	keys, values, shortest := window.Column(d.set.Key), window.Column(field), d.totals[field].shortest
	s := columns.Nulls(field, schema.Number, d.rows.Rows)
	for i := range window.Rows {
		row, ok := d.rowOf[keys.Text(i)]
		switch {
		case !values.Valid[i]:
		case !ok:
			d.missing = true
		default:
			// Rows without a key cannot be distinguished, and count together.
			s.Numbers[row], s.Valid[row] = s.Numbers[row]+values.Numbers[i], true
			shortest[row] = min(shortest[row], days)
		}
	}
	return s
}

// total returns the total of a row up to now. A row without a value in a window had no activity and counts as 0. But if a
// shorter window has the row, it must have disappeared, and its value is unknown.
func (t *windowed) total(days, row int) (value float64, known bool) {
	c := t.windows[days]
	if c == nil {
		return 0, true // now itself, which needs no window
	}
	return c.Numbers[row], c.Valid[row] || days < t.shortest[row]
}

// rounding is the relative error of sums that are added in a different order. A smaller difference is none.
const rounding = 1e-9

// within returns the activity in a field between two numbers of days ago, the first and the last of days; null if it is unknown or
// negative, which means that the data changed between the reads of the two windows.
func (d *Differences) within(days []int, field string) *columns.Column {
	out, t := columns.Nulls(field, schema.Number, d.rows.Rows), d.totals[field]
	for row, shortest := range t.shortest {
		longer, known := t.total(days[0], row)
		shorter, alsoKnown := t.total(days[len(days)-1], row)
		difference := longer - shorter
		if math.Abs(difference) <= rounding*math.Abs(longer) {
			difference = 0
		}
		if shortest != neverListed && known && alsoKnown && difference >= 0 {
			out.Numbers[row], out.Valid[row] = difference, true
		}
	}
	return out
}

// perStep returns the activity in a field from each of days to the next; none if it is known only up to now.
func (d *Differences) perStep(field string, days []int) (steps []*columns.Column) {
	for n := 1; n < len(days) && d.totals[field] != nil; n++ {
		steps = append(steps, d.within(days[n-1:n+1], field))
	}
	return steps
}

// KnownSince returns since when the service is known to have data, given since when it lists tasks: an earlier step with
// activity shows that it has some of that step. It is called after Add.
func (d *Differences) KnownSince(known time.Time) time.Time {
	days := append(d.steps.Windows(), 0)
	for n, c := range d.perStep(d.first, days) {
		if slices.ContainsFunc(c.Numbers, func(n float64) bool { return n > 0 }) {
			return columns.Earlier(known, d.steps.Ago(days[n+1]))
		}
	}
	return known
}

// table returns the rows of the longest window with the activity in the whole range instead of totals up to now. Filters
// and sort see it, too. Other numbers, such as rates, are known only up to now.
func (d *Differences) table(isUnknown bool) *columns.Table {
	table := &columns.Table{Rows: d.rows.Rows, Columns: slices.Clone(d.rows.Columns)}
	for n, c := range table.Columns {
		switch {
		case d.totals[c.Name] == nil:
			table.Columns[n] = d.upToNow(c)
		case isUnknown:
			table.Columns[n] = columns.Nulls(c.Name, c.Type, d.rows.Rows)
		default:
			table.Columns[n] = d.within(d.steps.Days, c.Name)
		}
	}
	return table
}

// upToNow returns the column of the whole range, which is not the longest window. Numbers of a range that has ended are null.
func (d *Differences) upToNow(c *columns.Column) *columns.Column {
	if c.Type != schema.Number || d.current == d.rows {
		return c
	}
	out := columns.Nulls(c.Name, c.Type, d.rows.Rows)
	keys, values := d.current.Column(d.set.Key), d.current.Column(c.Name)
	for i := range d.current.Rows {
		if row, ok := d.rowOf[keys.Text(i)]; ok && values != nil && values.Type == c.Type {
			out.Numbers[row], out.Valid[row] = values.Numbers[i], values.Valid[i]
		}
	}
	return out
}

func upToNowNotice(names []string) []data.Notice {
	return noticeIf(names != nil, data.NoticeSeverityInfo, "%s: null, because the service reports this only up to now, and the time range has ended", schema.List(names))
}

// upToNow returns the names of those columns that are null because the range has ended.
func (r *Selection) upToNow(columns ...*columns.Column) (names []string) {
	d := r.Differences
	if d == nil || !d.steps.HaveEnded() {
		return nil
	}
	for _, c := range columns {
		if c != nil && c.Type == schema.Number && d.totals[c.Name] == nil {
			names = append(names, c.Name)
		}
	}
	return names
}

func (d *Differences) compare(n *numbers, r *period.Range) {
	for at, m := range n.measures {
		if d.steps.Outer != nil && d.totals[m.described.Name] != nil {
			d.margin(m, at, n.groups)
		}
	}
	steps, last := d.steps, len(d.steps.Days)-1 // one from the first to the last
	steps.Days = []int{steps.Days[0], steps.Days[last]}
	if steps.Before != nil {
		steps.Before = []int{steps.Before[0], steps.Before[last]}
		n.starts = []time.Time{steps.Ago(steps.Before[0]), steps.Ago(steps.Days[0])}
	}
	for at, before := range d.lines(n, r, steps).before {
		for _, g := range n.groups {
			if before != nil {
				g.readings[at].before = before(g.labels)[0]
			}
		}
	}
}

// margin sets how much more or less than the amount of whole days that of the time range may be; null if unknown. Amounts that are not
// negative are between those of the days within the range and around it. Others show that they are not: nothing bounds them.
func (d *Differences) margin(m *measure, at int, groups []*result) {
	name := m.described.Name
	outer, own, inner := d.within(d.steps.Outer, name), m.Rows.Column(name), d.within(d.steps.Inner, name)
	for _, g := range groups {
		shown, most, least := &g.readings[at], 0.0, 0.0
		known := shown.value != nil
		for _, row := range m.rowsOf(g.labels) {
			known = known && (!own.Valid[row] || outer.Valid[row] && inner.Valid[row] && inner.Numbers[row] <= own.Numbers[row] && own.Numbers[row] <= outer.Numbers[row])
			most, least = most+outer.Numbers[row], least+inner.Numbers[row]
		}
		if known {
			shown.margin = new(max(most-*shown.value, *shown.value-least))
		}
	}
}

// lines have a point for each step, at its start. Groups are ordered by their activity in the whole range.
func (d *Differences) lines(n *numbers, r *period.Range, steps period.Steps) *lines {
	l := &lines{starts: steps.Starts(), end: r.Now, width: time.Duration(steps.Days[0]-steps.Days[1]) * 24 * time.Hour}
	if steps.HaveEnded() {
		l.end = steps.End()
	}
	if days := steps.Before; days != nil {
		n.checkKnown(r, steps.Ago(days[0]), steps.Ago(days[len(days)-1]))
	}
	for _, m := range n.measures {
		now, before := d.perStep(m.described.Name, steps.Days), d.perStep(m.described.Name, steps.Before)
		for i := range before {
			if steps.Ago(steps.Before[i]).Before(n.knownSince) {
				before[i] = nil
			}
		}
		l.values, l.before = append(l.values, added(m, now)), append(l.before, added(m, before))
		var rows []int
		for _, g := range n.groups {
			rows = append(rows, m.rowsOf(g.labels)...)
		}
		n.notices = append(n.notices, d.lostNotice(slices.Concat(now, before), rows)...)
	}
	return l
}

// added sums the activity of a group in each step; null if none of its rows has a number. It is nil if no step is known.
func added(m *measure, steps []*columns.Column) line {
	if !slices.ContainsFunc(steps, func(c *columns.Column) bool { return c != nil }) {
		return nil
	}
	return func(labels []string) []*float64 {
		sums := make([]*float64, len(steps))
		for n, c := range steps {
			for _, row := range m.rowsOf(labels) {
				if c != nil && c.Valid[row] {
					sums[n] = cmp.Or(sums[n], new(float64))
					*sums[n] += c.Numbers[row]
				}
			}
		}
		return sums
	}
}

// Lost says that differences are missing in the frame; empty if none are.
func (d *Differences) Lost() string { return d.lost }

func (d *Differences) lostNotice(of []*columns.Column, rows []int) []data.Notice {
	lost := d.missing
	for _, c := range of {
		if c != nil && d.totals[c.Name] != nil {
			shortest := d.totals[c.Name].shortest
			isLost := func(row int) bool { return shortest[row] != neverListed && !c.Valid[row] }
			lost = lost || slices.ContainsFunc(rows, isLost)
		}
	}
	lostNotice := noticeIf(lost, data.NoticeSeverityWarning, "some differences of %s are null: a row has a smaller total over more days than over fewer, or is missing. Either the data changed between the two reads, which a refresh repairs, or the amount of the days in between is negative", d.set.Name)
	if lost {
		d.lost = lostNotice[0].Text
	}
	return lostNotice
}
