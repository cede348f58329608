package plugin

import (
	"context"
	"errors"
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/frame"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/query"
	"github.com/insights/insights-reporting-datasource/pkg/reads"
	"github.com/insights/insights-reporting-datasource/schema"
)

const (
	// namesWait is how long a query that has its rows waits for names.
	namesWait = time.Second
	// namesRetry is how long names are not requested again after a failure, for example without permission.
	namesRetry = time.Minute
	// namesTimeout is how long a read of names may take, while queries show labels.
	namesTimeout = time.Minute
)

// automationNames are the names of automations by their labels. Tasks know only labels. Names are read beside the rows of
// a query and kept; a query never fails because of them, and shows labels instead.
type automationNames struct {
	byLabel map[string]string
	until   time.Time // when to read again
}

// automationsFor starts to read the names that the series of a query show, unless they are known. The result waits for
// them: it is called when the rows are there.
func (i *Instance) automationsFor(ctx context.Context, q *query.Query) func() map[string]string {
	current := i.names.Load()
	// Automations bring their own names, but after a search, they do not show which names are unique.
	bringsNames := q.Set.NameField != "" && q.Search == ""
	if q.Period.Now.Before(current.until) || bringsNames || q.Format == query.Table || q.Long || !frame.NamesAutomations(q.Set, q.Labels(), i.settings.Names) {
		return func() map[string]string { return current.byLabel }
	}
	// Canceling the query cancels the read. When the query is answered without the names, the read continues for the next.
	background, cancel := context.WithTimeout(context.WithoutCancel(ctx), namesTimeout)
	answered := context.AfterFunc(ctx, cancel)
	done := make(chan struct{})
	go func() {
		defer cancel()
		defer close(done)
		i.readNames(background)
	}()
	return func() map[string]string {
		defer answered()
		select {
		case <-done:
		case <-ctx.Done():
		case <-time.After(namesWait):
		}
		return i.names.Load().byLabel
	}
}

// readNames reads the automations. Reads of several queries at once are one.
func (i *Instance) readNames(ctx context.Context) {
	result, err := i.reads.Read(ctx, reads.Question{Question: pages.Question{DataSet: schema.All().Get("automations"), Days: suggestionDays}})
	switch {
	case err == nil:
		until := time.Now().Add(max(i.settings.Reads.FullReadInterval, namesRetry))
		i.names.Store(&automationNames{frame.AutomationNames(result.Table), until})
	case !errors.Is(ctx.Err(), context.Canceled):
		i.names.Store(&automationNames{i.names.Load().byLabel, time.Now().Add(namesRetry)})
	}
}
