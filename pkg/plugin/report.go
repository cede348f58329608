package plugin

import (
	"context"
	"slices"
	"strings"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/findings"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/reads"
	"github.com/insights/insights-reporting-datasource/pkg/service"
)

const (
	// reportRequests bounds the requests of a check: a login, three pages of tasks, one of automations, and the runners
	// path with its alternatives.
	reportRequests = 10
	// namesShown is how many names a line lists.
	namesShown = 12
)

// report collects what a check finds out about the service beyond a successful connection: whatever the specification
// leaves open.
type report struct {
	instance *Instance
	usage    service.Usage
	lines    []findings.Finding
}

// say adds a line. Text of the service in it is redacted.
func (r *report) say(key string, values findings.Values) {
	r.lines = append(r.lines, r.instance.finding(key, values))
}

// suggest adds a line with a suggested value for a setting.
func (r *report) suggest(key string, values findings.Values, setting string, value any) {
	r.lines = append(r.lines, r.instance.finding(key, values).Suggest(setting, value))
}

func (i *Instance) finding(key string, values findings.Values) findings.Finding {
	for name, value := range values {
		if text, ok := value.(string); ok {
			values[name] = i.client.Quote(text)
		}
	}
	return findings.New(key, values)
}

// write checks the routes other than tasks and reports the findings of all of them.
func (r *report) write(ctx context.Context, organization string, tasks reads.Surveyed) {
	r.organization(organization)
	r.tasks(tasks)
	r.automations(ctx)
	r.runners(ctx)
	r.clock()
	r.login()
	if requests, refused := service.Sent(ctx); refused {
		r.say("cut-short", findings.Values{"requests": requests})
	}
}

func (r *report) organization(organization string) {
	key := "organization"
	if r.instance.settings.Service.Organization != "" {
		key = "organization-set"
	}
	r.say(key, findings.Values{"organization": organization})
}

// records reports how the records of a data set differ from the description, and the format of their dates.
func (r *report) records(set *datasets.DataSet, table *columns.Table, forms pages.Forms) {
	var unknown []string
	for _, c := range table.Columns[len(set.Fields):] {
		unknown = append(unknown, c.Name)
	}
	if len(unknown) > 0 {
		r.say("fields-new", findings.Values{"set": set.Label, "fields": listed(unknown)})
	}
	if len(forms.Absent) > 0 {
		r.say("fields-absent", findings.Values{"set": set.Label, "fields": listed(forms.Absent)})
	}
	readable := slices.DeleteFunc(slices.Clone(forms.Dates), func(form string) bool { return form == pages.Unreadable })
	values := findings.Values{"set": set.Label, "formats": listed(readable)}
	switch {
	case len(forms.Dates) == 0:
	case len(readable) < len(forms.Dates):
		r.say("dates-unreadable", values)
	default:
		r.say("dates", values)
	}
}

// listed joins names up to namesShown.
func listed(names []string) string {
	if len(names) == 0 {
		return "–"
	}
	text := strings.Join(names[:min(len(names), namesShown)], ", ")
	if len(names) > namesShown {
		text += ", …"
	}
	return text
}
