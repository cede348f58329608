package plugin

import (
	"context"
	"errors"
	"slices"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/findings"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/service"
)

// likelyPaths are likely paths of the runners route, which the specification does not show: next to the other two, in
// the singular like automations or the plural like tasks. Tasks call a runner a machine.
var likelyPaths = []string{
	defaultRunnersPath, "/api/v1/insights/runners", "/api/v1/insights/machine", "/api/v1/insights/machines",
}

// runnerRows is how many rows of the response are kept. They are counted but not shown.
const runnerRows = 2000

func (r *report) runners(ctx context.Context) {
	path := r.instance.settings.RunnersPath
	page, forms, err := r.askRunners(ctx, path)
	notRunners := err == nil && !isRunners(forms)
	switch {
	case err == nil && !notRunners:
		r.say("runners", findings.Values{"rows": max(page.Total, page.Table.Rows+page.Left), "path": path})
		r.records(datasets.Get("runners"), page.Table, forms)
	case notRunners || isAboutPath(err):
		r.runnersElsewhere(ctx, path, err)
	default:
		r.say("runners-failed", findings.Values{"error": oneLine(err)})
	}
}

// runnersElsewhere tries the likely paths if the configured one does not return runners. failed is nil if it returned
// something else.
func (r *report) runnersElsewhere(ctx context.Context, path string, failed error) {
	others := slices.DeleteFunc(slices.Clone(likelyPaths), func(other string) bool { return other == path })
	for _, other := range others {
		if _, forms, err := r.askRunners(ctx, other); err == nil && isRunners(forms) {
			r.suggest("runners-elsewhere", findings.Values{"path": path, "found": other}, "runnersPath", other)
			return
		}
	}
	if failed == nil {
		r.say("runners-strange", findings.Values{"path": path})
		return
	}
	r.say("runners-not-found", findings.Values{"error": oneLine(failed), "tried": listed(others)})
}

func (r *report) askRunners(ctx context.Context, path string) (*pages.Page, pages.Forms, error) {
	source := pages.Source{Client: r.instance.client, RunnersPath: path}
	q := pages.Question{DataSet: datasets.Get("runners"), Days: healthDays}
	return source.Survey(ctx, q, 0, pages.Bounds{Rows: runnerRows}, &r.usage)
}

// isRunners reports whether records may be runners: they have at least one of their fields.
func isRunners(forms pages.Forms) bool {
	return len(forms.Absent) < len(datasets.Get("runners").Fields)
}

// isAboutPath reports whether another path may succeed: the route does not exist, or it belongs to something else.
func isAboutPath(err error) bool {
	return errors.Is(err, service.ErrNotFound) || errors.Is(err, service.ErrForbidden) ||
		errors.Is(err, service.ErrRejected) || errors.Is(err, service.ErrUnreadable)
}
