package frame

import (
	"cmp"
	"math"
	"slices"

	"github.com/insights/insights-reporting-datasource/pkg/attention"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/filter"
	"github.com/insights/insights-reporting-datasource/pkg/period"
	"github.com/insights/insights-reporting-datasource/schema"
)

// cells divide time into those with a value each: buckets, hours with the same name, or both. Of its pieces, the first one contains
// whatever is before it, too. Of those that start at the same time, all but the last are empty.
type cells struct {
	n      int
	starts []int64 // of the pieces, ascending; a single one is all of time
	of     []int   // the cell of each piece, or outside
}

// outside is where time is that doesn't count.
const outside = -1

func pieceAt(starts []int64, at int64) int {
	after, _ := slices.BinarySearch(starts, at+1)
	return max(0, after-1)
}

// hours are those of a period where clocks show the same hour of a weekday: less than a whole one at the ends, or where
// clocks change. If clocks show an hour twice, both belong to one part of the calendar; one that they skip is none.
type hours struct {
	starts []int64
	part   []int          // of each, or outside: a filter excludes it
	parts  [][]string     // of the calendar: the values of the groupBy fields that name one. Without such fields, all time is one
	number map[string]int // of a part
}

// isPart reports whether a field names a part of the calendar, and is not one of the service's.
func (r *Selection) isPart(name string) bool {
	return calendarParts[name] != nil && r.Rows.Column(name) == nil
}

// isQuiet reports whether the values of a field are known without rows: parts of the calendar, and the workspace.
func (r *Selection) isQuiet(name string) bool {
	return r.isPart(name) || r.Workspace[name] != "" && r.Rows.Column(name) == nil
}

// of returns those of the labels, or of other texts by groupBy field, that are of parts of the calendar, or the others.
func (r *Grouping) of(labels []string, isPart bool) (of []string) {
	for i, name := range r.GroupBy {
		if r.isPart(name) == isPart {
			of = append(of, labels[i])
		}
	}
	return of
}

// quiet returns the labels of the groups that are known without rows, if all are: an hour without tasks is 0, and so is a
// workspace. A weekday or hour outside the time range, or that a filter on what is known excludes, is absent.
func (r *Grouping) quiet() [][]string {
	switch {
	case len(r.GroupBy) == 0:
		return [][]string{nil}
	case slices.ContainsFunc(r.GroupBy, func(name string) bool { return !r.isQuiet(name) }):
		return nil
	default:
		return r.parts(r.GroupBy).parts
	}
}

// hoursOf returns the hours of a period if a measure of when tasks ran or waited is about hours or weekdays: a task counts in each that
// it touches, with its part of it, and filters on these choose hours instead of rows. nil: rows have the hour of their time field.
func (r *Grouping) hoursOf(m *measure) *hours {
	isOnPart := func(f *filter.Filter) bool { return r.isPart(f.Key) }
	fields := r.of(r.GroupBy, true)
	if m.touches == nil || len(fields) == 0 && !slices.ContainsFunc(r.Filters, isOnPart) {
		return nil
	}
	h := r.parts(fields)
	r.GroupBy = r.of(r.GroupBy, false)
	r.Filters = slices.DeleteFunc(slices.Clone(r.Filters), isOnPart)
	return h
}

// parts returns the hours of the time range, with the parts of the calendar that some fields name.
func (r *Selection) parts(fields []string) *hours {
	return once(r, keyOf(append([]string{"hours"}, fields...)), timeRange{columns.Nanoseconds(r.From), columns.Nanoseconds(r.To)}, func() *hours {
		h := &hours{starts: r.wallHours(), number: map[string]int{}}
		for _, values := range r.quietLabels(h.starts, fields) {
			part, isKnown := h.number[keyOf(values)]
			switch {
			case values == nil:
				part = outside
			case !isKnown:
				part, h.number[keyOf(values)] = len(h.parts), len(h.parts)
				h.parts = append(h.parts, values)
			}
			h.part = append(h.part, part)
		}
		return h
	})
}

