package frame

import (
	"context"
	"slices"

	"github.com/grafana/grafana-plugin-sdk-go/data"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/insights/insights-reporting-datasource/pkg/filter"
)

// unmatched reports which filter excludes all rows of the search and range: "No data" alone does not distinguish a
// filter without matches from a period without activity. There is no notice if no filter is the cause.
func (r *Selection) unmatched(ctx context.Context, kept []int, inRange filter.Test) []data.Notice {
	if len(kept) > 0 || len(r.Filters) == 0 {
		return nil
	}
	matches := func(filters ...*filter.Filter) int {
		part := *r
		part.Filters = filters
		rows, _ := part.rows(ctx, inRange) // Filters that could not be bound have failed before.
		return len(rows)
	}
	all := matches()
	if all == 0 {
		return nil
	}
	var text string
	if i := slices.IndexFunc(r.Filters, func(f *filter.Filter) bool { return matches(f) == 0 }); i >= 0 {
		text = english("0 of %d rows match: no row satisfies %s. Change or remove this filter", all, r.Filters[i])
	} else {
		i = 1
		for matches(r.Filters[:i+1]...) > 0 {
			i++
		}
		text = english("0 of %d rows match: of the %d rows that satisfy the preceding filters, none satisfies %s. Change or remove one of the filters",
			all, matches(r.Filters[:i]...), r.Filters[i])
	}
	return []data.Notice{{Severity: data.NoticeSeverityInfo, Text: text}}
}

// english formats numbers with thousands separators.
func english(format string, args ...any) string {
	return message.NewPrinter(language.English).Sprintf(format, args...)
}
