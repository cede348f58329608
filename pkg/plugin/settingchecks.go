package plugin

import (
	"net/url"
	"slices"
	"strings"

	"golang.org/x/text/currency"

	"github.com/insights/insights-reporting-datasource/findings"
	"github.com/insights/insights-reporting-datasource/settings"
)

// defaultRunnersPath is the runners path if the settings do not set one.
var defaultRunnersPath = settings.Get("runnersPath").Text()

// checks reads settings one by one, applies defaults and collects errors. The value of an invalid setting must not be
// used.
type checks struct {
	problems []error
}

func (c *checks) problem(err error) { c.problems = append(c.problems, err) }

// required reports a missing setting with the message that the page translates.
func (c *checks) required(name, text string) string {
	text = strings.TrimSpace(text)
	if text == "" {
		missing := findings.New(name+"-empty", nil).Suggest(name, nil)
		c.problem(&settingsError{message: missing.Text, problems: []findings.Finding{missing}})
	}
	return text
}

func (c *checks) baseURL(text string) string {
	text = c.required("url", text)
	if text == "" {
		return ""
	}
	const example = "enter an address such as https://company.example.com"
	u, err := url.Parse(text)
	switch {
	case err != nil:
		// The parse error would repeat the URL, which may contain a password.
		c.problem(settingsErrorf("Base URL (url) is not a valid URL: %s", example))
	case u.User != nil || u.Host == "" && strings.Contains(text, "@"):
		c.problem(settingsErrorf("Base URL (url) must not contain credentials: enter them as Login and Key, and %s", example))
	case u.RawQuery != "" || u.ForceQuery || strings.Contains(text, "#"):
		// Not repeated either, because it may contain a key.
		c.problem(settingsErrorf("Base URL (url) must not contain a query string or fragment: %s", example))
	case u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "":
		c.problem(settingsErrorf("Base URL (url) %q must start with http:// or https:// and a host: %s", text, example))
	default:
		return strings.TrimRight(u.String(), "/")
	}
	return ""
}

func (c *checks) runnersPath(text string) string {
	path := strings.TrimSpace(text)
	if path == "" {
		return defaultRunnersPath
	}
	_, err := url.ParseRequestURI(path)
	if err != nil || !strings.HasPrefix(path, "/") || strings.ContainsAny(path, "?#\\") || slices.Contains(strings.Split(path, "/"), "..") {
		c.problem(settingsErrorf("Runners path (jsonData.runnersPath) %q is not a valid service path: enter a path such as %s, without ?, # or ..", text, defaultRunnersPath))
	}
	return path
}

func (c *checks) currency(code string) string {
	code = strings.TrimSpace(code)
	if code == "" {
		return ""
	}
	unit, err := currency.ParseISO(code)
	if err != nil {
		c.problem(settingsErrorf("Currency (jsonData.currency) %q is not an ISO 4217 code: use one such as BRL, EUR or USD, or leave it empty", code))
	}
	return unit.String()
}
