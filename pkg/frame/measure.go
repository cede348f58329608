package frame

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/insights/insights-reporting-datasource/pkg/attention"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/filter"
	"github.com/insights/insights-reporting-datasource/schema"
)

// formula is a row of a table of measures: which rows count when, with which values, and how these become a number in each cell.
type formula struct {
	when counting
	fold fold
}

type counting func(r *Selection) *counted

// bindColumn finds the columns that a measure reads.
type bindColumn func(r *Selection) rowValue

// rowValue returns a number of a row, NaN for null.
type rowValue func(row int) float64

// perRow counts each row at its time field, with a value and, in a ratio, a weight.
func perRow(bindValue, bindWeight bindColumn) counting {
	return func(r *Selection) *counted {
		value, weight, at, all := bindValue(r), bindWeight(r), r.Rows.Column(r.TimeField), []tally{}
		return &counted{tallies: func(rows []int) []tally {
			all = slices.Grow(all[:0], len(rows))[:len(rows)]
			for i, row := range rows {
				if all[i] = (tally{row: row, value: value(row), weight: weight(row)}); at != nil {
					all[i].Began = at.Times[row]
				}
			}
			return all
		}}
	}
}

func one(*Selection) rowValue { return func(int) float64 { return 1 } }

type counted struct {
	name    string              // measures that count the same share the rows and their groups
	keeps   filter.Test         // reports whether a row belongs to the time range; nil: if its time field is in it
	touches intervals           // rows count in every hour that they touch; nil: in that of their time field
	tallies func([]int) []tally // what counts of some rows
	says    func() []string     // what a reader has to know of what counted so far; nil: nothing
}

// tally is what counts: at the time Began or, of a measure of when tasks ran or waited, throughout.
type tally struct {
	attention.Span
	row           int
	value, weight float64 // NaN: null
}

// measure is a number of a period: how rows become values, for groups and for the buckets of a line.
type measure struct {
	*Selection
	*counted
	described *schema.Measure
	fold      fold
	hours     *hours            // that count; nil: all
	groups    map[string]*group // of the rows that count, by their labels that are no part of the calendar
	isNull    bool              // the service reports it only up to now, and the time range has ended
	earlier   *measure          // of the compared period; nil: it is not compared
}

// described returns the description of a measure. How the rows of a group would be combined is unknown of a field that is not in
// the description. The query groups by the key, so there is one in each, except for rows without a key.
func (r *Selection) described(name string) *schema.Measure {
	return cmp.Or(r.DataSet.Measure(name), &schema.Measure{Named: schema.Named{Name: name, Label: name}, Aggregate: "single"})
}

// nullable returns numbers in which NaN is nil, in one backing array: a million single ones take twice the memory.
func nullable(values []float64) []*float64 {
	out := make([]*float64, len(values))
	for i := range values {
		if !math.IsNaN(values[i]) {
			out[i] = &values[i]
		}
	}
	return out
}

// formulaOf returns the formula of a measure: its own, or a count; of a field of the record, its sum, or the mean of rates.
func formulaOf(set *schema.DataSet, described *schema.Measure) formula {
	if own, ok := taskMeasures[described.Name]; ok && set.HasTimes() {
		return own
	}
	switch described.Aggregate {
	case "count":
		return formula{perRow(one, one), inCell(sum)}
	case "return":
		return returnOn(described)
	}
	folds := map[string]func(*Selection, []tally) float64{"": sum, "sum": sum, "mean": ratio, "single": single}
	return formula{perRow(field(described.Name), one), inCell(folds[described.Aggregate])}
}

// field reads a number field of the record; nulls, if it has none of that name.
func field(name string) bindColumn {
	return func(r *Selection) rowValue {
		c := r.Rows.Column(name)
		return func(row int) float64 {
			if c == nil || c.Type != schema.Number || !c.Valid[row] {
				return math.NaN()
			}
			return c.Numbers[row]
		}
	}
}

