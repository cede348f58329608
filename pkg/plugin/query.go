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

// queriesAtOnce is how many queries of one request run side by side: the most that the SDK allows. What reaches the
// service is bounded by maxConcurrentRequests.
const queriesAtOnce = 10

// QueryData answers all queries of a request, side by side. Every refId gets an answer.
func (i *Instance) QueryData(ctx context.Context, req *backend.QueryDataRequest) (*backend.QueryDataResponse, error) {
	rule, now := fromRule(req), time.Now()
	return concurrent.QueryData(ctx, req, func(ctx context.Context, q concurrent.Query) backend.DataResponse {
		frame, err := i.answer(ctx, q.DataQuery, rule, now)
		if err != nil {
			status, source := blame(err)
			log.DefaultLogger.FromContext(ctx).Debug("Query failed", "refId", q.DataQuery.RefID, "status", status, "source", source, "error", i.sentence(err))
			return i.failure(err)
		}
		frame.RefID = q.DataQuery.RefID
		return backend.DataResponse{Frames: data.Frames{frame}, Status: backend.StatusOK}
	}, queriesAtOnce)
}

// answer answers one query. What a rule asks for is read whole. Queries of one request have the same now, so that points
// which are counted back from it lie above each other.
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
	describe(out, result, now)
	out.AppendNotices(q.coversNotice(now)...)
	notices, err := q.beginNotice(ctx, result, now)
	out.AppendNotices(notices...)
	return out, err
}

// read says what to ask the service for.
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

// daysRead is how many days the service is asked to look back.
func (q *query) daysRead(now time.Time) int {
	if q.set.HasHistory() && q.compare != "" {
		return max(q.days, daysBack(q.begin(now), now))
	}
	if q.days > 0 {
		return q.days
	}
	return daysBack(q.from, now)
}

// begin is where the times begin that the frame is about.
func (q *query) begin(now time.Time) time.Time {
	if c := q.comparison(now); c != nil {
		return c.From
	}
	return q.from
}

const (
	// liveSlack is how long ago a range may have ended and still count as one that ends now.
	liveSlack = time.Minute
	// rangeStep is to what the ends of a range are rounded down, so that panels which ask within it share a read.
	rangeStep = time.Minute
	// worthwhile is which part of the window a range may take at the most for its begin to end a read: a whole read
	// costs less when it is repeated.
	worthwhile = 0.5
)

// newest says which of the newest tasks the frame is made from, or nil where that takes all of them.
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
		// Tasks come after the end of a range that ends now, too: while it is read, and by a clock that is ahead.
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

// namesUnknown says whether the query names a field that the description does not know. Where the newest tasks lack it, the
// others tell whether there is one.
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

// showsFirst says whether a table shows the first rows that come, where they come by a time, the latest first.
func (q *query) showsFirst(field string) bool {
	newestFirst := q.sort == nil || q.sort.Field == field && q.sort.Order == "desc"
	return q.format == formatTable && q.limit > 0 && newestFirst && len(q.filters) == 0 && q.search == ""
}

// isShort says whether the range takes so little of the days that are read that its begin may end the read.
func (q *query) isShort(now time.Time) bool {
	begin := q.begin(now)
	window := time.Duration(daysBack(begin, now)) * day
	return now.Sub(begin) < time.Duration(worthwhile*float64(window))
}

// rangeSlack is how far past a whole number of days a range may begin and still count as that number. "Last 24 hours"
// is a moment old when it arrives here; rounded up to two days, it would read twice as much and, where the service
// does the adding up, show another sum.
const rangeSlack = time.Minute

// daysBack is the days from now back to the start of the range, rounded up, at least 1.
func daysBack(from, now time.Time) int {
	return wholeDays(now.Sub(from) - rangeSlack)
}

// serviceSorts says whether the service does the sorting: it can sort by the field, and rows are shown as they come.
func (q *query) serviceSorts() bool {
	if q.sort == nil || q.format != formatTable || q.set.Parameters.Sort == "" {
		return false
	}
	field := q.set.Field(q.sort.Field)
	return field != nil && field.ServiceSort
}

// limitsRead says whether the first rows that the service gives are the ones to show, so that a limit needs no more.
func (q *query) limitsRead() bool {
	return q.format == formatTable && q.limit > 0 && len(q.filters) == 0 && !q.cutsToRange() &&
		(q.sort == nil || q.serviceSorts()) && (q.search == "" || q.set.Parameters.Search != "")
}

// cutsToRange: tasks follow the time range when no days are given; a timeseries has its buckets there in any case.
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

// request says what to make of rows.
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
