package frame

import (
	"math"
	"slices"
	"time"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
)

// Steps split a range into whole days back from Now: step i starts Days[i] days ago and ends where the next one starts.
type Steps struct {
	Now  time.Time
	Days []int // descending; 0 is Now itself
	// At holds the calendar starts of the steps, which Days approximate; nil: the steps start at Days.
	At []time.Time
	// Before holds the steps of the compared period, like Days; nil: none.
	Before []int
}

// Time returns the start of step i, which is the end of the one before it. A day is assumed to have 24 hours in the
// service's count.
func (s Steps) Time(i int) time.Time { return s.Ago(s.Days[i]) }

// Ago returns the time that is a number of days before Now.
func (s Steps) Ago(days int) time.Time { return s.Now.UTC().AddDate(0, 0, -days) }

// Windows returns the look-back days of the windows that the steps are computed from, descending. Now itself needs no
// window.
func (s Steps) Windows() []int {
	days := slices.Concat(s.Days, s.Before)
	slices.Sort(days)
	days = slices.DeleteFunc(slices.Compact(days), func(days int) bool { return days == 0 })
	slices.Reverse(days)
	return days
}

// Newest returns the look-back days of the step that ends now; 0 if the steps end earlier.
func (s Steps) Newest() int {
	if last := len(s.Days) - 1; last > 0 && s.Days[last] == 0 {
		return s.Days[last-1]
	}
	return 0
}

// Differences is the activity of each row in each step. The service reports totals up to now over any number of days,
// and the difference of two of them is the activity between their starts. This requires additive fields
// (datasets.Field.Additive).
type Differences struct {
	steps   Steps
	set     *datasets.DataSet
	measure string

	rows     *columns.Table    // rows of the longest window
	rowOf    map[string]int    // by the key of the data set
	windows  []int             // days of each window; the last is 0 for now itself, which needs no window
	sums     []*columns.Column // of each window, for the rows of the longest one
	newest   *columns.Column   // of the window Steps.Newest, as of now; nil: as of the moment of the other windows
	missing  int               // rows missing from the longest window, in the shorter window that has most of them
	reported []bool            // whether any window has a number for the row
}

// NewDifferences returns the activity without any window; Add adds them.
func NewDifferences(set *datasets.DataSet, measure string, steps Steps) *Differences {
	windows := append(steps.Windows(), 0)
	return &Differences{steps: steps, set: set, measure: measure, windows: windows, sums: make([]*columns.Column, len(windows))}
}

// Add adds the window n of Steps.Windows. The longest one, 0, must be added first. Its table is kept, but only the
// values of the others, so that sixty windows do not need the memory of sixty tables.
func (d *Differences) Add(n int, window *columns.Table) {
	if n == 0 {
		d.begin(window)
	}
	d.sums[n] = d.sum(window)
}

// Renew sets the activity since the start of the newest step, as of now. The other windows may be of an earlier moment:
// their differences hold for any, but the newest step ends now. It is called after Add.
func (d *Differences) Renew(window *columns.Table) {
	d.newest = d.sum(window)
	for row := range d.newest.Valid {
		d.newest.Valid[row] = true // A row that is not in the window had no activity.
	}
}

// sum returns the values of a window.
func (d *Differences) sum(window *columns.Table) *columns.Column {
	keys, values := window.Column(d.set.Key), window.Column(d.measure)
	s := d.nulls()
	missing := 0
	for i := range window.Rows {
		row, ok := d.rowOf[keys.Text(i)]
		switch {
		case !values.Valid[i]:
		case !ok:
			missing++
		default:
			// Rows without a key cannot be distinguished, and count together.
			s.Numbers[row] += values.Numbers[i]
			s.Valid[row], d.reported[row] = true, true
		}
	}
	d.missing = max(d.missing, missing)
	return s
}

// nulls returns a column for the rows of the longest window.
func (d *Differences) nulls() *columns.Column {
	c := columns.New(d.measure, datasets.Number, 0)
	c.Resize(d.rows.Rows)
	return c
}

func (d *Differences) begin(longest *columns.Table) {
	d.rows, d.rowOf, d.reported = longest, make(map[string]int, longest.Rows), make([]bool, longest.Rows)
	keys := longest.Column(d.set.Key)
	for i := range longest.Rows {
		if _, ok := d.rowOf[keys.Text(i)]; !ok {
			d.rowOf[keys.Text(i)] = i
		}
	}
}

// complete fills in missing values. A row without a value in a window had no activity and counts as 0. But if a shorter
// window has the row, it must have disappeared, and its value is unknown.
func (d *Differences) complete() {
	for row := range d.reported {
		inShorter := false
		for n := len(d.sums) - 1; n >= 0; n-- {
			if d.sums[n] == nil {
				d.sums[n] = d.nulls()
			}
			known := &d.sums[n].Valid[row]
			inShorter = inShorter || *known
			*known = *known || !inShorter
		}
	}
}

// rounding is the relative error of sums that are added in a different order. A smaller difference is none.
const rounding = 1e-9

// between returns the activity between two numbers of days ago, from and to; null if it is unknown or negative, which
// means that the data changed between the reads of the two windows.
func (d *Differences) between(from, to int) *columns.Column {
	out := d.nulls()
	longer, shorter := d.sums[slices.Index(d.windows, from)], d.sums[slices.Index(d.windows, to)]
	if to == 0 && from == d.steps.Newest() && d.newest != nil {
		longer = d.newest
	}
	for row, reported := range d.reported {
		if !reported || !longer.Valid[row] || !shorter.Valid[row] {
			continue
		}
		difference := longer.Numbers[row] - shorter.Numbers[row]
		if math.Abs(difference) <= rounding*longer.Numbers[row] {
			difference = 0
		}
		out.Numbers[row], out.Valid[row] = difference, difference >= 0
	}
	return out
}

// over returns the activity from the first of days to the last.
func (d *Differences) over(days []int) *columns.Column { return d.between(days[0], days[len(days)-1]) }
