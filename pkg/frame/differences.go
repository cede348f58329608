package frame

import (
	"math"
	"slices"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/period"
	"github.com/insights/insights-reporting-datasource/schema"
)

// Differences is the activity of each row in each step. The service reports totals up to now over any number of days,
// and the difference of two of them is the activity between their starts. This requires additive fields
// (schema.Field.Additive).
type Differences struct {
	steps   period.Steps
	set     *schema.DataSet
	measure string

	rows     *columns.Table          // rows of the longest window
	rowOf    map[string]int          // by the key of the data set
	windows  map[int]*columns.Column // by their days, for the rows of the longest one
	shortest []int                   // days of the shortest window with a number for the row; neverListed: none
	newest   *columns.Column         // of the window Steps.Newest, as of now; nil: as of the moment of the other windows
	missing  bool                    // whether a shorter window has a row that is missing from the longest
	lost     string                  // that differences are missing; empty: none are
	known    time.Time               // since when the service has data; zero: unknown
}

const neverListed = math.MaxInt

// NewDifferences returns the activity without any window; Add adds them.
func NewDifferences(set *schema.DataSet, measure string, steps period.Steps) *Differences {
	return &Differences{steps: steps, set: set, measure: measure, windows: map[int]*columns.Column{}}
}

// Add adds the window of a number of days of Steps.Windows, the longest one first. The table of that one is kept, but
// only the values of the others, so that sixty windows do not need the memory of sixty tables.
func (d *Differences) Add(days int, window *columns.Table) {
	if d.rows == nil {
		keys := window.Column(d.set.Key)
		d.rows, d.rowOf, d.shortest = window, make(map[string]int, window.Rows), slices.Repeat([]int{neverListed}, window.Rows)
		for i := window.Rows - 1; i >= 0; i-- {
			d.rowOf[keys.Text(i)] = i // the first row of a key
		}
	}
	d.windows[days] = d.sum(days, window)
}

// Renew sets the activity since the start of the newest step, as of now. The other windows may be of an earlier moment:
// their differences hold for any, but the newest step ends now. It is called after Add.
func (d *Differences) Renew(window *columns.Table) {
	// As if it were the longest: a row that only this window has had no activity in the others.
	d.newest = d.sum(d.steps.Windows()[0]+1, window)
}

// sum returns the values of a window.
func (d *Differences) sum(days int, window *columns.Table) *columns.Column {
	keys, values := window.Column(d.set.Key), window.Column(d.measure)
	s := columns.Nulls(d.measure, schema.Number, d.rows.Rows)
	for i := range window.Rows {
		row, ok := d.rowOf[keys.Text(i)]
		switch {
		case !values.Valid[i]:
		case !ok:
			d.missing = true
		default:
			// Rows without a key cannot be distinguished, and count together.
			s.Numbers[row] += values.Numbers[i]
			s.Valid[row] = true
			d.shortest[row] = min(d.shortest[row], days)
		}
	}
	return s
}

// total returns the total of a row up to now. A row without a value in a window had no activity and counts as 0. But if a
// shorter window has the row, it must have disappeared, and its value is unknown.
func (d *Differences) total(days, row int) (value float64, known bool) {
	c := d.windows[days]
	if c == nil {
		return 0, true // now itself, which needs no window
	}
	return c.Numbers[row], c.Valid[row] || days < d.shortest[row]
}

// rounding is the relative error of sums that are added in a different order. A smaller difference is none.
const rounding = 1e-9

// between returns the activity between two numbers of days ago, from and to; null if it is unknown or negative, which
// means that the data changed between the reads of the two windows.
func (d *Differences) between(from, to int) *columns.Column {
	out := columns.Nulls(d.measure, schema.Number, d.rows.Rows)
	for row, shortest := range d.shortest {
		longer, known := d.total(from, row)
		if to == 0 && from == d.steps.Newest() && d.newest != nil {
			longer, known = d.newest.Numbers[row], true
		}
		shorter, alsoKnown := d.total(to, row)
		difference := longer - shorter
		if math.Abs(difference) <= rounding*longer {
			difference = 0
		}
		if shortest != neverListed && known && alsoKnown && difference >= 0 {
			out.Numbers[row], out.Valid[row] = difference, true
		}
	}
	return out
}

// over returns the activity from the first of days to the last.
func (d *Differences) over(days []int) *columns.Column { return d.between(days[0], days[len(days)-1]) }

// perStep returns the activity from each of days to the next; nil between equal days.
func (d *Differences) perStep(days []int) []*columns.Column {
	steps := make([]*columns.Column, len(days)-1)
	for n := range steps {
		if days[n] > days[n+1] {
			steps[n] = d.between(days[n], days[n+1])
		}
	}
	return steps
}

// table returns the rows of the longest window with the activity in the whole range instead of totals up to now. Filters
// and sort see it, too.
func (d *Differences) table() *columns.Table {
	table := &columns.Table{Rows: d.rows.Rows, Columns: slices.Clone(d.rows.Columns)}
	table.Columns[slices.Index(d.rows.Names(), d.measure)] = d.over(d.steps.Days)
	return table
}

