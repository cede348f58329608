package plugin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/grafana/grafana-plugin-sdk-go/backend/log"
	"github.com/grafana/grafana-plugin-sdk-go/data"
	"github.com/grafana/grafana-plugin-sdk-go/experimental/concurrent"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/deadlines"
	"github.com/insights/insights-reporting-datasource/pkg/frame"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/query"
	"github.com/insights/insights-reporting-datasource/pkg/reads"
	"github.com/insights/insights-reporting-datasource/pkg/service"
	"github.com/insights/insights-reporting-datasource/schema"
)

// queriesAtOnce is how many queries of one request run concurrently: the maximum of the SDK. Requests to the service
// are bounded by maxConcurrentRequests.
const queriesAtOnce = 10

// QueryData runs all queries of a request concurrently. Every refId gets a response, unless the request is canceled.
func (i *Instance) QueryData(ctx context.Context, req *backend.QueryDataRequest) (*backend.QueryDataResponse, error) {
	rule, now := fromRule(req), time.Now()
	response, err := concurrent.QueryData(ctx, req, func(ctx context.Context, q concurrent.Query) backend.DataResponse {
		frames, err := i.answer(ctx, q.DataQuery, rule, now)
		for _, out := range frames {
			out.RefID = q.DataQuery.RefID
		}
		if err != nil {
			failure := i.failure(err)
			failure.Frames = frames
			log.DefaultLogger.FromContext(ctx).Debug("Query failed", "refId", q.DataQuery.RefID, "status", failure.Status, "source", failure.ErrorSource, "error", i.sentence(err))
			return failure
		}
		return backend.DataResponse{Frames: frames, Status: backend.StatusOK}
	}, queriesAtOnce)
	if errors.Is(ctx.Err(), context.Canceled) {
		// Nobody receives the responses, and the SDK would log each of them as an error.
		return nil, context.Canceled
	}
	return response, err
}

// answer runs one query. A query of a rule fails if rows are missing. Queries of one request share the same now, so that
// points counted back from it align. A list of workspaces has a row also beside an error.
func (i *Instance) answer(ctx context.Context, dataQuery backend.DataQuery, rule bool, now time.Time) (data.Frames, error) {
	q, err := query.Parse(i.sets, dataQuery, now, rule)
	if err != nil {
		return nil, cmp.Or(i.settingsErr, err)
	}
	if i.settingsErr != nil {
		return i.unanswered(q, i.settingsErr)
	}
	build := i.current
	if q.Period.Steps != nil {
		build = i.history
	}
	frames, result, err := build(ctx, q, question(q), rule, i.automationsFor(ctx, q))
	if err != nil {
		return i.unanswered(q, err)
	}
	addMeta(frames, q, result)
	return frames, nil
}

// unanswered returns what a panel shows of a data source beside an error: where it lists several of them, a row without
// numbers, and an error that says which of them it is of. A panel of several data sources shows only the first error.
func (i *Instance) unanswered(q *query.Query, err error) (data.Frames, error) {
	if slices.Contains(q.GroupBy, "dataSource") {
		err = fmt.Errorf("%s: %w", i.name, err)
	}
	if !q.Long || q.Format != query.Numeric && !q.Counted {
		return nil, err
	}
	selection := frame.Selection{DataSet: q.Set, Workspace: i.workspace(&reads.Result{})}
	if i.settings != nil {
		selection.Display = i.display(nil)
	}
	list := grouping(q, selection)
	if row := list.Unanswered(q.Counted); row != nil {
		return data.Frames{row}, err
	}
	return nil, err
}

