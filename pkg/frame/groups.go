package frame

import (
	"cmp"
	"context"
	"encoding/binary"
	"slices"
	"strings"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/schema"
)

// maxGroups bounds the series of a frame, and the instances of an alert rule.
const maxGroups = 1000

// Grouping are the rows of a selection by the values of some fields.
type Grouping struct {
	Selection
	GroupBy []string // fields that become labels; of a timeline, the lanes
	Measure string   // the number of each group; a timeline has none
}

// group is a set of rows with equal values of the groupBy fields. Null counts as empty text, because labels cannot be
// null.
type group struct {
	labels        []string
	rows, earlier []int    // of the time range, and of the compared period
	part          int      // of the calendar, of the measures
	whole         *group   // all parts
	value, before *float64 // of the measure over these rows; nil for null
}

// groups partitions rows, and those of the compared period, by the groupBy fields. Without groupBy fields there is one
// group of all rows, even if there are none.
func (r *Grouping) groups(rows, earlier []int) (groups []*group) {
	if len(r.GroupBy) == 0 {
		return []*group{{rows: rows, earlier: earlier}}
	}
	by := make([]*columns.Column, len(r.GroupBy))
	for i, name := range r.GroupBy {
		by[i] = r.column("groupBy field", name)
	}
	found := map[string]*group{}
	var key []byte
	of := func(row int) *group {
		key = key[:0]
		for _, c := range by {
			// With their lengths, ("a", "bc") differs from ("ab", "c").
			text := c.Text(row)
			key = append(binary.AppendUvarint(key, uint64(len(text))), text...)
		}
		g := found[string(key)]
		if g == nil {
			g = &group{labels: texts(by, row)}
			found[string(key)], groups = g, append(groups, g)
		}
		return g
	}
	for _, row := range rows {
		g := of(row)
		g.rows = append(g.rows, row)
	}
	for _, row := range earlier {
		g := of(row)
		g.earlier = append(g.earlier, row)
	}
	return r.withQuiet(groups)
}

func texts(by []*columns.Column, row int) []string {
	labels := make([]string, len(by))
	for i, c := range by {
		labels[i] = c.Text(row)
	}
	return labels
}

// labels returns the labels of a group; nil without groupBy fields.
func (r *Grouping) labels(of *group) data.Labels {
	if len(r.GroupBy) == 0 {
		return nil
	}
	labels := data.Labels{}
	for i, name := range r.GroupBy {
		labels[name] = of.labels[i]
	}
	return labels
}

// order sorts groups by measure or label as requested, or else the largest first. Groups without a value come last, equal
// ones are sorted by label.
func (r *Grouping) order(groups []*group) {
	label := -1
	if r.Sort != nil {
		label = slices.Index(r.GroupBy, r.Sort.Field)
	}
	slices.SortStableFunc(groups, func(a, b *group) int {
		byLabel := r.compareLabels(a, b)
		switch {
		case label >= 0:
			return cmp.Or(r.directed(compareTexts(r.Sort.Field, a.labels[label], b.labels[label])), byLabel)
		case a.value == nil || b.value == nil:
			return cmp.Or(cmp.Compare(truth(a.value == nil), truth(b.value == nil)), byLabel)
		case r.Sort == nil:
			return cmp.Or(cmp.Compare(*b.value, *a.value), byLabel)
		default:
			return cmp.Or(r.directed(cmp.Compare(*a.value, *b.value)), byLabel)
		}
	})
}

func (r *Grouping) compareLabels(a, b *group) (c int) {
	for i, name := range r.GroupBy {
		c = cmp.Or(c, compareTexts(name, a.labels[i], b.labels[i]))
	}
	return c
}

// compareTexts compares two values of a field: weekdays from Monday on, anything else by code point.
func compareTexts(field, a, b string) int {
	if field != weekday {
		return strings.Compare(a, b)
	}
	sinceMonday := func(text string) int { return (slices.Index(schema.English.Words().Weekdays, text) + 6) % 7 }
	return cmp.Or(cmp.Compare(sinceMonday(a), sinceMonday(b)), strings.Compare(a, b))
}

// limit returns how many groups, or lanes of a timeline, there may be.
func (r *Grouping) limit() int {
	if r.Limit > 0 {
		return min(r.Limit, maxGroups)
	}
	return maxGroups
}

// cut limits groups to that number. Fewer than there are is worth a warning if the query doesn't ask for so many.
func (r *Grouping) cut(groups []*group, what string) ([]*group, []data.Notice) {
	limit := r.limit()
	if len(groups) <= limit || limit == r.Limit {
		return groups[:min(limit, len(groups))], nil
	}
	order := "largest " + r.Measure
	if r.Sort != nil {
		order = r.Sort.Field + " " + r.Sort.Order
	}
	return groups[:limit], notice(data.NoticeSeverityWarning, "%d of %d %s are shown, the first by %s: filter, or group by fewer fields, to see the rest", limit, len(groups), what, order)
}

// counted is a measure of a period.
type counted struct {
	*measure
	*calendar
	hours *hours // that count; nil: all
}

// line returns the values of a group in buckets. Those of all parts of the calendar are computed at once.
func (c *counted) line(buckets []int64, rows func(*group) []int) func(*group) []*float64 {
	in, known := c.cells(buckets), map[*group][]*float64{}
	return func(g *group) []*float64 {
		if known[g.whole] == nil {
			known[g.whole] = c.values(rows(g), in)
		}
		return known[g.whole][g.part*len(buckets):][:len(buckets)]
	}
}

