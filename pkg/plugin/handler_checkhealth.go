package plugin

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"

	"github.com/insights/insights-reporting-datasource/findings"
	"github.com/insights/insights-reporting-datasource/pkg/health"
	"github.com/insights/insights-reporting-datasource/pkg/service"
)

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
// to change. On success it reports what it found out about the service (package health).
func (i *Instance) CheckHealth(ctx context.Context, _ *backend.CheckHealthRequest) (*backend.CheckHealthResult, error) {
	start := time.Now()
	result := &health.Result{Step: health.StepSettings, Err: i.settingsErr}
	if i.settingsErr == nil {
		result = health.Check(ctx, health.DataSource{
			Client: i.client, Source: i.source, PageSize: i.settings.Reads.PageSize,
			RateScale: i.settings.RateScale, Currency: i.settings.Currency,
		})
	}
	if result.Err != nil {
		return i.healthFailure(result, time.Since(start)), nil
	}
	return healthOK(result, time.Since(start)), nil
}

func healthOK(result *health.Result, took time.Duration) *backend.CheckHealthResult {
	var warnings, all []string
	for _, line := range result.Report {
		all = append(all, mark[line.Severity]+" "+line.Text)
		if line.Severity == findings.Warning {
			warnings = append(warnings, line.Text)
		}
	}
	return healthResult(backend.HealthStatusOk, result.Message.Text, healthDetails{
		Message: strings.Join(warnings, " "), VerboseMessage: strings.Join(all, "\n"), Step: result.Step,
		Organization: result.Organization, Tasks: &result.Tasks, Milliseconds: took.Milliseconds(),
		Said: &result.Message, Report: result.Report,
	})
}

// mark is the prefix of a line of the report.
var mark = map[findings.Severity]string{findings.OK: "✓", findings.Info: "·", findings.Warning: "!", findings.Error: "✗"}

// stepTitles begin the message of a check that failed.
var stepTitles = map[string]string{
	health.StepSettings: "Settings: ",
	health.StepLogin:    "Login failed: ",
	health.StepPage:     "Login succeeded, but reading tasks failed: ",
}

func (i *Instance) healthFailure(result *health.Result, took time.Duration) *backend.CheckHealthResult {
	details := healthDetails{Step: result.Step, Milliseconds: took.Milliseconds(), Error: i.sentence(result.Err)}
	var invalid *settingsError
	if errors.As(result.Err, &invalid) {
		details.Report = invalid.problems
	}
	var failure *service.Error
	if errors.As(result.Err, &failure) {
		details.Status = failure.Status
		if failure.Cause != nil {
			details.VerboseMessage = failure.Cause.Error()
		}
	}
	return healthResult(backend.HealthStatusError, stepTitles[result.Step]+details.Error, details)
}

func healthResult(status backend.HealthStatus, text string, details healthDetails) *backend.CheckHealthResult {
	// A struct of strings and numbers always marshals.
	raw, _ := json.Marshal(details)
	return &backend.CheckHealthResult{Status: status, Message: text, JSONDetails: raw}
}
