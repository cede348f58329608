package plugin

import (
	"strings"
	"testing"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/deadlines"
	"github.com/insights/insights-reporting-datasource/pkg/rates"
	"github.com/insights/insights-reporting-datasource/pkg/reads"
	"github.com/insights/insights-reporting-datasource/pkg/service"
	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
	"github.com/insights/insights-reporting-datasource/schema"
)

const someURL = "https://company.example.com"

// Dashboards and provisioning files rely on the defaults: they never change.
func TestSettings(t *testing.T) {
	links := func(task string) map[string]string {
		return map[string]string{"taskUrl": task, "automationUrl": "", "runnerUrl": ""}
	}
	calendar, _ := deadlines.ParseCalendar(nil)
	defaults := &Settings{
		Calendar: calendar,
		Service:  service.Config{BaseURL: someURL, Login: servicetest.Login, Key: servicetest.Key, Timeout: 30 * time.Second, MaxConcurrent: 8},
		Reads: reads.Config{
			MaxConcurrent: 8, CacheTTL: time.Minute, MaxRows: 100_000, PageSize: 500, Incremental: true, FullReadInterval: time.Hour,
		},
		Paths: map[string]string{"runners": "/api/v1/insights/runner"}, RateScale: rates.Auto, Names: schema.English, Links: links(""),
	}
	given := &Settings{
		Calendar: calendar,
		Service: service.Config{
			BaseURL: someURL + "/reports", Login: servicetest.Login, Key: servicetest.Key, Organization: "acme", Timeout: 5 * time.Second, MaxConcurrent: 32, PerSecond: 0.5,
		},
		Reads: reads.Config{MaxConcurrent: 32, MaxRows: 1},
		Paths: map[string]string{"runners": "/custom/runners"}, RateScale: rates.Percent, Names: "pt-BR", Currency: "BRL",
		Links: links("https://o:8443/#/t?i=${id}&${id}"),
	}
	texts := []any{"organization", " acme ", "runnersPath", " /custom/runners ", "rateScale", "percent", "names", " pt-BR ", "currency", " brl ", "taskUrl", " https://o:8443/#/t?i=${id}&${id} "}
	for name, test := range map[string]struct {
		source backend.DataSourceInstanceSettings
		want   *Settings
	}{
		"defaults": {source(someURL), defaults},
		"empty": {source(someURL, "timeout", nil, "maxConcurrentRequests", "", "requestsPerSecond", "", "cacheTTL", " ", "maxRows", nil,
			"pageSize", "", "incrementalQuerying", " ", "fullReadInterval", nil), defaults},
		"as numbers": {source(" "+someURL+"/reports/ ", append(texts, "timeout", 5, "maxConcurrentRequests", 32, "requestsPerSecond", 0.5, "cacheTTL", 0, "maxRows", 1,
			"pageSize", 0, "incrementalQuerying", false, "fullReadInterval", 0)...), given},
		// Provisioning from environment variables yields text.
		"as text": {source(someURL+"/reports", append(texts, "timeout", "5", "maxConcurrentRequests", "32", "requestsPerSecond", "0.5", "cacheTTL", "0", "maxRows", " 1 ",
			"pageSize", "0", "incrementalQuerying", " false ", "fullReadInterval", "0")...), given},
	} {
		got, err := LoadSettings(test.source)
		require.NoError(t, err, name)
		assert.NotContains(t, string(got.HTTP), servicetest.Key, name)
		got.HTTP = nil
		assert.Equal(t, test.want, got, name)
	}
}

