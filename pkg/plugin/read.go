package plugin

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/frame"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/query"
	"github.com/insights/insights-reporting-datasource/pkg/reads"
	"github.com/insights/insights-reporting-datasource/schema"
)

// rows are what was read for a plan.
type rows struct {
	*reads.Result
	differences *frame.Differences // of windows, instead of the table
	missing     string             // why rows are missing, or values that decide; empty: none are
}

// rowsOf returns what was read, with warnings about what decides, and whether it is whole: no rows are missing, and the fields that
// decide have all of their values. Where rows are missing because they have no key, it decides, too.
func (i *Instance) rowsOf(result *reads.Result, plan *query.Plan) *rows {
	deciding, lacks := slices.Clone(plan.Read.Deciding), []string{}
	if missing := result.Missing; missing != "" {
		deciding, lacks = append(deciding, plan.Set.Key), append(lacks, missing)
	}
	unread := result.Unreadable
	if plan.Format != query.Attention { // It says itself which groups lack what it needs.
		unread = pages.WithLacks(unread, plan.Set, result.Table)
	}
	if plan.Read.EndOfOthers && len(unread) > 0 {
		deciding = append(deciding, frame.EndOfOthers(result.Table)...)
	}
	if n := slices.IndexFunc(result.Later, func(u pages.Unread) bool { return slices.Contains(deciding, u.Field) }); n >= 0 {
		unread = append(unread, result.Later[n]) // The others have the same cause.
	}
	warn := func(field, text string) {
		result.Warnings = append(result.Warnings, reads.Warning{Code: "value of " + field, Text: text})
	}
	for _, u := range unread {
		if slices.Contains(deciding, u.Field) {
			lacks = append(lacks, u.Text)
		} else if plan.Set.Field(u.Field) != nil {
			continue // Of fields that are not in the description, too many may have been left out.
		}
		warn(u.Field, u.Text)
	}
	for _, f := range plan.Filters {
		c := result.Table.Column(f.Key)
		if c == nil || plan.Set.Field(f.Key) != nil {
			continue
		}
		if _, unread := f.Numeric(c); len(unread) > 0 {
			text := fmt.Sprintf("%s: %d values are no numbers, which the filter %s compares, for example %s", f.Key, len(unread), f, i.client.Quote(c.Text(unread[0])))
			warn(f.Key, text)
			lacks = append(lacks, text)
		}
	}
	return &rows{Result: result, missing: strings.Join(lacks, "; ")}
}

func (i *Instance) read(ctx context.Context, plan *query.Plan) (*rows, error) {
	if plan.Period.Steps != nil {
		return i.windows(ctx, plan)
	}
	read := i.reads.Read
	if plan.Read.MoreDays {
		read = i.reads.ReadOrMore
	}
	result, err := read(ctx, plan.Read.All)
	if err != nil {
		return nil, err
	}
	return i.rowsOf(result, plan), nil
}

func (i *Instance) windows(ctx context.Context, plan *query.Plan) (*rows, error) {
	days := plan.Period.Steps.Windows()
	windows, err := i.reads.Windows(ctx, plan.Read.All, days)
	if err != nil {
		return nil, err
	}
	all := &rows{differences: frame.NewDifferences(plan.Set, plan.Read.Additive, *plan.Period.Steps)}
	for n, w := range windows {
		all.missing = cmp.Or(all.missing, i.rowsOf(w, plan).missing)
		all.differences.Add(days[n], w.Table)
	}
	all.Result = combined(windows)
	return all, nil
}

// knownSince returns since when the service is known to have data: since the oldest task that it lists, that is among the rows, or
// that differences show; now if that is not known; zero if it doesn't matter.
func (i *Instance) knownSince(ctx context.Context, plan *query.Plan, rows *rows) time.Time {
	if !plan.Read.KnownSince || rows.IsFirst {
		return time.Time{}
	}
	first := plan.Period.Now
	if plan.Set.HasTimes() {
		first = columns.Earlier(first, rows.Table.Earliest(plan.Set.TimeFields[0]))
	}
	if first.After(plan.Period.Begin()) {
		first = columns.Earlier(first, i.reads.Oldest(ctx, i.sets.Default()))
	}
	if rows.differences != nil {
		first = rows.differences.KnownSince(first)
	}
	return first
}

// workspace returns the derived fields that say whose rows a read has.
func (i *Instance) workspace(of *reads.Result) map[string]string {
	return map[string]string{"organizationLabel": of.Organization, "dataSource": i.name}
}

