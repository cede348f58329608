package reads

import (
	"fmt"

	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/paging"
)

// warnings reports which rows are missing, first, and what could not be parsed.
func (r *reading) warnings(l *paging.Listing) []string {
	var warnings []string
	if why := r.missing(l); why != "" {
		warnings = append(warnings, why)
	}
	if l.Repeated > 0 {
		warnings = append(warnings, fmt.Sprintf("%d rows were received more than once and are shown once", l.Repeated))
	}
	if l.Folded {
		warnings = append(warnings, fmt.Sprintf("the service sends more than %d unknown fields: the first %d become columns, and the others are in column %s",
			pages.MaxUnknown, pages.MaxUnknown, pages.OtherFields))
	}
	for _, problem := range l.Problems {
		warnings = append(warnings, problem.Notice(r.reads.source.Client.Quote))
	}
	return warnings
}

// missing says why rows are missing; "" if none are.
func (r *reading) missing(l *paging.Listing) string {
	read := counted(l.Table.Rows, l.Total)
	switch l.Incomplete {
	case paging.Moved:
		return fmt.Sprintf("%s: the data changed during each of %d attempts to read it, and some rows may be missing. The next refresh reads it again", read, paging.MaxPasses)
	case paging.Cut:
		return fmt.Sprintf("%s, the limit set by Max rows (maxRows) in the data source settings: increase it, or request fewer days", read)
	case paging.SamePage:
		return read + ": the route returns the rows of its first page for every page"
	case paging.EmptyPage:
		return fmt.Sprintf("%s: page %d was empty although the service reports more rows, so reading stopped there", read, l.EmptyPage)
	case paging.FewerRows:
		return read + ": the pages of the service contain fewer rows than it reports"
	default:
		return ""
	}
}

// counted formats how many of the total rows were read.
func counted(rows, total int) string {
	if total <= rows {
		return fmt.Sprintf("read %d rows", rows)
	}
	return fmt.Sprintf("read %d of %d rows", rows, total)
}
