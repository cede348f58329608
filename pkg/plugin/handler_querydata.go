package plugin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/grafana/grafana-plugin-sdk-go/backend/log"
	"github.com/grafana/grafana-plugin-sdk-go/data"
	"github.com/grafana/grafana-plugin-sdk-go/experimental/concurrent"

	"github.com/insights/insights-reporting-datasource/pkg/deadlines"
	"github.com/insights/insights-reporting-datasource/pkg/frame"
	"github.com/insights/insights-reporting-datasource/pkg/query"
	"github.com/insights/insights-reporting-datasource/pkg/reads"
	"github.com/insights/insights-reporting-datasource/pkg/service"
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

// answer runs one query. Queries of one request share the same now, so that points counted back from it align. A list of
// workspaces has a row also beside an error.
func (i *Instance) answer(ctx context.Context, dataQuery backend.DataQuery, rule bool, now time.Time) (data.Frames, error) {
	plan, err := query.Parse(i.sets, dataQuery, now, rule)
	if err != nil {
		return nil, cmp.Or(i.settingsErr, err)
	}
	frames, err := i.run(ctx, plan)
	if err != nil {
		return i.unanswered(plan, err)
	}
	return frames, nil
}

// run reads what a plan reads, and builds its frames. Of the first rows, too few may be in the time range. A deadline that is
// wrong concerns only queries about deadlines.
func (i *Instance) run(ctx context.Context, plan *query.Plan) (data.Frames, error) {
	if i.settingsErr != nil {
		return nil, i.settingsErr
	}
	if err := i.settings.DeadlinesErr; err != nil && plan.Read.Deadlines {
		return nil, err
	}
	names := i.automationsFor(ctx, plan)
	if plan.Read.First != nil {
		result, all, err := i.reads.ReadFirst(ctx, question(plan.Set, *plan.Read.First), plan.Limit)
		if err != nil {
			return nil, err
		}
		if result != nil {
			frames, err := i.frames(ctx, plan, i.rowsOf(result, plan), names)
			if err != nil || all || frames[0].Rows() == plan.Limit {
				return frames, err
			}
		}
	}
	rows, err := i.read(ctx, plan)
	if err != nil {
		return nil, err
	}
	return i.frames(ctx, plan, rows, names)
}

// unanswered returns what a panel shows of a data source beside an error: where it lists several of them, a row without
// numbers, and an error that says which of them it is of. A panel of several data sources shows only the first error.
func (i *Instance) unanswered(plan *query.Plan, err error) (data.Frames, error) {
	if slices.Contains(plan.GroupBy, "dataSource") {
		err = fmt.Errorf("%s: %w", i.name, err)
	}
	if !plan.Long || plan.Format != query.Numeric && !plan.Counted {
		return nil, err
	}
	selection := frame.Selection{DataSet: plan.Set, Workspace: i.workspace(&reads.Result{})}
	if i.settings != nil {
		selection.Display = i.display(nil)
	}
	list := grouping(plan, selection)
	if row := list.Unanswered(plan.Counted); row != nil {
		return data.Frames{row}, err
	}
	return nil, err
}

// frames builds the frames of rows. A rule fails if rows are missing, or values that decide.
func (i *Instance) frames(ctx context.Context, plan *query.Plan, rows *rows, names func() map[string]string) (data.Frames, error) {
	if plan.Rule && rows.missing != "" {
		return nil, incomplete(rows.missing)
	}
	selection := i.selection(ctx, plan, rows)
	selection.Automations = names()
	frames, err := framesOf(ctx, plan, selection)
	if err == nil && plan.Rule && rows.differences != nil && rows.differences.Lost() != "" {
		err = incomplete(rows.differences.Lost())
	}
	if err != nil {
		return nil, err
	}
	addMeta(frames, plan, rows, &selection)
	return frames, nil
}

// framesOf builds the frames of a plan: several for a timeline, otherwise one.
func framesOf(ctx context.Context, plan *query.Plan, selection frame.Selection) (data.Frames, error) {
	group := grouping(plan, selection)
	switch plan.Format {
	case query.Numeric:
		return only((&frame.Numeric{Grouping: group, Long: plan.Long, TwoPoints: plan.TwoPoints}).Frame(ctx))
	case query.TimeSeries:
		return only((&frame.TimeSeries{Grouping: group, Interval: plan.Interval, Per: plan.Per}).Frame(ctx))
	case query.Attention:
		of := plan.Judged
		return only((&frame.Attention{Grouping: group, Reasons: of.Reasons, Sensitivity: of.Sensitivity, Ignored: of.Ignored, Counted: plan.Counted, Long: plan.Long}).Frame(ctx))
	case query.Deadlines:
		return only((&frame.DueToday{Grouping: group}).Frame(ctx))
	case query.Timeline:
		return (&frame.Timeline{Grouping: group, State: plan.State, Idle: plan.Idle}).Frames(ctx)
	default:
		return only((&frame.Table{Selection: selection, Columns: plan.Columns}).Frame(ctx))
	}
}

func grouping(plan *query.Plan, selection frame.Selection) frame.Grouping {
	return frame.Grouping{Selection: selection, GroupBy: plan.GroupBy, Figures: plan.Figures}
}

func only(out *data.Frame, err error) (data.Frames, error) { return data.Frames{out}, err }

// selection returns what the frames of a plan are made of, but for the names of automations.
func (i *Instance) selection(ctx context.Context, plan *query.Plan, rows *rows) frame.Selection {
	s := frame.Selection{
		DataSet: plan.Set, Rows: rows.Table, Differences: rows.differences, Workspace: i.workspace(rows.Result), Incomplete: rows.missing != "",
		Contains: plan.Search, Filters: plan.Filters, TimeField: plan.TimeField, Sort: plan.Sort, Limit: plan.Limit,
		Calendar: i.settings.Calendar,
		Range:    plan.Range(i.knownSince(ctx, plan, rows), i.settings.Names),
		// A number without groups is 0, which says it all.
		Explained: plan.Format == query.Table || len(plan.GroupBy) > 0,
		Display:   i.display(nil),
	}
	if rows.Ahead != 0 {
		s.Range = s.Range.OnClock(rows.Ahead)
	}
	if rows.IsFirst {
		s.Sort = nil // They are in the service's order.
	}
	if plan.Read.Deadlines {
		s.Deadlines = append([]*deadlines.Deadline{}, i.settings.Deadlines...)
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

// fromRule reports whether a request comes from Grafana Alerting: an alert rule or a recording rule, on its schedule, in the
// preview of its editor or in a backtest. Grafana adds the key without the prefix of HTTP headers that GetHTTPHeader expects
// (buildDatasourceHeaders, pkg/services/ngalert/eval/eval.go in 12.4). One that was forwarded as an HTTP header may have it.
func fromRule(req *backend.QueryDataRequest) bool {
	return req.Headers[backend.FromAlertHeaderName] == "true" || req.GetHTTPHeader(backend.FromAlertHeaderName) == "true"
}

// incomplete is why a rule has no number of rows some of which are missing, or values that decide: nobody sees the warning of a
// rule. It is a *service.Error, so that a rule can keep its last state.
func incomplete(missing string) error {
	return &service.Error{Kind: reads.ErrIncomplete, Message: "the rule needs all rows and values, but " + missing}
}
