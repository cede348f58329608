package query

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/inputerror"
)

// noon is the current time of the queries of these tests.
var noon = time.Date(2026, time.November, 20, 12, 0, 0, 0, time.UTC)

// daysAgo returns the time a number of days before noon.
func daysAgo(days float64) time.Time {
	return noon.Add(-time.Duration(days * float64(24*time.Hour)))
}

// with adds properties to a query.
func with(query, properties string) string { return strings.Replace(query, "}", ","+properties+"}", 1) }

// utc parses a day, or a time.
func utc(t *testing.T, at string) time.Time {
	t.Helper()
	if len(at) == len(time.DateOnly) {
		at += " 00:00:00"
	}
	return zoned(t, at, "UTC")
}

// falling returns far, far-step, … near.
func falling(far, near, step int) []int {
	var days []int
	for d := far; d >= near; d -= step {
		days = append(days, d)
	}
	return days
}

const (
	savingsLine   = `{"queryType":"automations","format":"timeseries","measure":"savings"}`
	savingsNumber = `{"queryType":"automations","format":"numeric","measure":"savings"}`
)

// The windows that totals of a range are differences of, and the notice. Now is noon of November 20.
func TestWindows(t *testing.T) {
	for name, test := range map[string]struct {
		query        string
		from, to     time.Time
		interval     time.Duration
		days, before []int // nil: sums up to now
		says         string
	}{
		"a week":                    {savingsLine, daysAgo(7), noon, time.Hour, falling(7, 0, 1), nil, ""},
		"weeks that do not fit":     {savingsLine, daysAgo(30), noon, 7 * 24 * time.Hour, falling(35, 0, 7), nil, ""},
		"a day more":                {savingsLine, daysAgo(61), noon, time.Hour, falling(62, 0, 2), nil, "Each point covers 2 days: shorter steps would need more than 60 windows of the service. Select a shorter time range"},
		"ended, with its end":       {savingsLine, daysAgo(37), daysAgo(7), time.Hour, falling(37, 7, 1), nil, ""},
		"ended, to the nearest day": {savingsLine, daysAgo(37.4), daysAgo(7.4), time.Hour, falling(37, 7, 1), nil, ""},
		"ended hours ago":           {savingsLine, daysAgo(2.4), daysAgo(0.4), time.Hour, falling(2, 0, 1), nil, ""},
		"days, whatever the range":  {`{"queryType":"runners","format":"timeseries","measure":"tasks","days":3}`, daysAgo(37), daysAgo(7), time.Hour, falling(3, 0, 1), nil, ""},

		"ended a day ago":         {savingsNumber, daysAgo(2), daysAgo(1), 0, []int{2, 1}, nil, ""},
		"ended":                   {savingsNumber, daysAgo(30), daysAgo(10), 0, []int{30, 10}, nil, ""},
		"an hour, a moment less":  {savingsNumber, daysAgo(1.04), daysAgo(1 - 1.0/86400), 0, []int{2, 1}, nil, ""},
		"with days":               {`{"queryType":"automations","format":"numeric","measure":"savings","days":7}`, daysAgo(30), daysAgo(10), 0, nil, nil, ""},
		"a table":                 {`{"queryType":"runners"}`, daysAgo(30), daysAgo(10), 0, []int{30, 10}, nil, ""},
		"a part of the last day":  {savingsNumber, daysAgo(0.9), daysAgo(0.6), 0, nil, nil, ""},
		"tasks have their times":  {`{"format":"numeric","measure":"tasks"}`, daysAgo(30), daysAgo(10), 0, nil, nil, ""},
		"a range that is to come": {savingsNumber, daysAgo(-5), daysAgo(-9), 0, nil, nil, ""},

		"an hour is a day, and the one before": {with(savingsNumber, `"compare":"previous"`), noon.Add(-time.Hour), noon, 0, []int{1, 0}, []int{2, 1}, ""},
		"the same day a week ago":              {with(savingsNumber, `"compare":"week"`), daysAgo(1), noon, 0, []int{1, 0}, []int{8, 7}, ""},
		"days":                                 {with(savingsNumber, `"compare":"previous","days":30`), daysAgo(7), noon, 0, []int{30, 0}, []int{60, 30}, ""},
		"the current month":                    {with(savingsNumber, `"compare":"previous"`), utc(t, "2026-11-01"), utc(t, "2026-11-30 23:59:59.999"), 0, []int{20, 0}, []int{51, 31}, ""},
		"October, and 31 days before":          {with(savingsNumber, `"compare":"previous"`), utc(t, "2026-10-01"), utc(t, "2026-10-31 23:59:59.999"), 0, []int{51, 20}, []int{82, 51}, ""},
		"a day that the month before lacks":    {with(savingsNumber, `"compare":"month"`), utc(t, "2026-10-30 12:00:00"), utc(t, "2026-10-31 12:00:00"), 0, []int{21, 20}, []int{52, 51}, ""},
		"an hour, long ago":                    {with(savingsNumber, `"compare":"previous"`), daysAgo(5.2), daysAgo(5.15), 0, []int{6, 5}, []int{7, 6}, ""},

		"a line, and the week before": {with(savingsLine, `"compare":"previous"`), daysAgo(7), noon, 0, falling(7, 0, 1), falling(14, 7, 1), ""},
		"both within 60 windows":      {with(savingsLine, `"compare":"previous"`), daysAgo(30), noon, 0, falling(30, 0, 2), falling(60, 30, 2), "Each point covers 2 days: shorter steps would need more than 60 windows of the service. Select a shorter time range"},
		"a year, and the one before":  {with(savingsLine, `"compare":"year"`), daysAgo(365), noon, 0, falling(377, 0, 13), falling(742, 365, 13), "Each point covers 13 days: shorter steps would need more than 60 windows of the service. Select a shorter time range"},

		"per week":         {with(savingsLine, `"per":"week"`), daysAgo(14), noon, 0, falling(14, 0, 7), nil, "Each point covers 7 days of 24 hours, counted back from now, instead of one week of the calendar: the service totals only whole days"},
		"a year per month": {with(savingsLine, `"per":"month"`), daysAgo(365), noon, 0, falling(390, 0, 30), nil, "Each point covers 30 days of 24 hours, counted back from now, instead of one month of the calendar: the service totals only whole days"},
	} {
		t.Run(name, func(t *testing.T) {
			q, err := parse(test.query, test.from, test.to, test.interval)
			require.NoError(t, err)
			if test.days == nil {
				require.Nil(t, q.Period.Steps)
				return
			}
			assert.Equal(t, test.days, q.Period.Steps.Days)
			assert.Equal(t, test.before, q.Period.Steps.Before)
			assert.Equal(t, test.says, q.Period.Notice)
			assert.LessOrEqual(t, len(q.Period.Steps.Windows()), 60)
		})
	}
}

