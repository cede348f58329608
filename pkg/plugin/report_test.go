package plugin

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/findings"
	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// line returns a line of the report by its key.
func (c checked) line(key string) *findings.Finding {
	i := slices.IndexFunc(c.Report, func(f findings.Finding) bool { return f.Key == key })
	if i < 0 {
		return nil
	}
	return &c.Report[i]
}

// remarks returns the keys of the lines with another severity than OK.
func (c checked) remarks() []string {
	keys := []string{}
	for _, f := range c.Report {
		if f.Severity != findings.OK {
			keys = append(keys, f.Key)
		}
	}
	return keys
}

const (
	wholeAutomation = `{"label":"a-%d","name":"A","machineId":null,"description":"","organizationLabel":"acme","repositoryLabel":"finance",` +
		`"date":"2026-11-20T09:00:00.000","taskCount":7,"sumItems":1.0,"sumItemsError":0.0,"sumItemsProcessed":1.0,` +
		`"uptimeRate":0.9,"downtimeRate":0.1,"successRate":0.8,"roi":2.5,"fte":1.0,"savings":10.0}`
	wholeRunner = `{"_id":"m-%d","tasks":5,"items":3,"itemsErrorCount":0,"utilizationRate":0.5}`
)

// wholeService implements the whole specification and honors a page size.
func wholeService(tasks int) *servicetest.Fake {
	return servicetest.New().
		Data(tasksPath, func(w http.ResponseWriter, r *http.Request) {
			size := 20
			if asked, err := strconv.Atoi(r.URL.Query().Get("size")); err == nil {
				size = asked
			}
			servicetest.Paged(size, servicetest.Still(servicetest.TaskRange(1, tasks)))(w, r)
		}).
		Data(automationsPath, servicetest.OK(page(fmt.Sprintf(wholeAutomation, 1), fmt.Sprintf(wholeAutomation, 2)))).
		Data(runnersPath, servicetest.OK("["+fmt.Sprintf(wholeRunner, 1)+"]"))
}

// settled are settings without anything to report.
var settled = []any{"rateScale", "fraction", "currency", "BRL"}

func but(settings ...any) []any { return append(slices.Clone(settled), settings...) }

func TestReportOfAServiceAsSpecified(t *testing.T) {
	s := wholeService(1200)
	got := check(t, start(t, s, settled...))
	assert.Equal(t, `Connected to organization "acme": 1,200 tasks in the last 30 days.`, got.result.Message)
	assert.Equal(t, strings.Join([]string{
		"✓ Organization: acme, returned by the login.",
		"✓ Tasks: 1,200 in the last 30 days.",
		"✓ Page size: 500, as requested.",
		"✓ Order of tasks: newest first, by dateCreation. A repeated read of 5 pages or more requests only what may have changed.",
		"✓ Tasks: dates have the format YYYY-MM-DDThh:mm:ss.SSS+00:00.",
		"✓ Automations: 2.",
		"✓ Rate scale of the service: 0 to 1.",
		"✓ Costs are entered in the workspace: roi, savings, and fte have values.",
		"✓ Automations: dates have the format YYYY-MM-DDThh:mm:ss.SSS.",
		"✓ Runners: 1, found at /api/v1/insights/runner.",
	}, "\n"), strings.Split(got.VerboseMessage, "\n✓ Service clock")[0])
	assert.Contains(t, got.VerboseMessage, "Login: the response contains accessToken, organizationLabel.")
	assert.Empty(t, got.Message, "nothing to look at")
	assert.Empty(t, got.remarks())
	assert.Equal(t, 5, s.Count(""), "login, two pages of tasks, automations, runners")
}

