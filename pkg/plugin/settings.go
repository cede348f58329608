package plugin

import (
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"

	"github.com/insights/insights-reporting-datasource/pkg/frame"
	"github.com/insights/insights-reporting-datasource/pkg/reads"
	"github.com/insights/insights-reporting-datasource/pkg/service"
)

// Settings are the validated data source settings.
type Settings struct {
	Service     service.Config
	Reads       reads.Config
	RunnersPath string
	RateScale   frame.RateScale
	Names       frame.Language
	Currency    string // ISO 4217 code, or empty
}

// written holds the settings as provisioned or saved. Numbers and switches may be strings, for example if a
// provisioning file takes them from the environment.
type written struct {
	URL                   string `json:"-"`
	Key                   string `json:"-"` // secret
	Login                 string `json:"login"`
	Organization          string `json:"organization"`
	RunnersPath           string `json:"runnersPath"`
	RateScale             string `json:"rateScale"`
	Names                 string `json:"names"`
	Currency              string `json:"currency"`
	Timeout               any    `json:"timeout"`
	MaxConcurrentRequests any    `json:"maxConcurrentRequests"`
	CacheTTL              any    `json:"cacheTTL"`
	MaxRows               any    `json:"maxRows"`
	PageSize              any    `json:"pageSize"`
	IncrementalQuerying   any    `json:"incrementalQuerying"`
	FullReadInterval      any    `json:"fullReadInterval"`
}

// LoadSettings loads and validates the settings of a data source. Errors are ErrSettings and include every invalid
// setting.
func LoadSettings(source backend.DataSourceInstanceSettings) (*Settings, error) {
	w, err := load(source)
	if err != nil {
		return nil, err
	}
	s, err := w.check()
	if err != nil {
		// A key pasted into the wrong field would be quoted as its value.
		return nil, redacted(err, strings.TrimSpace(w.Key))
	}
	return s, nil
}

// load reads the settings without validating them.
func load(source backend.DataSourceInstanceSettings) (*written, error) {
	w := &written{}
	if len(source.JSONData) > 0 {
		if err := json.Unmarshal(source.JSONData, w); err != nil {
			return nil, settingsErrorf("jsonData cannot be parsed: %s", err)
		}
	}
	w.URL, w.Key = source.URL, source.DecryptedSecureJSONData["key"]
	return w, nil
}

// check validates the settings and applies defaults, or returns all errors.
func (w *written) check() (*Settings, error) {
	var c checks
	s := &Settings{
		Service: service.Config{
			BaseURL:      c.baseURL(w.URL),
			Login:        c.required("login", w.Login),
			Key:          c.required("key", w.Key),
			Organization: strings.TrimSpace(w.Organization),
		},
		RunnersPath: c.runnersPath(w.RunnersPath),
		RateScale:   frame.RateScale(c.oneOf("rateScale", w.RateScale)),
		Names:       frame.Language(c.oneOf("names", w.Names)),
		Currency:    c.currency(w.Currency),
	}
	s.Service.Timeout = seconds(c.wholeNumber("timeout", w.Timeout))
	s.Service.MaxConcurrent = c.wholeNumber("maxConcurrentRequests", w.MaxConcurrentRequests)
	s.Reads = reads.Config{
		MaxConcurrent:    s.Service.MaxConcurrent,
		CacheTTL:         seconds(c.wholeNumber("cacheTTL", w.CacheTTL)),
		MaxRows:          c.wholeNumber("maxRows", w.MaxRows),
		PageSize:         c.wholeNumber("pageSize", w.PageSize),
		Incremental:      c.trueOrFalse("incrementalQuerying", w.IncrementalQuerying),
		FullReadInterval: seconds(c.wholeNumber("fullReadInterval", w.FullReadInterval)),
	}
	return s, errors.Join(c.problems...)
}

func seconds(n int) time.Duration { return time.Duration(n) * time.Second }
