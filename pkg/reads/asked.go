package reads

import (
	"fmt"
	"slices"
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/paging"
	"github.com/insights/insights-reporting-datasource/pkg/service"
)

// asked returns the rows of the days that a question asks for. These are all rows, unless the service does not heed the number of
// days: it lists rows that ended before them, too. Its day may be a calendar day, and its clock another one, so a day more is
// none.
func (s *shared) asked(found *paging.Result) (rows *columns.Table, isCut bool) {
	set, table := s.question.DataSet, found.Table
	if set.End == nil {
		return table, false
	}
	begin := found.AsOf.Add(found.Ahead).AddDate(0, 0, -s.days) // by the clock of the service, which dates the rows
	lastChange, state := table.Latest(set.TimeFields), table.Column(set.End.Field)
	isBefore := func(row int, begin time.Time) bool {
		at, known := lastChange(row)
		return known && at < columns.Nanoseconds(begin)
	}
	within := []int{}
	for row := range table.Rows {
		isEnded := state.Valid[row] && slices.Contains(set.End.Values, state.Strings[row])
		isCut = isCut || isEnded && isBefore(row, begin.AddDate(0, 0, -1))
		if !isBefore(row, begin) {
			within = append(within, row)
		}
	}
	if !isCut {
		return table, false
	}
	rows = &columns.Table{}
	rows.Append(table, within)
	return rows, true
}

// clockDiffers reports whether a clock that is ahead of this server's shows another time, by less than a day, as nobody lives with
// a clock that is wrong by more.
func clockDiffers(ahead time.Duration) bool {
	return ahead.Abs() > service.ClockTolerance && ahead.Abs() < 24*time.Hour
}

// leastOffset and mostOffset are how far dates in a time zone can be ahead of UTC. What is less may be the difference of the
// clocks of a service.
const leastOffset, mostOffset = 15 * time.Minute, 14 * time.Hour

// later says that a time range up to now lacks rows, because the service writes dates of another time zone without their offset:
// nobody knows which, so that such rows are missing. Empty: it lacks none.
func (s *shared) later(found *paging.Result) string {
	set := s.question.DataSet
	if len(set.TimeFields) == 0 {
		return ""
	}
	now, later := found.AsOf.Add(found.Ahead+found.Cost.Took), 0
	for _, at := range found.Table.Column(set.TimeFields[0]).Times {
		if at > columns.Nanoseconds(now.Add(leastOffset)) && at < columns.Nanoseconds(now.Add(mostOffset)) {
			later++
		}
	}
	if later == 0 {
		return ""
	}
	return fmt.Sprintf("%d rows are dated after now, so a time range up to now lacks them: the service may write dates of its time zone without the offset", later)
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
