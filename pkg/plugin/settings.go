package plugin

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"golang.org/x/text/currency"

	"github.com/insights/insights-reporting-datasource/findings"
	"github.com/insights/insights-reporting-datasource/pkg/frame"
	"github.com/insights/insights-reporting-datasource/pkg/reads"
	"github.com/insights/insights-reporting-datasource/pkg/service"
)

// ErrSettings marks an error that the data source settings cause. Nothing was sent.
var ErrSettings = errors.New("data source settings")

// settingsError is a sentence that names the setting and what is expected, or several, one a line.
type settingsError struct {
	message  string
	problems []findings.Finding // each sentence; nil: the message alone
}

func (e *settingsError) Error() string        { return e.message }
func (e *settingsError) Is(target error) bool { return target == ErrSettings }

func settingsErrorf(format string, args ...any) error {
	return &settingsError{message: fmt.Sprintf(format, args...)}
}

const defaultRunnersPath = "/api/v1/insights/runner"

// Settings are the data source settings, checked.
type Settings struct {
	Service     service.Config
	Reads       reads.Config
	RunnersPath string
	RateScale   frame.RateScale
	Currency    string // ISO 4217 code, or empty
}

// jsonData holds the settings by the names that provisioning files use. Numbers and switches may come as text, as they
// do when a file takes them from the environment.
type jsonData struct {
	Login                 string `json:"login"`
	Organization          string `json:"organization"`
	RunnersPath           string `json:"runnersPath"`
	RateScale             string `json:"rateScale"`
	Currency              string `json:"currency"`
	Timeout               any    `json:"timeout"`
	MaxConcurrentRequests any    `json:"maxConcurrentRequests"`
	CacheTTL              any    `json:"cacheTTL"`
	MaxRows               any    `json:"maxRows"`
	PageSize              any    `json:"pageSize"`
	IncrementalQuerying   any    `json:"incrementalQuerying"`
	FullReadInterval      any    `json:"fullReadInterval"`
}

// LoadSettings reads and checks the settings of a data source. Errors are ErrSettings.
func LoadSettings(source backend.DataSourceInstanceSettings) (*Settings, error) {
	var raw jsonData
	if len(source.JSONData) > 0 {
		if err := json.Unmarshal(source.JSONData, &raw); err != nil {
			return nil, settingsErrorf("jsonData cannot be read: %s", err)
		}
	}
	s := &Settings{}
	s.Service.Login = strings.TrimSpace(raw.Login)
	s.Service.Key = strings.TrimSpace(source.DecryptedSecureJSONData["key"])
	s.Service.Organization = strings.TrimSpace(raw.Organization)
	err := errors.Join(
		s.setBaseURL(source.URL),
		required("login", s.Service.Login),
		required("key", s.Service.Key),
		s.setRunnersPath(raw.RunnersPath),
		s.setRateScale(raw.RateScale),
		s.setCurrency(raw.Currency),
		s.setNumbers(raw),
		s.setIncremental(raw),
	)
	if err != nil {
		// A key that was pasted into the wrong field would be quoted with its value.
		err = redacted(err, s.Service.Key)
	}
	return s, err
}

// required says that a setting is missing, in the words that the page has for it.
func required(name, value string) error {
	if value != "" {
		return nil
	}
	missing := findings.New(name+"-empty", nil).Suggest(name, nil)
	return &settingsError{message: missing.Text, problems: []findings.Finding{missing}}
}

// redacted is an error of several settings without the key.
func redacted(err error, key string) error {
	problems := settingsProblems(err)
	for i := range problems {
		problems[i].Text = service.Redact(problems[i].Text, key)
	}
	return &settingsError{message: service.Redact(err.Error(), key), problems: problems}
}

// settingsProblems are what is wrong with the settings, one by one; none where an error is about something else.
func settingsProblems(err error) []findings.Finding {
	if joined, ok := err.(interface{ Unwrap() []error }); ok && errors.Is(err, ErrSettings) {
		var all []findings.Finding
		for _, one := range joined.Unwrap() {
			all = append(all, settingsProblems(one)...)
		}
		return all
	}
	var own *settingsError
	switch {
	case !errors.As(err, &own):
		return nil
	case own.problems != nil:
		return own.problems
	default:
		return []findings.Finding{{Severity: findings.Error, Text: own.message}}
	}
}

