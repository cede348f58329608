package frame

import (
	"cmp"
	"slices"
	"strings"

	"github.com/grafana/grafana-plugin-sdk-go/data"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/schema"
)

// maxGroups bounds the series of a frame, and the instances of an alert rule.
const maxGroups = 1000

// Grouping are the rows of a selection by the values of some fields.
type Grouping struct {
	Selection
	GroupBy []string        // fields that become labels; of a timeline, the lanes
	Figures []schema.Figure // the numbers of each group; a timeline has none
}

// group is a set of rows with equal values of the groupBy fields. Null counts as empty text, because labels cannot be
// null.
type group struct {
	labels []string
	rows   []int
}

// groups partitions rows by the groupBy fields. Without groupBy fields there is one group of all rows, even if there are none.
func (r *Grouping) groups(rows []int) (groups []*group) {
	if len(r.GroupBy) == 0 {
		return []*group{{rows: rows}}
	}
	by := make([]*columns.Column, len(r.GroupBy))
	for i, name := range r.GroupBy {
		by[i] = r.column("groupBy field", name)
	}
	found := map[string]*group{}
	for _, row := range rows {
		labels := texts(by, row)
		key := keyOf(labels)
		if found[key] == nil {
			found[key] = &group{labels: labels}
			groups = append(groups, found[key])
		}
		found[key].rows = append(found[key].rows, row)
	}
	return groups
}

// keyOf identifies labels, which contain no NUL.
func keyOf(labels []string) string { return strings.Join(labels, "\x00") }

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

// order sorts groups by figure or label as requested, or else the largest first. Groups without a value come last, equal
// ones are sorted by label.
func (r *Grouping) order(groups []*result) {
	isByLabel, figure := false, 0
	if r.Sort != nil {
		isByLabel, figure = slices.Contains(r.GroupBy, r.Sort.Field), max(0, slices.IndexFunc(r.Figures, func(f schema.Figure) bool { return f.Name == r.Sort.Field }))
	}
	slices.SortStableFunc(groups, func(a, b *result) int {
		x, y, byLabel := a.figures[figure], b.figures[figure], r.byLabels(a.group, b.group)
		switch {
		case isByLabel:
			return byLabel
		case x == nil || y == nil:
			return cmp.Or(cmp.Compare(truth(x == nil), truth(y == nil)), byLabel)
		case r.Sort == nil:
			return cmp.Or(cmp.Compare(*y, *x), byLabel)
		default:
			return cmp.Or(r.directed(cmp.Compare(*x, *y)), byLabel)
		}
	})
}

// byLabels compares groups by the label that is requested, if one is, and then by all of them.
func (r *Grouping) byLabels(a, b *group) (c int) {
	requested := 0
	for i, name := range r.GroupBy {
		of := compareTexts(name, a.labels[i], b.labels[i])
		if c = cmp.Or(c, of); r.Sort != nil && name == r.Sort.Field {
			requested = r.directed(of)
		}
	}
	return cmp.Or(requested, c)
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
func (r *Grouping) cut(groups []*result, what string) ([]*result, []data.Notice) {
	limit := r.limit()
	if len(groups) <= limit || limit == r.Limit {
		return groups[:min(limit, len(groups))], nil
	}
	return groups[:limit], notice(data.NoticeSeverityWarning, "%d of %d %s are shown, the first in their order: filter, or group by fewer fields, to see the rest", limit, len(groups), what)
}
