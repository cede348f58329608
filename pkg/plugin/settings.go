package plugin

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"golang.org/x/text/currency"

	"github.com/insights/insights-reporting-datasource/pkg/deadlines"
	"github.com/insights/insights-reporting-datasource/pkg/inputerror"
	"github.com/insights/insights-reporting-datasource/pkg/rates"
	"github.com/insights/insights-reporting-datasource/pkg/reads"
	"github.com/insights/insights-reporting-datasource/pkg/service"
	"github.com/insights/insights-reporting-datasource/schema"
)

// Settings are the validated data source settings.
type Settings struct {
	Service   service.Config
	Reads     reads.Config
	Paths     map[string]string // of the data routes that have a setting, by data set
	RateScale rates.Scale
	Names     schema.Language
	Currency  string            // ISO 4217 code, or empty
	Links     map[string]string // addresses of pages of the orchestrator, by their settings
	HTTP      json.RawMessage   // jsonData as the SDK reads it: TLS, proxy, and headers
	Calendar  *deadlines.Calendar
	Deadlines []*deadlines.Deadline
	Teams     deadlines.Teams
	problems  []schema.Finding // of these three: only what uses one that is wrong fails
}

// wrong returns what is wrong with some of the settings calendar, deadlines and teams; nil if nothing is.
func (s *Settings) wrong(settings ...string) error {
	return errorOf(slices.DeleteFunc(slices.Clone(s.problems), func(p schema.Finding) bool { return !slices.Contains(settings, p.Setting) }))
}

// rawSettings reads the settings as saved, by their descriptions (schema/settings.json), and collects what is wrong with them.
type rawSettings struct {
	values   map[string]any // by name, of every place
	problems []schema.Finding
}

// LoadSettings loads and validates the settings of a data source. Errors are inputerror.Err, and name every invalid setting.
func LoadSettings(source backend.DataSourceInstanceSettings) (*Settings, error) {
	var saved map[string]any
	if err := json.Unmarshal(source.JSONData, &saved); err != nil && len(source.JSONData) > 0 {
		return nil, inputerror.Errorf("jsonData must be an object with the settings")
	}
	raw := &rawSettings{values: maps.Collect(maps.All(saved))} // which jsonData may lack
	raw.values["url"], raw.values["key"] = source.URL, strings.TrimSpace(source.DecryptedSecureJSONData["key"])
	s := raw.settings()
	if err := errorOf(raw.problems); err != nil {
		return nil, err
	}
	var problems []string
	s.Calendar, problems = deadlines.ParseCalendar(raw.values["calendar"])
	raw.about("calendar", problems...)
	s.Deadlines, problems = deadlines.Parse(raw.values["deadlines"], s.Calendar)
	raw.about("deadlines", problems...)
	s.Teams, problems = deadlines.ParseTeams(raw.values["teams"])
	raw.about("teams", problems...)
	s.problems = raw.problems
	return s, nil
}

func (r *rawSettings) settings() *Settings {
	requests, timeout, cacheTTL, interval := r.whole("maxConcurrentRequests"), r.seconds("timeout"), r.seconds("cacheTTL"), r.seconds("fullReadInterval")
	if interval > 0 && interval < cacheTTL {
		r.problem("%s is %.0f: must be 0, or at least %s, which is %.0f: nothing is read again before", schema.GetSetting("fullReadInterval").Title(), interval.Seconds(), schema.GetSetting("cacheTTL").Title(), cacheTTL.Seconds())
	}
	return &Settings{
		Service: service.Config{
			BaseURL: r.baseURL(), Login: r.text("login"), Key: r.text("key"), Organization: r.text("organization"),
			Timeout: timeout, MaxConcurrent: requests, PerSecond: r.number("requestsPerSecond"),
		},
		Reads: reads.Config{
			MaxConcurrent: requests, CacheTTL: cacheTTL, MaxRows: r.whole("maxRows"), PageSize: r.whole("pageSize"),
			Incremental: r.isTrue(schema.GetSetting("incrementalQuerying")), FullReadInterval: interval,
		},
		Paths: r.paths(), RateScale: rates.Scale(r.text("rateScale")), Names: schema.Language(r.text("names")),
		Currency: r.currency(), Links: r.links(), HTTP: r.forSDK(),
	}
}