// current builds the frames of a query whose rows are read at once.
func (i *Instance) current(ctx context.Context, q *query.Query, question pages.Question, rule bool, automations func() map[string]string) (data.Frames, *reads.Result, error) {
	build := func(result *reads.Result, err error) (data.Frames, *reads.Result, error) {
		if err != nil {
			return nil, nil, err
		}
		missing := cmp.Or(result.Missing(), result.Unread(judgedBy(q)))
		if err := checkComplete(rule, missing); err != nil {
			return nil, nil, err
		}
		known := i.knownSince(ctx, q, result)
		selection := i.selection(q, result.Table, known, automations())
		selection.Workspace = i.workspace(result)
		selection.Incomplete = missing != ""
		frames, err := framesOf(ctx, q, selection)
		if err == nil && result.Complete() {
			addBegin(frames[0], q, &selection)
		}
		return frames, result, err
	}
	if showsFirst(q) {
		result, all, err := i.reads.ReadFirst(ctx, question, q.Limit)
		if err != nil || result != nil {
			frames, result, err := build(result, err)
			if err != nil || all || frames[0].Rows() == q.Limit {
				return frames, result, err
			}
		}
	}
	if moreDaysAnswer(q) {
		return build(i.reads.ReadOrMore(ctx, question))
	}
	return build(i.reads.Read(ctx, question))
}

// judgedBy returns the fields that decide what the format attention says, and about deadlines: nobody could tell their null values from others.
func judgedBy(q *query.Query) []string {
	if q.Format != query.Attention && !q.NeedsDeadlines() {
		return nil
	}
	fields := slices.Concat(frame.JudgedFields, q.GroupBy)
	for _, f := range q.Filters {
		fields = append(fields, f.Key)
	}
	return fields
}

// knownSince returns since when the service is known to have data of what a query shows: since the oldest task that it lists,
// or that is among the rows; now if that is not known; zero if it doesn't matter.
func (i *Instance) knownSince(ctx context.Context, q *query.Query, result *reads.Result) time.Time {
	first := q.Period.Now
	isOfTotals := q.Format == query.Table && !q.Set.HasTimes() && q.Period.Steps == nil
	switch {
	case isOfTotals || q.IsAboutNow() || q.Format == query.Attention || q.Format == query.Deadlines || result.IsFirst:
		return time.Time{}
	case q.Set.HasTimes():
		first = columns.Earlier(first, result.Table.Earliest(q.Set.TimeFields[0]))
	}
	if !first.After(q.Period.Begin()) {
		return first
	}
	return columns.Earlier(first, i.reads.Oldest(ctx, i.sets.Default()))
}

// framesOf builds the frames of a query: several for a timeline, otherwise one.
func framesOf(ctx context.Context, q *query.Query, selection frame.Selection) (data.Frames, error) {
	switch q.Format {
	case query.Numeric:
		numeric := frame.Numeric{Grouping: grouping(q, selection), Long: q.Long, TwoPoints: q.TwoPoints}
		return only(numeric.Frame(ctx))
	case query.TimeSeries:
		line := frame.TimeSeries{Grouping: grouping(q, selection), Interval: q.Interval, Per: q.Per}
		return only(line.Frame(ctx))
	case query.Attention:
		attention := frame.Attention{Grouping: grouping(q, selection), Reasons: q.Judged.Reasons, Sensitivity: q.Judged.Sensitivity, Ignored: q.Judged.Ignored, Counted: q.Counted, Long: q.Long}
		return only(attention.Frame(ctx))
	case query.Deadlines:
		due := frame.DueToday{Grouping: grouping(q, selection)}
		return only(due.Frame(ctx))
	case query.Timeline:
		timeline := frame.Timeline{Grouping: grouping(q, selection), State: q.State, Idle: q.Days > 0}
		return timeline.Frames(ctx)
	default:
		table := frame.Table{Selection: selection, Columns: q.Columns}
		return only(table.Frame(ctx))
	}
}

func grouping(q *query.Query, selection frame.Selection) frame.Grouping {
	return frame.Grouping{Selection: selection, GroupBy: q.GroupBy, Figures: q.Figures, Having: q.Having}
}

func only(out *data.Frame, err error) (data.Frames, error) {
	if err != nil {
		return nil, err
	}
	return data.Frames{out}, nil
}

