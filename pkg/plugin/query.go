package plugin

import (
	"context"
	"slices"
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
	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/reads"
)

// queriesAtOnce is how many queries of one request run concurrently: the maximum of the SDK. Requests to the service
// are bounded by maxConcurrentRequests.
const queriesAtOnce = 10

// QueryData runs all queries of a request concurrently. Every refId gets a response.
func (i *Instance) QueryData(ctx context.Context, req *backend.QueryDataRequest) (*backend.QueryDataResponse, error) {
	rule, now := fromRule(req), time.Now()
	return concurrent.QueryData(ctx, req, func(ctx context.Context, q concurrent.Query) backend.DataResponse {
		out, err := i.answer(ctx, q.DataQuery, rule, now)
		if err != nil {
			status, source := classify(err)
			log.DefaultLogger.FromContext(ctx).Debug("Query failed", "refId", q.DataQuery.RefID, "status", status, "source", source, "error", i.sentence(err))
			return i.failure(err)
		}
		out.RefID = q.DataQuery.RefID
		return backend.DataResponse{Frames: data.Frames{out}, Status: backend.StatusOK}
	}, queriesAtOnce)
}

// answer runs one query. Queries of rules always read all rows. Queries of one request share the same now, so that
// points counted back from it align.
func (i *Instance) answer(ctx context.Context, dataQuery backend.DataQuery, rule bool, now time.Time) (out *data.Frame, err error) {
	ctx, span := tracing.DefaultTracer().Start(ctx, "insights query")
	defer func() {
		if err != nil {
			rejected.WithLabelValues(reason(err)).Inc()
			_ = tracing.Error(span, err)
		}
		span.End()
	}()
	if i.settingsErr != nil {
		return nil, i.settingsErr
	}
	q, err := parseQuery(dataQuery)
	if err != nil {
		return nil, err
	}
	span.SetAttributes(attribute.String("insights.data_set", q.set.Name), attribute.String("insights.format", q.format))
	q.followNow(now)
	w, err := q.windows(now)
	if err != nil {
		return nil, err
	}
	read := q.read(now)
	read.Whole = rule
	if w != nil {
		return i.history(ctx, q, read, w, now)
	}
	result, err := i.reads.Read(ctx, read)
	if err != nil {
		return nil, err
	}
	out, err = q.frame(ctx, result, i.settings, now)
	if err != nil {
		return nil, err
	}
	addMeta(out, result, now)
	out.AppendNotices(q.coversNotice(now)...)
	notices, err := q.beginNotice(ctx, result, now)
	out.AppendNotices(notices...)
	return out, err
}

// read returns what to read from the service.
func (q *query) read(now time.Time) reads.Read {
	r := reads.Read{Question: pages.Question{DataSet: q.set, Days: q.daysRead(now)}}
	if q.set.Parameters.Search != "" {
		r.Search = strings.TrimSpace(q.search)
	}
	if q.serviceSorts() {
		r.Sort = q.sort
	}
	if q.limitsRead() {
		r.Limit = q.limit
		return r
	}
	r.Newest = q.newest(now)
	return r
}

// daysRead returns how many days the service is asked to look back.
func (q *query) daysRead(now time.Time) int {
	if q.set.HasHistory() && q.compare != "" {
		return max(q.days, daysBack(q.begin(now), now))
	}
	if q.days > 0 {
		return q.days
	}
	return daysBack(q.from, now)
}

// begin returns the start of the period that the frame covers, including a compared one.
func (q *query) begin(now time.Time) time.Time {
	if c := q.comparison(now); c != nil {
		return c.From
	}
	return q.from
}

const (
	// liveSlack is how long ago a range may have ended and still count as ending now.
	liveSlack = time.Minute
	// rangeStep is the precision to which the ends of a range are rounded down, so that panels that query within it
	// share a read.
	rangeStep = time.Minute
	// worthwhile is the largest share of the window that a range may take for its start to end a read early: beyond it,
	// a full read is cheaper when it is repeated.
	worthwhile = 0.5
)