var sdkSwitches = []schema.Setting{
	{Name: "tlsSkipVerify", Label: "Skip TLS certificate verification"},
	{Name: "tlsAuthWithCACert", Label: "Add self-signed certificate"},
	{Name: "tlsAuth", Label: "TLS client authentication"},
	{Name: "enableSecureSocksProxy", Label: "Secure socks proxy"},
}

// forSDK returns jsonData in the types that the SDK expects: it ignores text, as environment variables yield it, and panics on null.
func (r *rawSettings) forSDK() json.RawMessage {
	values := maps.Clone(r.values)
	maps.DeleteFunc(values, func(name string, value any) bool { return name == "key" || value == nil })
	for _, s := range sdkSwitches {
		s.In, s.Default = "jsonData", false
		values[s.Name] = r.isTrue(s)
	}
	raw, _ := json.Marshal(values) // They were decoded from JSON.
	return raw
}

func (r *rawSettings) problem(format string, args ...any) { r.about("", fmt.Sprintf(format, args...)) }

// about adds problems of a setting, without a key that was pasted into the wrong field. Of a long value in the middle, a line is enough.
func (r *rawSettings) about(setting string, problems ...string) {
	const most = 150
	key, _ := r.values["key"].(string)
	for _, text := range problems {
		text = service.Redact(text, key)
		if characters := []rune(text); len(characters) > 2*most {
			text = string(characters[:most]) + "…" + string(characters[len(characters)-most:])
		}
		r.problems = append(r.problems, schema.Finding{Severity: schema.SeverityError, Text: text, Setting: setting})
	}
}

// value returns a value without spaces around it or, if it is not set, the default. A missing environment variable is empty text.
func (r *rawSettings) value(s schema.Setting) any {
	value := r.values[s.Name]
	if text, isText := value.(string); isText {
		value = strings.TrimSpace(text)
	}
	if value == nil || value == "" {
		return s.Default
	}
	return value
}

// text reads a text, which may have to be one of several. For a missing one, there is a message that the page translates.
func (r *rawSettings) text(name string) string {
	s := schema.GetSetting(name)
	value := r.value(s)
	text, isText := value.(string)
	switch {
	case value == nil && s.Required:
		r.problems = append(r.problems, schema.NewFinding(name+"-empty", nil))
	case value != nil && !isText:
		r.problem("%s is %s: must be a text", s.Title(), schema.Shown(value))
	case text != "" && s.Values != nil && !slices.Contains(s.Values, text):
		r.problem("%s %q is unknown: use one of %s", s.Title(), text, strings.Join(s.Values, ", "))
	}
	return text
}

func (r *rawSettings) baseURL() string {
	s, text := schema.GetSetting("url"), r.text("url")
	u := r.address(s, text)
	if u == nil {
		return ""
	}
	if u.RawQuery != "" || u.ForceQuery || strings.Contains(text, "#") { // Not repeated, because it may contain a key.
		r.problem("%s must not contain a query string or fragment: enter an address such as %s", s.Title(), s.Example)
	}
	return strings.TrimRight(u.String(), "/")
}

// address parses an address; nil if it is empty or not valid.
func (r *rawSettings) address(s schema.Setting, text string) *url.URL {
	u, err := url.Parse(text)
	switch {
	case text == "":
	case err != nil || u.User != nil || u.Host == "" && strings.Contains(text, "@"): // Not repeated: it may contain a password.
		r.problem("%s must be a valid URL without credentials: enter an address such as %s", s.Title(), s.Example)
	case u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "":
		text, _, _ = strings.Cut(strings.ReplaceAll(text, "#", "?"), "?") // What follows may contain a key.
		r.problem("%s %q must start with http:// or https:// and a host: enter an address such as %s", s.Title(), text, s.Example)
	default:
		return u
	}
	return nil
}

