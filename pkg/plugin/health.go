package plugin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/reads"
	"github.com/insights/insights-reporting-datasource/pkg/service"
)

// healthDays is the window of the page that the health check reads: the service's own default.
const healthDays = 30

// healthDetails is for the curious, in the check's details.
type healthDetails struct {
	// VerboseMessage is what Grafana shows under the message.
	VerboseMessage string `json:"verboseMessage,omitempty"`
	Step           string `json:"step"` // settings, login, page
	Organization   string `json:"organization,omitempty"`
	Tasks          *int   `json:"tasks,omitempty"`
	Status         int    `json:"status,omitempty"` // HTTP status of the service
	Milliseconds   int64  `json:"milliseconds"`
}

// CheckHealth looks at the settings, logs in and reads one page, and says which of the three failed, why, and what to
// change.
func (i *Instance) CheckHealth(ctx context.Context, _ *backend.CheckHealthRequest) (*backend.CheckHealthResult, error) {
	start := time.Now()
	failed := func(step string, err error) (*backend.CheckHealthResult, error) {
		return healthFailure(step, err, time.Since(start)), nil
	}
	if i.settingsErr != nil {
		return failed("settings", i.settingsErr)
	}
	organization, err := i.client.Login(ctx)
	if err != nil {
		return failed("login", err)
	}
	// A login may answer with anything, the key included.
	organization = i.client.Redact(organization)
	probed, err := i.reads.Probe(ctx, datasets.Get("tasks"), healthDays)
	if err != nil {
		return failed("page", err)
	}
	text := message.NewPrinter(language.English).Sprintf("Connected to organization %q: %d tasks in the last %d days.", organization, probed.Total, healthDays)
	return healthResult(backend.HealthStatusOk, text, healthDetails{
		Step: "page", Organization: organization, Tasks: &probed.Total, VerboseMessage: paging(probed), Milliseconds: time.Since(start).Milliseconds(),
	}), nil
}

func healthFailure(step string, err error, took time.Duration) *backend.CheckHealthResult {
	titles := map[string]string{
		"settings": "Settings: ",
		"login":    "Login failed: ",
		"page":     "Login succeeded, but reading tasks failed: ",
	}
	details := healthDetails{Step: step, Milliseconds: took.Milliseconds()}
	var failure *service.Error
	if errors.As(err, &failure) {
		details.Status = failure.Status
		if failure.Cause != nil {
			details.VerboseMessage = failure.Cause.Error()
		}
	}
	return healthResult(backend.HealthStatusError, titles[step]+oneLine(err), details)
}

func healthResult(status backend.HealthStatus, text string, details healthDetails) *backend.CheckHealthResult {
	// A struct of texts and numbers always marshals.
	raw, _ := json.Marshal(details)
	return &backend.CheckHealthResult{Status: status, Message: text, JSONDetails: raw}
}

// oneLine joins the sentences of several wrong settings.
func oneLine(err error) string {
	return strings.Join(strings.Split(fmt.Sprint(err), "\n"), "; ")
}

// paging says what size the pages of tasks have, and whether the service lets itself be asked for another.
func paging(p reads.Probed) string {
	switch p.Paging {
	case reads.SizeNotAsked:
		return fmt.Sprintf("Tasks come in pages of %d, the service's own: Page size (pageSize) is 0.", p.Size)
	case reads.SizeRefused:
		return fmt.Sprintf("Tasks come in pages of %d, the service's own: it refuses to be asked for a page size.", p.Size)
	case reads.SizeIgnored:
		return fmt.Sprintf("Tasks come in pages of %d, whatever is asked for.", p.Size)
	case reads.SizeHonored:
		return fmt.Sprintf("Tasks come in pages of %d.", p.Size)
	default:
		return ""
	}
}
