package frame

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
)

// maxTimelineCells bounds moments × lanes of a timeline: the visualization aligns all lanes on the starts and ends of
// all bars.
const maxTimelineCells = maxTableCells

// Timeline is the format for Grafana's State timeline: a frame for each lane, ordered by label, with the times start and
// end, and the string state with the labels of the lane. Bars are ordered by start and do not overlap: tasks of a group
// that ran at the same time are in several lanes, named "… (2)" and so on. Tasks that have not started are left out.
//
// Times are UTC, to the millisecond as in browsers, and no bar is shorter than one. A running task ends now. A
// task is in a timeline if it ran within its range, whatever its time field. Without bars, there is one
// lane without a state. The first frame has the notices.
type Timeline struct {
	Grouping        // GroupBy are the lanes
	State    string // the field that names and colors a bar
}

// Frames builds the frames. Errors are inputerror.Err, or the cause of a context that ended.
func (r *Timeline) Frames(ctx context.Context) (data.Frames, error) {
	r.resolveRates()
	state, err := r.column("state", r.State)
	if err != nil {
		return nil, err
	}
	t := &timeline{
		Timeline: r, runs: r.runs(), states: r.states(state),
		automations: r.automationNames(slices.Concat(r.GroupBy, []string{r.State})),
	}
	rows, unmatched, err := r.rows(ctx, r.inRange(t.runs))
	if err != nil {
		return nil, err
	}
	lanes, notices, err := t.lanes(ctx, rows)
	if err != nil {
		return nil, err
	}
	frames := t.frames(lanes)
	frames[0].AppendNotices(append(unmatched, notices...)...)
	return finished(ctx, frames)
}

// timeline is the format with what its bars are made of.
type timeline struct {
	*Timeline
	runs        runs
	states      func(row int) string
	automations map[string]string // display names by label
}

// bar is a task in a lane, in milliseconds since the epoch.
type bar struct {
	from, to int64
	state    string
}

// lane is a row of the visualization.
type lane struct {
	group  *group
	number int // from 1, of the lanes of the group
	bars   []bar
}

// lanes assigns rows to lanes, within the bounds of a timeline.
func (t *timeline) lanes(ctx context.Context, rows []int) ([]*lane, []data.Notice, error) {
	lanes, left, err := t.assign(ctx, rows)
	if err != nil {
		return nil, nil, err
	}
	var notices []data.Notice
	if limit := maxTimelineCells / (2 * max(1, len(lanes))); len(rows)-left > limit {
		t.sortByStart(rows)
		notices = append(notices, data.Notice{Severity: data.NoticeSeverityWarning, Text: fmt.Sprintf(
			"%d of %d tasks are shown, the last ones to start: select a shorter time range, or filter, to see the rest", limit, len(rows))})
		if lanes, left, err = t.assign(ctx, rows[len(rows)-limit:]); err != nil {
			return nil, nil, err
		}
	}
	if left > 0 {
		severity := data.NoticeSeverityWarning
		if t.limit() == t.Limit {
			severity = data.NoticeSeverityInfo
		}
		notices = append(notices, data.Notice{Severity: severity, Text: fmt.Sprintf(
			"%d tasks are not shown, because they need more than %d lanes: filter, or group by another field, to see them", left, t.limit())})
	}
	return lanes, notices, nil
}

func (t *timeline) sortByStart(rows []int) {
	started := t.Rows.Column("dateStartRunning")
	slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(started.Times[a], started.Times[b]) })
}

// assign gives each group as many lanes as it has tasks that ran at the same time, and puts the first lane of each group
// before any second one. It also returns how many rows are left when there are no more lanes.
func (t *timeline) assign(ctx context.Context, rows []int) (lanes []*lane, left int, err error) {
	if t.sortsRows() {
		rows = slices.Clone(rows)
		if err := t.sortRows(rows); err != nil {
			return nil, 0, err
		}
	}
	groups, parts, err := t.groups(rows)
	if err != nil {
		return nil, 0, err
	}
	rowsOf := partition(rows, parts, len(groups))
	t.order(groups)
	limit := t.limit()
	for _, g := range groups {
		if ctx.Err() != nil {
			return nil, 0, context.Cause(ctx)
		}
		t.sortByStart(rowsOf[g.number])
		own, over := t.stack(g, rowsOf[g.number], limit)
		lanes, left = append(lanes, own...), left+over
	}
	slices.SortStableFunc(lanes, func(a, b *lane) int { return cmp.Compare(a.number, b.number) })
	if len(lanes) > limit {
		for _, l := range lanes[limit:] {
			left += len(l.bars)
		}
		lanes = lanes[:limit]
	}
	return lanes, left, nil
}

// stack puts each row of a group, ordered by start, into the first lane that is free.
func (t *timeline) stack(g *group, rows []int, limit int) (lanes []*lane, left int) {
	for _, row := range rows {
		b := t.bar(row)
		i := slices.IndexFunc(lanes, func(l *lane) bool { return l.bars[len(l.bars)-1].to <= b.from })
		switch {
		case i >= 0:
			lanes[i].bars = append(lanes[i].bars, b)
		case len(lanes) < limit:
			lanes = append(lanes, &lane{group: g, number: len(lanes) + 1, bars: []bar{b}})
		default:
			left++
		}
	}
	return lanes, left
}

