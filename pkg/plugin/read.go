package plugin

import (
	"slices"
	"strings"

	"github.com/insights/insights-reporting-datasource/pkg/frame"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/query"
	"github.com/insights/insights-reporting-datasource/pkg/reads"
)

// question returns what to read from the service for a query.
func question(q *query.Query) pages.Question {
	r := pages.Question{DataSet: q.Set, Days: q.Period.Days}
	if q.Set.Parameters.Search != "" {
		r.Search = strings.TrimSpace(q.Search)
	}
	if serviceSorts(q) {
		r.Sort = q.Sort
	}
	return r
}

// workspace returns the derived fields that say whose rows a read has.
func (i *Instance) workspace(of *reads.Result) map[string]string {
	return map[string]string{"organizationLabel": of.Organization, "dataSource": i.name}
}

// moreDaysAnswer reports whether rows of more days change nothing in what a query shows. A table of all columns shows which
// fields the rows of its own days have.
func moreDaysAnswer(q *query.Query) bool {
	isOfAllColumns := q.Format == query.Table && len(q.Columns) == 0
	return !q.Period.Since.IsZero() && !isOfAllColumns && !q.NeedsHistory() && !needsAllRows(q)
}

// needsAllRows reports whether a query shows something that follows from all rows of its own days: a field that is computed
// from other rows, or whether there is a field that is not in the description.
func needsAllRows(q *query.Query) bool {
	named := slices.Concat(q.Columns, q.GroupBy)
	for _, f := range q.Filters {
		named = append(named, f.Key)
	}
	if q.Sort != nil && !q.IsFigure(q.Sort.Field) {
		named = append(named, q.Sort.Field)
	}
	return slices.ContainsFunc(named, func(name string) bool {
		return frame.UsesOtherRows(name) || q.Set.Field(name) == nil
	})
}

// showsFirst reports whether a query shows the first rows in the service's order.
func showsFirst(q *query.Query) bool {
	isSearched := q.Search != "" && q.Set.Parameters.Search == ""
	return q.Format == query.Table && q.Limit > 0 && len(q.Filters) == 0 && !isSearched && (q.Sort == nil || serviceSorts(q)) && !needsAllRows(q)
}

// serviceSorts reports whether the service can sort by the field, so that it lists the rows first that are shown first.
func serviceSorts(q *query.Query) bool {
	if q.Sort == nil || q.Format != query.Table || q.Period.Steps != nil || q.Set.Parameters.Sort == "" {
		return false
	}
	field := q.Set.Field(q.Sort.Field)
	return field != nil && field.ServiceSort
}