// Each variant of the service differs from the one above in these lines.
func TestReportFindings(t *testing.T) {
	percent := strings.NewReplacer("0.9", "90.0", "0.1", "10.0", "0.8", "80.0").Replace(wholeAutomation)
	noCosts := strings.NewReplacer(`"roi":2.5,"fte":1.0,"savings":10.0`, `"roi":0,"fte":null,"savings":0.0`).Replace(wholeAutomation)
	odd := strings.NewReplacer(`"FINISHED"`, `"PAUSED"`, `"SUCCESS"`, `"ALMOST"`).Replace(servicetest.Task(1))
	cut := `{"id":1,"queue":"q","dateCreation":"20/11/2026","dateStartRunning":1700000000,"dateLastModified":"2026-11-20T10:00:00-0300"}`
	ignored := servicetest.Paged(20, servicetest.Still(servicetest.TaskRange(1, 60)))
	refused := func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Has("size") {
			servicetest.Status(400, `{"message":"unknown parameter"}`)(w, r)
			return
		}
		ignored(w, r)
	}
	oldest := servicetest.TaskRange(1, 60)
	slices.Reverse(oldest)
	dated := func(at time.Time) http.HandlerFunc {
		return servicetest.Status(200, page(), "Date", at.UTC().Format(http.TimeFormat))
	}
	for name, test := range map[string]struct {
		path     string
		answer   http.HandlerFunc
		settings []any
		key      string
		says     []string
		setting  string
		value    any
	}{
		"size ignored":        {tasksPath, ignored, settled, "pages-ignored", []string{"20"}, "", nil},
		"size refused":        {tasksPath, refused, settled, "pages-refused", []string{"20"}, "pageSize", 0.0},
		"size not asked":      {tasksPath, ignored, but("pageSize", 0), "pages-not-asked", []string{"20"}, "", nil},
		"oldest first":        {tasksPath, servicetest.Paged(20, servicetest.Still(oldest)), settled, "order-other", []string{"Every read", "all tasks"}, "", nil},
		"incremental off":     {tasksPath, ignored, but("incrementalQuerying", false), "order-newest-whole", []string{"Incremental querying is off"}, "", nil},
		"full read every 0":   {tasksPath, ignored, but("fullReadInterval", 0), "order-newest-whole", nil, "", nil},
		"no tasks":            {tasksPath, servicetest.OK(page()), settled, "order-unknown", nil, "", nil},
		"no total":            {tasksPath, servicetest.OK(`{"content":[` + servicetest.Task(1) + `]}`), settled, "tasks-at-least", []string{"1 or more"}, "", nil},
		"unknown state":       {tasksPath, servicetest.OK(page(odd)), settled, "states-unknown", []string{"state", "PAUSED"}, "", nil},
		"dates":               {tasksPath, servicetest.OK(page(cut)), settled, "dates-unreadable", []string{"Tasks", "YYYY-MM-DDThh:mm:ss-0300"}, "", nil},
		"a new field":         {tasksPath, servicetest.OK(page(cut)), settled, "fields-new", []string{"Tasks", "queue"}, "", nil},
		"a missing field":     {tasksPath, servicetest.OK(page(cut)), settled, "fields-absent", []string{"Tasks", "state", "totalItems"}, "", nil},
		"clock ahead":         {runnersPath, dated(time.Now().Add(5 * time.Minute)), settled, "clock-ahead", []string{"ahead", "NTP"}, "", nil},
		"clock behind":        {runnersPath, dated(time.Now().Add(-5 * time.Minute)), settled, "clock-behind", []string{"behind"}, "", nil},
		"percent":             {automationsPath, servicetest.OK(page(fmt.Sprintf(percent, 1))), but("rateScale", "auto"), "rates-percent-auto", []string{"0 to 100"}, "rateScale", "percent"},
		"fraction":            {automationsPath, servicetest.OK(page(fmt.Sprintf(wholeAutomation, 1))), but("rateScale", "auto"), "rates-fraction-auto", []string{"0 to 1."}, "rateScale", "fraction"},
		"percent, as set":     {automationsPath, servicetest.OK(page(fmt.Sprintf(percent, 1))), but("rateScale", "percent"), "rates-percent", nil, "", nil},
		"another than is set": {automationsPath, servicetest.OK(page(fmt.Sprintf(percent, 1))), settled, "rates-differ", []string{"0–100", "0–1", "factor of 100"}, "rateScale", "percent"},
		"no scale":            {automationsPath, servicetest.OK(page(`{"label":"a"}`)), but("rateScale", "auto"), "rates-unknown", nil, "", nil},
		"no costs":            {automationsPath, servicetest.OK(page(fmt.Sprintf(noCosts, 1))), settled, "costs-missing", nil, "", nil},
		"no currency":         {automationsPath, servicetest.OK(page(fmt.Sprintf(wholeAutomation, 1))), but("currency", ""), "costs-entered-no-currency", nil, "", nil},
		"no automations":      {automationsPath, servicetest.Status(500, `{"message":"broken"}`), settled, "automations-failed", []string{"broken"}, "", nil},
		"runners broken":      {runnersPath, servicetest.Status(500, `{"message":"broken"}`), settled, "runners-failed", []string{"broken"}, "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := wholeService(60).Data(test.path, test.answer)
			got := check(t, start(t, s, test.settings...))
			require.Equal(t, backend.HealthStatusOk, got.result.Status, got.result.Message)
			line := got.line(test.key)
			require.NotNil(t, line, got.VerboseMessage)
			for _, word := range test.says {
				assert.Contains(t, line.Text, word)
			}
			assert.Equal(t, test.setting, line.Setting)
			assert.Equal(t, test.value, line.Value)
			assert.Equal(t, line.Severity == findings.Warning, strings.Contains(got.Message, line.Text), "what to look at is not behind a click")
			assert.LessOrEqual(t, s.Count(""), reportRequests)
		})
	}
}

