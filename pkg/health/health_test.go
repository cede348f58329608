package health

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/deadlines"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/rates"
	"github.com/insights/insights-reporting-datasource/pkg/service"
	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
	"github.com/insights/insights-reporting-datasource/schema"
)

const (
	tasksPath       = servicetest.TasksPath
	automationsPath = servicetest.AutomationsPath
	runnersPath     = servicetest.RunnersPath

	wholeAutomation = `{"label":"a-%d","name":"A","machineId":null,"description":"","organizationLabel":"acme","repositoryLabel":"finance",` +
		`"date":"2026-11-20T09:00:00.000","taskCount":7,"sumItems":1.0,"sumItemsError":0.0,"sumItemsProcessed":1.0,` +
		`"uptimeRate":0.9,"downtimeRate":0.1,"successRate":0.8,"roi":2.5,"fte":1.0,"savings":10.0}`
	wholeRunner = `{"_id":"m-%d","tasks":5,"items":3,"itemsErrorCount":0,"utilizationRate":0.5}`
)

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

func page(rows ...string) string { return servicetest.Envelope(rows, 0, 20) }

func dataSource(address string, httpClient *http.Client) DataSource {
	client := service.New(service.Config{
		BaseURL: address, Login: servicetest.Login, Key: servicetest.Key, Timeout: time.Minute, MaxConcurrent: 8,
	}, httpClient)
	return DataSource{
		Sets:   schema.All(),
		Client: client, Source: &pages.Source{Client: client}, PageSize: 500, RateScale: rates.Fraction, Currency: "BRL",
	}
}

func check(t *testing.T, f *servicetest.Fake, change func(*DataSource)) *Result {
	t.Helper()
	d := dataSource(f.Start(t).URL, &http.Client{Timeout: time.Minute})
	if change != nil {
		change(&d)
	}
	got := Check(t.Context(), d)
	require.NoError(t, got.Err)
	return got
}

func (r *Result) line(key string) *schema.Finding {
	i := slices.IndexFunc(r.Report, func(f schema.Finding) bool { return f.Key == key })
	if i < 0 {
		return nil
	}
	return &r.Report[i]
}

func (r *Result) texts() []string {
	var all []string
	for _, f := range r.Report {
		all = append(all, f.Text)
	}
	return all
}

func TestServiceAsSpecified(t *testing.T) {
	s := wholeService(1200)
	got := check(t, s, nil)
	assert.Equal(t, `Connected to organization "acme". Tasks in the last 30 days: 1,200.`, got.Message.Text)
	assert.Equal(t, []string{"Tasks: 1,200 in the last 30 days.", "Automations: 2 in the last 30 days.", "Runners: 1 in the last 30 days."}, got.texts(), "nothing to act on")
	assert.Equal(t, 4, s.Count(""), "a login, and a page of each data set")
}

// lines returns a change that sets deadlines, in a calendar of some holidays, and teams.
func lines(of string, teams deadlines.Teams, holidays ...any) func(*DataSource) {
	return func(d *DataSource) {
		var value any
		_ = json.Unmarshal([]byte("["+of+"]"), &value)
		calendar, _ := deadlines.ParseCalendar(map[string]any{"holidays": holidays})
		d.Deadlines, _ = deadlines.Parse(value, calendar)
		d.Teams = teams
	}
}

// tasksOn returns a page with a task that ended so at some hours of each of the last days.
func tasksOn(days int, status string, hours ...int) http.HandlerFunc {
	today, rows := time.Now().UTC().Truncate(24*time.Hour), []string{}
	for day := range days {
		for n, hour := range hours {
			at := today.AddDate(0, 0, -1-day).Add(time.Duration(hour) * time.Hour)
			rows = append(rows, fmt.Sprintf(`{"id":%d,"state":"FINISHED","finishStatus":%q,"activityLabel":"a-1","dateCreation":%q}`, day*len(hours)+n, status, at.Format("2006-01-02T15:04:05.000Z")))
		}
	}
	return servicetest.OK(servicetest.Envelope(rows, 0, 500))
}

