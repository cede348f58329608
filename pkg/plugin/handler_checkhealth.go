package plugin

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"

	"github.com/grafana/grafana-plugin-sdk-go/backend"

	"github.com/insights/insights-reporting-datasource/pkg/health"
	"github.com/insights/insights-reporting-datasource/pkg/reads"
	"github.com/insights/insights-reporting-datasource/pkg/service"
	"github.com/insights/insights-reporting-datasource/schema"
)

type healthDetails struct {
	Step           string           `json:"step"`                     // settings, login, page
	Error          string           `json:"error,omitempty"`          // why the step failed
	VerboseMessage string           `json:"verboseMessage,omitempty"` // the underlying error, which Grafana shows below it
	Summary        *schema.Finding  `json:"summary,omitempty"`        // the message itself, for translation; nil if the check has failed
	Report         []schema.Finding `json:"report,omitempty"`         // its lines
}

var stepTitles = map[string]string{
	health.StepSettings: "Settings: ",
	health.StepLogin:    "Login failed: ",
	health.StepPage:     "Login succeeded, but reading tasks failed: ",
}

// CheckHealth validates the settings, logs in and reads tasks: it says which step failed, why, and what to change, or what it found.
func (i *Instance) CheckHealth(ctx context.Context, _ *backend.CheckHealthRequest) (*backend.CheckHealthResult, error) {
	found := &health.Result{Step: health.StepSettings, Err: cmp.Or(i.settingsErr, i.settings.wrong("calendar", "deadlines", "teams"))}
	if found.Err == nil {
		found = health.Check(ctx, health.DataSource{
			Sets: i.sets, Client: i.client, Source: i.source, PageSize: i.settings.Reads.PageSize,
			RateScale: i.settings.RateScale, Currency: i.settings.Currency, IsCrowded: reads.IsCrowded(),
			Deadlines: i.settings.Deadlines, Teams: i.settings.Teams,
		})
	}
	result := &backend.CheckHealthResult{Status: backend.HealthStatusOk, Message: found.Message.Text}
	details := healthDetails{Step: found.Step, Summary: &found.Message, Report: found.Report}
	if found.Err != nil {
		details = healthDetails{Step: found.Step, Error: i.sentence(found.Err)}
		result.Status, result.Message = backend.HealthStatusError, stepTitles[found.Step]+details.Error
	}
	if invalid, ok := errors.AsType[*settingsError](found.Err); ok {
		details.Report = invalid.problems
	}
	if failure, ok := errors.AsType[*service.Error](found.Err); ok && failure.Cause != nil {
		details.VerboseMessage = failure.Cause.Error()
	}
	result.JSONDetails, _ = json.Marshal(details) // Texts and findings always marshal.
	return result, nil
}