// toCome reports whether a bucket of a group is to come, or all hours with the group's name in it are: nothing is known of these.
func (r *Grouping) toCome(buckets []int64) func(labels []string, bucket int) bool {
	var h *hours
	if fields := r.of(r.GroupBy, true); len(fields) > 0 {
		h = r.parts(fields)
	}
	in, begun, now := h.cells(buckets), map[int]bool{}, columns.Nanoseconds(r.Now)
	for piece, at := range in.starts {
		begun[in.of[piece]] = begun[in.of[piece]] || at <= now
	}
	return func(labels []string, bucket int) bool {
		cell := bucket
		if h != nil {
			cell += h.number[keyOf(r.of(labels, true))] * max(1, len(buckets))
		}
		hasBegun, exists := begun[cell]
		return exists && !hasBegun || buckets != nil && buckets[bucket] > now
	}
}

// cells returns those of each part of the calendar, one after the other, that buckets are divided into; nil: of all time.
func (h *hours) cells(buckets []int64) *cells {
	if buckets == nil {
		buckets = []int64{math.MinInt64}
	}
	in := &cells{n: len(buckets), starts: buckets}
	if h == nil {
		for n := range buckets {
			in.of = append(in.of, n)
		}
		return in
	}
	in.n, in.starts = len(h.parts)*len(buckets), slices.Concat(h.starts, buckets)
	slices.Sort(in.starts)
	for _, at := range in.starts {
		part := h.part[pieceAt(h.starts, at)]
		if part != outside {
			part = part*len(buckets) + pieceAt(buckets, at)
		}
		in.of = append(in.of, part)
	}
	return in
}

// wallHours returns where clocks begin another hour, or change, in the time range.
func (r *Selection) wallHours() (starts []int64) {
	if !r.DataSet.HasTimes() {
		return []int64{0}
	}
	to := r.To
	if !r.Cut {
		to = r.Now
	}
	for _, t := range period.Hour.Starts(r.From, to, r.Zone) {
		starts = append(starts, columns.Nanoseconds(t))
	}
	return starts
}

// quietLabels returns the values of fields at some times of which nothing else is known; nil where a filter on these excludes them.
func (r *Selection) quietLabels(times []int64, fields []string) [][]string {
	of, at := *r, columns.Nulls(r.TimeField, schema.Time, len(times))
	of.Rows = &columns.Table{Columns: []*columns.Column{at}, Rows: len(times)}
	for i, t := range times {
		at.Valid[i], at.Times[i] = true, t
	}
	by, kept := make([]*columns.Column, len(fields)), allRows(of.Rows)
	for i, name := range fields {
		by[i] = of.derived(name)
	}
	for _, f := range r.Filters {
		if !r.isQuiet(f.Key) {
			continue
		}
		test, err := f.Bind(of.derived(f.Key), r.Now)
		r.fail(err)
		kept = slices.DeleteFunc(kept, func(row int) bool { return err != nil || !test(row) })
	}
	labels := make([][]string, len(times))
	for _, row := range kept {
		labels[row] = texts(by, row)
	}
	return labels
}

// shown returns the labels of the groups that rows count in.
func (m *measure) shown(r *Grouping) (all [][]string) {
	if m == nil {
		return nil
	}
	for _, of := range m.groups {
		if m.hours == nil {
			all = append(all, of.labels)
			continue
		}
		for _, part := range m.hours.touched(m, of) {
			all = append(all, r.join(of.labels, part))
		}
	}
	return all
}

func (h *hours) touched(m *measure, of *group) (parts [][]string) {
	are, now := make([]bool, len(h.parts)), columns.Nanoseconds(m.Now)
	for _, t := range union(of.rows, m.touches) {
		for i := pieceAt(h.starts, t.Began); i < len(h.starts) && h.starts[i] < min(t.Ended, now+1); i++ {
			if part := h.part[i]; part != outside && !are[part] {
				are[part], parts = true, append(parts, h.parts[part])
			}
		}
	}
	return parts
}