// Each variant of the service differs from the one above in one line, or in none.
func TestFindings(t *testing.T) {
	percent := strings.NewReplacer("0.9", "90.0", "0.1", "10.0", "0.8", "80.0").Replace(wholeAutomation)
	twenty := servicetest.Paged(20, servicetest.Still(servicetest.TaskRange(1, 60)))
	automations := servicetest.OK(page(fmt.Sprintf(wholeAutomation, 1)))
	two := servicetest.OK(page(fmt.Sprintf(wholeAutomation, 1), fmt.Sprintf(wholeAutomation, 2)))
	dated := func(at time.Time) http.HandlerFunc {
		return servicetest.Status(200, page(), "Date", at.UTC().Format(http.TimeFormat))
	}
	auto := func(d *DataSource) { d.RateScale = rates.Auto }
	for name, test := range map[string]struct {
		path    string
		answer  http.HandlerFunc
		change  func(*DataSource)
		key     string
		says    string
		setting string
		value   any
	}{
		"smaller pages":       {path: tasksPath, answer: twenty},
		"size refused":        {tasksPath, servicetest.InTurn(servicetest.Status(400, `{"message":"unknown parameter"}`), twenty), nil, "size-refused", "Tasks: the service rejects the page size 500", "pageSize", 0.0},
		"clock ahead":         {runnersPath, dated(time.Now().Add(5 * time.Minute)), nil, "clock-ahead", "NTP", "", nil},
		"nearly the same":     {path: runnersPath, answer: dated(time.Now().Add(-50 * time.Second))},
		"dates after now":     {tasksPath, servicetest.OK(page(fmt.Sprintf(`{"id":1,"state":"START","activityLabel":"a","dateCreation":%q}`, time.Now().Add(2*time.Hour).UTC().Format(time.RFC3339)))), nil, "dates-later", "Tasks: 1 values of dateCreation on the first page are after now, for example 20", "", nil},
		"clock behind":        {runnersPath, dated(time.Now().Add(-90 * time.Second)), nil, "clock-behind", "NTP", "", nil},
		"percent":             {automationsPath, servicetest.OK(page(fmt.Sprintf(percent, 1))), auto, "rates-auto", "0–100", "rateScale", "percent"},
		"another than is set": {automationsPath, servicetest.OK(page(fmt.Sprintf(percent, 1))), nil, "rates-differ", "factor of 100", "rateScale", "percent"},
		"no scale":            {automationsPath, servicetest.OK(page(`{"label":"a","taskCount":7}`)), auto, "rates-unknown", "no unit", "", nil},
		"no currency":         {automationsPath, automations, func(d *DataSource) { d.Currency = "" }, "costs-no-currency", "", "", nil},
		"no automations":      {automationsPath, servicetest.Status(500, `{"message":"broken"}`), nil, "set-failed", "Automations cannot be read: " + automationsPath + " returned 500", "", nil},
		"memory is full":      {tasksPath, twenty, func(d *DataSource) { d.IsCrowded, d.PageSize = true, 0 }, "crowded", "don't fit in memory", "maxRows", nil},
		"too many requests":   {automationsPath, servicetest.InTurn(servicetest.Status(429, ``, "Retry-After", "0"), automations), nil, "rate-limited", "(429)", "requestsPerSecond", nil},
		"unread values":       {tasksPath, servicetest.OK(page(`{"id":1,"state":{"of":7}}`, `{"id":2,"state":["b"]}`)), nil, "values-unread", `Tasks: 2 values of state on the first page cannot be read, for example {"of":7}`, "", nil},
		"a renamed field":     {tasksPath, servicetest.OK(page(`{"id":1,"activityLabel":"a","dateCreation":"2026-11-20T09:00:00Z","status":"START"}`)), nil, "values-unread", `Tasks: 1 values of state on the first page cannot be read, for example null`, "", nil},
		"a deadline of none":  {automationsPath, automations, lines(`{"automation":"a-*","within":"1h"},{"automation":"b-*","within":"1h"}`, nil), "line-unmatched", "Deadlines (jsonData.deadlines), line 2: no automation of the last 30 days has the label b-*", "deadlines", nil},
		"a team of none":      {automationsPath, automations, lines("", deadlines.Teams{{Scope: deadlines.Scope{Line: 1, Automation: "b"}, Team: "B"}}), "line-unmatched", "Teams (jsonData.teams), line 1: no automation", "teams", nil},
		"one of no team":      {automationsPath, two, lines("", deadlines.Teams{{Scope: deadlines.Scope{Line: 1, Automation: "a-2"}, Team: "B"}}), "teams-others", "automations without a team: 1 (a-1).", "teams", nil},
		"workdays without holidays": {tasksPath, twenty, lines(`{"automation":"a-*","by":"07:00","days":["workday 5"]},{"automation":"a-*","by":"07:00","days":["mon"]}`, nil),
			"no-holidays", "Calendar (jsonData.calendar): there is no holiday of " + strconv.Itoa(time.Now().Year()) + ", so deadlines of workdays fall due on holidays, too, such as line 1. Enter", "calendar", nil},
		"workdays and holidays": {path: tasksPath, answer: twenty, change: lines(`{"automation":"a-*","by":"07:00","days":["workday 5"]}`, nil, "12-25 Natal")},
		"more tasks than count": {tasksPath, tasksOn(5, "SUCCESS", 23, 5), lines(`{"automation":"a-1","by":"06:00"}`, nil), "window-crowded", "line 1: usually, 2 tasks of a-1 that are created in its window succeed; successes that it takes: 1.", "deadlines", nil},
		"as many as count":      {path: tasksPath, answer: tasksOn(5, "SUCCESS", 23, 5), change: lines(`{"automation":"a-1","by":"06:00","count":2},{"automation":"a-1","by":"06:00","from":"00:00"}`, nil)},
		"tries that failed":     {path: tasksPath, answer: tasksOn(5, "FAILED", 23, 5), change: lines(`{"automation":"a-1","by":"06:00"}`, nil)},
		"too few days to tell":  {path: tasksPath, answer: tasksOn(2, "SUCCESS", 23, 5), change: lines(`{"automation":"a-1","by":"06:00"}`, nil)},
		"no tasks":              {path: tasksPath, answer: servicetest.OK(page())},
	} {
		t.Run(name, func(t *testing.T) {
			got := check(t, wholeService(60).Data(test.path, test.answer), test.change)
			if test.key == "" {
				assert.Len(t, got.Report, 3, "nothing to say: %v", got.texts())
				return
			}
			line := got.line(test.key)
			require.NotNil(t, line, got.texts())
			assert.Contains(t, line.Text, test.says)
			assert.Equal(t, test.setting, line.Setting)
			assert.Equal(t, test.value, line.Value)
			assert.Equal(t, line.Severity == schema.SeverityWarning, got.Message.Key == "connected-with-warnings")
		})
	}
}

