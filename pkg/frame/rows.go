package frame

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"

	"github.com/insights/insights-reporting-datasource/pkg/attention"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/filter"
	"github.com/insights/insights-reporting-datasource/schema"
)

// maxTableCells bounds rows × columns of a table. A cell takes 8 bytes here, 32 for a time, and as much again on the
// way to Grafana; browsers fail far below that.
const maxTableCells = 5_000_000

// Table is the format of rows: a field per column, in the order of the specification or as requested, also without rows.
type Table struct {
	Selection
	Columns []string // empty: all
}

// Frame builds the frame. Errors are inputerror.Err, or the cause of a context that ended.
func (r *Table) Frame(ctx context.Context) (*data.Frame, error) {
	r.resolve()
	selected := r.Rows.Columns
	if len(r.Columns) > 0 {
		selected = nil
		for _, name := range r.Columns {
			selected = append(selected, r.column("column", name))
		}
	}
	rows, unmatched := r.rows(ctx, nil)
	if r.Sort != nil {
		r.sortRows(rows)
	}
	if r.Limit > 0 && len(rows) > r.Limit {
		rows = rows[:r.Limit]
	}
	name := r.DataSet.Name
	if !r.DataSet.HasTimes() {
		name = withWords(name, r.Covers) // rows of tasks show their times
	}
	frame := newFrame(name, data.FrameTypeTable, data.VisTypeTable)
	frame.AppendNotices(unmatched...)
	if upToNow := r.upToNow(selected...); upToNow != nil {
		frame.AppendNotices(notice(data.NoticeSeverityInfo, upToNowText, schema.List(upToNow))...)
	}
	if r.Differences != nil && !r.isUnknown() {
		frame.AppendNotices(r.Differences.lostNotice(selected, rows)...)
	}
	if limit := maxTableCells / max(1, len(selected)); len(rows) > limit {
		frame.AppendNotices(notice(data.NoticeSeverityWarning, "%d of %d rows are shown: with %d columns, the first that fit into %d cells. Select columns, set a limit, or filter",
			limit, len(rows), len(selected), maxTableCells)...)
		rows = rows[:limit]
	}
	for _, c := range selected {
		frame.Fields = append(frame.Fields, r.tableField(c, rows))
	}
	return finished(ctx, &r.Selection, frame)
}

// tableField builds a field of the rows, and offers "filter for value".
func (r *Selection) tableField(c *columns.Column, rows []int) *data.Field {
	var field *data.Field // nullable; its values point into the column, which is immutable
	switch c.Type {
	case schema.Integer:
		field = pointers(c, rows, func(row int) *int64 { return &c.Integers[row] })
	case schema.Number:
		field = pointers(c, rows, func(row int) *float64 { return &c.Numbers[row] })
	case schema.Time:
		field = pointers(c, rows, func(row int) *time.Time { return new(c.Time(row)) })
	default:
		field = pointers(c, rows, func(row int) *string { return &c.Strings[row] })
	}
	field.Config = cmp.Or(r.fieldConfig(r.DataSet.Field(c.Name)), &data.FieldConfig{})
	field.Config.Filterable = new(true)
	if r.Differences != nil && r.Differences.totals[c.Name] != nil && r.Language != schema.API {
		field.Config.DisplayNameFromDS = withWords(field.Config.DisplayNameFromDS, r.Covers)
	}
	return field
}

// pointers fills in an empty field: data.NewField would copy its input, which temporarily doubles the pointers.
func pointers[T any](c *columns.Column, rows []int, of func(row int) *T) *data.Field {
	field := data.NewFieldFromFieldType(data.FieldTypeFor((*T)(nil)), len(rows))
	field.Name = c.Name
	for i, row := range rows {
		if c.Valid[row] {
			field.Set(i, of(row))
		}
	}
	return field
}

// maxTimelineCells bounds moments × lanes of a timeline: the visualization aligns all lanes on the starts and ends of all bars.
const maxTimelineCells = maxTableCells

