package plugin

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// The suffix of a number's name, and whether the panel has a notice about it.
func TestWhatANumberCovers(t *testing.T) {
	const (
		rate      = `{"queryType":"automations","format":"numeric","measure":"successRate"}`
		table     = `{"queryType":"runners"}`
		weekOfSum = `{"queryType":"automations","format":"numeric","measure":"savings","days":7}`
		saoPaulo  = `{"queryType":"automations","format":"numeric","measure":"savings","timezone":"America/Sao_Paulo"}`
	)
	october := time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC)
	endOfOctober := time.Date(2026, 10, 31, 23, 59, 59, 999e6, time.UTC)
	for name, test := range map[string]struct {
		query    string
		from, to time.Time
		words    string
		notice   string
	}{
		"an hour is a day":           {savingsNumber, windowsNow.Add(-time.Hour), windowsNow, "last 24 h", "These numbers cover the last 24 h"},
		"24 hours":                   {savingsNumber, daysAgo(1), windowsNow, "", ""},
		"24 hours, a moment old":     {savingsNumber, daysAgo(1).Add(-20 * time.Second), windowsNow.Add(-20 * time.Second), "", ""},
		"seven days":                 {savingsNumber, daysAgo(7), windowsNow, "", ""},
		"a week and a bit":           {savingsNumber, daysAgo(7.3), windowsNow, "last 8 days", "These numbers cover the last 8 days"},
		"the current week":           {savingsNumber, daysAgo(4.5), windowsNow.AddDate(0, 0, 2), "last 5 days", "the time range is shorter"},
		"days":                       {weekOfSum, windowsNow.Add(-6 * time.Hour), windowsNow, "last 7 days", ""},
		"days that are the range":    {weekOfSum, daysAgo(7), windowsNow, "", ""},
		"days, and a range that was": {weekOfSum, daysAgo(14), daysAgo(7), "last 7 days", ""},
		"previous month":             {savingsNumber, october, endOfOctober, "30 Sep – 31 Oct", "-"},
		"the same, further west":     {saoPaulo, october.Add(3 * time.Hour), endOfOctober.Add(3 * time.Hour), "1 Oct – 1 Nov", "-"},
		"a week, a week ago":         {savingsNumber, daysAgo(14), daysAgo(7), "", "-"},
		"last year":                  {savingsNumber, daysAgo(400.4), daysAgo(365.4), "16 Oct 2025 – 20 Nov 2025", "-"},
		"a rate of October":          {rate, october, endOfOctober, "30 Sep until now", "The time range ends at 2026-10-31T23:59:59Z"},
		"a rate of an hour":          {rate, windowsNow.Add(-time.Hour), windowsNow, "last 24 h", "These numbers cover the last 24 h"},
		"a rate of a week":           {rate, daysAgo(7), windowsNow, "", ""},
		"a table of October":         {table, october, endOfOctober, "30 Sep until now", "but the service totals runners up to now"},
		"ended an hour ago":          {savingsNumber, daysAgo(7), windowsNow.Add(-time.Hour), "last 7 days", "these numbers include later activity"},
		"tasks of a range":           {`{"format":"numeric","measure":"tasks"}`, october, endOfOctober, "", ""},
		"tasks of days":              {`{"format":"numeric","measure":"tasks","days":30}`, daysAgo(7), windowsNow, "last 30 days", ""},
		"the queue":                  {`{"format":"numeric","measure":"oldestQueued","days":30}`, daysAgo(7), windowsNow, "", ""},
		"a line of tasks":            {`{"format":"timeseries","measure":"tasks","days":30}`, daysAgo(7), windowsNow, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			q := parsed(t, test.query, test.from, test.to)
			assert.Equal(t, test.words, q.covers(windowsNow))
			if test.notice == "-" {
				w, err := q.windows(windowsNow)
				require.NoError(t, err)
				assert.Equal(t, test.words, w.covers)
				return
			}
			got := q.coversNotice(windowsNow)
			if test.notice == "" {
				require.Empty(t, got)
				return
			}
			require.Len(t, got, 1)
			assert.Contains(t, got[0].Text, test.notice)
		})
	}
}

