package frame

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/grafana/grafana-plugin-sdk-go/data"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// unmatched reports which filter excludes all rows of the search and range: "No data" alone does not distinguish a
// filter without matches from a period without activity. There is no notice if no filter is the cause.
func (r *Request) unmatched(ctx context.Context, kept []int, inRange test) ([]data.Notice, error) {
	if len(kept) > 0 || len(r.Filters) == 0 {
		return nil, nil
	}
	whole := *r
	whole.Filters = nil
	rows, err := whole.rows(ctx, inRange)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	left := rows
	text := ""
	for _, f := range r.Filters {
		alone, err := r.keptBy(ctx, f, rows)
		if err != nil {
			return nil, err
		}
		if len(alone) == 0 {
			text = english("0 of %d rows match: no row satisfies %s. Change or remove this filter", len(rows), f)
			break
		}
		next, err := r.keptBy(ctx, f, left)
		if err != nil {
			return nil, err
		}
		if len(next) == 0 && text == "" {
			text = english("0 of %d rows match: of the %d rows that satisfy the preceding filters, none satisfies %s. Change or remove one of the filters",
				len(rows), len(left), f)
		}
		left = next
	}
	return []data.Notice{{Severity: data.NoticeSeverityInfo, Text: text}}, nil
}

// keptBy returns the rows that a filter keeps.
func (r *Request) keptBy(ctx context.Context, f *Filter, rows []int) ([]int, error) {
	c, err := r.column(ctx, "field", f.Key)
	if err != nil {
		return nil, err
	}
	keeps, err := f.test(ctx, c, r.Now)
	if err != nil {
		return nil, err
	}
	kept := make([]int, 0, len(rows))
	for n, row := range rows {
		if err := checkCanceled(ctx, n); err != nil {
			return nil, err
		}
		if keeps(row) {
			kept = append(kept, row)
		}
	}
	return kept, nil
}

// maxShown is how many characters of its values a filter shows.
const maxShown = 100

// String formats the filter as in the editor.
func (f *Filter) String() string {
	quoted := make([]string, len(f.Values))
	for i, value := range f.Values {
		quoted[i] = fmt.Sprintf("%q", value)
	}
	values := []rune(strings.Join(quoted, ", "))
	if len(values) > maxShown {
		values = append(slices.Clip(values[:maxShown]), '…')
	}
	return f.Key + " " + f.Operator + " " + string(values)
}

// english formats numbers with thousands separators.
func english(format string, args ...any) string {
	return message.NewPrinter(language.English).Sprintf(format, args...)
}