func TestNoRecordsAtAll(t *testing.T) {
	s := wholeService(0).Data(automationsPath, servicetest.OK(page()))
	assert.Nil(t, check(t, s, nil).line("no-records"), "there are runners")
	got := check(t, s.Data(runnersPath, servicetest.OK("[]")), nil)
	require.NotNil(t, got.line("no-records"), got.texts())
	assert.Contains(t, got.line("no-records").Text, `Organization "acme" has no tasks`)
	assert.Equal(t, "connected-with-warnings", got.Message.Key)
}

// Runners that are not at the configured path are not a green "Connected".
func TestPathOfRunners(t *testing.T) {
	runners := servicetest.OK("[" + fmt.Sprintf(wholeRunner, 1) + "]")
	for name, test := range map[string]struct {
		path   string
		routes map[string]http.HandlerFunc
		key    string
		value  any
	}{
		"elsewhere":        {"/api/v1/insights/robots", nil, "path-other", runnersPath},
		"as machines":      {"", map[string]http.HandlerFunc{runnersPath: nil, "/api/v1/insights/machines": runners}, "path-other", "/api/v1/insights/machines"},
		"not for this one": {"", map[string]http.HandlerFunc{runnersPath: servicetest.Status(403, `{}`)}, "path-not-found", nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := wholeService(600)
			for path, answer := range test.routes {
				if answer == nil {
					answer = servicetest.Status(404, `{"message":"no such route"}`)
				}
				s.On(path, answer)
			}
			got := check(t, s, func(d *DataSource) { d.Source.Paths = map[string]string{"runners": test.path} })
			assert.Equal(t, `Connected to organization "acme". Tasks in the last 30 days: 600. Warnings: 1.`, got.Message.Text)
			line := got.line(test.key)
			require.NotNil(t, line, got.texts())
			assert.Equal(t, schema.SeverityWarning, line.Severity)
			assert.Equal(t, test.value, line.Value)
			assert.Equal(t, test.value != nil, line.Setting == "runnersPath")
		})
	}
}

