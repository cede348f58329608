package frame

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"

	"github.com/insights/insights-reporting-datasource/pkg/attention"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/filter"
	"github.com/insights/insights-reporting-datasource/schema"
)

// maxTableCells bounds rows × columns of a table. A cell takes 8 to 32 bytes, and as much again on the way; browsers fail far below.
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
	rows = cutRows(&r.Selection, rows)
	name := r.DataSet.Name
	if !r.DataSet.HasTimes() {
		name = withWords(name, r.Covers) // rows of tasks show their times
	}
	frame := newFrame(name, data.FrameTypeTable, data.VisTypeTable)
	frame.AppendNotices(append(unmatched, upToNowNotice(r.upToNow(selected...))...)...)
	if r.Differences != nil && !r.isUnknown() {
		frame.AppendNotices(r.Differences.lostNotice(selected, rows)...)
	}
	limit := min(len(rows), maxTableCells/max(1, len(selected)))
	frame.AppendNotices(noticeIf(limit < len(rows), data.NoticeSeverityWarning, "%d of %d rows are shown: with %d columns, the first that fit into %d cells. Select columns, set a limit, or filter",
		limit, len(rows), len(selected), maxTableCells)...)
	for _, c := range selected {
		frame.Fields = append(frame.Fields, r.tableField(c, rows[:limit]))
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

// Timeline is the format for Grafana's State timeline: a frame for each lane, ordered by label, with the times start and end, and the
// string state with the labels of the lane. Bars are in order and don't overlap: tasks of a group that ran at the same time are in
// several lanes, "… (2)" and so on. Times are UTC, in milliseconds: a bar has one at least. A running task ends now. Tasks count that
// started, and ran within the range. A lane without bars has one state, null, over all of it. The first frame has the notices.
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
	shown, state := r.column("state", r.State), r.Rows.Column("state")
	r.states, r.automations = shown.Text, r.automationNames(slices.Concat(r.GroupBy, []string{r.State}))
	if r.State == "finishStatus" { // A task without one has the state that it is in.
		r.states = func(row int) string { return cmp.Or(shown.Text(row), state.Text(row)) }
	}
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

func (r *Timeline) lanes(ctx context.Context, rows []int) (lanes []*lane, notices []data.Notice) {
	shown := keep(ctx, slices.Clone(rows), r.isShown)
	lanes, left := r.assign(rows)
	if limit := maxTimelineCells / (2 * max(1, len(lanes))); len(shown)-left > limit {
		notices = noticeIf(true, data.NoticeSeverityWarning, "%d of %d tasks are shown, the last ones to start: select a shorter time range, or filter, to see the rest", limit, len(shown))
		lanes, left = r.assign(shown[len(shown)-limit:])
	}
	return lanes, append(notices, noticeIf(left > 0, data.NoticeSeverityWarning,
		"%d tasks are not shown, because they need more than %d lanes: filter, or group by another field, to see them", left, r.limit())...)
}

// assign gives each group as many lanes as it has tasks that ran at the same time, but at least one, and puts the first lane of each
// group before any second one. It also returns how many rows are left when there are no more lanes.
func (r *Timeline) assign(rows []int) (lanes []*lane, left int) {
	for _, g := range r.sorted(r.groups(rows)) {
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

// frame returns a lane. One without bars has one without a state, over the whole time range.
func (r *Timeline) frame(l *lane, colors map[string]string) *data.Frame {
	bars := l.bars
	if len(bars) == 0 {
		bars = []bar{{from: r.From.UnixMilli(), to: r.To.UnixMilli()}}
	}
	start := newField("start", &data.FieldConfig{DisplayNameFromDS: r.Language.Words().Start}, bars, func(b bar) time.Time { return time.UnixMilli(b.from).UTC() })
	end := newField("end", &data.FieldConfig{DisplayNameFromDS: r.Language.Words().End}, bars, func(b bar) time.Time { return time.UnixMilli(b.to).UTC() })
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

const weekday = "weekday"

// calendarParts are the derived fields that name a part of the time field.
var calendarParts = map[string]func(time.Time) string{
	weekday: func(t time.Time) string { return t.Weekday().String() },
	"hour":  func(t time.Time) string { return t.Format("15") },
}

// derived returns the column of a derived field, or nil if the data set has none of that name.
func (r *Selection) derived(name string) *columns.Column {
	i := slices.IndexFunc(r.DataSet.Derived, func(f schema.Field) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	field := r.DataSet.Derived[i]
	if field.Workspace {
		return columns.Same(name, r.Workspace[name], r.Rows.Rows)
	}
	column := columns.Nulls(name, field.Type, r.Rows.Rows)
	if number := derivedNumbers[name]; number != nil {
		valueOf := number(r)
		for row := range column.Valid {
			column.Numbers[row] = valueOf(row)
			column.Valid[row] = !math.IsNaN(column.Numbers[row])
		}
		return column
	}
	textOf := r.derivedText(name)
	for row := range column.Valid {
		column.Strings[row] = textOf(row)
		column.Valid[row] = column.Strings[row] != ""
	}
	return column
}

// derivedText returns a derived field that is a text, empty for null.
func (r *Selection) derivedText(name string) func(row int) string {
	if name == outcome {
		read, now := r.taskOf(), r.Now.UnixNano()
		return func(row int) string {
			t := read(row)
			return t.Outcome(now).String()
		}
	}
	if name == schema.TeamField {
		automation, team := r.Rows.Column(r.DataSet.AutomationField), columns.Memo(r.Teams.Of)
		return func(row int) string { return team(automation.Text(row)) }
	}
	part, at := calendarParts[name], r.Rows.Column(r.TimeField)
	return func(row int) string {
		if !at.Valid[row] {
			return ""
		}
		return part(at.Time(row).In(r.Zone))
	}
}

// derivedNumbers are of now, in seconds except for slowness. Measures of these names are only of tasks that have started or ended.
var derivedNumbers = map[string]bindColumn{
	"queueTime": ofTask(waited), "duration": ofTask(ran), "turnaround": ofTask(turnaround),
	"usualDuration": (*Selection).usualDuration, "slowness": (*Selection).slowness,
}

// slowness returns how many times the usual duration a task took or has been running.
func (r *Selection) slowness() rowValue {
	usual, took := r.usualDuration(), ofTask(ran)(r)
	return func(row int) float64 {
		of := usual(row)
		return unless(of == 0, took(row)/of)
	}
}

// usualDuration returns the seconds that are usual of a task's automation, as Needs attention means it, whatever the filters.
func (r *Selection) usualDuration() rowValue {
	usual, automation := map[string]float64{}, r.Rows.Column(r.DataSet.AutomationField)
	for label, tasks := range r.tasksByAutomation() {
		if of, known := attention.UsualDuration(tasks, columns.Nanoseconds(r.Now)); known && label != "" {
			usual[label] = float64(of) / 1e9
		}
	}
	return func(row int) float64 {
		seconds, known := usual[automation.Text(row)]
		return unless(!known, seconds)
	}
}