// Days need no notice if the name shows them, but one if the panel has plain names.
func TestDaysWithPlainNames(t *testing.T) {
	for query, says := range map[string]bool{
		`{"format":"numeric","measure":"tasks","days":30}`:                                               false,
		`{"format":"numeric","measure":"tasks","days":30,"plainNames":true}`:                             true,
		`{"queryType":"automations","format":"numeric","measure":"savings","days":30,"plainNames":true}`: true,
		`{"queryType":"automations","format":"numeric","measure":"savings","days":7,"plainNames":true}`:  false,
		`{"format":"numeric","measure":"oldestQueued","days":30,"plainNames":true}`:                      false,
		`{"days":30,"plainNames":true}`:                                                                  false,
	} {
		got := parsed(t, query, daysAgo(7), windowsNow).coversNotice(windowsNow)
		require.Equal(t, says, len(got) == 1, query)
		if says {
			assert.Equal(t, "These numbers cover the last 30 days, as set in Days (days), not the time range", got[0].Text)
		}
	}
}

// A panel that is edited for minutes keeps the range that it was drawn with.
func TestStaleRangeUntilNow(t *testing.T) {
	old := windowsNow.Add(-10 * time.Minute)
	for _, untilNow := range []bool{true, false} {
		q := parsed(t, fmt.Sprintf(`{"queryType":"automations","format":"numeric","measure":"savings","untilNow":%t}`, untilNow), old.AddDate(0, 0, -1), old)
		q.followNow(windowsNow)
		assert.Equal(t, untilNow, q.daysRead(windowsNow) == 1)
		assert.Equal(t, untilNow, len(q.coversNotice(windowsNow)) == 0)
	}
	tasks := parsed(t, `{"untilNow":true}`, old.AddDate(0, 0, -1), old)
	tasks.followNow(windowsNow)
	assert.Equal(t, old, tasks.to, "tasks are cut to the range that the panel shows")
}

// The display name has the suffix, and the field keeps its name.
func TestPeriodsInFrameNames(t *testing.T) {
	i := start(t, newService().Data(automationsPath, everyDay(3, 5)))
	now := time.Now()
	for query, name := range map[string]string{
		savingsNumber: "savings (last 24 h)",
		savingsLine:   "savings (last 24 h)",
		strings.Replace(savingsLine, "}", `,"groupBy":["label"]}`, 1): "a1 (last 24 h)",
		with(savingsNumber, `"plainNames":true`):                      "",
		with(savingsLine, `"plainNames":true`):                        "",
	} {
		dq := dataQuery("A", query)
		dq.TimeRange = backend.TimeRange{From: now.Add(-time.Hour), To: now}
		f := askAll(t, t.Context(), i, dq)["A"].Frames[0]
		field, _ := f.FieldByName("savings")
		require.NotNil(t, field)
		assert.Equal(t, name, field.Config.DisplayNameFromDS)
		assert.NotEmpty(t, notices(f), "a notice says it, too")
	}
	field, _ := askFrame(t, i, savingsNumber).FieldByName("savings")
	assert.Empty(t, field.Config.DisplayNameFromDS, "seven days are seven days")
}

// If the tasks start later than requested, the panel says so, unless it cannot be known.
func TestTasksThatStartLater(t *testing.T) {
	created := func(ago time.Duration) string {
		return fmt.Sprintf(`{"id":%d,"state":"FINISHED","dateCreation":%q}`, ago, time.Now().Add(-ago).UTC().Format(time.RFC3339))
	}
	for name, test := range map[string]struct {
		oldest time.Duration
		query  string
		says   bool
	}{
		"all of the week":   {6*day + 20*time.Hour, `{"format":"timeseries","measure":"tasks"}`, false},
		"half of the week":  {3 * day, `{"format":"timeseries","measure":"tasks"}`, true},
		"before, too":       {6*day + 20*time.Hour, `{"format":"numeric","measure":"tasks","compare":"previous"}`, true},
		"of 90 days":        {6 * day, `{"days":90}`, true},
		"a tenth of it":     {82 * day, `{"days":90}`, false},
		"the queue":         {3 * day, `{"format":"numeric","measure":"oldestQueued","days":30}`, false},
		"the first few":     {3 * day, `{"days":90,"limit":1}`, false},
		"sums have no time": {3 * day, `{"queryType":"automations"}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := newService().Data(tasksPath, servicetest.OK(page(created(time.Hour), created(test.oldest))))
			f := askFrame(t, start(t, s), test.query)
			assert.Equal(t, test.says, strings.Contains(notices(f), "The first task that the service lists was created at "))
		})
	}
	s := newService().Data(tasksPath, servicetest.OK(page(created(time.Hour), created(2*time.Hour), created(50*day))))
	assert.NotContains(t, notices(askFrame(t, start(t, s, "maxRows", 2), `{"days":90}`)), "The first task", "there is another one")
}
