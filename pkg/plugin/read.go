package plugin

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

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

// ofValues begins the code of a warning of reads about the values of a field.
const ofValues = "value of "

// rowsOf returns what was read, with the warnings about what decides, and whether it is whole: no rows are missing, and the fields that
// decide have all of their values. Where rows are missing because they have no key, it decides, too.
func (i *Instance) rowsOf(result *reads.Result, plan *query.Plan) *rows {
	deciding, lacks := slices.Clone(plan.Read.Deciding), []string{}
	if missing := result.Missing(); missing != "" {
		deciding, lacks = append(deciding, plan.Set.Key), append(lacks, missing)
	}
	unread := pages.WithLacks(result.Unreadable, plan.Set, result.Table)
	if plan.Read.EndOfOthers && len(unread) > 0 {
		deciding = append(deciding, frame.EndOfOthers(result.Table)...)
	}
	result.Warnings = slices.DeleteFunc(result.Warnings, func(w reads.Warning) bool { return strings.HasPrefix(w.Code, ofValues) })
	warn := func(field, text string) {
		result.Warnings = append(result.Warnings, reads.Warning{Code: ofValues + field, Text: text})
	}
	for _, u := range unread {
		decides := slices.Contains(deciding, u.Field)
		if decides {
			lacks = append(lacks, u.Text)
		}
		if decides || plan.Set.Field(u.Field) == nil {
			warn(u.Field, u.Text)
		}
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

// question returns what to request of a data set.
func question(set *schema.DataSet, q query.Question) pages.Question {
	return pages.Question{DataSet: set, Days: q.Days, Search: q.Search, Sort: q.Sort}
}

// read reads all rows, or the windows whose differences are shown.
func (i *Instance) read(ctx context.Context, plan *query.Plan) (*rows, error) {
	if plan.Period.Steps != nil {
		return i.windows(ctx, plan)
	}
	read := i.reads.Read
	if plan.Read.MoreDays {
		read = i.reads.ReadOrMore
	}
	result, err := read(ctx, question(plan.Set, plan.Read.All))
	if err != nil {
		return nil, err
	}
	return i.rowsOf(result, plan), nil
}

// windows reads the windows of the steps of a plan.
func (i *Instance) windows(ctx context.Context, plan *query.Plan) (*rows, error) {
	days := plan.Period.Steps.Windows()
	windows, err := i.reads.Windows(ctx, question(plan.Set, plan.Read.All), days)
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

// knownSince returns since when the service is known to have data of what a plan shows: since the oldest task that it lists,
// that is among the rows, or that differences show; now if that is not known; zero if it doesn't matter.
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
