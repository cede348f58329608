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
	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/query"
	"github.com/insights/insights-reporting-datasource/pkg/reads"
	"github.com/insights/insights-reporting-datasource/pkg/service"
)

const queriesAtOnce = 10 // of one request: the maximum of the SDK. maxConcurrentRequests bounds requests

// QueryData runs all queries of a request concurrently. Every refId gets a response, unless the request is canceled.
func (i *Instance) QueryData(ctx context.Context, req *backend.QueryDataRequest) (*backend.QueryDataResponse, error) {
	rule, now := fromRule(req), time.Now()
	patient, cancel := reads.Patient(ctx, now)
	defer cancel()
	response, err := concurrent.QueryData(ctx, req, func(ctx context.Context, q concurrent.Query) backend.DataResponse {
		frames, err := i.answer(ctx, patient, q.DataQuery, rule, now)
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

// answer runs one query, which reads while it is patient. Queries of one request share now, so that points counted back from it align.
func (i *Instance) answer(ctx, patient context.Context, dataQuery backend.DataQuery, rule bool, now time.Time) (data.Frames, error) {
	plan, err := query.Parse(i.sets, dataQuery, now, rule)
	if err != nil {
		return nil, cmp.Or(i.settingsErr, err)
	}
	frames, err := i.run(ctx, patient, plan)
	if err != nil {
		return i.unanswered(ctx, plan, err)
	}
	return frames, nil
}

// run reads what a plan reads, and builds its frames. Of the first rows, too few may be in the time range.
func (i *Instance) run(ctx, patient context.Context, plan *query.Plan) (data.Frames, error) {
	if err := cmp.Or(i.settingsErr, i.settings.wrong(plan.Read.Settings...)); err != nil {
		return nil, err
	}
	names := i.automationsFor(patient, plan)
	if plan.Read.First != nil {
		result, all, err := i.reads.ReadFirst(patient, *plan.Read.First, plan.Limit)
		if err != nil {
			return nil, err
		}
		if result != nil {
			frames, err := i.frames(ctx, patient, plan, i.rowsOf(result, plan), names)
			if err != nil || all || frames[0].Rows() == plan.Limit {
				return frames, err
			}
		}
	}
	rows, err := i.read(patient, plan)
	if err != nil {
		return nil, err
	}
	return i.frames(ctx, patient, plan, rows, names)
}

// unanswered returns what a panel shows beside an error of the service, where there would be numbers or what needs attention: since when
// it does not answer. The error says so, too, and of which of several data sources it is: a panel shows only the first error.
func (i *Instance) unanswered(ctx context.Context, plan *query.Plan, err error) (data.Frames, error) {
	group := grouping(plan, frame.Selection{
		DataSet: plan.Set, Rows: pages.NewTable(plan.Set, 0), Range: plan.Period.Range, Workspace: i.workspace(&reads.Result{}), Display: i.display(),
	})
	since := time.Time{}
	if i.reads != nil {
		since = i.reads.SilentSince(plan.Set, err)
	}
	group.Unanswered = group.Silence(since)
	if progress := reads.Progress(err); progress != "" {
		group.Unanswered = fmt.Sprintf(i.settings.Names.Words().Reading, progress)
	}
	if !since.IsZero() {
		err = fmt.Errorf("%w (no answer since %s)", err, since.In(plan.Period.Zone).Format("2006-01-02 15:04 MST"))
	}
	isListed := slices.Contains(plan.GroupBy, "dataSource")
	if isListed {
		err = fmt.Errorf("%s: %w", i.name, err)
	}
	_, isOfService := errors.AsType[*service.Error](err)
	if plan.Rule || !isOfService && !isListed {
		return nil, err
	}
	switch plan.Format {
	case query.Numeric:
		if out := (&frame.Numeric{Grouping: group, Long: plan.Long}).Missed(); out != nil {
			return data.Frames{out}, err
		}
	case query.Attention:
		if isListed && !plan.Counted {
			return nil, err // What it says would be the header of others' rows.
		}
		// The organization is not known.
		group.GroupBy = slices.DeleteFunc(slices.Clone(group.GroupBy), func(label string) bool { return label == "organizationLabel" })
		if out, failed := framesOf(ctx, plan, group); failed == nil {
			return out, err
		}
	}
	return nil, err
}

// frames builds the frames of rows. A rule fails if rows are missing or too old, or values that decide.
func (i *Instance) frames(ctx, patient context.Context, plan *query.Plan, rows *rows, names func() map[string]string) (data.Frames, error) {
	if plan.Rule && rows.missing != "" {
		return nil, incomplete(rows.missing)
	}
	if plan.Rule && rows.Late != nil {
		return nil, rows.Late
	}
	selection := i.selection(patient, plan, rows)
	selection.Automations = names()
	frames, err := framesOf(ctx, plan, grouping(plan, selection))
	if err != nil {
		return nil, err
	}
	if plan.Rule && rows.differences != nil && rows.differences.Lost() != "" {
		return nil, incomplete(rows.differences.Lost())
	}
	addMeta(frames, plan, rows, &selection)
	return frames, nil
}

func framesOf(ctx context.Context, plan *query.Plan, group frame.Grouping) (data.Frames, error) {
	switch plan.Format {
	case query.Numeric:
		return only((&frame.Numeric{Grouping: group, Long: plan.Long, Total: plan.Total, TwoPoints: plan.TwoPoints}).Frame(ctx))
	case query.TimeSeries:
		return only((&frame.TimeSeries{Grouping: group, Interval: plan.Interval, Per: plan.Per}).Frame(ctx))
	case query.Attention:
		return only((&frame.Attention{Grouping: group, Judged: plan.Judged, Counted: plan.Counted, Long: plan.Long}).Frame(ctx))
	case query.Deadlines:
		return only((&frame.DueToday{Grouping: group}).Frame(ctx))
	case query.Timeline:
		return (&frame.Timeline{Grouping: group, State: plan.State, Idle: plan.Idle}).Frames(ctx)
	default:
		return only((&frame.Table{Selection: group.Selection, Columns: plan.Columns}).Frame(ctx))
	}
}

func grouping(plan *query.Plan, selection frame.Selection) frame.Grouping {
	return frame.Grouping{Selection: selection, GroupBy: plan.GroupBy, Figures: plan.Figures}
}

func only(out *data.Frame, err error) (data.Frames, error) { return data.Frames{out}, err }

func (i *Instance) selection(ctx context.Context, plan *query.Plan, rows *rows) frame.Selection {
	s := frame.Selection{
		DataSet: plan.Set, Rows: rows.Table, AsOf: rows.AsOf, Differences: rows.differences, Workspace: i.workspace(rows.Result), Incomplete: rows.missing != "",
		Teams: i.settings.Teams, Calendar: i.settings.Calendar, Contains: plan.Search, Filters: plan.Filters, TimeField: plan.TimeField, Sort: plan.Sort, Limit: plan.Limit,
		Range: plan.Range(i.knownSince(ctx, plan, rows), i.settings.Names).OnClock(rows.Ahead), Display: i.display(),
		Explained: plan.Format == query.Table || len(plan.GroupBy) > 0, // A number without groups is 0, which says it all.
	}
	if rows.IsFirst {
		s.Sort = nil // They are in the service's order.
	}
	if slices.Contains(plan.Read.Settings, "deadlines") {
		s.Deadlines = append([]*deadlines.Deadline{}, i.settings.Deadlines...)
	}
	return s
}

// display returns how fields are displayed, but for the names of automations.
func (i *Instance) display() frame.Display {
	return frame.Display{Language: i.settings.Names, Scale: i.settings.RateScale, Currency: i.settings.Currency, Links: i.settings.Links}
}

// fromRule reports whether a request comes from Grafana Alerting. Grafana adds the key without the prefix of HTTP headers that
// GetHTTPHeader expects (buildDatasourceHeaders, pkg/services/ngalert/eval/eval.go in 12.4). A forwarded HTTP header may have it.
func fromRule(req *backend.QueryDataRequest) bool {
	return req.Headers[backend.FromAlertHeaderName] == "true" || req.GetHTTPHeader(backend.FromAlertHeaderName) == "true"
}

// incomplete is why a rule has no number: nobody sees its warnings. It is a *service.Error, so that a rule can keep its last state.
func incomplete(missing string) error {
	return &service.Error{Kind: reads.ErrIncomplete, Message: "the rule needs all rows and values, but " + missing}
}
