package frame

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/filter"
	"github.com/insights/insights-reporting-datasource/pkg/period"
	"github.com/insights/insights-reporting-datasource/schema"
)

// cells divide time into those that have a value of a measure each: the buckets of a line, the hours with the same name, or
// both. Time is cut into pieces. The first one contains whatever is before it, too. Of pieces that start at the same time,
// all but the last are empty.
type cells struct {
	n       int
	starts  []int64 // of the pieces, ascending
	of      []int   // the cell of each piece, or outside
	isTotal bool    // a single cell of all time
}

// outside is where time is that doesn't count.
const outside = -1

// pieceAt returns the piece that a time is in.
func pieceAt(starts []int64, at int64) int {
	after, _ := slices.BinarySearch(starts, at+1)
	return max(0, after-1)
}

// calendar are the parts of the calendar that groups are about: the values of the groupBy fields that name one. Without such
// fields, all time is one part.
type calendar struct {
	parts  [][]string
	number map[string]int // of a part, by its values
}

// add returns the number of a part.
func (c *calendar) add(values []string) int {
	key := strings.Join(values, " ")
	if _, known := c.number[key]; !known {
		c.number[key] = len(c.parts)
		c.parts = append(c.parts, values)
	}
	return c.number[key]
}

// hours are those of a period where clocks show the same hour of a weekday: less than a whole one at the ends, or where
// clocks change. If clocks show an hour twice, both belong to one part; one that they skip is none.
type hours struct {
	starts []int64
	part   []int // of the calendar, or outside: a filter excludes it
}

// isPart reports whether a field names a part of the calendar, and is not one of the service's.
func (r *Selection) isPart(name string) bool {
	return calendarParts[name] != nil && r.Rows.Column(name) == nil
}

// named returns the groupBy fields that name a part of the calendar, or the others.
func (r *Grouping) named(isPart bool) []string {
	return slices.DeleteFunc(slices.Clone(r.GroupBy), func(name string) bool { return r.isPart(name) != isPart })
}

// hoursOf returns the hours of a period, for a measure of when tasks ran or waited, if the request is about hours or weekdays:
// a task counts in each hour that it touches, with its part of that hour. Filters on these then choose hours instead of the
// rows of the selection. nil: rows have the hour of their time field.
func (r *Grouping) hoursOf(m *measure, of *Selection, in *calendar) *hours {
	isOnPart := func(f *filter.Filter) bool { return r.isPart(f.Key) }
	fields := r.named(true)
	isAbout := m.when != nil && (len(fields) > 0 || slices.ContainsFunc(of.Filters, isOnPart))
	if !isAbout || len(fields) == 0 {
		in.add(nil)
	}
	if !isAbout {
		return nil
	}
	h := &hours{starts: of.wallHours()}
	h.part = slices.Repeat([]int{outside}, len(h.starts))
	rows := of.instead(of.rowsAt(h.starts), r.isPart)
	by := rows.derivedColumns(fields)
	for _, row := range rows.kept() {
		h.part[row] = in.add(texts(by, row))
	}
	r.fail(rows.err)
	of.Filters = slices.DeleteFunc(slices.Clone(of.Filters), isOnPart)
	return h
}

// cells returns those of each part of the calendar, one after the other, that buckets are divided into; nil: of all time.
func (c *counted) cells(buckets []int64) *cells {
	in := &cells{isTotal: buckets == nil && c.hours == nil}
	if buckets == nil {
		buckets = []int64{math.MinInt64}
	}
	if c.hours == nil {
		for n := range buckets {
			in.of = append(in.of, n)
		}
		in.n, in.starts = len(buckets), buckets
		return in
	}
	in.n, in.starts = len(c.calendar.parts)*len(buckets), slices.Concat(c.hours.starts, buckets)
	slices.Sort(in.starts)
	for _, at := range in.starts {
		part := c.hours.part[pieceAt(c.hours.starts, at)]
		if part != outside {
			part = part*len(buckets) + pieceAt(buckets, at)
		}
		in.of = append(in.of, part)
	}
	return in
}

// wallHours returns where clocks begin another hour, or change, in the time range.
func (r *Selection) wallHours() (starts []int64) {
	over := r.timeRange()
	for at := over.from; at <= over.to; {
		starts = append(starts, at)
		t := time.Unix(0, at).In(r.Zone)
		end := t.Add(time.Hour - period.WallClock(t).Sub(period.WallClock(t).Truncate(time.Hour)))
		if _, change := t.ZoneBounds(); !change.IsZero() && change.Before(end) {
			end = change
		}
		at = end.UnixNano()
	}
	return starts
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

// quietParts reports which parts of the calendar a group has without rows: in an hour without tasks, nothing ran.
func (r *Grouping) quietParts(c *counted) []bool {
	are := make([]bool, len(c.parts))
	isWorkspace := func(name string) bool { return r.isQuiet(name) && !r.isPart(name) }
	switch {
	case len(r.GroupBy) == 0 || c.hours == nil:
		are[0] = true
	case r.areQuiet() && len(r.instead(&columns.Table{Rows: 1}, isWorkspace).kept()) > 0:
		for _, part := range c.hours.part {
			if part != outside {
				are[part] = true
			}
		}
	}
	return are
}

// touch marks the parts of the calendar that rows touch.
func (c *counted) touch(parts []bool, rows []int) {
	if c == nil || c.hours == nil {
		return
	}
	starts := c.hours.starts
	for _, of := range union(each(rows, c.when)) {
		for i := pieceAt(starts, of.began); i < len(starts) && starts[i] < of.ended; i++ {
			if part := c.hours.part[i]; part != outside {
				parts[part] = true
			}
		}
	}
}

// labels returns the labels of a part of a group.
func (c *counted) labels(r *Grouping, whole *group, number int) (labels []string) {
	if c.hours == nil {
		return whole.labels
	}
	part, others := c.parts[number], whole.labels
	for _, name := range r.GroupBy {
		from := &others
		if r.isPart(name) {
			from = &part
		}
		labels, *from = append(labels, (*from)[0]), (*from)[1:]
	}
	return labels
}

// split divides labels into those of the rows that count and those of the part of the calendar.
func (c *counted) split(r *Grouping, labels []string) (whole, part []string) {
	for i, name := range r.GroupBy {
		if r.isPart(name) {
			part = append(part, labels[i])
		} else {
			whole = append(whole, labels[i])
		}
	}
	return whole, part
}