var badSettings = []struct {
	name   string
	source backend.DataSourceInstanceSettings
	says   []string
}{
	{"no URL", source(""), []string{"Base URL is empty", "https://"}},
	{"URL without a scheme", source("company.example.com"), []string{"url", "http"}},
	{"no host", source("https://"), []string{"url", "host"}},
	{"fragment", source("https://company.example.com/#hunter2"), []string{"url"}},
	{"no login", source(someURL, "login", ""), []string{"login", "developer environment"}},
	{"no key", withSecret(source(someURL), "key", ""), []string{"key", "developer environment"}},
	{"timeout of 0", source(someURL, "timeout", 0), []string{"timeout", "0", "seconds", "from 1"}},
	{"more requests than one can limit", source(someURL, "requestsPerSecond", 1000.5), []string{"requestsPerSecond", "1000.5", "0 to 1000", "0.5 for 30 a minute", "0 is no limit"}},
	{"switch is text", source(someURL, "incrementalQuerying", "sometimes"), []string{"incrementalQuerying", "sometimes", "true or false"}},
	{"runners path without a slash", source(someURL, "runnersPath", "runners"), []string{"runnersPath", "/api/v1/insights/runner"}},
	{"runners path upwards", source(someURL, "runnersPath", "/api/../admin"), []string{"runnersPath"}},
	{"runners path that cannot be read", source(someURL, "runnersPath", "/%zz"), []string{"runnersPath"}},
	{"currency", source(someURL, "currency", "R$"), []string{"currency", "R$", "ISO 4217", "BRL"}},
	{"link without a scheme", source(someURL, "taskUrl", "o/${id}"), []string{"Task URL (jsonData.taskUrl)", "o/${id}", "http:// or https://"}},
	{"link whose variable Grafana has replaced", source(someURL, "automationUrl", "https://o/"), []string{"automationUrl", "https://o/", "${label}", "write $${label}"}},
	{"link with the variable of another", source(someURL, "taskUrl", "https://o/${id}/${label}"), []string{"taskUrl", "${label}", "no other variable than ${id}", "%24"}},
	{"rate scale", source(someURL, "rateScale", "promille"), []string{"rateScale", "promille", "auto, fraction, percent"}},
	{"names", source(someURL, "names", "pt-PT"), []string{"Names (jsonData.names)", "pt-PT", schema.List(schema.GetSetting("names").Values)}},
	{"TLS switch is another text", source(someURL, "tlsSkipVerify", "maybe"), []string{"Skip TLS certificate verification (jsonData.tlsSkipVerify)", "maybe", "true or false"}},
	{"server name is a number", source(someURL, "serverName", 5, "tlsAuth", true), []string{"TLS, proxy, or HTTP settings are not valid", "serverName", "must be strings"}},
	{"credentials", source("https://robot:hunter2@example.com"), []string{"url", "without credentials"}},
	{"credentials without a scheme", source("robot:hunter2@example.com"), []string{"url", "without credentials"}},
	{"credentials in an address that cannot be read", source("https://robot:hunter2@exa mple.com"), []string{"url"}},
	{"timeout is a fraction", source(someURL, "timeout", 1.5), []string{"timeout", "1.5", "whole"}},
	{"timeout is an object", source(someURL, "timeout", map[string]any{"a": 1}), []string{`Timeout (jsonData.timeout) is {"a":1}: must be a whole number`}},
	{"pages read again before the cache ends", source(someURL, "fullReadInterval", 5), []string{"Read all pages every (jsonData.fullReadInterval) is 5: must be 0, or at least", "(jsonData.cacheTTL), which is 60"}},
	{"jsonData is a list", withJSON(`[]`), []string{"jsonData must be an object"}},
	{"jsonData is null", withJSON(`null`), []string{"login"}},
	{"the key in another field", source(someURL, "rateScale", servicetest.Key), []string{"rateScale", "[secret]"}},
	{"several", withSecret(source("", "login", "", "maxRows", 0, "runnersPath", "x", "timeout", "x", "pageSize", "x", "incrementalQuerying", "x", "fullReadInterval", "x"), "key", ""),
		[]string{"Base URL", "Login", "Key", "maxRows", "runnersPath", "timeout", "pageSize", "incrementalQuerying", "fullReadInterval"}},
	{"two of 3,000 characters", source(someURL, "names", strings.Repeat("x", 3000), "taskUrl", strings.Repeat("é", 3000)),
		[]string{`(jsonData.names) "xxx`, `xxx" is unknown: use one of`, `(jsonData.taskUrl) "é`, `é" must start with http`}},
	{"CA certificate", withSecret(source(someURL, "tlsAuthWithCACert", true), "tlsCACert", "hunter2"), []string{"TLS", "CA"}},
}

func withSecret(s backend.DataSourceInstanceSettings, name, value string) backend.DataSourceInstanceSettings {
	s.DecryptedSecureJSONData[name] = value
	return s
}

func withJSON(raw string) backend.DataSourceInstanceSettings {
	s := source(someURL)
	s.JSONData = []byte(raw)
	return s
}

func requireSettingsError(t *testing.T, text string, says []string) {
	t.Helper()
	servicetest.RequireSays(t, text, says)
	require.NotRegexp(t, `\n|map\[|json: |Go value`, text)
	require.Less(t, len(text), 1000, "of a long value, a line is enough")
	requireNoSecrets(t, text)
}

// Invalid settings yield an instance that returns the error in every response. A failing constructor would leave
// Grafana with a generic error.
func TestBadSettingsAreReportedByEveryHandler(t *testing.T) {
	for _, test := range badSettings {
		t.Run(test.name, func(t *testing.T) {
			i := create(t, test.source)

			response := ask(t, i, `{"queryType":"tasks"}`)
			require.Error(t, response.Error)
			assert.Equal(t, backend.StatusBadRequest, response.Status)
			assert.Equal(t, backend.ErrorSourceDownstream, response.ErrorSource)
			requireSettingsError(t, response.Error.Error(), test.says)

			health, err := i.CheckHealth(t.Context(), &backend.CheckHealthRequest{})
			require.NoError(t, err)
			assert.Equal(t, backend.HealthStatusError, health.Status)
			requireSettingsError(t, health.Message, test.says)

			for _, path := range []string{"automations", "runners", "values?field=state", "api/v1/insights/tasks"} {
				got := get(t, i, path)
				assert.Equal(t, 400, got.Status, path)
				requireSettingsError(t, sentence(t, got.Body), test.says[:1])
			}
		})
	}
}

