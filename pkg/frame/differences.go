package frame

import (
	"context"
	"fmt"
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

	rows     *columns.Table    // rows of the longest window
	rowOf    map[string]int    // by the key of the data set
	windows  []int             // days of each window; the last is 0 for now itself, which needs no window
	sums     []*columns.Column // of each window, for the rows of the longest one
	newest   *columns.Column   // of the window Steps.Newest, as of now; nil: as of the moment of the other windows
	missing  int               // rows missing from the longest window, in the shorter window that has most of them
	reported []bool            // whether any window has a number for the row
	lost     string            // which differences are missing; empty: none are
	known    time.Time         // since when the service has data; zero: unknown
}

// NewDifferences returns the activity without any window; Add adds them.
func NewDifferences(set *schema.DataSet, measure string, steps period.Steps) *Differences {
	windows := append(steps.Windows(), 0)
	return &Differences{steps: steps, set: set, measure: measure, windows: windows, sums: make([]*columns.Column, len(windows))}
}

// Add adds the window n of Steps.Windows. The longest one, 0, must be added first. Its table is kept, but only the
// values of the others, so that sixty windows do not need the memory of sixty tables.
func (d *Differences) Add(n int, window *columns.Table) {
	if n == 0 {
		d.setLongest(window)
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
	c := columns.New(d.measure, schema.Number, 0)
	c.Resize(d.rows.Rows)
	return c
}

func (d *Differences) setLongest(longest *columns.Table) {
	d.rows, d.rowOf, d.reported = longest, make(map[string]int, longest.Rows), make([]bool, longest.Rows)
	keys := longest.Column(d.set.Key)
	for i := longest.Rows - 1; i >= 0; i-- {
		d.rowOf[keys.Text(i)] = i // the first row of a key
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

// numeric builds the frame of Numeric from the activity in the range instead of totals up to now. Filters and sort see
// the difference instead of the measure, and other fields as in the longest window.
func (d *Differences) numeric(ctx context.Context, r *Numeric) (*data.Frame, error) {
	m, err := d.measured(ctx, &r.Grouping)
	if err != nil {
		return nil, err
	}
	steps, unknown := []*columns.Column{r.Rows.Column(d.measure)}, 0
	if r.Earlier != nil {
		before := d.over(d.steps.Before)
		steps = append(steps, before)
		unknown = d.unknownSteps(d.perStep(d.steps.Before[:2]))
		if unknown == 0 {
			earlier := accumulated(func(*Selection) rowValue { return values(before) }, sum)
			m.before = &measured{measure: earlier(&r.Selection, m.measure.described), groups: m.groups, rows: m.rows, parts: m.parts}
			m.compareGroups()
		}
		m.starts = []time.Time{d.steps.Ago(d.steps.Before[0]), d.steps.Time(0)}
	}
	frame := r.frame(m)
	frame.AppendNotices(d.lostNotices(m.rows, steps)...)
	frame.AppendNotices(d.unknownNotices(unknown)...)
	return finished(ctx, frame)
}

// unknownSteps returns how many steps from the first one on have no data at all. It is unknown whether the service's
// history goes back that far, so there is nothing to compare with.
func (d *Differences) unknownSteps(before []*columns.Column) int {
	known := slices.IndexFunc(before, func(c *columns.Column) bool {
		return c != nil && slices.ContainsFunc(c.Numbers, func(n float64) bool { return n > 0 })
	})
	if known < 0 {
		return len(before)
	}
	return known
}

// StartsEmpty reports whether the first step has no data at all. It is called after Add.
func (d *Differences) StartsEmpty() bool {
	d.complete()
	return d.unknownSteps(d.perStep(d.steps.Days[:2])) > 0
}

// Forget makes empty steps before a time unknown, because the service has no data of them.
func (d *Differences) Forget(known time.Time) { d.known = known }

// forgotten returns how many of the first steps the service has no data of.
func (d *Differences) forgotten(steps []*columns.Column) int {
	for n := range d.unknownSteps(steps) {
		if d.steps.Time(n + 1).After(d.known) {
			return n
		}
	}
	return d.unknownSteps(steps)
}

// unknownNotices reports a number of first steps of the earlier period that have no data.
func (d *Differences) unknownNotices(steps int) []data.Notice {
	if steps == 0 {
		return nil
	}
	from, to := d.steps.Ago(d.steps.Before[0]), d.steps.Ago(d.steps.Before[steps])
	text := fmt.Sprintf("The service has no %s data from %s to %s, in the period to compare with: there was no activity, or its history does not go back that far. There is nothing to compare with",
		d.set.Name, from.Format(time.RFC3339), to.Format(time.RFC3339))
	return []data.Notice{{Severity: data.NoticeSeverityInfo, Text: text}}
}

// line builds the frame of TimeSeries: a point for each step, at its start. Groups are
// ordered by their activity in the whole range, which filters see, too. Without any row, the frame has no fields.
func (d *Differences) line(ctx context.Context, r *TimeSeries) (*data.Frame, error) {
	m, err := d.measured(ctx, &r.Grouping)
	if err != nil {
		return nil, err
	}
	frame, groups := r.lines(m)
	if len(m.rows) == 0 {
		return finished(ctx, frame)
	}
	rows := partition(m.rows, m.parts, len(m.groups))
	steps := d.perStep(d.steps.Days)
	clear(steps[:d.forgotten(steps)])
	frame.Fields = append(frame.Fields, d.timeField())
	for _, g := range groups {
		frame.Fields = append(frame.Fields, r.seriesField(m, g, added(steps, rows[g.number])))
	}
	if r.Earlier != nil {
		before := d.perStep(d.steps.Before)
		unknown := d.unknownSteps(before)
		clear(before[:unknown])
		for _, g := range groups {
			if unknown < len(before) {
				frame.Fields = append(frame.Fields, r.beforeField(m, g, added(before, rows[g.number])))
			}
		}
		frame.AppendNotices(d.unknownNotices(unknown)...)
		steps = append(steps, before...)
	}
	frame.AppendNotices(d.lostNotices(m.rows, steps)...)
	return finished(ctx, frame)
}

// measured measures the activity in the whole range instead of the totals up to now.
func (d *Differences) measured(ctx context.Context, r *Grouping) (*measured, error) {
	d.complete()
	r.Rows = &columns.Table{Rows: d.rows.Rows}
	for _, c := range d.rows.Columns {
		if c.Name == d.measure {
			c = d.over(d.steps.Days)
		}
		r.Rows.Columns = append(r.Rows.Columns, c)
	}
	r.resolveRates()
	return r.measured(ctx)
}

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

// added sums the activity of rows in each step; null if none of them has a number.
func added(steps []*columns.Column, rows []int) []*float64 {
	return nullable(len(steps), func(n int) (sum float64, ok bool) {
		for _, row := range rows {
			if c := steps[n]; c != nil && c.Valid[row] {
				sum, ok = sum+c.Numbers[row], true
			}
		}
		return sum, ok
	})
}

func (d *Differences) timeField() *data.Field {
	times := d.steps.At
	if times == nil {
		for n := range len(d.steps.Days) - 1 {
			times = append(times, d.steps.Time(n))
		}
	}
	return timeField(times, time.Duration(d.steps.Days[0]-d.steps.Days[1])*24*time.Hour)
}

// Lost says which differences are missing in the frame; empty if none are.
func (d *Differences) Lost() string { return d.lost }

// lostNotices reports how many expected differences are missing.
func (d *Differences) lostNotices(rows []int, steps []*columns.Column) []data.Notice {
	lost := d.missing
	for _, c := range steps {
		for _, row := range rows {
			if c != nil && d.reported[row] && !c.Valid[row] {
				lost++
			}
		}
	}
	if lost == 0 {
		return nil
	}
	d.lost = fmt.Sprintf("some differences of %s are null (%d in total): a row has a smaller total over more days than over fewer, or is missing, so the data changed between the two reads. Refresh to read them again",
		d.set.Name, lost)
	return []data.Notice{{Severity: data.NoticeSeverityWarning, Text: d.lost}}
}
