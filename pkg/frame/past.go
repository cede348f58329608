package frame

import (
	"slices"
	"time"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
)

// Steps are the parts of a range, in whole days back from Now: step i begins Days[i] days ago and ends where the next one
// begins.
type Steps struct {
	Now  time.Time
	Days []int // falling; 0 is Now itself
	// At is where the steps stand that the calendar begins, which Days come nearest to; nil: where they begin.
	At []time.Time
	// Before is what the steps are compared with, as Days; nil: nothing.
	Before []int
}

// Time is when step i begins, or the one before it ends. A day is 24 hours: that is how the service is taken to count.
func (s Steps) Time(i int) time.Time { return s.ago(s.Days[i]) }

func (s Steps) ago(days int) time.Time { return s.Now.UTC().AddDate(0, 0, -days) }

// Windows are the days of the windows that the steps are made from, falling: the service adds up from so many days ago
// until now. Nothing has to be read for now itself.
func (s Steps) Windows() []int {
	days := slices.Concat(s.Days, s.Before)
	slices.Sort(days)
	days = slices.DeleteFunc(slices.Compact(days), func(days int) bool { return days == 0 })
	slices.Reverse(days)
	return days
}

// Past is what each row did in each step. The service gives sums up to now alone, but of any length, and the difference of
// two of them is what happened between their beginnings. That holds for additive fields (datasets.Field.Additive).
type Past struct {
	steps   Steps
	set     *datasets.DataSet
	measure string

	rows     *columns.Table // of the longest window: which rows there are, and what they are called
	rowOf    map[string]int // by the key of the data set
	windows  []int          // the days of each window; last 0 for now itself, which no window is needed for
	sums     []sums         // of each window
	strange  int            // rows that a shorter window has and the longest lacks, in the window that has most of them
	reported []bool         // whether any window has a number for the row
}

// sums are what one window has for the rows of the longest one.
type sums struct {
	values []float64
	known  []bool
}

// NewPast begins with no window read.
func NewPast(set *datasets.DataSet, measure string, steps Steps) *Past {
	windows := append(steps.Windows(), 0)
	return &Past{steps: steps, set: set, measure: measure, windows: windows, sums: make([]sums, len(windows))}
}

// Add takes over what the window n of Steps.Windows has. The longest one, 0, has to come first; its table is kept, while of the
// others only the numbers are, so that sixty windows do not take the room of sixty tables.
func (p *Past) Add(n int, window *columns.Table) {
	if n == 0 {
		p.begin(window)
	}
	keys, values := window.Column(p.set.Key), window.Column(p.measure)
	s := sums{values: make([]float64, p.rows.Rows), known: make([]bool, p.rows.Rows)}
	strange := 0
	for i := range window.Rows {
		row, ok := p.rowOf[keys.Text(i)]
		switch {
		case !values.Valid[i]:
		case !ok:
			strange++
		default:
			// Rows without a key cannot be told apart and count as one.
			s.values[row] += values.Numbers[i]
			s.known[row], p.reported[row] = true, true
		}
	}
	p.sums[n], p.strange = s, max(p.strange, strange)
}

func (p *Past) begin(longest *columns.Table) {
	p.rows, p.rowOf, p.reported = longest, make(map[string]int, longest.Rows), make([]bool, longest.Rows)
	keys := longest.Column(p.set.Key)
	for i := range longest.Rows {
		if _, ok := p.rowOf[keys.Text(i)]; !ok {
			p.rowOf[keys.Text(i)] = i
		}
	}
}

// complete fills in what windows do not have. A row that is missing in a window, or has no number there, had nothing to
// add up, and counts as 0. But where a shorter window knows the row, it must have vanished, and nothing is known.
func (p *Past) complete() {
	for row := range p.reported {
		inShorter := false
		for n := len(p.sums) - 1; n >= 0; n-- {
			if p.sums[n].known == nil {
				p.sums[n] = sums{values: make([]float64, p.rows.Rows), known: make([]bool, p.rows.Rows)}
			}
			known := &p.sums[n].known[row]
			inShorter = inShorter || *known
			*known = *known || !inShorter
		}
	}
}

// rounding is how much of a sum may be lost where floats are added in another order.
const rounding = 1e-9

// between is what the rows did from so many days ago until fewer days ago; null where it is not known, or negative: then
// the data changed between the readings of the two windows.
func (p *Past) between(from, to int) *columns.Column {
	out := columns.New(p.measure, datasets.Number, p.rows.Rows)
	out.Resize(p.rows.Rows)
	longer, shorter := p.sums[slices.Index(p.windows, from)], p.sums[slices.Index(p.windows, to)]
	for row, reported := range p.reported {
		if !reported || !longer.known[row] || !shorter.known[row] {
			continue
		}
		difference := longer.values[row] - shorter.values[row]
		if difference < 0 && -difference <= rounding*longer.values[row] {
			difference = 0
		}
		out.Numbers[row], out.Valid[row] = difference, difference >= 0
	}
	return out
}

// over is what the rows did from the first of days until the last.
func (p *Past) over(days []int) *columns.Column { return p.between(days[0], days[len(days)-1]) }

// during returns the rows with what they did in the whole range in place of their sums up to now.
func (p *Past) during() *columns.Table {
	whole := p.over(p.steps.Days)
	table := &columns.Table{Rows: p.rows.Rows}
	for _, c := range p.rows.Columns {
		if c.Name == p.measure {
			c = whole
		}
		table.Columns = append(table.Columns, c)
	}
	return table
}
