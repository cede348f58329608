package plugin

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/grafana/grafana-plugin-sdk-go/backend"

	"github.com/insights/insights-reporting-datasource/pkg/health"
	"github.com/insights/insights-reporting-datasource/pkg/reads"
	"github.com/insights/insights-reporting-datasource/pkg/service"
	"github.com/insights/insights-reporting-datasource/schema"
)

// healthDetails is the structured result of a check, which the page displays and translates.
type healthDetails struct {
	Step string `json:"step"` // settings, login, page
	// Error is why the step failed, and VerboseMessage the underlying error, which Grafana shows below it.
	Error          string `json:"error,omitempty"`
	VerboseMessage string `json:"verboseMessage,omitempty"`
	// Summary is the message itself and Report its lines, for translation. Summary is nil if the check has failed.
	Summary *schema.Finding  `json:"summary,omitempty"`
	Report  []schema.Finding `json:"report,omitempty"`
}

// CheckHealth validates the settings, logs in and reads tasks. It says which of the three steps failed, why, and what
// to change. On success it reports what it found out about the service (package health).
func (i *Instance) CheckHealth(ctx context.Context, _ *backend.CheckHealthRequest) (*backend.CheckHealthResult, error) {
	result := &health.Result{Step: health.StepSettings, Err: i.settingsErr}
	if i.settingsErr == nil {
		result.Err = i.settings.PartsErr
	}
	if result.Err == nil {
		result = health.Check(ctx, health.DataSource{
			Sets: i.sets, Client: i.client, Source: i.source, PageSize: i.settings.Reads.PageSize,
			RateScale: i.settings.RateScale, Currency: i.settings.Currency, IsCrowded: reads.IsCrowded(),
			Deadlines: i.settings.Deadlines, Teams: i.settings.Teams,
		})
	}
	if result.Err != nil {
		return i.healthFailure(result), nil
	}
	details := healthDetails{Step: result.Step, Summary: &result.Message, Report: result.Report}
	return healthResult(backend.HealthStatusOk, result.Message.Text, details), nil
}

// stepTitles begin the message of a check that failed.
var stepTitles = map[string]string{
	health.StepSettings: "Settings: ",
	health.StepLogin:    "Login failed: ",
	health.StepPage:     "Login succeeded, but reading tasks failed: ",
}

func (i *Instance) healthFailure(result *health.Result) *backend.CheckHealthResult {
	details := healthDetails{Step: result.Step, Error: i.sentence(result.Err)}
	var invalid *settingsError
	if errors.As(result.Err, &invalid) {
		details.Report = invalid.problems
	}
	var failure *service.Error
	if errors.As(result.Err, &failure) && failure.Cause != nil {
		details.VerboseMessage = failure.Cause.Error()
	}
	return healthResult(backend.HealthStatusError, stepTitles[result.Step]+details.Error, details)
}

func healthResult(status backend.HealthStatus, text string, details healthDetails) *backend.CheckHealthResult {
	// A struct of texts and findings always marshals.
	raw, _ := json.Marshal(details)
	return &backend.CheckHealthResult{Status: status, Message: text, JSONDetails: raw}
}