// Timeline is the format for Grafana's State timeline: a frame for each lane, ordered by label, with the times start and end, and
// the string state with the labels of the lane. Bars are ordered by start and do not overlap: tasks of a group that ran at the same
// time are in several lanes, named "… (2)" and so on. Tasks that have not started are left out.
//
// Times are UTC, in milliseconds as in browsers: a bar has one at least. A running task ends now. Tasks count that ran within
// the range, whatever their time field. A lane without bars has one state, null, over all of it. The first frame has the notices.
type Timeline struct {
	Grouping        // GroupBy are the lanes
	State    string // the field that names and colors a bar
	Idle     bool   // a group keeps its lane that ran at another time only

	when        intervals
	isShown     filter.Test // ran within the range
	states      func(row int) string
	automations map[string]string // display names by label
}

// Frames builds the frames. Errors are inputerror.Err, or the cause of a context that ended.
func (r *Timeline) Frames(ctx context.Context) (data.Frames, error) {
	r.states, r.automations = r.statesOf(r.column("state", r.State)), r.automationNames(slices.Concat(r.GroupBy, []string{r.State}))
	ran, started := r.intervals(runs), r.Rows.Column("dateStartRunning")
	r.when = func(row int) (attention.Span, bool) {
		of, ok := ran(row)
		if of.Ended == attention.Open {
			of.Ended = columns.Nanoseconds(r.Now)
		}
		return of, ok && started.Valid[row]
	}
	r.isShown = r.inRange(r.when)
	kept := r.isShown
	if r.Idle {
		kept = func(row int) bool { _, ran := r.when(row); return ran }
	}
	rows, unmatched := r.rows(ctx, kept)
	slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(started.Times[a], started.Times[b]) })
	lanes, notices := r.lanes(ctx, rows)
	if len(lanes) == 0 {
		// Without any row, the visualization would say that there is no time field, instead of showing that nothing ran.
		lanes = []*lane{{}}
	}
	var frames data.Frames
	colors := r.colors(lanes)
	for _, l := range lanes {
		frames = append(frames, r.frame(l, colors))
	}
	frames[0].AppendNotices(append(unmatched, notices...)...)
	return finished(ctx, &r.Selection, frames)
}

// bar is a task in a lane, in milliseconds since the epoch.
type bar struct {
	from, to int64
	state    *string // nil: no task
}

type lane struct {
	group  *group // nil: there is no lane
	number int    // from 1, of the lanes of the group
	bars   []bar
}

// lanes assigns rows, ordered by start, to lanes, within the bounds of a timeline.
func (r *Timeline) lanes(ctx context.Context, rows []int) (lanes []*lane, notices []data.Notice) {
	shown := keep(ctx, slices.Clone(rows), r.isShown)
	lanes, left := r.assign(rows)
	if limit := maxTimelineCells / (2 * max(1, len(lanes))); len(shown)-left > limit {
		notices = notice(data.NoticeSeverityWarning, "%d of %d tasks are shown, the last ones to start: select a shorter time range, or filter, to see the rest", limit, len(shown))
		lanes, left = r.assign(shown[len(shown)-limit:])
	}
	if left > 0 {
		notices = append(notices, notice(data.NoticeSeverityWarning, "%d tasks are not shown, because they need more than %d lanes: filter, or group by another field, to see them", left, r.limit())...)
	}
	return lanes, notices
}

// assign gives each group as many lanes as it has tasks that ran at the same time, but at least one, and puts the first lane of each
// group before any second one. It also returns how many rows are left when there are no more lanes.
func (r *Timeline) assign(rows []int) (lanes []*lane, left int) {
	groups := r.groups(rows)
	slices.SortStableFunc(groups, r.byLabels)
	for _, g := range groups {
		lanes = append(lanes, r.stack(g)...)
	}
	slices.SortStableFunc(lanes, func(a, b *lane) int { return cmp.Compare(a.number, b.number) })
	limit := min(r.limit(), len(lanes))
	for _, l := range lanes[limit:] {
		left += len(l.bars)
	}
	return lanes[:limit], left
}