func (s *Settings) setBaseURL(text string) error {
	text = strings.TrimSpace(text)
	const expected = "expected is an address such as https://company.example.com"
	if err := required("url", text); err != nil {
		return err
	}
	u, err := url.Parse(text)
	switch {
	case err != nil:
		// The error would repeat the address, and with it a password that may be in there.
		return settingsErrorf("Base URL (url) cannot be read: %s", expected)
	case u.User != nil || u.Host == "" && strings.Contains(text, "@"):
		return settingsErrorf("Base URL (url) holds credentials: enter them as Login and Key; %s", expected)
	case u.RawQuery != "" || u.ForceQuery || strings.Contains(text, "#"):
		// Not repeated either: a key may stand there.
		return settingsErrorf("Base URL (url) holds a query string: leave out everything from ? or # on; %s", expected)
	case u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "":
		return settingsErrorf("Base URL (url) %q does not begin with http:// or https:// and a host: %s", text, expected)
	}
	s.Service.BaseURL = strings.TrimRight(u.String(), "/")
	return nil
}

func (s *Settings) setRunnersPath(path string) error {
	s.RunnersPath = strings.TrimSpace(path)
	if s.RunnersPath == "" {
		s.RunnersPath = defaultRunnersPath
	}
	_, err := url.ParseRequestURI(s.RunnersPath)
	if err != nil || !strings.HasPrefix(s.RunnersPath, "/") || strings.ContainsAny(s.RunnersPath, "?#\\") || slices.Contains(strings.Split(s.RunnersPath, "/"), "..") {
		return settingsErrorf("Runners path (jsonData.runnersPath) %q is no path of the service: expected is one such as %s, without ?, # and ..", path, defaultRunnersPath)
	}
	return nil
}

func (s *Settings) setRateScale(scale string) error {
	s.RateScale = frame.RateScale(scale)
	if scale == "" {
		s.RateScale = frame.ScaleAuto
	}
	if !slices.Contains([]frame.RateScale{frame.ScaleAuto, frame.ScaleFraction, frame.ScalePercent}, s.RateScale) {
		return settingsErrorf("Rate scale (jsonData.rateScale) %q is unknown: use auto, fraction or percent", scale)
	}
	return nil
}

func (s *Settings) setCurrency(code string) error {
	code = strings.TrimSpace(code)
	if code == "" {
		return nil
	}
	unit, err := currency.ParseISO(code)
	if err != nil {
		return settingsErrorf("Currency (jsonData.currency) %q is not an ISO 4217 code: use one such as BRL, EUR or USD, or leave it empty", code)
	}
	s.Currency = unit.String()
	return nil
}

func (s *Settings) setNumbers(raw jsonData) error {
	timeout, err1 := wholeNumber("Timeout (jsonData.timeout)", raw.Timeout, 30, 1, 3600, "seconds")
	ttl, err2 := wholeNumber("Cache TTL (jsonData.cacheTTL)", raw.CacheTTL, 60, 0, 86400, "seconds; 0 switches the cache off")
	var err3, err4, err5 error
	s.Service.MaxConcurrent, err3 = wholeNumber("Max concurrent requests (jsonData.maxConcurrentRequests)", raw.MaxConcurrentRequests, 8, 1, 32, "requests")
	s.Reads.MaxRows, err4 = wholeNumber("Max rows (jsonData.maxRows)", raw.MaxRows, 100_000, 1, 10_000_000, "rows")
	s.Reads.PageSize, err5 = wholeNumber("Page size (jsonData.pageSize)", raw.PageSize, 500, 0, 2000, "rows; 0 leaves it to the service")
	s.Reads.MaxConcurrent = s.Service.MaxConcurrent
	s.Service.Timeout, s.Reads.CacheTTL = time.Duration(timeout)*time.Second, time.Duration(ttl)*time.Second
	return errors.Join(err1, err2, err3, err4, err5)
}

func (s *Settings) setIncremental(raw jsonData) error {
	incremental, err1 := trueOrFalse("Incremental querying (jsonData.incrementalQuerying)", raw.IncrementalQuerying, true)
	interval, err2 := wholeNumber("Full read every (jsonData.fullReadInterval)", raw.FullReadInterval, 600, 0, 86400, "seconds; 0 makes every read whole")
	s.Reads.Incremental, s.Reads.FullReadInterval = incremental, time.Duration(interval)*time.Second
	return errors.Join(err1, err2)
}