func (r *Grouping) join(whole, part []string) (labels []string) {
	for _, name := range r.GroupBy {
		from := &whole
		if r.isPart(name) {
			from = &part
		}
		labels, *from = append(labels, (*from)[0]), (*from)[1:]
	}
	return labels
}

// activity is what the tasks did in a cell.
type activity struct {
	most   int     // maximum of tasks at the same moment
	ran    float64 // nanoseconds that all tasks ran
	length int64   // nanoseconds of the cell, as far as they can be known
}

func most(d activity) float64 { return float64(d.most) }

func mean(d activity) float64 { return d.ran / float64(d.length) }

// throughout folds what counts in every cell that it touches. Nothing is known of what is to come, or not in the service's data.
func throughout(result func(activity) float64) fold {
	return func(m *measure, of []tally, in *cells) []float64 {
		over := m.over()
		numbers := make([]float64, in.n)
		for n, d := range in.sweep(events(of, in.starts, over), over.to) {
			numbers[n] = unless(d.length == 0, result(d))
		}
		return numbers
	}
}

// event is the start or end of a task, or the start of a piece of time.
type event struct {
	at      int64
	running int // by how many more tasks run from then on
	pieces  int // how many pieces start
}

func events(of []tally, pieces []int64, over timeRange) []event {
	events := make([]event, 0, len(pieces)+2*len(of))
	for _, at := range pieces {
		events = append(events, event{at: max(at, over.from), pieces: 1})
	}
	for i := range of {
		t := &of[i]
		events = append(events, event{at: max(t.Began, over.from), running: 1}, event{at: max(min(t.Ended, over.to+1), over.from), running: -1})
	}
	slices.SortFunc(events, func(a, b event) int { return cmp.Compare(a.at, b.at) })
	return events
}

// sweep moves through time, which ends at to, from event to event: its effort is the sum of tasks and pieces, and not their product.
func (c *cells) sweep(events []event, to int64) []activity {
	activities := make([]activity, c.n)
	piece, running := -1, 0
	for i, e := range events {
		piece, running = piece+e.pieces, running+e.running
		end := to + 1
		if i+1 < len(events) {
			end = events[i+1].at
		}
		if piece < 0 || c.of[piece] == outside || e.at >= end {
			continue // more happens at this time, or it doesn't count
		}
		d, length := &activities[c.of[piece]], min(end, to)-min(e.at, to)
		d.most, d.length = max(d.most, running), d.length+length
		d.ran += float64(running) * float64(length)
	}
	return activities
}

// asOf is when the rows were requested, in milliseconds since 1970, whichever count: without any, the service has answered, too. Of
// several buckets, it is that of this moment.
func asOf(m *measure, _ []tally, in *cells) []float64 {
	numbers, at := slices.Repeat([]float64{math.NaN()}, in.n), min(m.AsOf.UnixNano(), columns.Nanoseconds(m.Now))
	if cell := in.of[pieceAt(in.starts, at)]; cell != outside && !m.AsOf.IsZero() && (in.n == 1 || m.over().has(at)) {
		numbers[cell] = float64(m.AsOf.UnixMilli())
	}
	return numbers
}

// atEnd adds what is left at the end of each bucket, or now: the values of what waits or runs then, less the seconds that it has run.
func atEnd(m *measure, of []tally, in *cells) []float64 {
	over, now := m.over(), columns.Nanoseconds(m.Now)
	moments, numbers := make([]int64, in.n), make([]float64, in.n)
	for i := range moments {
		moments[i] = over.to + 1
		if i+1 < in.n {
			moments[i] = in.starts[i+1]
		}
		moments[i] = min(moments[i], now)
		numbers[i] = unless(max(in.starts[i], over.from) >= moments[i], 0)
	}
	for _, t := range of {
		if t.Ended != attention.Open {
			t.Ended = min(t.Ended, now)
		}
		first, _ := slices.BinarySearch(moments, t.Began)
		for i := first; i < in.n && moments[i] < t.Ended; i++ {
			left := attention.Span{Began: t.Began, Ended: moments[i]}.Seconds(now)
			numbers[i] += max(0, t.value-t.weight*left)
		}
	}
	return numbers
}
