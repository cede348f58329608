package frame

import (
	"cmp"
	"encoding/binary"
	"slices"
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/filter"
	"github.com/insights/insights-reporting-datasource/pkg/period"
	"github.com/insights/insights-reporting-datasource/schema"
)

// hour is a time in which clocks show the same hour of a weekday: less than a whole one at the ends of the time range, or
// where clocks change. If clocks show an hour twice, both are one; one that they skip is none.
type hour struct {
	interval
	labels []string // the values of the groupBy fields that name a part of the calendar
}

// isPart reports whether a field names a part of the calendar, and is not one of the service's.
func (r *Selection) isPart(name string) bool {
	return calendarParts[name] != nil && r.Rows.Column(name) == nil
}

// parts returns the groupBy fields that name a part of the calendar.
func (r *Grouping) parts() []string {
	return slices.DeleteFunc(slices.Clone(r.GroupBy), func(name string) bool { return !r.isPart(name) })
}

// countHours sets which hours count for a measure of when tasks ran or waited, if the request is about hours or weekdays: a
// task counts in each hour that it touches, with its part of that hour. Filters on these then choose hours instead of the rows
// of a selection.
func (r *Grouping) countHours(m *measure, of *Selection) {
	isOnPart := func(f *filter.Filter) bool { return r.isPart(f.Key) }
	if m.when == nil || len(r.parts()) == 0 && !slices.ContainsFunc(of.Filters, isOnPart) {
		return
	}
	hours := of.wallHours()
	starts := make([]int64, len(hours))
	for i, h := range hours {
		starts[i] = h.began
	}
	calendar := of.instead(of.rowsAt(starts), r.isPart)
	by := calendar.derivedColumns(r.parts())
	m.hours = []hour{}
	for _, row := range calendar.kept() {
		m.hours = append(m.hours, hour{hours[row], texts(by, row)})
	}
	r.fail(calendar.err)
	of.Filters = slices.DeleteFunc(slices.Clone(of.Filters), isOnPart)
}

// wallHours divides the time range where clocks begin another hour, or change.
func (r *Selection) wallHours() (hours []interval) {
	over := r.timeRange()
	for at := over.from; at <= over.to; at = hours[len(hours)-1].ended {
		t := time.Unix(0, at).In(r.Zone)
		end := t.Add(time.Hour - period.WallClock(t).Sub(period.WallClock(t).Truncate(time.Hour)))
		if _, change := t.ZoneBounds(); !change.IsZero() && change.Before(end) {
			end = change
		}
		hours = append(hours, interval{at, min(end.UnixNano(), over.to+1)})
	}
	return hours
}

// rowsAt returns a row for each time.
func (r *Selection) rowsAt(times []int64) *columns.Table {
	at := columns.Nulls(r.TimeField, schema.Time, len(times))
	for i, t := range times {
		at.Valid[i], at.Times[i] = true, t
	}
	return &columns.Table{Columns: []*columns.Column{at}, Rows: len(times)}
}

// instead returns a selection with other rows, of which only derived fields are known, and with the filters on some of these.
func (r *Selection) instead(rows *columns.Table, isOn func(name string) bool) *Selection {
	other := *r
	other.Rows = rows
	other.Filters = slices.DeleteFunc(slices.Clone(r.Filters), func(f *filter.Filter) bool { return !isOn(f.Key) })
	return &other
}

// derivedColumns returns the columns of some derived fields.
func (r *Selection) derivedColumns(names []string) []*columns.Column {
	by := make([]*columns.Column, len(names))
	for i, name := range names {
		by[i] = r.derived(name)
	}
	return by
}

// kept returns the rows that filters on derived fields keep.
func (r *Selection) kept() []int {
	rows := allRows(r.Rows)
	for _, f := range r.Filters {
		test, err := f.Bind(r.derived(f.Key), r.Now)
		r.fail(err)
		rows = slices.DeleteFunc(rows, func(row int) bool { return err != nil || !test(row) })
	}
	return rows
}

// keepsWorkspace reports whether filters on the workspace keep it.
func (r *Selection) keepsWorkspace() bool {
	isWorkspace := func(name string) bool { return r.isQuiet(name) && !r.isPart(name) }
	return len(r.instead(&columns.Table{Rows: 1}, isWorkspace).kept()) > 0
}

