package plugin

import (
	"slices"
	"strings"
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/frame"
	"github.com/insights/insights-reporting-datasource/pkg/list"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/query"
	"github.com/insights/insights-reporting-datasource/pkg/reads"
)

// question returns what to read from the service for a query.
func question(q *query.Query) reads.Question {
	r := reads.Question{Question: pages.Question{DataSet: q.Set, Days: q.Period.Days}}
	if q.Set.Parameters.Search != "" {
		r.Search = strings.TrimSpace(q.Search)
	}
	if serviceSorts(q) {
		r.Sort = q.Sort
	}
	r.Goal = goal(q)
	return r
}

// rangeStep is the precision to which the ends of a range are rounded down, so that panels that query within it share a
// read.
const rangeStep = time.Minute

// goal returns which of the first rows that the service lists are enough for the frame; all of the days if it needs them.
func goal(q *query.Query) list.Goal {
	if usesOtherRows(q) || q.IsAboutRuns() || namesUnknown(q) {
		return list.Goal{}
	}
	var g list.Goal
	if showsFirst(q) {
		g.Rows = q.Limit
	}
	if !q.Set.HasTimes() {
		return g
	}
	p := &q.Period
	g.Field = q.Set.TimeFields[0] // Only if they are newest first, they are the first rows of any days.
	switch {
	case !p.Cut:
	case q.TimeField != g.Field:
		g.Rows = 0
	default:
		g.From = p.Begin().Truncate(rangeStep)
		if g.Rows > 0 {
			// New tasks arrive after the end of a range that ends now, too: while it is read, and if a clock is ahead.
			g.To = p.To.Truncate(rangeStep)
		}
	}
	if g.All() {
		return list.Goal{}
	}
	return g
}

// namesUnknown reports whether the query names a field that is not in the description. If the first rows do not have it,
// only the others tell whether it exists.
func namesUnknown(q *query.Query) bool {
	return slices.ContainsFunc(named(q), func(name string) bool { return q.Set.Field(name) == nil })
}

// usesOtherRows reports whether a row shows what follows from all rows.
func usesOtherRows(q *query.Query) bool { return slices.ContainsFunc(named(q), frame.UsesOtherRows) }

// named returns the fields that the query names.
func named(q *query.Query) []string {
	names := slices.Concat(q.Columns, q.GroupBy)
	for _, f := range q.Filters {
		names = append(names, f.Key)
	}
	if q.Sort != nil && q.Sort.Field != q.Measure {
		names = append(names, q.Sort.Field)
	}
	return names
}

// showsFirst reports whether a table shows the first rows in the service's order, so that a limit bounds the read.
func showsFirst(q *query.Query) bool {
	if q.Format != query.Table || q.Limit == 0 || len(q.Filters) > 0 || q.Search != "" && q.Set.Parameters.Search == "" {
		return false
	}
	return q.Sort == nil || serviceSorts(q) || q.Set.HasTimes() && q.Sort.Field == q.Set.TimeFields[0] && q.Sort.Order == "desc"
}

// serviceSorts reports whether the service sorts: it can sort by the field, and rows are shown in its order.
func serviceSorts(q *query.Query) bool {
	if q.Sort == nil || q.Format != query.Table || q.Set.Parameters.Sort == "" {
		return false
	}
	field := q.Set.Field(q.Sort.Field)
	return field != nil && field.ServiceSort
}
