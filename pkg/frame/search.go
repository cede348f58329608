package frame

import (
	"context"
	"strings"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
)

// lowered holds the distinct texts of a column in lower case, and the index of each row's text.
type lowered struct {
	texts []string
	of    []uint32
}

// loweredOf is the key of the fact that caches them.
type loweredOf struct{ column *columns.Column }

// search keeps rows whose search field contains the text, case-insensitively.
func (r *Request) search(ctx context.Context) (test, error) {
	c, err := r.column(ctx, "field", r.DataSet.SearchField)
	if err != nil {
		return nil, err
	}
	all, err := columns.Fact(ctx, r.Rows, loweredOf{c}, func() (lowered, int64, error) { return lower(ctx, c) })
	if err != nil {
		return nil, err
	}
	wanted := strings.ToLower(r.Contains)
	contains := make([]bool, len(all.texts))
	for i, text := range all.texts {
		if err := checkCanceled(ctx, i); err != nil {
			return nil, err
		}
		contains[i] = strings.Contains(text, wanted)
	}
	return func(row int) bool { return contains[all.of[row]] }, nil
}

// lower also returns the size of its result in bytes.
func lower(ctx context.Context, c *columns.Column) (all lowered, bytes int64, err error) {
	known := map[string]uint32{}
	all.of = make([]uint32, len(c.Valid))
	for row := range c.Valid {
		if err := checkCanceled(ctx, row); err != nil {
			return lowered{}, 0, err
		}
		text := c.Text(row)
		i, ok := known[text]
		if !ok {
			i = uint32(len(all.texts)) //nolint:gosec // rows are fewer
			known[text] = i
			all.texts = append(all.texts, strings.ToLower(text))
			bytes += int64(len(text)) + 16
		}
		all.of[row] = i
	}
	return all, bytes + 4*int64(len(all.of)), nil
}
