package health

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/service"
	"github.com/insights/insights-reporting-datasource/schema"
)

// page reads page 0 of a data set with the page size of the settings, or without one if the service rejects it.
func (r *report) page(ctx context.Context, set *schema.DataSet) (*pages.Page, error) {
	size := r.PageSize
	if set.Parameters.Size == "" {
		size = 0
	}
	page, used, err := pages.Sized(size, func(size int) (*pages.Page, error) { return r.pageOf(ctx, r.Source, set, size) })
	if err == nil && used < size {
		r.refusing = append(r.refusing, set.Label)
	}
	return page, err
}

func (r *report) pageOf(ctx context.Context, source pages.Source, set *schema.DataSet, size int) (*pages.Page, error) {
	q := pages.Question{DataSet: set, Days: Days, Size: size}
	return source.Page(ctx, q, 0, rowLimit, pages.NewInterner(), &r.usage)
}

// totalOf returns how many records there are, or at least how many the page has.
func totalOf(p *pages.Page) int { return max(p.Total, rowsOf(p)) }

// rowsOf returns the number of rows of a page, including rows that were not kept.
func rowsOf(p *pages.Page) int { return p.Table.Rows + p.Left }

// other reports on a data set without which the data source still works.
func (r *report) other(ctx context.Context, set *schema.DataSet) {
	page, err := r.page(ctx, set)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		r.unchecked = append(r.unchecked, set.Label)
	case set.PathSetting != "" && isAboutPath(err):
		r.elsewhere(ctx, set, err)
	case err != nil:
		r.say("set-failed", schema.Values{"set": set.Label, "error": err.Error()})
	default:
		r.found(set, page)
	}
}

// isAboutPath reports whether another path may succeed: the route does not exist, or it belongs to something else.
func isAboutPath(err error) bool {
	return errors.Is(err, service.ErrNotFound) || errors.Is(err, service.ErrForbidden) ||
		errors.Is(err, service.ErrRejected) || errors.Is(err, service.ErrUnreadable)
}

// elsewhere tries the other likely paths of a data set if the configured one does not return it.
func (r *report) elsewhere(ctx context.Context, set *schema.DataSet, failed error) {
	path := r.Source.Route(set).Path
	others := slices.DeleteFunc(slices.Clone(set.LikelyPaths), func(other string) bool { return other == path })
	for _, other := range others {
		if _, err := r.pageOf(ctx, pages.Source{Client: r.Client, Paths: map[string]string{set.Name: other}}, set, 0); err == nil {
			r.suggest("path-other", schema.Values{"set": set.Label, "path": path, "found": other}, set.PathSetting, other)
			return
		}
	}
	r.say("path-not-found", schema.Values{"set": set.Label, "error": failed.Error(), "tried": strings.Join(others, ", ")})
}