// A check of a service that does not respond ends, and what is known by then is reported.
func TestTimeLimit(t *testing.T) {
	for name, test := range map[string]struct {
		slow, step, says string
	}{
		"a slow login": {servicetest.LoginPath, StepLogin, "stopped after 30s"},
		"slow tasks":   {tasksPath, StepPage, "stopped after 30s"},
		"slow runners": {runnersPath, StepPage, "Tasks: 600 in the last 30 days.;Automations: 2 in the last 30 days.;Not checked: Runners. The check stops after 30 s."},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := wholeService(600).On(test.slow, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
			address, httpClient := s.StartInBubble(t)
			t.Cleanup(httpClient.CloseIdleConnections)
			defer time.Sleep(time.Hour) // The login goes on without its callers, until its own limit.
			begun := time.Now()
			got := Check(t.Context(), dataSource(address, httpClient))
			assert.Equal(t, timeLimit, time.Since(begun), name)
			assert.Equal(t, test.step, got.Step, name)
			if got.Err != nil {
				assert.ErrorContains(t, got.Err, test.says, name)
				return
			}
			assert.Equal(t, test.says, strings.Join(got.texts(), ";"))
			assert.Equal(t, "connected-with-warnings", got.Message.Key)
		})
	}
}

// No line contains the key or the token, whatever names and values the service sends, and the settings have.
func TestSecrets(t *testing.T) {
	key, token := servicetest.Key, servicetest.Token(1)
	s := wholeService(60).
		On(servicetest.LoginPath, servicetest.OK(fmt.Sprintf(`{"accessToken":%q,"organizationLabel":"acme %s"}`, token, key))).
		On(tasksPath, servicetest.OK(page(fmt.Sprintf(`{"id":1,"state":%q,"finishStatus":%q,%q:1,"dateCreation":%q}`, key, token, key+token, token)))).
		On(automationsPath, servicetest.OK(page(fmt.Sprintf(`{"label":%q,%q:1}`, key, token)))).
		On(runnersPath, servicetest.Status(404, `{"message":"`+key+` `+token+`"}`))
	got := check(t, s, lines(fmt.Sprintf(`{"automation":%q,"within":"1h"}`, key), nil))
	require.NotNil(t, got.line("path-not-found"))
	require.NotNil(t, got.line("line-unmatched"))
	said := fmt.Sprintf("%+v", got)
	assert.NotContains(t, said, key)
	assert.NotContains(t, said, token)
	assert.Contains(t, got.Message.Text, `"acme [secret]"`)
}

// Every finding of the description is used.
func TestFindingsMatchTheirDescription(t *testing.T) {
	source, err := os.ReadFile("health.go")
	require.NoError(t, err)
	for _, key := range schema.FindingKeys() {
		if setting, ok := strings.CutSuffix(key, "-empty"); ok {
			assert.True(t, schema.GetSetting(setting).Required, key)
			continue
		}
		assert.Contains(t, string(source), strconv.Quote(key))
	}
}