// hourGroups makes groups of a measure with hours. A row is in the groups of all hours that it touches.
func (r *Grouping) hourGroups(n *numbers, rows, earlier []int) (groups []*group) {
	found := map[string]*group{}
	of := func(labels []string) *group {
		key := joined(labels)
		if found[key] == nil {
			found[key] = &group{labels: labels}
			groups = append(groups, found[key])
		}
		return found[key]
	}
	r.addTouched(n.measure, rows, func(labels []string, row int) { of(labels).add(row, false) })
	if n.earlier != nil {
		r.addTouched(n.earlier, earlier, func(labels []string, row int) { of(labels).add(row, true) })
	}
	switch {
	case len(r.GroupBy) == 0:
		of(nil)
	case r.areQuiet() && r.keepsWorkspace(): // In an hour without tasks, nothing ran.
		for _, h := range n.hours {
			of(r.hourLabels(h, func(i int) string { return r.Workspace[r.GroupBy[i]] }))
		}
	}
	during, earlierDuring := n.measure.during(), n.earlier.during()
	for _, g := range groups {
		key := joined(r.partLabels(g))
		g.during, g.earlierDuring = during(key), earlierDuring(key)
	}
	return groups
}

// addTouched calls a function with the labels of each hour that a row touches.
func (r *Grouping) addTouched(m *measure, rows []int, add func(labels []string, row int)) {
	by := make([]*columns.Column, len(r.GroupBy)) // nil for parts of the calendar
	for i, name := range r.GroupBy {
		if !r.isPart(name) {
			by[i] = r.column("groupBy field", name)
		}
	}
	other, seen := func(row int) func(i int) string { return func(i int) string { return by[i].Text(row) } }, map[string]bool{}
	for _, row := range rows {
		of, ok := m.when(row)
		if ok && m.standsFor != nil {
			key := joined(append(r.hourLabels(hour{labels: make([]string, len(r.GroupBy))}, other(row)), m.standsFor(row)))
			ok, seen[key] = !seen[key], true
		}
		if !ok {
			continue
		}
		first, _ := slices.BinarySearchFunc(m.hours, of.began+1, func(h hour, at int64) int { return cmp.Compare(h.ended, at) })
		for _, h := range m.hours[first:] {
			if h.began >= of.ended {
				break
			}
			add(r.hourLabels(h, other(row)), row)
		}
	}
}

// hourLabels returns the labels of an hour. other returns that of a groupBy field that names no part of the calendar.
func (r *Grouping) hourLabels(h hour, other func(i int) string) []string {
	labels, part := make([]string, len(r.GroupBy)), 0
	for i, name := range r.GroupBy {
		if !r.isPart(name) {
			labels[i] = other(i)
			continue
		}
		labels[i], part = h.labels[part], part+1
	}
	return labels
}

// add adds a row once, which several hours of the same name may add in a row.
func (g *group) add(row int, isEarlier bool) {
	rows := &g.rows
	if isEarlier {
		rows = &g.earlier
	}
	if last := len(*rows) - 1; last < 0 || (*rows)[last] != row {
		*rows = append(*rows, row)
	}
}

// partLabels returns the labels of a group that name a part of the calendar.
func (r *Grouping) partLabels(g *group) (labels []string) {
	for i, name := range r.GroupBy {
		if r.isPart(name) {
			labels = append(labels, g.labels[i])
		}
	}
	return labels
}

// during returns a function that finds the hours with some labels.
func (m *measure) during() func(key string) []interval {
	of := map[string][]interval{}
	if m != nil {
		for _, h := range m.hours {
			of[joined(h.labels)] = append(of[joined(h.labels)], h.interval)
		}
	}
	return func(key string) []interval {
		if of[key] == nil {
			return []interval{} // nothing counts, while nil is all
		}
		return of[key]
	}
}

// joined returns a text for labels that differs from that of any others.
func joined(labels []string) string {
	var key []byte
	for _, text := range labels {
		key = append(binary.AppendUvarint(key, uint64(len(text))), text...)
	}
	return string(key)
}