// addMeta adds what the panel inspector shows. Only the first frame has costs and notices: Grafana lists them for each.
func addMeta(frames data.Frames, plan *query.Plan, rows *rows, shown *frame.Selection) {
	for _, out := range frames {
		out.Meta.ExecutedQueryString = rows.Executed
	}
	out := frames[0]
	age := 0.0
	if rows.Reused {
		age = max(0, plan.Period.Now.Sub(rows.AsOf).Seconds())
	}
	out.Meta.Stats = []data.QueryStat{
		stat("Pages read", "locale", float64(rows.Stats.Pages)),
		stat("Rows read", "locale", float64(rows.Stats.Rows)),
		stat("Requests to the service", "locale", float64(rows.Stats.Requests)),
		stat("Bytes received", "decbytes", float64(rows.Stats.Bytes)),
		stat("Time to read", "ms", float64(rows.Stats.Took.Microseconds())/1000),
		stat("Age of the cached read", "s", age),
	}
	if plan.Period.Notice != "" {
		notice(out, data.NoticeSeverityInfo, plan.Period.Notice)
	}
	if rows.differences != nil || len(rows.Warnings) == 0 {
		addBegin(out, shown, plan.Format == query.TimeSeries)
	}
	for _, w := range rows.Warnings {
		notice(out, data.NoticeSeverityWarning, w.Text)
	}
}

func notice(out *data.Frame, severity data.NoticeSeverity, text string) {
	out.AppendNotices(data.Notice{Severity: severity, Text: text})
}

func stat(name, unit string, value float64) data.QueryStat {
	return data.QueryStat{FieldConfig: data.FieldConfig{DisplayName: name, Unit: unit}, Value: value}
}

// addBegin informs that a part of the requested period is before what the service is known to have data of.
func addBegin(out *data.Frame, r *frame.Selection, isLine bool) {
	switch {
	case r.IsKnown(r.From, r.To):
	case r.IsTold():
		notice(out, data.NoticeSeverityInfo, "The service is known to have data only since "+r.Known.UTC().Format(time.RFC3339)+": there is no data of the period before that time")
	case isLine || r.End().Before(r.Known):
		notice(out, data.NoticeSeverityInfo, "The service lists no tasks, or does not tell since when it has data: a time without data is null, not 0")
	}
}

func combined(windows []*reads.Result) *reads.Result {
	total := &reads.Result{Executed: windows[0].Executed, Organization: windows[0].Organization}
	if last := len(windows) - 1; last > 0 {
		total.Executed += fmt.Sprintf(" … %s (%d windows)", windows[last].Executed, last+1)
	}
	sum := &total.Stats
	for _, r := range windows {
		sum.Pages += r.Stats.Pages
		sum.Rows += r.Stats.Rows
		sum.Requests += r.Stats.Requests
		sum.Bytes += r.Stats.Bytes
		sum.Took += r.Stats.Took
		total.Late = cmp.Or(total.Late, r.Late)
		if r.Reused && (!total.Reused || r.AsOf.Before(total.AsOf)) {
			total.Reused, total.AsOf = true, r.AsOf // of the oldest of the cached windows
		}
		for _, w := range r.Warnings { // Sixty windows would repeat the same one with sixty counts.
			if !slices.ContainsFunc(total.Warnings, func(other reads.Warning) bool { return other.Code == w.Code }) {
				total.Warnings = append(total.Warnings, w)
			}
		}
	}
	return total
}

const (
	namesWait  = time.Second // how long a query that has its rows waits for names
	namesRetry = time.Minute // how long names are not requested again after a failure, for example without permission
)

// automationsFor begins to read the names of automations, if the series of a plan show them: tasks know only labels. The result waits
// for them, and is called when the rows are there. A query never fails because of names, and shows labels instead.
func (i *Instance) automationsFor(ctx context.Context, plan *query.Plan) func() map[string]string {
	if !frame.NamesAutomations(plan.Set, plan.Read.Named, i.settings.Names) {
		return func() map[string]string { return nil }
	}
	return i.names.Ask(ctx, i.reads.Ended(), namesWait, i.readNames)
}

func (i *Instance) readNames(ctx context.Context, earlier map[string]string) (names map[string]string, keep time.Duration) {
	result, err := i.reads.Read(ctx, schema.Question{DataSet: schema.All().Get("automations"), Days: suggestionDays})
	if err != nil {
		return earlier, namesRetry
	}
	return frame.AutomationNames(result.Table), max(i.settings.Reads.FullReadInterval, namesRetry)
}