// newest returns which of the newest tasks are enough for the frame, or nil if it needs all of them.
func (q *query) newest(now time.Time) *reads.Newest {
	if !q.set.HasHistory() || q.namesUnknown() || frame.FollowsRuns(q.measure) {
		return nil
	}
	n := &reads.Newest{Field: q.set.TimeFields[0]}
	cuts := q.cutsToRange() && q.time == n.Field
	if q.showsFirst(n.Field) && (cuts || !q.cutsToRange()) {
		n.Rows = q.limit
	}
	if cuts && n.Rows > 0 {
		// New tasks arrive after the end of a range that ends now, too: while it is read, and if a clock is ahead.
		n.To = q.to.Truncate(rangeStep)
	}
	if cuts && (n.Rows > 0 || q.isShort(now)) {
		n.From = q.begin(now).Truncate(rangeStep)
	}
	if n.Rows == 0 && n.From.IsZero() {
		return nil
	}
	return n
}

// namesUnknown reports whether the query names a field that is not in the description. If the newest tasks do not have
// it, only the others tell whether it exists.
func (q *query) namesUnknown() bool {
	names := slices.Concat(q.columns, q.groupBy)
	for _, f := range q.filters {
		names = append(names, f.Key)
	}
	if q.sort != nil && q.sort.Field != q.measure {
		names = append(names, q.sort.Field)
	}
	return slices.ContainsFunc(names, func(name string) bool { return q.set.Field(name) == nil })
}

// showsFirst reports whether a table shows the first rows in the service's order, if that is newest first by the field.
func (q *query) showsFirst(field string) bool {
	newestFirst := q.sort == nil || q.sort.Field == field && q.sort.Order == "desc"
	return q.format == formatTable && q.limit > 0 && newestFirst && len(q.filters) == 0 && q.search == ""
}

// isShort reports whether the range is so short compared with the days read that its start may end the read.
func (q *query) isShort(now time.Time) bool {
	begin := q.begin(now)
	window := time.Duration(daysBack(begin, now)) * day
	return now.Sub(begin) < time.Duration(worthwhile*float64(window))
}

// rangeSlack is how far past a whole number of days a range may start and still count as that number. "Last 24 hours"
// is slightly longer on arrival; rounded up to two days, it would read twice as much and, for totals of the service,
// show another value.
const rangeSlack = time.Minute

// daysBack returns the days from the start of the range to now, rounded up, at least 1.
func daysBack(from, now time.Time) int {
	return wholeDays(now.Sub(from) - rangeSlack)
}

// serviceSorts reports whether the service sorts: it can sort by the field, and rows are shown in its order.
func (q *query) serviceSorts() bool {
	if q.sort == nil || q.format != formatTable || q.set.Parameters.Sort == "" {
		return false
	}
	field := q.set.Field(q.sort.Field)
	return field != nil && field.ServiceSort
}

// limitsRead reports whether the first rows that the service returns are the rows to show, so that a limit bounds the
// read.
func (q *query) limitsRead() bool {
	return q.format == formatTable && q.limit > 0 && len(q.filters) == 0 && !q.cutsToRange() &&
		(q.sort == nil || q.serviceSorts()) && (q.search == "" || q.set.Parameters.Search != "")
}

// cutsToRange reports whether tasks are limited to the time range: without days, and always for a time series, which
// has its buckets there.
func (q *query) cutsToRange() bool {
	return q.set.HasHistory() && (q.days == 0 || q.format == formatTimeSeries)
}

func (q *query) frame(ctx context.Context, result *reads.Result, settings *Settings, now time.Time) (*data.Frame, error) {
	r := q.request(result.Table, settings, now)
	switch q.format {
	case formatNumeric:
		return frame.Numeric(ctx, r)
	case formatTimeSeries:
		return frame.TimeSeries(ctx, r)
	default:
		return frame.Table(ctx, r)
	}
}

// request returns what to build from the rows.
func (q *query) request(rows *columns.Table, settings *Settings, now time.Time) *frame.Request {
	r := &frame.Request{
		DataSet: q.set, Rows: rows, Filters: q.filters, TimeField: q.time, Columns: q.columns, Limit: q.limit,
		Measure: q.measure, GroupBy: q.groupBy, Wide: q.wide, Interval: q.interval, Per: q.per, Location: q.location,
		Covers: q.inName(q.covers(now)), Compare: q.comparison(now),
		Scale: settings.RateScale, Currency: settings.Currency, Now: now,
	}
	if q.set.Parameters.Search == "" {
		r.Contains = strings.TrimSpace(q.search)
	}
	if q.cutsToRange() || r.Compare != nil && q.set.HasHistory() {
		r.From, r.To = q.compared(now)
	} else {
		r.Since = now.UTC().AddDate(0, 0, -q.daysRead(now))
	}
	if !q.serviceSorts() {
		r.Sort = q.sort
	}
	return r
}
