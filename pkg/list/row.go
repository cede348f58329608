package list

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/schema"
)

// key identifies a row: the ID of a task, the label of an automation.
type key struct {
	text   string
	number int64
}

// keyOf returns the key of a row, and whether it has one.
func keyOf(c *columns.Column, row int) (key, bool) {
	switch {
	case !c.Valid[row]:
		return key{}, false
	case c.Type == schema.Integer:
		return key{number: c.Integers[row]}, true
	default:
		return key{text: c.Strings[row]}, true
	}
}

// row is a row of the list in the version that was received last.
type row struct {
	key      key
	table    *columns.Table
	problems *pages.Problems // nil: none
	at       int64           // when its page was requested, in nanoseconds since the epoch
	index    int32           // in table
	settled  bool            // it is not expected to change anymore
	seam     bool            // rows right behind it may have been missed
}

// rowBytes is the approximate size of a row in addition to its cells.
const rowBytes = 64

const (
	// settleTime is how long a row may still change after it has ended: a robot may report its last items late.
	settleTime = 10 * time.Minute
	// idleTime is how long a row is requested again after its last change although it has not ended. Tasks that never end
	// would otherwise cost a request each at every refresh. A full read in the background finds if one of them ends.
	idleTime = 48 * time.Hour
)

// settledIn returns which rows of a table are not expected to change anymore. now is the time of the service, whose clock
// may differ: its response carries it.
func settledIn(set *schema.DataSet, t *columns.Table, now time.Time) func(row int) bool {
	if set.End == nil {
		return func(int) bool { return false }
	}
	state, result := t.Column(set.End.Field), t.Column(set.End.Result)
	var times []*columns.Column
	for _, name := range set.TimeFields {
		times = append(times, t.Column(name))
	}
	return func(row int) bool {
		changed := int64(math.MinInt64)
		for _, c := range times {
			if c.Valid[row] {
				changed = max(changed, c.Times[row])
			}
		}
		if changed == math.MinInt64 || changed > now.Add(-settleTime).UnixNano() {
			return false
		}
		if changed <= now.Add(-idleTime).UnixNano() {
			return true
		}
		if !state.Valid[row] || !slices.Contains(set.End.Values, state.Strings[row]) {
			return false // It has not ended, or its state is unknown.
		}
		return result.Valid[row] || !slices.Contains(set.End.WithResult, state.Strings[row])
	}
}

// tableOf returns rows in one table, and whether fields beyond pages.MaxUnknown were left out.
func tableOf(set *schema.DataSet, rows []row) (table *columns.Table, cut bool) {
	if table = sharedTable(rows); table != nil {
		return sorted(set, table), false
	}
	table = &columns.Table{}
	for _, f := range set.Fields {
		table.Columns = append(table.Columns, columns.New(f.Name, f.Type, len(rows)))
	}
	for begin := 0; begin < len(rows); {
		var picked []int
		from, end := rows[begin].table, begin
		for ; end < len(rows) && rows[end].table == from; end++ {
			picked = append(picked, int(rows[end].index))
		}
		within := pages.WithoutFieldsBeyond(set, table, from)
		cut = cut || within != from
		table.Append(within, picked)
		begin = end
	}
	return sorted(set, table), cut
}

// sorted returns a table whose fields that are not in the description are sorted by name: in which order they were
// received depends on what was read.
func sorted(set *schema.DataSet, table *columns.Table) *columns.Table {
	table = table.Head(table.Rows) // Columns without any value get a type.
	slices.SortFunc(table.Columns[len(set.Fields):], func(a, b *columns.Column) int { return cmp.Compare(a.Name, b.Name) })
	return table
}

// sharedTable returns the table that consists of exactly these rows; nil if there is none.
func sharedTable(rows []row) *columns.Table {
	if len(rows) == 0 || rows[0].table.Rows != len(rows) {
		return nil
	}
	for i, r := range rows {
		if r.table != rows[0].table || int(r.index) != i {
			return nil
		}
	}
	return rows[0].table
}