// Teams are labels of rules, also of automations without tasks. They and deadlines are suggested, without a request, for filters,
// variables, and dashboards that hide what is about them.
func TestTeamsAndDeadlinesOfTheSettings(t *testing.T) {
	s := newService().Data(automationsPath, servicetest.OK(page(`{"label":"payroll"}`)))
	address := s.Start(t).URL
	teams := []any{map[string]any{"automation": "pay*", "team": "HR"}, map[string]any{"automation": "*", "team": "Ops"}}
	i := create(t, source(address, "teams", teams, "deadlines", []any{map[string]any{"automation": "payroll", "by": "00:01"}}))
	assert.Equal(t, [][2]string{{"HR", "HR"}, {"Ops", "Ops"}}, options(t, i, "values?queryType=automations&field=team"))
	assert.Equal(t, [][2]string{{"payroll", "payroll"}}, options(t, i, "values?queryType=tasks&field=deadlines"))
	assert.Empty(t, options(t, create(t, source(address)), "values?queryType=tasks&field=deadlines"))
	assert.Equal(t, 400, get(t, i, "values?queryType=runners&field=team").Status)
	response := askOf(t, i, asRule, dataQuery("A", `{"format":"numeric","measure":"deadlinesMet","groupBy":["team"],"days":7}`))
	require.NoError(t, response.Error)
	assert.Equal(t, "HR", response.Frames[0].Fields[0].Labels["team"])
}

// A calendar, a deadline or a team that is wrong is an error, which names it, of Save & test and of what uses it. Everything else works.
func TestPartsThatAreWrong(t *testing.T) {
	const (
		noSilence   = `{"format":"attention","attention":{"silent":0}}`
		noDeadlines = `{"format":"attention","attention":{"deadline":0}}`
		runners     = `{"format":"attention","groupBy":["machineId"]}`
		neither     = `{"format":"attention","groupBy":["machineId"],"attention":{"silent":0}}`
	)
	holidays := map[string]any{"holidays": []any{"25"}}
	orders := []any{map[string]any{"automation": "pay*", "by": "07:00"}, map[string]any{"automation": "orders", "by": servicetest.Key}}
	const ofCalendar = `Calendar (jsonData.calendar): holidays has 25: use dates such as 2026-04-03, or 12-25 for each year`
	const ofDeadlines = `Deadlines (jsonData.deadlines), line 2: by is "[secret]": enter a time from 00:01 to 24:00, such as "07:00"`
	due := []string{noSilence, `{"format":"attention"}`, `{"format":"deadlines"}`, `{"format":"numeric","measure":"deadlinesMet"}`, `{"format":"timeseries","measures":["tasks","deadlinesMet"]}`}
	for _, test := range []struct {
		settings     []any
		says, field  string
		fails, works []string
	}{
		{[]any{"calendar", holidays}, ofCalendar, "deadlines", append([]string{runners, noDeadlines}, due...), []string{neither}},
		{[]any{"deadlines", orders}, ofDeadlines, "deadlines", due, []string{runners, noDeadlines}},
		{[]any{"calendar", holidays, "deadlines", orders}, ofCalendar + "; " + ofDeadlines, "deadlines", due, []string{neither}},
		{[]any{"teams", []any{map[string]any{"automation": servicetest.Key, "team": 7}}}, `Teams (jsonData.teams), line 1: team is 7: must be a text, in quotes`, "team", []string{
			`{"columns":["team"]}`, `{"filters":[{"key":"team","operator":"=","value":"HR"}]}`, `{"sort":"team"}`, `{"format":"timeline","state":"team"}`,
			`{"format":"numeric","measure":"tasks","groupBy":["team"]}`, `{"queryType":"automations","columns":["team"]}`, `{"format":"attention","groupBy":["activityLabel","team"]}`,
		}, due},
	} {
		s := newService()
		i := create(t, source(s.Start(t).URL, test.settings...))
		for _, query := range test.fails {
			response := ask(t, i, query)
			require.EqualError(t, response.Error, test.says, query)
			assert.Equal(t, backend.StatusBadRequest, response.Status)
			assert.Empty(t, response.Frames)
			assert.Equal(t, backend.StatusBadRequest, askOf(t, i, asRule, dataQuery("A", query)).Status)
		}
		health := check(t, i)
		assert.Equal(t, backend.HealthStatusError, health.result.Status)
		assert.Contains(t, health.result.Message, test.says)
		assert.Equal(t, "settings", health.Step)
		assert.Equal(t, test.settings[0], health.Report[0].Setting)
		assert.Equal(t, 400, get(t, i, "values?field="+test.field).Status)
		assert.Zero(t, s.Count(""))

		for _, query := range append(test.works, `{}`, `{"format":"numeric","measure":"tasks","groupBy":["activityLabel"]}`, `{"format":"timeline"}`, `{"queryType":"automations"}`) {
			assert.NoError(t, ask(t, i, query).Error, query)
		}
		assert.Equal(t, 200, get(t, i, "values?field=state").Status)
	}
}
