package frame

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/grafana/grafana-plugin-sdk-go/data"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
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
	value, before *float64 // of the measure over these rows; nil for null
}

// groups partitions rows, and those of the compared period, by the groupBy fields. Without groupBy fields there is one
// group of all rows, even if there are none.
func (r *Grouping) groups(rows, earlier []int) (groups []*group, err error) {
	if len(r.GroupBy) == 0 {
		return []*group{{rows: rows, earlier: earlier}}, nil
	}
	by := make([]*columns.Column, len(r.GroupBy))
	for i, name := range r.GroupBy {
		if by[i], err = r.column("groupBy field", name); err != nil {
			return nil, err
		}
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
	return r.withQuietHours(groups), nil
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

// sortsRows reports whether the sort field is not part of the groups: then rows are sorted, and groups follow the order
// of their first rows.
func (r *Grouping) sortsRows() bool {
	return r.Sort != nil && r.Sort.Field != r.Measure && !slices.Contains(r.GroupBy, r.Sort.Field)
}

// order sorts groups by measure or label as requested, or else the largest first, unless the rows are sorted. Groups
// without a value come last, equal ones are sorted by label.
func (r *Grouping) order(groups []*group) {
	if r.sortsRows() {
		return
	}
	label := -1
	if r.Sort != nil {
		label = slices.Index(r.GroupBy, r.Sort.Field)
	}
	slices.SortStableFunc(groups, func(a, b *group) int {
		byLabel := slices.Compare(a.labels, b.labels)
		switch {
		case label >= 0:
			return cmp.Or(r.directed(strings.Compare(a.labels[label], b.labels[label])), byLabel)
		case a.value == nil || b.value == nil:
			return cmp.Or(cmp.Compare(truth(a.value == nil), truth(b.value == nil)), byLabel)
		case r.Sort == nil:
			return cmp.Or(cmp.Compare(*b.value, *a.value), byLabel)
		default:
			return cmp.Or(r.directed(cmp.Compare(*a.value, *b.value)), byLabel)
		}
	})
}

// limit returns how many groups, or lanes of a timeline, there may be. More of them are worth a warning if the user did
// not set the limit.
func (r *Grouping) limit() (int, data.NoticeSeverity) {
	if r.Limit > 0 && r.Limit <= maxGroups {
		return r.Limit, data.NoticeSeverityInfo
	}
	return maxGroups, data.NoticeSeverityWarning
}

// cut limits groups to that number.
func (r *Grouping) cut(groups []*group, what string) ([]*group, []data.Notice) {
	limit, severity := r.limit()
	if len(groups) <= limit {
		return groups, nil
	}
	order := "largest " + r.Measure
	if r.Sort != nil {
		order = r.Sort.Field + " " + r.Sort.Order
	}
	text := fmt.Sprintf("%d of %d %s are shown, the first by %s: filter, or group by fewer fields, to see the rest", limit, len(groups), what, order)
	return groups[:limit], []data.Notice{{Severity: severity, Text: text}}
}
