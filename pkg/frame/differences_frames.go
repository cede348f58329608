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
	if r.Compare != nil {
		return d.compare(ctx, whole)
	}
	frame, err := Numeric(ctx, whole)
	if err != nil {
		return nil, err
	}
	rows, err := whole.rows(ctx, nil)
	if err != nil {
		return nil, err
	}
	frame.AppendNotices(d.lost(rows, []*columns.Column{whole.Rows.Column(d.measure)})...)
	return frame, nil
}

// compare builds the comparison of Numeric.
func (d *Differences) compare(ctx context.Context, r *Request) (*data.Frame, error) {
	frame := newFrame(r.frameName(false), data.FrameTypeNumericLong, data.VisTypeTable)
	m, err := r.measured(ctx)
	if err != nil {
		return nil, err
	}
	groups, notices := r.cut(m.groups, "groups")
	frame.AppendNotices(append(m.notices, notices...)...)
	rows, err := partition(ctx, m.rows, m.parts, len(m.groups))
	if err != nil {
		return nil, err
	}
	before := d.over(d.steps.Before)
	unknown := d.unknownSteps([]*columns.Column{d.between(d.steps.Before[0], d.steps.Before[1])})
	for _, g := range groups {
		if unknown == 0 {
			g.before = added([]*columns.Column{before}, rows[g.number])[0]
		}
	}
	r.addComparison(frame, m, groups, d.steps.Ago(d.steps.Before[0]), d.steps.Time(0))
	frame.AppendNotices(d.lost(m.rows, []*columns.Column{r.Rows.Column(d.measure), before})...)
	frame.AppendNotices(d.unknownNotices(unknown)...)
	return frame, nil
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
	frame := newFrame(r.DataSet.Name, data.FrameTypeTimeSeriesWide, data.VisTypeGraph)
	m, err := whole.measured(ctx)
	if err != nil {
		return nil, err
	}
	if len(m.rows) == 0 {
		frame.AppendNotices(m.notices...)
		return frame, nil
	}
	groups, notices := whole.cut(m.groups, "series")
	frame.AppendNotices(notices...)
	rows, err := partition(ctx, m.rows, m.parts, len(m.groups))
	if err != nil {
		return nil, err
	}
	steps, err := d.perStep(ctx, d.steps.Days)
	if err != nil {
		return nil, err
	}
	frame.Fields = append(frame.Fields, d.timeField())
	for _, g := range groups {
		field := data.NewField(r.Measure, whole.labels(g), added(steps, rows[g.number]))
		field.Config = whole.seriesConfig(m, g)
		frame.Fields = append(frame.Fields, field)
	}
	if r.Compare != nil {
		before, err := d.perStep(ctx, d.steps.Before)
		if err != nil {
			return nil, err
		}
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
	return frame, checkCanceled(ctx, 0)
}

// request returns the request on the activity of the rows in the range.
func (d *Differences) request(r *Request) *Request {
	d.complete()
	whole := *r
	whole.Rows = d.inRange()
	return &whole
}

// perStep returns the activity from each of days to the next; nil between equal days.
func (d *Differences) perStep(ctx context.Context, days []int) ([]*columns.Column, error) {
	steps := make([]*columns.Column, len(days)-1)
	for n := range steps {
		if err := checkCanceled(ctx, 0); err != nil {
			return nil, err
		}
		if days[n] > days[n+1] {
			steps[n] = d.between(days[n], days[n+1])
		}
	}
	return steps, nil
}

// added sums the activity of rows in each step; null if none of them has a number.
func added(steps []*columns.Column, rows []int) []*float64 {
	out := make([]*float64, len(steps))
	for n, c := range steps {
		for _, row := range rows {
			switch {
			case c == nil || !c.Valid[row]:
			case out[n] == nil:
				value := c.Numbers[row]
				out[n] = &value
			default:
				*out[n] += c.Numbers[row]
			}
		}
	}
	return out
}

func (d *Differences) timeField() *data.Field {
	times := d.steps.At
	if times == nil {
		for n := range len(d.steps.Days) - 1 {
			times = append(times, d.steps.Time(n))
		}
	}
	field := data.NewField("time", nil, times)
	step := time.Duration(d.steps.Days[0]-d.steps.Days[1]) * day
	field.Config = &data.FieldConfig{Interval: float64(spacing(times, step).Milliseconds())}
	return field
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
