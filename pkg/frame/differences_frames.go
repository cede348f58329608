package frame

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
)

// Numeric builds the frame of Numeric from the activity in the range instead of totals up to now. Filters and sort see
// the difference instead of the measure, and other fields as in the longest window.
func (d *Differences) Numeric(ctx context.Context, r *Request) (*data.Frame, error) {
	whole := d.request(r)
	m, err := whole.measured(ctx)
	if err != nil {
		return nil, err
	}
	steps, unknown := []*columns.Column{whole.Rows.Column(d.measure)}, 0
	if r.Compare != nil {
		before := d.over(d.steps.Before)
		steps = append(steps, before)
		unknown = d.unknownSteps(d.perStep(d.steps.Before[:2]))
		if unknown == 0 {
			earlier := accumulated(func(*Request) rowValue { return values(before) }, sum)
			m.before = &measured{measure: earlier(whole, m.measure.described), groups: m.groups, rows: m.rows, parts: m.parts}
			m.compareGroups(ctx)
		}
		m.starts = []time.Time{d.steps.Ago(d.steps.Before[0]), d.steps.Time(0)}
	}
	frame := whole.numeric(m)
	frame.AppendNotices(d.lost(m.rows, steps)...)
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

// TimeSeries builds a frame of type timeseries-wide, version 0.1: a point for each step, at its start. Groups are
// ordered by their activity in the whole range, which filters see, too. Without any row, the frame has no fields.
func (d *Differences) TimeSeries(ctx context.Context, r *Request) (*data.Frame, error) {
	whole := d.request(r)
	m, err := whole.measured(ctx)
	if err != nil {
		return nil, err
	}
	frame, groups := whole.lines(m)
	if len(m.rows) == 0 {
		return finished(ctx, frame)
	}
	rows := partition(ctx, m.rows, m.parts, len(m.groups))
	steps := d.perStep(d.steps.Days)
	frame.Fields = append(frame.Fields, d.timeField())
	for _, g := range groups {
		frame.Fields = append(frame.Fields, whole.seriesField(m, g, added(steps, rows[g.number])))
	}
	if r.Compare != nil {
		before := d.perStep(d.steps.Before)
		unknown := d.unknownSteps(before)
		clear(before[:unknown])
		for _, g := range groups {
			if unknown < len(before) {
				frame.Fields = append(frame.Fields, whole.beforeField(m, g, added(before, rows[g.number])))
			}
		}
		frame.AppendNotices(d.unknownNotices(unknown)...)
		steps = append(steps, before...)
	}
	frame.AppendNotices(d.lost(m.rows, steps)...)
	return finished(ctx, frame)
}

// request returns the request on the rows with their activity in the whole range instead of their totals up to now.
func (d *Differences) request(r *Request) *Request {
	d.complete()
	activity, rows := d.over(d.steps.Days), &columns.Table{Rows: d.rows.Rows}
	for _, c := range d.rows.Columns {
		if c.Name == d.measure {
			c = activity
		}
		rows.Columns = append(rows.Columns, c)
	}
	whole := *r
	whole.Rows = rows
	return whole.prepared()
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
	return timeField(times, time.Duration(d.steps.Days[0]-d.steps.Days[1])*day)
}

// lost reports how many expected differences are missing.
func (d *Differences) lost(rows []int, steps []*columns.Column) []data.Notice {
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
	text := fmt.Sprintf("some differences of %s are null (%d in total): a row has a smaller total over more days than over fewer, or is missing, so the data changed between the two reads. Refresh to read them again",
		d.set.Name, lost)
	return []data.Notice{{Severity: data.NoticeSeverityWarning, Text: text}}
}