func (r *rawSettings) paths() map[string]string {
	paths := map[string]string{}
	for _, set := range schema.All() {
		if set.PathSetting == "" {
			continue
		}
		path := r.text(set.PathSetting)
		_, err := url.ParseRequestURI(path)
		isPath := err == nil && strings.HasPrefix(path, "/") && !strings.ContainsAny(path, "?#\\") && !slices.Contains(strings.Split(path, "/"), "..")
		if path != "" && !isPath { // An empty one is not a string, which is reported.
			s := schema.GetSetting(set.PathSetting)
			r.problem("%s %q is not a valid service path: enter a path such as %s, without ?, # or ..", s.Title(), path, s.Default)
		}
		paths[set.Name] = path
	}
	return paths
}

func (r *rawSettings) currency() string {
	code := r.text("currency")
	if code == "" {
		return ""
	}
	unit, err := currency.ParseISO(code)
	if err != nil {
		r.problem("Currency (jsonData.currency) %q is not an ISO 4217 code: use one such as BRL, EUR or USD, or leave it empty", code)
	}
	return unit.String()
}

// links reads the addresses of pages with a variable for what they show, which Grafana removes in provisioning if it is not escaped.
func (r *rawSettings) links() map[string]string {
	links := map[string]string{}
	for _, name := range schema.SettingNames() {
		s := schema.GetSetting(name)
		if s.Variable == "" {
			continue
		}
		text := r.text(name)
		switch {
		case r.address(s, text) == nil:
			text = ""
		case !strings.Contains(text, s.Variable):
			r.problem("%s %q must contain %s: enter an address such as %s. In a provisioning file, write $%s", s.Title(), text, s.Variable, s.Example, s.Variable)
		case otherVariable.MatchString(strings.ReplaceAll(text, s.Variable, "")):
			r.problem("%s %q must contain no other variable than %s: remove it, or write %%24 for the character $, and %%5B for [", s.Title(), text, s.Variable)
		}
		links[name] = text
	}
	return links
}

var otherVariable = regexp.MustCompile(`\$|\[\[`) // how one of Grafana's variables begins: $name, ${name}, or the older [[name]]

func (r *rawSettings) number(name string) float64 {
	s := schema.GetSetting(name)
	value, kind := r.value(s), map[schema.Type]string{schema.Number: "number", schema.Integer: "whole number"}[s.Type]
	n, err := strconv.ParseFloat(fmt.Sprint(value), 64)
	if err != nil || !(n >= float64(s.Min) && n <= float64(s.Max)) || s.Type == schema.Integer && n != math.Trunc(n) {
		r.problem("%s is %s: must be a %s from %d to %d (%s)", s.Title(), schema.Shown(value), kind, s.Min, s.Max, s.Unit)
		return 0
	}
	return n
}

func (r *rawSettings) whole(name string) int { return int(r.number(name)) }

func (r *rawSettings) seconds(name string) time.Duration {
	return time.Duration(r.whole(name)) * time.Second
}

func (r *rawSettings) isTrue(s schema.Setting) bool {
	value := r.value(s)
	text := fmt.Sprint(value)
	if text != "true" && text != "false" {
		r.problem("%s is %s: must be true or false", s.Title(), schema.Shown(value))
	}
	return text == "true"
}

// settingsError lists what is wrong with the settings. Each problem names the setting and what is allowed. Nothing was sent.
type settingsError struct{ problems []schema.Finding }

func errorOf(problems []schema.Finding) error {
	if len(problems) == 0 {
		return nil
	}
	return &settingsError{problems}
}

func (e *settingsError) Error() string {
	var texts []string
	for _, problem := range e.problems {
		texts = append(texts, problem.Text)
	}
	return strings.Join(texts, "; ")
}

// Is makes it an error in what a user has entered, like those of queries.
func (e *settingsError) Is(target error) bool { return target == inputerror.Err }
