// Package health checks a data source for Save & test: it logs in, reads the first page of each data set, and reports
// what an administrator can act on. It knows nothing of Grafana.
package health

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/deadlines"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/rates"
	"github.com/insights/insights-reporting-datasource/pkg/service"
	"github.com/insights/insights-reporting-datasource/schema"
)

const (
	// Days is the look-back of a check: the service's own default.
	Days = 30
	// timeLimit bounds a whole check.
	timeLimit = 30 * time.Second
	// limitedTime is how long the service's rejection of a request as one too many is reported.
	limitedTime = time.Hour
	// rowLimit is how many rows of a page are inspected.
	rowLimit = 2000
)

// Steps of a check, in order.
const (
	StepSettings = "settings"
	StepLogin    = "login"
	StepPage     = "page" // the first page of tasks
)

// DataSource is what a check examines.
type DataSource struct {
	Sets      schema.DataSets // what the service offers
	Client    *service.Client
	Source    pages.Source
	PageSize  int // rows to request per page; 0: the service's default
	RateScale rates.Scale
	Currency  string // ISO 4217 code, or empty
	IsCrowded bool   // rows that are in use do not fit in memory
	Deadlines []*deadlines.Deadline
	Teams     deadlines.Teams
}

// Result is the outcome of a check.
type Result struct {
	Step string // the last step
	// Err is why the step failed, and nil if all succeeded: an *service.Error, or the cause of a context that ended. The
	// other fields are only set without it.
	Err error
	// Message is the result in one sentence, and Report what was found out.
	Message schema.Finding
	Report  []schema.Finding
}

// report collects the findings of a check.
type report struct {
	DataSource
	usage     service.Usage
	lines     []schema.Finding
	refusing  []string // labels of the data sets that are not read with a page size
	unchecked []string // labels of the data sets that the check did not get to
	empty     int      // data sets without records
}

// Check logs in and reads tasks, and, if both succeed, checks everything else. It takes at most 30 seconds, and reports
// what it did not get to.
func Check(ctx context.Context, dataSource DataSource) *Result {
	ctx, cancel := context.WithTimeoutCause(ctx, timeLimit, &service.Error{Kind: service.ErrTimeout, Cause: context.DeadlineExceeded,
		Message: fmt.Sprintf("the check stopped after %s, its limit: the service responds slowly", timeLimit),
	})
	defer cancel()
	r := &report{DataSource: dataSource}
	tasks, others := dataSource.Sets.Default(), dataSource.Sets[1:]
	organization, err := r.Client.Login(ctx)
	if err != nil {
		return &Result{Step: StepLogin, Err: err}
	}
	page, err := r.page(ctx, tasks)
	if err != nil {
		return &Result{Step: StepPage, Err: err}
	}
	r.found(tasks, page)
	for _, set := range others {
		r.other(ctx, set)
	}
	if r.empty == len(r.Sets) {
		r.say("no-records", schema.Values{"organization": organization, "days": Days})
	}
	if len(r.refusing) > 0 {
		r.suggest("size-refused", schema.Values{"sets": strings.Join(r.refusing, ", "), "size": r.PageSize}, "pageSize", 0)
	}
	if r.IsCrowded {
		r.suggest("crowded", nil, "maxRows", nil)
	}
	if time.Since(r.Client.LimitedAt()) < limitedTime {
		r.suggest("rate-limited", nil, "requestsPerSecond", nil)
	}
	r.holidays()
	r.clock()
	if len(r.unchecked) > 0 {
		r.say("unchecked", schema.Values{"sets": strings.Join(r.unchecked, ", "), "seconds": int(timeLimit.Seconds())})
	}
	return r.result(organization, totalOf(page))
}

// result summarizes the report.
func (r *report) result(organization string, tasks int) *Result {
	isWarning := func(f schema.Finding) bool { return f.Severity == schema.SeverityWarning }
	values := schema.Values{"organization": organization, "tasks": tasks, "days": Days}
	key := "connected"
	if slices.ContainsFunc(r.lines, isWarning) {
		key = "connected-with-warnings"
		others := slices.DeleteFunc(slices.Clone(r.lines), isWarning)
		values["warnings"] = len(r.lines) - len(others)
	}
	return &Result{Step: StepPage, Message: r.finding(key, values), Report: r.lines}
}

// say adds a line. Text of the service in it is redacted.
func (r *report) say(key string, values schema.Values) {
	r.lines = append(r.lines, r.finding(key, values))
}

// suggest adds a line with a suggested value for a setting.
func (r *report) suggest(key string, values schema.Values, setting string, value any) {
	r.lines = append(r.lines, r.finding(key, values).Suggest(setting, value))
}

func (r *report) finding(key string, values schema.Values) schema.Finding {
	for name, value := range values {
		if text, ok := value.(string); ok {
			values[name] = r.Client.Quote(text)
		}
	}
	return schema.NewFinding(key, values)
}