// selection returns what the frames of a query are made of.
func (i *Instance) selection(q *query.Query, rows *columns.Table, known time.Time, automations map[string]string) frame.Selection {
	s := frame.Selection{
		DataSet: q.Set, Rows: rows, Filters: q.Filters, Range: q.KnownSince(known, i.settings.Names), TimeField: q.TimeField, Limit: q.Limit,
		// Without rows, there are no groups either, so that a panel has no data.
		Explained: q.Edited || len(q.GroupBy) > 0,
		Display:   i.display(automations),
	}
	if q.NeedsDeadlines() {
		s.Deadlines = append([]*deadlines.Deadline{}, i.settings.Deadlines...)
	}
	if q.Set.Parameters.Search == "" {
		s.Contains = strings.TrimSpace(q.Search)
	}
	if s.Sort = q.Sort; q.Format == query.Table && q.Period.Steps != nil {
		s.Sort = cmp.Or(q.Sort, q.Set.DefaultSort) // The service sorted totals up to now.
	}
	return s
}

// display returns how fields are displayed; automations are their names by label.
func (i *Instance) display(automations map[string]string) frame.Display {
	return frame.Display{
		Language: i.settings.Names, Automations: automations, Scale: i.settings.RateScale, Currency: i.settings.Currency,
		Links: i.settings.Links,
	}
}

// fromRule reports whether a request comes from Grafana Alerting: an alert rule or a recording rule, on its schedule,
// in the preview of its editor or in a backtest. All of them go through buildDatasourceHeaders in Grafana's
// pkg/services/ngalert/eval/eval.go (12.4), which adds FromAlert: true to the request headers.
//
// This key has no prefix. The SDK's GetHTTPHeader expects the prefix "http_", which only HTTP headers such as X-Rule-…
// have. A FromAlert that was forwarded as an HTTP header may have it, although Grafana's
// pkg/services/pluginsintegration/clientmiddleware/usealertingheaders_middleware.go removes it again.
func fromRule(req *backend.QueryDataRequest) bool {
	return req.Headers[backend.FromAlertHeaderName] == "true" || req.GetHTTPHeader(backend.FromAlertHeaderName) == "true"
}

// checkComplete rejects rows for a rule if some are missing, or values in them: nobody sees the warning of a rule, so its
// number must not be computed from them. missing says why; empty: none are. Errors are *service.Error.
func checkComplete(rule bool, missing string) error {
	if !rule || missing == "" {
		return nil
	}
	return &service.Error{Kind: reads.ErrIncomplete, Message: "the rule needs all rows and values, but " + missing}
}

// history builds the frame of a query from the differences of windows.
func (i *Instance) history(ctx context.Context, q *query.Query, question pages.Question, rule bool, automations func() map[string]string) (data.Frames, *reads.Result, error) {
	steps := *q.Period.Steps
	days := steps.Windows()
	differences := frame.NewDifferences(q.Set, additive(q), steps)
	windows, err := i.reads.Windows(ctx, question, days)
	if err != nil {
		return nil, nil, err
	}
	for n, w := range windows {
		if err := checkComplete(rule, w.Missing()); err != nil {
			return nil, nil, err
		}
		differences.Add(days[n], w.Table)
	}
	known := differences.KnownSince(i.knownSince(ctx, q, windows[0]))
	selection := i.selection(q, nil, known, automations())
	selection.Workspace = i.workspace(windows[0])
	selection.Differences = differences
	frames, err := framesOf(ctx, q, selection)
	if err == nil {
		err = checkComplete(rule, differences.Lost())
	}
	if err == nil {
		addBegin(frames[0], q, &selection)
	}
	return frames, combined(windows), err
}

// additive returns the fields of a query that add up, those that numbers and lines show first: those of the measures or, of
// a query without such a measure, the number of tasks.
func additive(q *query.Query) []string {
	named := append(q.Measures(), q.Set.CountField)
	for _, f := range q.Filters {
		named = append(named, f.Key)
	}
	if q.Format == query.Table {
		named = append(named, schema.Names(q.Set.Drawn())...)
	}
	var fields []string
	for _, name := range named {
		if f := q.Set.Field(name); f != nil && f.Additive && !slices.Contains(fields, name) {
			fields = append(fields, name)
		}
	}
	return fields
}