// returnOn is the formula of the return on all investments: the mean of the returns of the rows, weighted by what was invested, which
// gain ÷ (1 + return) tells: the return has the scale of the rates. A row alone has its own return. It says how many are left out
// because their investment is unknown.
func returnOn(described *schema.Measure) formula {
	left := 0
	count := func(r *Selection) *counted {
		gain, returned := field(described.Gain)(r), field(described.Name)(r)
		invested := func(*Selection) rowValue {
			return func(row int) float64 { return gain(row) / (1 + returned(row)/r.Scale.Whole()) }
		}
		c := perRow(field(described.Name), invested)(r)
		c.says = func() []string {
			if left == 0 {
				return nil
			}
			share := described.Name + map[float64]string{100: " ÷ 100"}[r.Scale.Whole()]
			return []string{fmt.Sprintf("%s of several %s is weighted by their investment, %s ÷ (1 + %s). Left out are %d of which that is unknown", described.Name, r.DataSet.Name, described.Gain, share, left)}
		}
		return c
	}
	return formula{count, func(_ *measure, of []tally, _ *cells) []float64 {
		if len(of) == 1 {
			return []float64{of[0].value}
		}
		total, invested := 0.0, 0.0
		for _, t := range of {
			if t.weight > 0 && !math.IsInf(t.weight, 0) {
				total, invested = total+t.value*t.weight, invested+t.weight
			} else {
				left++
			}
		}
		return []float64{unless(invested == 0, total/invested)}
	}}
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func unless(isNull bool, value float64) float64 {
	if isNull {
		return math.NaN()
	}
	return value
}

// fold makes a number of what counts in each cell, NaN for null.
type fold func(m *measure, of []tally, in *cells) []float64

// inCell folds what counts at times in each cell. Where nothing does, counts and sums are 0. If nothing of it has a value, the
// result is null, because unreported items are not 0 items.
func inCell(f func(r *Selection, of []tally) float64) fold {
	return func(m *measure, of []tally, in *cells) []float64 {
		byCell := [][]tally{of}
		if len(in.starts) > 1 {
			byCell = make([][]tally, in.n)
			for _, t := range of {
				if n := in.of[pieceAt(in.starts, t.Began)]; n != outside {
					byCell[n] = append(byCell[n], t)
				}
			}
		}
		numbers := make([]float64, len(byCell))
		for n, of := range byCell {
			if len(of) == 0 && m.described.Empty == "zero" {
				continue
			}
			numbers[n] = math.NaN()
			of = slices.DeleteFunc(of, func(t tally) bool { return math.IsNaN(t.value) || math.IsNaN(t.weight) })
			if len(of) > 0 {
				numbers[n] = f(m.Selection, of)
			}
		}
		return numbers
	}
}

func sum(_ *Selection, of []tally) (total float64) {
	for _, t := range of {
		total += t.value
	}
	return total
}

func single(_ *Selection, of []tally) float64 { return unless(len(of) != 1, of[0].value) }

func count(_ *Selection, of []tally) float64 { return float64(len(of)) }

// ratio is Σ value ÷ Σ weight: a mean, where each weight is 1.
func ratio(_ *Selection, of []tally) float64 {
	var total, weight float64
	for _, t := range of {
		total, weight = total+t.value, weight+t.weight
	}
	return unless(weight == 0, total/weight)
}

func largest(_ *Selection, of []tally) float64 { return slices.MaxFunc(of, byValue).value }

func least(_ *Selection, of []tally) float64 { return slices.MinFunc(of, byValue).value }

func byValue(a, b tally) int { return cmp.Compare(a.value, b.value) }

func ascending(of []tally) []float64 {
	sorted := make([]float64, len(of))
	for i, t := range of {
		sorted[i] = t.value
	}
	slices.Sort(sorted)
	return sorted
}

// percentile95 computes the 95th percentile like Prometheus, by linear interpolation between the two nearest values.
func percentile95(_ *Selection, of []tally) float64 {
	sorted := ascending(of)
	below, rest := math.Modf(0.95 * float64(len(sorted)-1))
	low, high := sorted[int(below)], sorted[min(int(below)+1, len(sorted)-1)]
	return low + rest*(high-low)
}

// longestGap is the largest difference of two consecutive values, in whole milliseconds as dates are, of as many as tell what is
// usual. Equal gaps would differ by what floating point loses.
func longestGap(_ *Selection, of []tally) (longest float64) {
	if len(of) < 5 {
		return math.NaN()
	}
	sorted := ascending(of)
	for n := 1; n < len(sorted); n++ {
		longest = max(longest, sorted[n]-sorted[n-1])
	}
	return math.Round(longest*1e3) / 1e3
}

// activity is what the tasks did in a cell.
type activity struct {
	most   int     // maximum of tasks at the same moment
	busy   int64   // nanoseconds in which at least one task ran
	ran    float64 // nanoseconds that all tasks ran
	length int64   // nanoseconds of the cell, as far as they can be known
}

func most(d activity) float64 { return float64(d.most) }

func busy(d activity) float64 { return float64(d.busy) / float64(d.length) }

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

// sweep moves through time from one event to the next, so its effort is the sum of tasks and pieces instead of their
// product. The time range starts in the first piece and ends at to.
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
		if running > 0 {
			d.busy += length
		}
	}
	return activities
}

// asOf is when the rows were requested, in milliseconds since 1970, whichever count: without any, the service has answered, too.
func asOf(m *measure, _ []tally, in *cells) []float64 {
	return slices.Repeat([]float64{unless(m.AsOf.IsZero(), float64(m.AsOf.UnixMilli()))}, in.n)
}

// atEnd adds what is left at the end of each bucket or, of the last one, now: the value of what waits then and, of what has begun
// to run, as many seconds less as it has run, at least 0.
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