// added sums the activity of a group in each step; null if none of its rows has a number.
func added(steps []*columns.Column, g *group) []*float64 {
	return nullable(len(steps), func(n int) (sum float64, ok bool) {
		for _, row := range g.rows {
			if c := steps[n]; c != nil && c.Valid[row] {
				sum, ok = sum+c.Numbers[row], true
			}
		}
		return sum, ok
	})
}

// compare adds the values of the compared period to numbers.
func (d *Differences) compare(n *numbers) {
	steps := []*columns.Column{d.over(d.steps.Days)}
	if d.steps.Before != nil {
		steps = append(steps, d.over(d.steps.Before))
		n.starts = []time.Time{d.steps.Ago(d.steps.Before[0]), d.steps.Time(0)}
		unknown := d.unknownSteps(d.perStep(d.steps.Before[:2]))
		for _, g := range n.groups {
			if unknown == 0 {
				g.before = added(steps[1:], g)[0]
			}
		}
		n.notices = append(n.notices, d.unknownNotices(unknown)...)
	}
	n.notices = append(n.notices, d.lostNotices(n, steps)...)
}

// lines have a point for each step, at its start. Groups are ordered by their activity in the whole range.
func (d *Differences) lines(n *numbers) *lines {
	steps := d.perStep(d.steps.Days)
	clear(steps[:d.forgotten(steps)])
	l := &lines{starts: d.steps.Starts(), width: time.Duration(d.steps.Days[0]-d.steps.Days[1]) * 24 * time.Hour}
	l.values = func(g *group) []*float64 { return added(steps, g) }
	all := steps
	if d.steps.Before != nil {
		before := d.perStep(d.steps.Before)
		unknown := d.unknownSteps(before)
		clear(before[:unknown])
		if unknown < len(before) {
			l.before = func(g *group) []*float64 { return added(before, g) }
		}
		l.notices = d.unknownNotices(unknown)
		all = slices.Concat(steps, before)
	}
	l.notices = append(l.notices, d.lostNotices(n, all)...)
	return l
}

// unknownSteps returns how many steps from the first one on have no data at all. It is unknown whether the service's
// history goes back that far, so there is nothing to compare with.
func (d *Differences) unknownSteps(steps []*columns.Column) int {
	known := slices.IndexFunc(steps, func(c *columns.Column) bool {
		return c != nil && slices.ContainsFunc(c.Numbers, func(n float64) bool { return n > 0 })
	})
	if known < 0 {
		return len(steps)
	}
	return known
}

// StartsEmpty reports whether the first step has no data at all. It is called after Add.
func (d *Differences) StartsEmpty() bool {
	return d.unknownSteps(d.perStep(d.steps.Days[:2])) > 0
}

// Forget makes empty steps before a time unknown, because the service has no data of them.
func (d *Differences) Forget(known time.Time) { d.known = known }

// forgotten returns how many of the first steps the service has no data of.
func (d *Differences) forgotten(steps []*columns.Column) (n int) {
	unknown := d.unknownSteps(steps)
	for n < unknown && !d.steps.Time(n+1).After(d.known) {
		n++
	}
	return n
}

// unknownNotices reports a number of first steps of the earlier period that have no data.
func (d *Differences) unknownNotices(steps int) []data.Notice {
	if steps == 0 {
		return nil
	}
	from, to := d.steps.Ago(d.steps.Before[0]), d.steps.Ago(d.steps.Before[steps])
	return notice(data.NoticeSeverityInfo, "The service has no %s data from %s to %s, in the period to compare with: there was no activity, or its history does not go back that far. There is nothing to compare with",
		d.set.Name, from.Format(time.RFC3339), to.Format(time.RFC3339))
}

// Lost says that differences are missing in the frame; empty if none are.
func (d *Differences) Lost() string { return d.lost }

// lostNotices reports that differences are missing.
func (d *Differences) lostNotices(n *numbers, steps []*columns.Column) []data.Notice {
	isLost := func(c *columns.Column, row int) bool {
		return c != nil && d.shortest[row] != neverListed && !c.Valid[row]
	}
	lost := d.missing
	for _, g := range n.groups {
		for _, row := range g.rows {
			lost = lost || slices.ContainsFunc(steps, func(c *columns.Column) bool { return isLost(c, row) })
		}
	}
	if !lost {
		return nil
	}
	reason := "so the data changed between the two reads. Refresh to read them again"
	if n.described.Money {
		reason = "because the data changed between the two reads, or because the amount of the days in between is negative"
	}
	lostNotice := notice(data.NoticeSeverityWarning, "some differences of %s are null: a row has a smaller total over more days than over fewer, or is missing, %s", d.set.Name, reason)
	d.lost = lostNotice[0].Text
	return lostNotice
}
