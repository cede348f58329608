package paging

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
)

// settleTime is how long a row may still change after it has ended: a robot may report its last items late.
const settleTime = 10 * time.Minute

// isFinal reports whether a row that was received at a time cannot change anymore: it has ended, it has its result, and
// its last change is some time ago. An unknown state is not final.
func isFinal(end *datasets.End, t *columns.Table, row int, seen time.Time) bool {
	state := t.Column(end.Field)
	if !state.Valid[row] || !slices.Contains(end.Values, state.Strings[row]) {
		return false
	}
	if slices.Contains(end.WithResult, state.Strings[row]) && !t.Column(end.Result).Valid[row] {
		return false
	}
	changed := t.Column(end.Changed)
	return !changed.Valid[row] || seen.Sub(changed.Time(row)) >= settleTime
}

// ChangedFinal returns the key of a row that was final and has other values in a later reading of the list, or "".
func (k *Known) ChangedFinal(set *datasets.DataSet, later *columns.Table) string {
	rowOf := newLedger(set, k.Table).entries
	same := columns.Compare(later, k.Table)
	keys := later.Column(set.Key)
	for row := range later.Rows {
		id, _ := keyOf(keys, row)
		if was, known := rowOf[id]; known && isFinal(set.End, k.Table, was, k.Seen) && !same.Same(row, was) {
			return keys.Text(row)
		}
	}
	return ""
}

// canPredict reports whether a table can be the prediction of a later read: its columns must not depend on rows that may
// disappear.
func canPredict(set *datasets.DataSet, t *columns.Table) bool {
	unknown := t.Columns[len(set.Fields):]
	if len(unknown) > pages.MaxUnknown {
		return false // The prediction and the rows read now have different ones.
	}
	for _, c := range unknown {
		if c.Name == pages.OtherFields || !slices.Contains(c.Valid, true) || isMixed(c) {
			return false
		}
	}
	return true
}

// isMixed reports whether a column is JSON because of values of several types, instead of nested values.
func isMixed(c *columns.Column) bool {
	return slices.ContainsFunc(c.JSON, func(raw json.RawMessage) bool { return len(raw) > 0 && raw[0] != '{' && raw[0] != '[' })
}

// NewestFirst reports whether the first rows of a table are in descending order of a time, and not all of one time.
func NewestFirst(times *columns.Column, rows int) bool {
	for row := range rows {
		if !times.Valid[row] || row > 0 && times.Times[row] > times.Times[row-1] {
			return false
		}
	}
	return rows > 0 && times.Times[0] > times.Times[rows-1]
}
