package reads

import (
	"fmt"
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/list"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
)

// Warning says what is missing or could not be parsed. Warnings of one code are about the same thing.
type Warning struct {
	Code string
	Text string
}

// result returns the result of a question.
func (r *Reads) result(q Question, found *list.Result) *Result {
	result := &Result{
		Table: found.Table, ReadAt: found.ReadAt, Reused: found.Shared, Executed: r.executed(q, found), missing: missing(found),
		organization: found.Organization, atEnd: found.AtEnd,
		Stats: Stats{
			Pages: found.Cost.Pages, Rows: found.Table.Rows, Requests: found.Cost.Requests, Bytes: found.Cost.Bytes, Took: found.Cost.Took,
		},
	}
	result.Warnings = r.warnings(found, result.missing)
	return result
}

// warnings reports which rows are missing, first, and what could not be parsed.
func (r *Reads) warnings(found *list.Result, missing string) []Warning {
	var warnings []Warning
	warn := func(code, text string) { warnings = append(warnings, Warning{code, text}) }
	if missing != "" {
		warn(string(found.Lack), missing)
	}
	if found.Repeated > 0 && found.Lack != list.Unstable {
		warn("repeated", fmt.Sprintf("%d rows were received more than once and are shown once", found.Repeated))
	}
	if found.Understated {
		warn("understated", fmt.Sprintf("the service reports %d rows but lists more: all pages were read until an empty one", max(0, found.Total)))
	}
	if found.Uncounted {
		warn("uncounted", "the service reports no total: pages were read until an empty one, and rows that moved meanwhile may be missing")
	}
	if found.Keyless {
		warn("keyless", "some rows have no key, so rows that the service lists twice are not detected")
	}
	if found.FieldsCut {
		warn("fields", fmt.Sprintf("the service sends more than %d unknown fields: the first %d become columns, and the others are left out",
			pages.MaxUnknown, pages.MaxUnknown))
	}
	for _, notice := range found.Problems.Notices(r.source.Client.Quote) {
		warn("value of "+notice.Field, notice.Text)
	}
	return warnings
}

// missing says why rows are missing; empty if none are.
func missing(found *list.Result) string {
	read := counted(found.Table.Rows, found.Total)
	switch found.Lack {
	case list.Unstable:
		return read + ": the data changed during each attempt to read it, and some rows may be missing. The next refresh reads it again"
	case list.Cut:
		return read + ", the limit set by Max rows (maxRows) in the data source settings: increase it, or request fewer days"
	case list.SamePage:
		return read + ": the route returns the rows of its first page for every page"
	case list.ShortPage:
		if found.LackRows == 0 {
			return fmt.Sprintf("%s: page %d is empty although the service reports more rows", read, found.LackPage)
		}
		return fmt.Sprintf("%s: page %d has %d rows instead of %d", read, found.LackPage, found.LackRows, found.LackExpected)
	case list.FewerRows:
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

// executed describes the requests of a read: its URL, and the number of pages.
func (r *Reads) executed(q Question, found *list.Result) string {
	question, cost := q.Question, found.Cost
	question.Size = cost.Size
	address := r.source.Describe(question)
	last := fmt.Sprintf("%s … page=%d", address, cost.LastPage)
	if cost.Size > 0 && cost.LastPage > 0 && found.PageRows != cost.Size {
		last += fmt.Sprintf("&size=%d", found.PageRows)
	}
	switch {
	case cost.Reused > 0:
		return fmt.Sprintf("%s … (%d of %d pages; %d of %d rows are reused from the read at %s)", address, cost.Pages, cost.AllPages, cost.Reused,
			found.Table.Rows, found.WholeAt.UTC().Format(time.TimeOnly+" UTC"))
	case q.Goal.Field != "" && !found.Unordered && !found.AtEnd && cost.AllPages > cost.Pages:
		return fmt.Sprintf("%s (%d of %d pages; %s decreases from row to row and on the last page, so older rows were not read)",
			last, cost.Pages, cost.AllPages, q.Goal.Field)
	case cost.LastPage > 0:
		return fmt.Sprintf("%s (%d pages)", last, cost.LastPage+1)
	default:
		return address
	}
}
