package reads

import (
	"fmt"
	"slices"
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/paging"
	"github.com/insights/insights-reporting-datasource/pkg/service"
)

// Warning says what is missing or could not be parsed. Warnings of one code are about the same thing.
type Warning struct {
	Code string
	Text string
}

func (s *shared) result(found *paging.Result) *Result {
	rows, isCut := s.asked(found)
	result := &Result{
		Table: rows, AsOf: found.AsOf, Reused: found.Shared, Executed: s.executed(found), Missing: missing(found),
		Organization: found.Organization, Unreadable: found.Problems.Unread(s.source.Client.Quote),
		Later: pages.Later(s.question.DataSet, found.Table, found.AsOf.Add(found.Ahead+found.Cost.Took)),
		Stats: found.Cost,
	}
	warn := func(code, text string) { result.Warnings = append(result.Warnings, Warning{code, text}) }
	if result.Missing != "" { // It comes first.
		warn("missing", result.Missing)
	}
	if found.Repeated > 0 && found.Lack != paging.Unstable {
		warn("repeated", fmt.Sprintf("%d rows were received more than once and are shown once", found.Repeated))
	}
	if isCut {
		warn("days", fmt.Sprintf(
			"the service lists rows from before the %d days that it was asked for: %d of %d rows are left out", s.days, found.Table.Rows-rows.Rows, found.Table.Rows))
	}
	// Nobody lives with a clock that is wrong by a day or more.
	if ahead := found.Ahead.Abs(); ahead > service.ClockTolerance && ahead < 24*time.Hour && len(s.question.DataSet.TimeFields) > 0 {
		result.Ahead = found.Ahead
		warn("clock", fmt.Sprintf(
			"the clock of the service differs from that of Grafana by %s: time ranges follow the clock of the service, which dates the rows", found.Ahead.Round(10*time.Second)))
	}
	return result
}

// missing says why rows are missing, or may be because what would show it cannot be read; empty if none are.
func missing(found *paging.Result) string {
	read := fmt.Sprintf("read %d rows", found.Table.Rows)
	if found.Total > found.Table.Rows {
		read = fmt.Sprintf("read %d of %d rows", found.Table.Rows, found.Total)
	}
	switch found.Lack {
	case paging.Unstable:
		return read + ": the data changed during each attempt to read it, and some rows may be missing. The next refresh reads it again"
	case paging.Cut:
		return read + ", the limit set by Max rows (maxRows) in the data source settings: increase it, or request fewer days"
	case paging.SamePage:
		return read + ": the route returns the rows of its first page for every page"
	case paging.ShortPage:
		if found.Short.Rows == 0 {
			return fmt.Sprintf("%s: page %d is empty although the service reports more rows", read, found.Short.Page)
		}
		return fmt.Sprintf("%s: page %d has %d rows instead of %d", read, found.Short.Page, found.Short.Rows, found.Short.Expected)
	case paging.FewerRows:
		return read + ": the pages of the service contain fewer rows than it reports"
	}
	if found.Keyless {
		return "some rows have no key, so rows that moved while pages were read may be missing, or counted twice"
	}
	return ""
}

func (s *shared) executed(found *paging.Result) string {
	address, cost := s.source.Describe(s.question), found.Cost
	switch {
	case cost.Reused > 0:
		return fmt.Sprintf("%s … (%d of %d pages; %d of %d rows are reused from reads since %s)", address, cost.Pages, cost.AllPages, cost.Reused,
			found.Table.Rows, found.OldestAt.UTC().Format(time.TimeOnly+" UTC"))
	case cost.AllPages > 1:
		return fmt.Sprintf("%s … (%d pages)", address, cost.AllPages)
	default:
		return address
	}
}

// asked returns the rows of the days that a question asks for. These are all rows, unless the service does not heed the number of
// days: it lists rows that ended before them, too. Its day may be a calendar day, and its clock another one, so a day more is none.
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

// areAlike reports whether windows of different days all have the same rows, with some tasks.
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
