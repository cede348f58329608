package reads

import (
	"slices"
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/paging"
)

// asked returns the rows of the days that a question asks for. These are all rows, unless the service does not heed the number of
// days: it lists rows that ended before them, too. Its day may be a calendar day, and its clock another one, so a day more is
// none. If no row is of these days, the dates are as doubtful as the number of days.
func (s *shared) asked(found *paging.Result) (rows *columns.Table, isCut bool) {
	set, table := s.question.DataSet, found.Table
	if set.End == nil {
		return table, false
	}
	begin := found.ReadAt.AddDate(0, 0, -s.days)
	lastChange, state := table.Latest(set.TimeFields), table.Column(set.End.Field)
	isBefore := func(row int, begin time.Time) bool {
		at, known := lastChange(row)
		return known && at < columns.Nanoseconds(begin)
	}
	var within []int
	for row := range table.Rows {
		isEnded := state.Valid[row] && slices.Contains(set.End.Values, state.Strings[row])
		isCut = isCut || isEnded && isBefore(row, begin.AddDate(0, 0, -1))
		if !isBefore(row, begin) {
			within = append(within, row)
		}
	}
	if isCut = isCut && len(within) > 0; !isCut {
		return table, false
	}
	rows = &columns.Table{}
	rows.Append(table, within)
	return rows, true
}

// areAlike reports whether windows of different days all have the same rows, with some tasks. Nothing else may have happened in the
// longer ones, or the service does not heed the number of days.
func areAlike(windows []*Result, countField string) bool {
	first := windows[0].Table
	counts := first.Column(countField)
	return len(windows) > 1 && counts != nil && slices.ContainsFunc(counts.Numbers, func(n float64) bool { return n > 0 }) && !slices.ContainsFunc(windows[1:], func(w *Result) bool {
		compared := columns.Compare(first, w.Table)
		for row := range first.Rows {
			if w.Table.Rows != first.Rows || !compared.Same(row, row) {
				return true
			}
		}
		return false
	})
}
