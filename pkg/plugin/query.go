package plugin

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/grafana/grafana-plugin-sdk-go/backend/log"
	"github.com/grafana/grafana-plugin-sdk-go/backend/tracing"
	"github.com/grafana/grafana-plugin-sdk-go/data"
	"github.com/grafana/grafana-plugin-sdk-go/experimental/concurrent"
	"go.opentelemetry.io/otel/attribute"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/frame"
	"github.com/insights/insights-reporting-datasource/pkg/query"
	"github.com/insights/insights-reporting-datasource/pkg/reads"
)

// queriesAtOnce is how many queries of one request run concurrently: the maximum of the SDK. Requests to the service
// are bounded by maxConcurrentRequests.
const queriesAtOnce = 10

// QueryData runs all queries of a request concurrently. Every refId gets a response, unless the request is canceled.
func (i *Instance) QueryData(ctx context.Context, req *backend.QueryDataRequest) (*backend.QueryDataResponse, error) {
	rule, now := fromRule(req), time.Now()
	response, err := concurrent.QueryData(ctx, req, func(ctx context.Context, q concurrent.Query) backend.DataResponse {
		out, err := i.answer(ctx, q.DataQuery, rule, now)
		if err != nil {
			status, source := classify(err)
			log.DefaultLogger.FromContext(ctx).Debug("Query failed", "refId", q.DataQuery.RefID, "status", status, "source", source, "error", i.sentence(err))
			return i.failure(err)
		}
		out.RefID = q.DataQuery.RefID
		return backend.DataResponse{Frames: data.Frames{out}, Status: backend.StatusOK}
	}, queriesAtOnce)
	if errors.Is(ctx.Err(), context.Canceled) {
		// Nobody receives the responses, and the SDK would log each of them as an error.
		return nil, context.Canceled
	}
	return response, err
}

// answer runs one query. Those of rules fail if rows are missing. Queries of one request share the same now, so that
// points counted back from it align.
func (i *Instance) answer(ctx context.Context, dataQuery backend.DataQuery, rule bool, now time.Time) (out *data.Frame, err error) {
	ctx, span := tracing.DefaultTracer().Start(ctx, "insights query")
	defer func() {
		if err != nil {
			rejected.WithLabelValues(reason(err)).Inc()
			_ = tracing.Error(span, errors.New(i.sentence(err)))
		}
		span.End()
	}()
	if i.settingsErr != nil {
		return nil, i.settingsErr
	}
	q, err := query.Parse(dataQuery, now, i.settings.Names)
	if err != nil {
		return nil, err
	}
	span.SetAttributes(attribute.String("insights.data_set", q.Set.Name), attribute.String("insights.format", q.Format))
	read := read(q)
	automations := i.automationsFor(ctx, q)
	if q.Period.Steps != nil {
		return i.history(ctx, q, read, rule, automations)
	}
	result, err := i.reads.Read(ctx, read)
	if err == nil {
		err = checkComplete(rule, result)
	}
	if err != nil {
		return nil, err
	}
	r := request(q, result.Table, i.settings)
	r.Automations = automations()
	out, err = frameOf(ctx, q.Format, r)
	if err != nil {
		return nil, err
	}
	addMeta(out, result, now)
	note(out, q)
	notices, err := beginNotice(ctx, q, result)
	out.AppendNotices(notices...)
	return out, err
}

// frameOf builds the frame of a query whose rows are read at once.
func frameOf(ctx context.Context, format string, r *frame.Request) (*data.Frame, error) {
	switch format {
	case query.Numeric:
		return frame.Numeric(ctx, r)
	case query.TimeSeries:
		return frame.TimeSeries(ctx, r)
	default:
		return frame.Table(ctx, r)
	}
}

// request returns what to build from the rows.
func request(q *query.Query, rows *columns.Table, settings *Settings) *frame.Request {
	p := &q.Period
	r := &frame.Request{
		DataSet: q.Set, Rows: rows, Filters: q.Filters, TimeField: q.TimeField, Columns: q.Columns, Limit: q.Limit,
		Measure: q.Measure, GroupBy: q.GroupBy, Long: q.Long, Interval: q.Interval, Per: q.Per, Location: p.Zone,
		Language: settings.Names, Covers: p.Covers, Compare: p.Earlier,
		Scale: settings.RateScale, Currency: settings.Currency, Now: p.Now,
	}
	if q.Set.Parameters.Search == "" {
		r.Contains = strings.TrimSpace(q.Search)
	}
	if p.Cut {
		r.From, r.To = p.From, p.To
	} else {
		r.Since = p.From
	}
	if !serviceSorts(q) {
		r.Sort = q.Sort
	}
	return r
}

// note adds what the period of a query says about its numbers.
func note(out *data.Frame, q *query.Query) {
	if q.Period.Notice != "" {
		out.AppendNotices(data.Notice{Severity: data.NoticeSeverityInfo, Text: q.Period.Notice})
	}
}

// visibly is the share of a period that has to be empty before the first task for a notice.
const visibly = 0.1

// beginNotice informs that the first task is later than the start of the requested period.
func beginNotice(ctx context.Context, q *query.Query, result *reads.Result) ([]data.Notice, error) {
	if !q.Set.HasHistory() || q.IsAboutNow() || !result.Complete() {
		return nil, nil
	}
	first, err := frame.Earliest(ctx, result.Table, q.Set.TimeFields[0])
	if err != nil || first.IsZero() {
		return nil, err
	}
	begin := q.Period.From
	if empty := first.Sub(begin); empty < 24*time.Hour || empty < time.Duration(visibly*float64(q.Period.Now.Sub(begin))) {
		return nil, nil
	}
	text := "The first task that the service lists was created at " + first.UTC().Format(time.RFC3339) +
		", after the requested period starts: there is no data before that time"
	return []data.Notice{{Severity: data.NoticeSeverityInfo, Text: text}}, nil
}
