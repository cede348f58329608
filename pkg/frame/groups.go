package frame

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
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
	labels []string
	number int32    // before groups are ordered
	value  *float64 // of the measure over all rows; nil for null
	before *float64 // value in the compared period
}

// groups partitions rows by the groupBy fields: parts holds the group number of each row. Without groupBy fields there
// is one group of all rows, even if there are none.
func (r *Grouping) groups(rows []int) (groups []*group, parts []int32, err error) {
	parts = make([]int32, len(rows))
	if len(r.GroupBy) == 0 {
		return []*group{{}}, parts, nil
	}
	by := make([]*columns.Column, len(r.GroupBy))
	for i, name := range r.GroupBy {
		if by[i], err = r.column("groupBy field", name); err != nil {
			return nil, nil, err
		}
	}
	found := map[string]int32{}
	var key []byte
	for n, row := range rows {
		key = groupKey(key[:0], by, row)
		number, ok := found[string(key)]
		if !ok {
			number = int32(len(groups))
			found[string(key)] = number
			groups = append(groups, &group{labels: texts(by, row), number: number})
		}
		parts[n] = number
	}
	return r.withQuietHours(groups), parts, nil
}

// groupKey prefixes labels with their lengths, so that ("a", "bc") differs from ("ab", "c").
func groupKey(key []byte, by []*columns.Column, row int) []byte {
	if len(by) == 1 {
		return append(key, by[0].Text(row)...)
	}
	for _, c := range by {
		text := c.Text(row)
		key = strconv.AppendInt(key, int64(len(text)), 10)
		key = append(append(key, ':'), text...)
	}
	return key
}

func texts(by []*columns.Column, row int) []string {
	labels := make([]string, len(by))
	for i, c := range by {
		labels[i] = c.Text(row)
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
	byLabel := func(a, b *group) int { return slices.Compare(a.labels, b.labels) }
	compare := func(a, b *group) int { return compareValues(a, b, true) }
	if r.Sort != nil {
		descending := r.Sort.Order == "desc"
		if i := slices.Index(r.GroupBy, r.Sort.Field); i >= 0 {
			compare = func(a, b *group) int { return directed(strings.Compare(a.labels[i], b.labels[i]), descending) }
		} else if r.Sort.Field == r.Measure {
			compare = func(a, b *group) int { return compareValues(a, b, descending) }
		}
	}
	slices.SortStableFunc(groups, func(a, b *group) int { return cmp.Or(compare(a, b), byLabel(a, b)) })
}

func compareValues(a, b *group, descending bool) int {
	switch {
	case a.value == nil || b.value == nil:
		return cmp.Compare(truth(a.value == nil), truth(b.value == nil))
	default:
		return directed(cmp.Compare(*a.value, *b.value), descending)
	}
}

func directed(c int, descending bool) int {
	if descending {
		return -c
	}
	return c
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
	if len(groups) <= limit {
		return groups, nil
	}
	if limit == r.Limit {
		return groups[:limit], nil
	}
	text := fmt.Sprintf("%d of %d %s are shown, the first by %s: filter, or group by fewer fields, to see the rest",
		limit, len(groups), what, r.orderName())
	return groups[:limit], []data.Notice{{Severity: data.NoticeSeverityWarning, Text: text}}
}

func (r *Grouping) orderName() string {
	if r.Sort != nil {
		return r.Sort.Field + " " + r.Sort.Order
	}
	return "largest " + r.Measure
}