// The points of a live panel lie at its own edges, those of one that moves on its own in one request.
func TestAnchorOfALine(t *testing.T) {
	end := noon.Add(-20 * time.Second)
	q, err := parse(savingsLine, end.AddDate(0, 0, -7), end, time.Hour)
	require.NoError(t, err)
	assert.Equal(t, end.AddDate(0, 0, -7), q.Period.Steps.Starts()[0])
	for name, to := range map[string]time.Time{"this week": noon.AddDate(0, 0, 3), "ended": daysAgo(5)} {
		q, err := parse(savingsLine, daysAgo(7), to, time.Hour)
		require.NoError(t, err)
		assert.Equal(t, noon, q.Period.Steps.Now, name)
	}
}

// Such ranges are typing errors, in any format.
func TestTimeRangesThatAreWrong(t *testing.T) {
	year := func(year int) time.Time { return time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC) }
	for _, query := range []string{savingsLine, savingsNumber, `{}`, `{"format":"timeseries","measure":"tasks","per":"hour"}`} {
		for from, to := range map[time.Time]time.Time{year(1): noon, year(1899): noon, year(2000): year(2101)} {
			_, err := parse(query, from, to, time.Hour)
			require.ErrorIs(t, err, inputerror.Err)
			require.ErrorContains(t, err, "is too long: select one between 1900-01-01 and 2100-01-01")
		}
		for _, to := range []time.Time{noon, noon.Add(-time.Hour)} {
			_, err := parse(query, noon, to, 0)
			require.ErrorIs(t, err, inputerror.Err)
			require.ErrorContains(t, err, "is empty")
		}
		_, err := parse(query, time.Unix(0, 0), noon, time.Hour)
		require.NoError(t, err)
	}
}
