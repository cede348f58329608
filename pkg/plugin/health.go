package plugin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/findings"
	"github.com/insights/insights-reporting-datasource/pkg/service"
)

// healthDays is the look-back of the health check: the service's own default.
const healthDays = 30

// healthDetails is the structured result of a check, which the page displays and translates.
type healthDetails struct {
	// Message lists the warnings, and VerboseMessage the whole report, one line per finding. Grafana shows both below
	// the message of the check.
	Message        string `json:"message,omitempty"`
	VerboseMessage string `json:"verboseMessage,omitempty"`
	Step           string `json:"step"` // settings, login, page
	Organization   string `json:"organization,omitempty"`
	Tasks          *int   `json:"tasks,omitempty"`
	Status         int    `json:"status,omitempty"` // HTTP status of the service
	Error          string `json:"error,omitempty"`  // why the step failed
	Milliseconds   int64  `json:"milliseconds"`
	// Said is the message itself and Report its lines, for translation. Said is nil if the message does not consist of
	// findings.
	Said   *findings.Finding  `json:"said,omitempty"`
	Report []findings.Finding `json:"report,omitempty"`
}

// CheckHealth validates the settings, logs in and reads tasks. It says which of the three steps failed, why, and what
// to change. On success it reports what it found out about the service (see report).
func (i *Instance) CheckHealth(ctx context.Context, _ *backend.CheckHealthRequest) (*backend.CheckHealthResult, error) {
	start := time.Now()
	failed := func(step string, err error) (*backend.CheckHealthResult, error) {
		return healthFailure(step, err, time.Since(start)), nil
	}
	if i.settingsErr != nil {
		return failed("settings", i.settingsErr)
	}
	ctx = service.WithAllowance(ctx, reportRequests)
	set := datasets.Get("tasks")
	organization, err := i.client.CheckLogin(ctx, i.source.Route(set))
	if err != nil {
		return failed("login", err)
	}
	r := &report{instance: i}
	tasks, err := i.reads.Survey(ctx, set, healthDays, &r.usage)
	if err != nil {
		return failed("page", err)
	}
	r.write(ctx, organization, tasks)
	return i.healthOK(organization, tasks.Total, r.lines, time.Since(start)), nil
}

func (i *Instance) healthOK(organization string, tasks int, lines []findings.Finding, took time.Duration) *backend.CheckHealthResult {
	var warnings, all []string
	for _, line := range lines {
		all = append(all, mark[line.Severity]+" "+line.Text)
		if line.Severity == findings.Warning {
			warnings = append(warnings, line.Text)
		}
	}
	key := "connected"
	if len(warnings) > 0 {
		key = "connected-with-warnings"
	}
	said := i.finding(key, findings.Values{"organization": organization, "tasks": tasks, "days": healthDays, "warnings": len(warnings)})
	return healthResult(backend.HealthStatusOk, said.Text, healthDetails{
		Message: strings.Join(warnings, " "), VerboseMessage: strings.Join(all, "\n"), Step: "page",
		// The login response may contain anything, including the key.
		Organization: i.client.Quote(organization), Tasks: &tasks, Milliseconds: took.Milliseconds(), Said: &said, Report: lines,
	})
}

// mark is the prefix of a line of the report.
var mark = map[findings.Severity]string{findings.OK: "✓", findings.Info: "·", findings.Warning: "!", findings.Error: "✗"}

func healthFailure(step string, err error, took time.Duration) *backend.CheckHealthResult {
	titles := map[string]string{
		"settings": "Settings: ",
		"login":    "Login failed: ",
		"page":     "Login succeeded, but reading tasks failed: ",
	}
	details := healthDetails{Step: step, Milliseconds: took.Milliseconds(), Error: oneLine(err), Report: settingsProblems(err)}
	var failure *service.Error
	if errors.As(err, &failure) {
		details.Status = failure.Status
		if failure.Cause != nil {
			details.VerboseMessage = failure.Cause.Error()
		}
	}
	return healthResult(backend.HealthStatusError, titles[step]+details.Error, details)
}

func healthResult(status backend.HealthStatus, text string, details healthDetails) *backend.CheckHealthResult {
	// A struct of strings and numbers always marshals.
	raw, _ := json.Marshal(details)
	return &backend.CheckHealthResult{Status: status, Message: text, JSONDetails: raw}
}

// oneLine joins the messages of several invalid settings.
func oneLine(err error) string {
	return strings.Join(strings.Split(fmt.Sprint(err), "\n"), "; ")
}
