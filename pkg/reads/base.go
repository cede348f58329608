package reads

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
)

// basePages is how many pages a read must have for a repeated one to be cheaper.
const basePages = 5

// base is the starting point of a repeated read: all rows of the read before, in the service's order.
type base struct {
	table        *columns.Table
	size         int       // rows of a page
	asked        int       // requested page size; 0: none
	organization string    // owner of the rows
	wholeAt      time.Time // when the full read started
	texts        int64     // bytes of the texts that the table refers to
}

// newBase returns the base for the next read of the same question, or nil if it has to be a full read: the rows are
// inconsistent, or a full read is as cheap. The read started at wholeAt.
func (r *reader) newBase(p *pass, table *columns.Table, wholeAt time.Time) *base {
	odd := p.size == 0 || p.unsettled || p.cut || p.stuck || p.early || p.emptyPage >= 0 || p.repeated > 0 && p.order == nil ||
		p.rows.keyless || p.rows.folded || len(p.rows.problems) > 0 || p.total != table.Rows
	if odd || r.read.Limit > 0 || !r.reads.repeats(r.read.DataSet) || !canBeBase(r.read.DataSet, table) {
		return nil
	}
	if all := pagesFor(table.Rows, p.size); all < basePages || openPages(r.read.DataSet, table, p.size) > all/2 {
		return nil
	}
	return &base{table: table, size: p.size, asked: r.size, organization: r.organization, wholeAt: wholeAt, texts: r.texts.Size()}
}

// repeats reports whether reads of a data set may be repeated in part.
func (c *Reads) repeats(set *datasets.DataSet) bool {
	return c.config.Incremental && c.config.FullReadInterval > 0 && set.End != nil && set.Parameters.Page != ""
}

// canBeBase reports whether a table can be a base: the newest row comes first, and its columns do not depend on rows
// that may disappear.
func canBeBase(set *datasets.DataSet, t *columns.Table) bool {
	if !slices.ContainsFunc(set.TimeFields, func(name string) bool { return newestFirst(t.Column(name)) }) {
		return false
	}
	unknown := t.Columns[len(set.Fields):]
	if len(unknown) > pages.MaxUnknown {
		return false // The base and the rows read now have different ones.
	}
	for _, c := range unknown {
		if c.Name == pages.OtherFields || !slices.Contains(c.Valid, true) || isMixed(c) {
			return false
		}
	}
	return true
}

// newestFirst reports whether times are descending and not all equal. Rows without a time are allowed before all
// others.
func newestFirst(times *columns.Column) bool {
	first := slices.Index(times.Valid, true)
	if first < 0 {
		return false
	}
	for row := first + 1; row < len(times.Valid); row++ {
		if !times.Valid[row] || times.Times[row] > times.Times[row-1] {
			return false
		}
	}
	return times.Times[first] > times.Times[len(times.Times)-1]
}

// isMixed reports whether a column is JSON because of values of several types, instead of nested values.
func isMixed(c *columns.Column) bool {
	return slices.ContainsFunc(c.JSON, func(raw json.RawMessage) bool { return len(raw) > 0 && raw[0] != '{' && raw[0] != '[' })
}

// ended reports whether a row is in a final state. An unknown state is not final.
func ended(set *datasets.DataSet, t *columns.Table, row int) bool {
	c := t.Column(set.End.Field)
	return c.Valid[row] && slices.Contains(set.End.Values, c.Strings[row])
}

// openPages returns how many pages of so many rows contain rows that have not ended.
func openPages(set *datasets.DataSet, t *columns.Table, size int) int {
	open := 0
	for row := 0; row < t.Rows; row++ {
		if !ended(set, t, row) {
			open++
			row += size - 1 - row%size // skip to the next page
		}
	}
	return open
}

// index maps the keys of a table to its rows.
func index(set *datasets.DataSet, t *columns.Table) map[key]int {
	column := t.Column(set.Key)
	found := make(map[key]int, t.Rows)
	for row := range t.Rows {
		k, _ := keyOf(column, row)
		found[k] = row
	}
	return found
}
