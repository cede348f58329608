package plugin

import (
	"strings"
	"testing"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/deadlines"
	"github.com/insights/insights-reporting-datasource/pkg/inputerror"
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

// badSettings are invalid settings, with the expected parts of the error: the setting and what is allowed.
var badSettings = []struct {
	name   string
	source backend.DataSourceInstanceSettings
	says   []string
}{
	{"no URL", source(""), []string{"Base URL is empty", "https://"}},
	{"blank URL", source("  "), []string{"Base URL is empty", "https://"}},
	{"URL without a scheme", source("company.example.com"), []string{"url", "http"}},
	{"host and port", source("localhost:3000"), []string{"url", "http"}},
	{"another scheme", source("ftp://company.example.com"), []string{"url", "http", "ftp"}},
	{"no host", source("https://"), []string{"url", "host"}},
	{"a port alone", source("http://:8080"), []string{"url", "host"}},
	{"no URL at all", source("https://exa mple.com"), []string{"url", "https://"}},
	{"credentials", source("https://robot:hunter2@company.example.com"), []string{"url", "credentials"}},
	{"credentials without a scheme", source("robot:hunter2@company.example.com"), []string{"url"}},
	{"credentials in an address that cannot be read", source("https://robot:hunter2@exa mple.com"), []string{"url"}},
	{"query string", source("https://company.example.com/?key=hunter2"), []string{"url", "query"}},
	{"query string without a scheme", source("company.example.com?key=hunter2"), []string{"url", `"company.example.com"`, "https://"}},
	{"fragment without a scheme", source("company.example.com#hunter2"), []string{"url", `"company.example.com"`, "https://"}},
	{"empty query string", source("https://company.example.com/?"), []string{"url", "query"}},
	{"fragment", source("https://company.example.com/#hunter2"), []string{"url"}},
	{"no login", source(someURL, "login", ""), []string{"login", "developer environment"}},
	{"login is a number", source(someURL, "login", 5), []string{"login", "string"}},
	{"no key", withoutKey(source(someURL)), []string{"key", "developer environment"}},
	{"timeout of 0", source(someURL, "timeout", 0), []string{"timeout", "0", "seconds", "from 1"}},
	{"timeout is text", source(someURL, "timeout", "soon"), []string{"timeout", "soon", "seconds"}},
	{"timeout is a fraction", source(someURL, "timeout", 1.5), []string{"timeout", "1.5", "whole"}},
	{"no requests at once", source(someURL, "maxConcurrentRequests", 0), []string{"maxConcurrentRequests", "1 to 32"}},
	{"too many requests at once", source(someURL, "maxConcurrentRequests", 33), []string{"maxConcurrentRequests", "33", "1 to 32"}},
	{"more requests than one can limit", source(someURL, "requestsPerSecond", 1000.5), []string{"requestsPerSecond", "1000.5", "0 to 1000", "0.5 for 30 a minute", "0 is no limit"}},
	{"less than no requests", source(someURL, "requestsPerSecond", -0.5), []string{"requestsPerSecond", "-0.5"}},
	{"a rate with a comma", source(someURL, "requestsPerSecond", "0,5"), []string{"requestsPerSecond", "0,5", "0.5 for 30 a minute"}},
	{"a rate that is not a number", source(someURL, "requestsPerSecond", "NaN"), []string{"requestsPerSecond", "NaN"}},
	{"negative TTL", source(someURL, "cacheTTL", -1), []string{"cacheTTL", "-1", "0 turns"}},
	{"TTL is not a number", source(someURL, "cacheTTL", "NaN"), []string{"cacheTTL", "NaN"}},
	{"TTL without end", source(someURL, "cacheTTL", "Inf"), []string{"cacheTTL", "Inf"}},
	{"rows are a truth", source(someURL, "maxRows", true), []string{"maxRows", "true"}},
	{"page below nothing", source(someURL, "pageSize", -1), []string{"pageSize", "-1", "0 to 2000", "0 uses the default of the service"}},
	{"page of too many rows", source(someURL, "pageSize", 2001), []string{"pageSize", "2001", "0 to 2000"}},
	{"switch is text", source(someURL, "incrementalQuerying", "sometimes"), []string{"incrementalQuerying", "sometimes", "true or false"}},
	{"switch is a number", source(someURL, "incrementalQuerying", 1), []string{"incrementalQuerying", "1", "true or false"}},
	{"interval of more than a day", source(someURL, "fullReadInterval", 86401), []string{"fullReadInterval", "86401", "0 to 86400"}},
	{"runners path without a slash", source(someURL, "runnersPath", "runners"), []string{"runnersPath", "/api/v1/insights/runner"}},
	{"runners path to another host", source(someURL, "runnersPath", "https://elsewhere.test/"), []string{"runnersPath"}},
	{"runners path with a query string", source(someURL, "runnersPath", "/runners?x=1"), []string{"runnersPath"}},
	{"runners path upwards", source(someURL, "runnersPath", "/api/../admin"), []string{"runnersPath"}},
	{"runners path that cannot be read", source(someURL, "runnersPath", "/%zz"), []string{"runnersPath"}},
	{"currency", source(someURL, "currency", "R$"), []string{"currency", "R$", "ISO 4217", "BRL"}},
	{"link without a scheme", source(someURL, "taskUrl", "o/${id}"), []string{"Task URL (jsonData.taskUrl)", "o/${id}", "http:// or https://"}},
	{"link with another scheme", source(someURL, "taskUrl", "javascript:alert(${id})"), []string{"taskUrl", "javascript:", "https://"}},
	{"link that cannot be read", source(someURL, "runnerUrl", "https://${machineId}/hunter2"), []string{"runnerUrl", "valid URL", "https://"}},
	{"link with credentials", source(someURL, "taskUrl", "https://me:hunter2@o/${id}"), []string{"taskUrl", "without credentials"}},
	{"link whose variable Grafana has replaced", source(someURL, "automationUrl", "https://o/"), []string{"automationUrl", "https://o/", "${label}", "write $${label}"}},
	{"link with the variable of another", source(someURL, "taskUrl", "https://o/${id}/${label}"), []string{"taskUrl", "${label}", "no other variable than ${id}", "%24"}},
	{"link with a variable in brackets", source(someURL, "taskUrl", "https://o/[[env]]/${id}"), []string{"taskUrl", "[[env]]", "no other variable than ${id}", "%5B"}},
	{"link with another way to write the variable", source(someURL, "taskUrl", "https://o/${id:queryparam}"), []string{"taskUrl", "${id:queryparam}", "must contain ${id}"}},
	{"rate scale", source(someURL, "rateScale", "promille"), []string{"rateScale", "promille", "auto, fraction, percent"}},
	{"names", source(someURL, "names", "pt-PT"), []string{"Names (jsonData.names)", "pt-PT", schema.List(schema.GetSetting("names").Values)}},
	{"names are a list", source(someURL, "names", []string{"api"}), []string{"names", "string"}},
	{"TLS switch is another text", source(someURL, "tlsSkipVerify", "maybe"), []string{"Skip TLS certificate verification (jsonData.tlsSkipVerify)", "maybe", "true or false"}},
	{"proxy switch is a number", source(someURL, "enableSecureSocksProxy", 1), []string{"enableSecureSocksProxy", "1", "true or false"}},
	{"server name is a number", source(someURL, "serverName", 5, "tlsAuth", true), []string{"jsonData.serverName is 5", "string"}},
	{"proxy user is a number", source(someURL, "enableSecureSocksProxy", "true", "secureSocksProxyUsername", 5), []string{"jsonData.secureSocksProxyUsername is 5", "string"}},
	{"a long value", source(someURL, "tlsAuth", strings.Repeat("x", 190)+servicetest.Key+strings.Repeat("x", 1000)), []string{"tlsAuth", "x[secret", "…: must be true or false"}},
	{"header name is a number", source(someURL, "httpHeaderName1", 5), []string{"jsonData.httpHeaderName1 is 5", "string"}},
	{"header name is missing", withSecret(source(someURL, "httpHeaderName1", nil), "httpHeaderValue1", "hunter2"), []string{"jsonData.httpHeaderName1 is null", "string"}},
	{"jsonData is a list", withJSON(`[]`), []string{"jsonData"}},
	{"jsonData is cut", withJSON(`{"login":`), []string{"jsonData"}},
	{"jsonData is null", withJSON(`null`), []string{"login"}},
	{"jsonData is missing", withJSON(``), []string{"login"}},
	{"the key in another field", source(someURL, "rateScale", servicetest.Key), []string{"rateScale", "[secret]"}},
	{"CA certificate", withSecret(source(someURL, "tlsAuthWithCACert", true), "tlsCACert", "hunter2"), []string{"TLS", "CA"}},
	{"client certificate", withSecret(withSecret(source(someURL, "tlsAuth", true), "tlsClientCert", "hunter2"), "tlsClientKey", "hunter2"), []string{"TLS"}},
}

func withoutKey(s backend.DataSourceInstanceSettings) backend.DataSourceInstanceSettings {
	s.DecryptedSecureJSONData = nil
	return s
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

// requireSettingsError checks an error about settings: it names the problem and contains no secret.
func requireSettingsError(t *testing.T, text string, says []string) {
	t.Helper()
	for _, word := range says {
		require.Contains(t, text, word)
	}
	require.NotContains(t, text, "\n")
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
				requireSettingsError(t, strings.TrimSpace(string(got.Body)), test.says[:1])
			}
		})
	}
}

// Several invalid settings are reported together.
func TestAllBadSettingsAreReported(t *testing.T) {
	_, err := LoadSettings(withoutKey(source("", "login", "", "maxRows", 0, "runnersPath", "x", "timeout", "x", "pageSize", "x",
		"incrementalQuerying", "x", "fullReadInterval", "x")))
	require.ErrorIs(t, err, inputerror.Err)
	for _, name := range []string{"Base URL", "Login", "Key", "maxRows", "runnersPath", "timeout", "pageSize", "incrementalQuerying", "fullReadInterval"} {
		assert.ErrorContains(t, err, name)
	}
}