// Runners that are not at the configured path are not a green "Connected".
func TestReportOfTheRunnersPath(t *testing.T) {
	runners := servicetest.OK("[" + fmt.Sprintf(wholeRunner, 1) + "]")
	for name, test := range map[string]struct {
		setting string
		routes  map[string]http.HandlerFunc
		key     string
		value   any
	}{
		"elsewhere":        {"/api/v1/insights/robots", nil, "runners-elsewhere", runnersPath},
		"in the plural":    {"", map[string]http.HandlerFunc{runnersPath: nil, "/api/v1/insights/runners": runners}, "runners-elsewhere", "/api/v1/insights/runners"},
		"as machines":      {"", map[string]http.HandlerFunc{runnersPath: nil, "/api/v1/insights/machines": runners}, "runners-elsewhere", "/api/v1/insights/machines"},
		"a page of HTML":   {"/app", map[string]http.HandlerFunc{"/app": servicetest.OK(`<html>`)}, "runners-elsewhere", runnersPath},
		"other records":    {automationsPath, nil, "runners-elsewhere", runnersPath},
		"nowhere":          {"", map[string]http.HandlerFunc{runnersPath: nil}, "runners-not-found", nil},
		"others, nowhere":  {automationsPath, map[string]http.HandlerFunc{runnersPath: nil}, "runners-strange", nil},
		"not for this one": {"", map[string]http.HandlerFunc{runnersPath: servicetest.Status(403, `{}`)}, "runners-not-found", nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := wholeService(600)
			for path, answer := range test.routes {
				if answer == nil {
					answer = servicetest.Status(404, `{"message":"no such route"}`)
				}
				s.On(path, answer)
			}
			got := check(t, start(t, s, but("runnersPath", test.setting)...))
			assert.Equal(t, `Connected to organization "acme": 600 tasks in the last 30 days. Warnings: 1.`, got.result.Message)
			line := got.line(test.key)
			require.NotNil(t, line, got.VerboseMessage)
			assert.Equal(t, findings.Warning, line.Severity)
			assert.Equal(t, test.value, line.Value)
			if test.value != nil {
				assert.Equal(t, "runnersPath", line.Setting)
			}
			assert.LessOrEqual(t, s.Count(""), reportRequests)
		})
	}
}

// However badly a service behaves, a check does not exceed its request limit.
func TestReportSendsNoMoreThanTenRequests(t *testing.T) {
	s := wholeService(1200).On(automationsPath, servicetest.Status(503, `{}`)).On(runnersPath, servicetest.Status(503, `{}`))
	got := check(t, start(t, s, settled...))
	assert.Equal(t, backend.HealthStatusOk, got.result.Status)
	assert.Equal(t, reportRequests, s.Count(""))
	require.NotNil(t, got.line("cut-short"), got.VerboseMessage)
}

// No line contains the key or the token, whatever names and values the service sends.
func TestReportKeepsSecrets(t *testing.T) {
	key, token := servicetest.Key, servicetest.Token(1)
	s := wholeService(60).
		Data(tasksPath, servicetest.OK(page(fmt.Sprintf(`{"id":1,"state":%q,"finishStatus":%q,%q:1,"dateCreation":%q}`, key, token, key+token, token)))).
		Data(automationsPath, servicetest.OK(page(fmt.Sprintf(`{"label":%q,%q:1}`, key, token)))).
		Data(runnersPath, servicetest.Status(404, `{"message":"`+key+` `+token+`"}`))
	got := check(t, start(t, s, settled...))
	require.NotNil(t, got.line("states-unknown"))
	said := got.result.Message + string(got.result.JSONDetails)
	assert.NotContains(t, said, key)
	assert.NotContains(t, said, token)
	assert.Contains(t, said, "[secret]")
}

// Every finding of the description is used, and every used one is described.
func TestFindingsMatchTheirDescription(t *testing.T) {
	var source strings.Builder
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	for _, file := range files {
		if !strings.HasSuffix(file, "_test.go") {
			raw, err := os.ReadFile(file)
			require.NoError(t, err)
			source.Write(raw)
		}
	}
	for _, key := range findings.Keys() {
		base := strings.TrimSuffix(key, "-auto")
		switch {
		case strings.HasSuffix(key, "-empty"):
			assert.Contains(t, source.String(), fmt.Sprintf("required(%q", strings.TrimSuffix(key, "-empty")))
		case base == "rates-fraction" || base == "rates-percent":
		default:
			assert.Contains(t, source.String(), strconv.Quote(key))
		}
	}
	raw, err := json.Marshal(findings.New("no-such-key", nil))
	require.NoError(t, err)
	assert.JSONEq(t, `{"key":"no-such-key","severity":"info","text":"no-such-key"}`, string(raw))
}

// A response may be very long: a check quotes its beginning, and searches only that.
func TestReportOfHugeTexts(t *testing.T) {
	huge := strings.Repeat(`%41&#x41;\\u0041`+"\\u0007", 200_000)
	s := servicetest.New()
	s.On(servicetest.LoginPath, servicetest.OK(`{"accessToken":"T","organizationLabel":"`+strings.Repeat("acme", 50_000)+`"}`)).
		On(tasksPath, servicetest.OK(page(`{"id":1,"state":"`+huge+`"}`))).
		On(automationsPath, servicetest.OK(page(`{"`+huge+`":1}`))).
		On(runnersPath, servicetest.OK(page()))
	begun := time.Now()
	got := check(t, start(t, s))
	require.NotNil(t, got.line("states-unknown"), got.VerboseMessage)
	assert.Less(t, len(got.result.JSONDetails), 20_000)
	assert.Less(t, time.Since(begun), 15*time.Second)
}