// bar returns the bar of a row. The visualization ignores a bar that ends when it starts.
func (t *timeline) bar(row int) bar {
	of, _ := t.runs(row)
	from := time.Unix(0, of.began).UnixMilli()
	return bar{from, max(time.Unix(0, of.ended).UnixMilli(), from+1), t.states(row)}
}

// states returns the texts of bars. A task without a finish status has the state that it is in.
func (r *Selection) states(c *columns.Column) func(row int) string {
	if c.Name != "finishStatus" {
		return c.Text
	}
	state := r.Rows.Column("state")
	return func(row int) string { return cmp.Or(c.Text(row), state.Text(row)) }
}

func (t *timeline) frames(lanes []*lane) data.Frames {
	if len(lanes) == 0 {
		return data.Frames{t.emptyLane()}
	}
	colors := t.colors(lanes)
	frames := make(data.Frames, len(lanes))
	for i, l := range lanes {
		frames[i] = t.frame(l, colors)
	}
	return frames
}

// emptyLane returns a lane without a state over the whole time range. Without any row, the visualization would say that
// there is no time field, instead of showing that nothing ran.
func (t *timeline) emptyLane() *data.Frame {
	state := data.NewField("state", nil, []*string{nil})
	state.Config = &data.FieldConfig{DisplayNameFromDS: "–"}
	return t.frameOf([]bar{{from: t.From.UnixMilli(), to: t.To.UnixMilli()}}, state)
}

func (t *timeline) frame(l *lane, colors map[string]string) *data.Frame {
	states := make([]string, len(l.bars))
	for i, b := range l.bars {
		states[i] = b.state
	}
	state := data.NewField("state", t.labels(l.group), states)
	nameOf := func(state string) string { return t.valueName(t.State, state, t.automations) }
	state.Config = &data.FieldConfig{
		DisplayNameFromDS: t.laneName(l),
		Mappings:          data.ValueMappings{mapping(colors, slices.Compact(slices.Sorted(slices.Values(states))), nameOf)},
		Links:             append(t.groupLinks(l.group), t.links(t.State, linkedValue)...),
	}
	return t.frameOf(l.bars, state)
}

// frameOf returns a frame of the times of bars and their states.
func (t *timeline) frameOf(bars []bar, state *data.Field) *data.Frame {
	starts, ends := make([]time.Time, len(bars)), make([]time.Time, len(bars))
	for i, b := range bars {
		starts[i], ends[i] = time.UnixMilli(b.from).UTC(), time.UnixMilli(b.to).UTC()
	}
	w := t.Language.Words()
	start, end := data.NewField("start", nil, starts), data.NewField("end", nil, ends)
	start.Config, end.Config = &data.FieldConfig{DisplayNameFromDS: w.Start}, &data.FieldConfig{DisplayNameFromDS: w.End}
	// Of the panel's color schemes, the default has no legend, and thresholds have one of their own.
	state.Config.Color = map[string]any{"mode": "fixed"}
	if f := t.DataSet.Field(t.State); f != nil {
		state.Config.Description = f.Description
	}
	frame := data.NewFrame(state.Config.DisplayNameFromDS, start, end, state)
	frame.Meta = &data.FrameMeta{PreferredVisualization: data.VisTypeTable}
	return frame
}

func (t *timeline) laneName(l *lane) string {
	name := t.groupName(l.group, t.automations)
	if l.number == 1 {
		return name
	}
	return fmt.Sprintf("%s (%d)", name, l.number)
}

// palette are colors that are visible on light and dark backgrounds, and that no state and no finish status has.
var palette = strings.Fields(`#37a2a8 #2a7f86 #7fd1c7 #2f6f5e #8fb8a8 #8ab8ff #4b5fc9 #9aa5f0 #5b4b9e #deb6f2 #b5508c #e68ab8
	#f5b8d8 #7a3e5c #a8734a #c9a66b #e3cfa4 #6e4a2f #6f7d3c #a9b665`)

// colors returns the colors of all states: from the description or, in a field without any, the same in each timeline. All
// automations get different ones, as far as there are any, those that the timeline does not show included.
func (t *timeline) colors(lanes []*lane) map[string]string {
	colors, taken := map[string]string{}, map[string]bool{}
	if f := t.DataSet.Field(t.State); f != nil && len(f.Colors) > 0 {
		maps.Copy(colors, t.DataSet.Field("state").Colors) // of tasks that have no finish status
		maps.Copy(colors, f.Colors)
	} else if t.State == t.DataSet.AutomationField {
		for _, label := range slices.Sorted(maps.Keys(t.Automations)) {
			colors[label] = freeColor(label, taken)
			taken[colors[label]] = true
		}
	}
	for _, l := range lanes {
		for _, b := range l.bars {
			colors[b.state] = cmp.Or(colors[b.state], freeColor(b.state, nil))
		}
	}
	return colors
}

// freeColor returns the color of a text or, if it is taken, the next free one, as long as there is one.
func freeColor(text string, taken map[string]bool) string {
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(text))
	first := int(hash.Sum32() % uint32(len(palette)))
	for i := range palette {
		if color := palette[(first+i)%len(palette)]; !taken[color] {
			return color
		}
	}
	return palette[first]
}
