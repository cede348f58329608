package plugin

import (
	"context"
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/frame"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/query"
	"github.com/insights/insights-reporting-datasource/schema"
)

const (
	// namesWait is how long a query that has its rows waits for names.
	namesWait = time.Second
	// namesRetry is how long names are not requested again after a failure, for example without permission.
	namesRetry = time.Minute
)

// automationsFor begins to read the names of automations by their labels, if the series of a plan show them: tasks know
// only labels. The result waits for them: it is called when the rows are there. A query never fails because of names, and
// shows labels instead.
func (i *Instance) automationsFor(ctx context.Context, plan *query.Plan) func() map[string]string {
	if !frame.NamesAutomations(plan.Set, plan.Read.Named, i.settings.Names) {
		return func() map[string]string { return nil }
	}
	return i.names.Ask(ctx, i.reads.Ended(), namesWait, i.readNames)
}

func (i *Instance) readNames(ctx context.Context, earlier map[string]string) (names map[string]string, keep time.Duration) {
	result, err := i.reads.Read(ctx, pages.Question{DataSet: schema.All().Get("automations"), Days: suggestionDays})
	if err != nil {
		return earlier, namesRetry
	}
	return frame.AutomationNames(result.Table), max(i.settings.Reads.FullReadInterval, namesRetry)
}