// count returns what counts in a period: a measure, and rows.
func (r *Grouping) count(ctx context.Context, of *Selection, in *calendar) (c *counted, rows []int, notices []data.Notice) {
	c = &counted{measure: newMeasure(r.Measure, of), calendar: in}
	chosen := *of
	c.hours = r.hoursOf(c.measure, &chosen, in)
	rows, notices = chosen.rows(ctx, c.keeps)
	of.fail(chosen.err)
	return c, rows, notices
}

// numbers are a measure with its groups, in order: what numeric and timeseries frames show.
type numbers struct {
	*counted
	groups  []*group
	earlier *counted // in the compared period; nil: there is none
	// starts are when the compared period and the time range start; nil: no comparison.
	starts []time.Time
	// knownSince is the start of what is known of the compared period; zero: all of it is known.
	knownSince time.Time
	// automations are the display names of automations by their labels.
	automations map[string]string
	notices     []data.Notice
}

func (r *Grouping) numbers(ctx context.Context) *numbers {
	if r.Differences != nil {
		r.Rows = r.Differences.table(r.isUnknown())
	}
	r.resolveRates()
	if upToNow := r.upToNow(r.Rows.ColumnOrNulls(r.Measure)); upToNow != nil {
		unknown := &counted{measure: newMeasure(r.Measure, &r.Selection)}
		return &numbers{counted: unknown, notices: notice(data.NoticeSeverityInfo, upToNowText, schema.List(upToNow))}
	}
	c, rows, notices := r.count(ctx, &r.Selection, &calendar{number: map[string]int{}})
	notices = append(r.noDeadlines(), notices...)
	n := &numbers{counted: c, automations: r.automationNames(r.GroupBy), notices: notices}
	n.group(r, rows, n.compare(ctx, r))
	r.order(n.groups)
	return n
}

// group makes groups of rows, and of those of the compared period, and computes their values.
func (n *numbers) group(r *Grouping, rows, earlier []int) {
	by := *r
	if n.hours != nil {
		by.GroupBy = r.named(false)
	}
	wholes := by.groups(rows, earlier)
	r.fail(by.err)
	if n.shows != nil && len(r.GroupBy) > 0 {
		wholes = slices.DeleteFunc(wholes, func(g *group) bool {
			return !slices.ContainsFunc(g.rows, n.shows) && (n.earlier == nil || !slices.ContainsFunc(g.earlier, n.earlier.shows))
		})
	}
	quiet := r.quietParts(n)
	for _, whole := range wholes {
		shown := slices.Clone(quiet)
		n.touch(shown, whole.rows)
		n.earlier.touch(shown, whole.earlier)
		values, before := n.totals(n.counted, whole.rows, !r.isUnknown()), n.totals(n.earlier, whole.earlier, n.knownSince.IsZero())
		for part, is := range shown {
			if is {
				n.groups = append(n.groups, &group{
					labels: n.labels(r, whole, part), rows: whole.rows, earlier: whole.earlier, part: part, whole: whole, value: values[part], before: before[part],
				})
			}
		}
	}
}

// totals returns the values of a group in each part of the calendar; null if nothing is known of the period.
func (n *numbers) totals(of *counted, rows []int, isKnown bool) []*float64 {
	if of == nil || !isKnown {
		return make([]*float64, len(n.parts))
	}
	return of.values(rows, of.cells(nil))
}

// said returns what a reader of the values has to know.
func (n *numbers) said() (notices []data.Notice) {
	if n.says != nil {
		for _, text := range n.says() {
			notices = append(notices, notice(data.NoticeSeverityInfo, "%s", text)...)
		}
	}
	if n.earlier != nil && n.earlier.says != nil {
		for _, text := range n.earlier.says() {
			notices = append(notices, notice(data.NoticeSeverityInfo, "In the period to compare with: %s", text)...)
		}
	}
	return notices
}

// seriesField builds the field of a group. Its name in the legend are its labels, or the measure and the period that it
// covers. Groups have no period in their names: it changes with the range, and overrides refer to the names. API names
// have none either: the Fields option of a Stat contains the whole name. Without a display name, Grafana would number
// the first of two lines.
func (r *Grouping) seriesField(n *numbers, of *group, values []*float64) *data.Field {
	field := data.NewField(r.Measure, r.labels(of), values)
	field.Config = r.measureConfig(n.described)
	field.Config.DisplayNameFromDS, field.Config.Links = r.seriesName(n, of), r.groupLinks(of)
	if len(of.labels) == 0 && r.Language != schema.API {
		field.Config.DisplayNameFromDS = withWords(field.Config.DisplayNameFromDS, r.Covers)
	}
	if len(of.labels) == 1 {
		if f := r.DataSet.Field(r.GroupBy[0]); f != nil && f.Colors[of.labels[0]] != "" {
			field.Config.Color = map[string]any{"mode": "fixed", "fixedColor": f.Colors[of.labels[0]]}
		}
	}
	return field
}

// seriesName returns the display name of a series: the values of its labels or, without labels, the measure.
func (r *Grouping) seriesName(n *numbers, of *group) string {
	if len(of.labels) == 0 {
		return n.described.Called(r.Language)
	}
	return r.groupName(of, n.automations)
}