// stack puts each bar of a group, ordered by start, into the first lane that is free. What does not fit into the limit is in one
// more lane. The visualization ignores a bar that ends when it starts.
func (r *Timeline) stack(g *group) []*lane {
	lanes := []*lane{{group: g, number: 1}}
	for _, row := range g.rows {
		if !r.isShown(row) {
			continue
		}
		of, _ := r.when(row)
		from := time.Unix(0, of.Began).UnixMilli()
		i := slices.IndexFunc(lanes, func(l *lane) bool { return len(l.bars) == 0 || l.bars[len(l.bars)-1].to <= from })
		if i < 0 && len(lanes) <= r.limit() {
			lanes = append(lanes, &lane{group: g, number: len(lanes) + 1})
		}
		if i < 0 {
			i = len(lanes) - 1
		}
		lanes[i].bars = append(lanes[i].bars, bar{from, max(time.Unix(0, of.Ended).UnixMilli(), from+1), new(r.states(row))})
	}
	return lanes
}

// statesOf returns the texts of bars. A task without a finish status has the state that it is in.
func (r *Timeline) statesOf(c *columns.Column) func(row int) string {
	if c.Name != "finishStatus" {
		return c.Text
	}
	state := r.Rows.Column("state")
	return func(row int) string { return cmp.Or(c.Text(row), state.Text(row)) }
}

// frame returns a lane. One without bars has one without a state, over the whole time range.
func (r *Timeline) frame(l *lane, colors map[string]string) *data.Frame {
	bars := l.bars
	if len(bars) == 0 {
		bars = []bar{{from: r.From.UnixMilli(), to: r.To.UnixMilli()}}
	}
	w := r.Language.Words()
	start := newField("start", &data.FieldConfig{DisplayNameFromDS: w.Start}, bars, func(b bar) time.Time { return time.UnixMilli(b.from).UTC() })
	end := newField("end", &data.FieldConfig{DisplayNameFromDS: w.End}, bars, func(b bar) time.Time { return time.UnixMilli(b.to).UTC() })
	// Of the panel's color schemes, the default has no legend, and thresholds have one of their own.
	config := &data.FieldConfig{DisplayNameFromDS: "–", Color: map[string]any{"mode": "fixed"}}
	state := newField("state", config, bars, func(b bar) *string { return b.state })
	if l.group != nil {
		state.Labels, config.DisplayNameFromDS, config.Links = r.labels(l.group), r.groupName(l.group, r.automations), r.groupLinks(l.group)
	}
	if l.number > 1 {
		config.DisplayNameFromDS += fmt.Sprintf(" (%d)", l.number)
	}
	if shown := statesIn(l); len(shown) > 0 {
		nameOf := func(state string) string { return r.valueName(r.State, state, r.automations) }
		config.Mappings = data.ValueMappings{mapping(colors, shown, nameOf)}
		config.Links = append(config.Links, r.links(r.State, linkedValue)...)
	}
	if f := r.DataSet.Field(r.State); f != nil {
		config.Description = f.Description
	}
	frame := data.NewFrame(config.DisplayNameFromDS, start, end, state)
	frame.Meta = &data.FrameMeta{PreferredVisualization: data.VisTypeTable}
	return frame
}

func statesIn(lanes ...*lane) []string {
	shown := map[string]bool{}
	for _, l := range lanes {
		for _, b := range l.bars {
			shown[*b.state] = true
		}
	}
	return slices.Sorted(maps.Keys(shown))
}

// palette are colors that are visible on light and dark backgrounds, and that no state and no finish status has.
var palette = strings.Fields(`#37a2a8 #2a7f86 #7fd1c7 #2f6f5e #8fb8a8 #8ab8ff #4b5fc9 #9aa5f0 #5b4b9e #deb6f2 #b5508c #e68ab8
	#f5b8d8 #7a3e5c #a8734a #c9a66b #e3cfa4 #6e4a2f #6f7d3c #a9b665`)

// colors returns the colors of all states that are shown: those described or, in a field without any, of the palette, in order.
func (r *Timeline) colors(lanes []*lane) map[string]string {
	colors := map[string]string{}
	if f := r.DataSet.Field(r.State); f != nil && len(f.Colors) > 0 {
		maps.Copy(colors, r.DataSet.Field("state").Colors) // of tasks that have no finish status
		maps.Copy(colors, f.Colors)
	}
	for i, state := range statesIn(lanes...) {
		colors[state] = cmp.Or(colors[state], palette[i%len(palette)])
	}
	return colors
}
