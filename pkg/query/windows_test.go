package query

import (
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
		"a week":                    {savingsLine, daysAgo(7), noon, time.Hour, falling(7, 0, 1), nil, "covers 1 day of 24 hours, counted back from now, and is placed at its start: from 2026-11-13T12:00:00Z to now. The service counts whole days, so shorter steps are not available"},
		"a week and a bit":          {savingsLine, daysAgo(7.1), noon, 24 * time.Hour, falling(8, 0, 1), nil, "from 2026-11-12T12:00:00Z to now"},
		"weeks that do not fit":     {savingsLine, daysAgo(30), noon, 7 * 24 * time.Hour, falling(35, 0, 7), nil, "from 2026-10-16T12:00:00Z to now"},
		"steps within the range":    {savingsLine, daysAgo(7), noon, 90 * 24 * time.Hour, falling(7, 0, 7), nil, "7 days"},
		"sixty days":                {savingsLine, daysAgo(60), noon, time.Hour, falling(60, 0, 1), nil, "1 day"},
		"a day more":                {savingsLine, daysAgo(61), noon, time.Hour, falling(62, 0, 2), nil, "2 days of 24 hours, counted back from now, and is placed at its start: from 2026-09-19T12:00:00Z to now. Shorter steps would need more than 60 windows of the service: select a shorter time range"},
		"ended, with its end":       {savingsLine, daysAgo(37), daysAgo(7), time.Hour, falling(37, 7, 1), nil, "from 2026-10-14T12:00:00Z to 2026-11-13T12:00:00Z"},
		"ended: 59 and the end":     {savingsLine, daysAgo(66), daysAgo(7), time.Hour, falling(66, 7, 1), nil, "1 day"},
		"ended, to the nearest day": {savingsLine, daysAgo(37.4), daysAgo(7.4), time.Hour, falling(37, 7, 1), nil, "to 2026-11-13T12:00:00Z"},
		"ended most of a day ago":   {savingsLine, daysAgo(2), daysAgo(0.9), time.Hour, falling(2, 1, 1), nil, "to 2026-11-19T12:00:00Z"},
		"ended hours ago":           {savingsLine, daysAgo(2.4), daysAgo(0.4), time.Hour, falling(2, 0, 1), nil, "to now"},
		"days, whatever the range":  {`{"queryType":"runners","format":"timeseries","measure":"tasks","days":3}`, daysAgo(37), daysAgo(7), time.Hour, falling(3, 0, 1), nil, "to now"},

		"up to now":               {savingsNumber, daysAgo(7), noon, 0, nil, nil, ""},
		"ended a day ago":         {savingsNumber, daysAgo(2), daysAgo(1), 0, []int{2, 1}, nil, "These totals run from"},
		"ended":                   {savingsNumber, daysAgo(30), daysAgo(10), 0, []int{30, 10}, nil, "These totals run from 2026-10-21T12:00:00Z to 2026-11-10T12:00:00Z"},
		"rounded up":              {savingsNumber, daysAgo(30.6), daysAgo(10.6), 0, []int{31, 11}, nil, "These totals run from"},
		"an hour, a moment less":  {savingsNumber, daysAgo(1.04), daysAgo(1 - 1.0/86400), 0, []int{2, 1}, nil, "These totals run from"},
		"with days":               {`{"queryType":"automations","format":"numeric","measure":"savings","days":7}`, daysAgo(30), daysAgo(10), 0, nil, nil, ""},
		"a rate":                  {`{"queryType":"automations","format":"numeric","measure":"successRate"}`, daysAgo(30), daysAgo(10), 0, []int{30, 10}, nil, "These totals run from"},
		"a table":                 {`{"queryType":"runners"}`, daysAgo(30), daysAgo(10), 0, []int{30, 10}, nil, "These totals run from"},
		"a table up to now":       {`{"queryType":"runners"}`, daysAgo(30), noon, 0, nil, nil, ""},
		"a part of the last day":  {savingsNumber, daysAgo(0.9), daysAgo(0.6), 0, nil, nil, ""},
		"tasks have their times":  {`{"format":"numeric","measure":"tasks"}`, daysAgo(30), daysAgo(10), 0, nil, nil, ""},
		"as long as times go":     {savingsNumber, daysAgo(46_000), daysAgo(10), 0, []int{46_000, 10}, nil, "These totals run from"},
		"a range that is to come": {savingsNumber, daysAgo(-5), daysAgo(-9), 0, nil, nil, ""},

		"an hour is a day, and the one before": {with(savingsNumber, `"compare":"previous"`), noon.Add(-time.Hour), noon, 0, []int{1, 0}, []int{2, 1},
			"They are compared with the totals from 2026-11-18T12:00:00Z to 2026-11-19T12:00:00Z"},
		"the same day a week ago": {with(savingsNumber, `"compare":"week"`), daysAgo(1), noon, 0, []int{1, 0}, []int{8, 7}, "compared with"},
		"a week, and a year ago":  {with(savingsNumber, `"compare":"year"`), daysAgo(7), noon, 0, []int{7, 0}, []int{372, 365}, "compared with"},
		"days":                    {with(savingsNumber, `"compare":"previous","days":30`), daysAgo(7), noon, 0, []int{30, 0}, []int{60, 30}, "compared with"},
		"the current month": {with(savingsNumber, `"compare":"previous"`), utc(t, "2026-11-01"), utc(t, "2026-11-30 23:59:59.999"), 0, []int{20, 0}, []int{51, 31},
			"from 2026-09-30T12:00:00Z to 2026-10-20T12:00:00Z"},
		"October and September":             {with(savingsNumber, `"compare":"previous"`), utc(t, "2026-10-01"), utc(t, "2026-10-31 23:59:59.999"), 0, []int{51, 20}, []int{81, 51}, "compared with"},
		"a day that the month before lacks": {with(savingsNumber, `"compare":"month"`), utc(t, "2026-10-30 12:00:00"), utc(t, "2026-10-31 12:00:00"), 0, []int{21, 20}, []int{52, 51}, "compared with"},
		"an hour, long ago":                 {with(savingsNumber, `"compare":"previous"`), daysAgo(5.2), daysAgo(5.15), 0, []int{6, 5}, []int{7, 6}, "compared with"},

		"six hours are a day": {with(savingsLine, `"compare":"previous"`), noon.Add(-6 * time.Hour), noon, 0, falling(1, 0, 1), falling(2, 1, 1), "The dashed lines are 1 day earlier"},
		"a line, and the week before": {with(savingsLine, `"compare":"previous"`), daysAgo(7), noon, 0, falling(7, 0, 1), falling(14, 7, 1),
			"The dashed lines are 7 days earlier"},
		"a line, and a month before": {with(savingsLine, `"compare":"month"`), daysAgo(7), noon, 0, falling(7, 0, 1), falling(38, 31, 1), "The dashed lines are 31 days earlier"},
		"both within 60 windows":     {with(savingsLine, `"compare":"previous"`), daysAgo(30), noon, 0, falling(30, 0, 2), falling(60, 30, 2), "more than 60 windows"},
		"a year, and the one before": {with(savingsLine, `"compare":"year"`), daysAgo(365), noon, 0, falling(377, 0, 13), falling(742, 365, 13), "13 days of 24 hours"},

		"per week": {with(savingsLine, `"per":"week"`), daysAgo(14), noon, 0, falling(14, 0, 7), nil, "Each point covers 7 days of 24 hours, counted back from now"},
		"a year per month": {with(savingsLine, `"per":"month"`), utc(t, "2025-11-20 12:00:00"), noon, 0,
			[]int{385, 355, 324, 293, 265, 234, 204, 173, 143, 112, 81, 51, 20, 0}, nil, "Each point covers a month"},
		"per month":            {with(savingsLine, `"per":"month"`), daysAgo(60), noon, 0, []int{81, 51, 20, 0}, nil, "Each point covers a month and is placed at its start: from 2026-09-01T00:00:00Z to now"},
		"per month, has ended": {with(savingsLine, `"per":"month"`), utc(t, "2026-08-01"), utc(t, "2026-09-30 23:59:59.999"), 0, []int{112, 81, 51}, nil, "to 2026-09-30T12:00:00Z"},
		"per month, and a year before": {with(savingsLine, `"per":"month","compare":"year"`), utc(t, "2026-09-01"), noon, 0, []int{81, 51, 20, 0}, []int{446, 416, 385, 365},
			"The dashed lines start at 2025-08-31T12:00:00Z"},
		"months, and as many before": {with(savingsLine, `"per":"month","compare":"previous"`), utc(t, "2026-10-01"), utc(t, "2026-11-30 23:59:59.999"), 0, []int{51, 20, 0}, []int{112, 81, 61}, "The dashed lines start at"},
		"too many weeks":             {with(savingsLine, `"per":"week"`), daysAgo(500), noon, 0, falling(504, 0, 9), nil, "9 days of 24 hours, counted back from now, and is placed at its start: from 2025-07-04T12:00:00Z to now. Shorter steps would need more than 60 windows"},
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
			assert.Contains(t, q.Period.Notice, test.says)
			assert.LessOrEqual(t, len(q.Period.Steps.Windows()), 60)
			if q.Period.Steps.At != nil {
				assert.Len(t, q.Period.Steps.At, len(q.Period.Steps.Days)-1)
			}
		})
	}
}

// The points of a live panel lie at its own edges, those of one that moves on its own in one request.
func TestAnchorOfALine(t *testing.T) {
	end := noon.Add(-20 * time.Second)
	q, err := parse(savingsLine, end.AddDate(0, 0, -7), end, time.Hour)
	require.NoError(t, err)
	assert.Equal(t, end.AddDate(0, 0, -7), q.Period.Steps.Time(0))
	for name, to := range map[string]time.Time{"this week": noon.AddDate(0, 0, 3), "ended": daysAgo(5)} {
		q, err := parse(savingsLine, daysAgo(7), to, time.Hour)
		require.NoError(t, err)
		assert.Equal(t, noon, q.Period.Steps.Now, name)
	}
}

// Such ranges are typing errors, in any format.
func TestTimeRangeThatIsTooLong(t *testing.T) {
	for _, query := range []string{savingsLine, savingsNumber, `{}`, `{"format":"timeseries","measure":"tasks","per":"hour"}`} {
		for _, year := range []int{1, 1492, 1899} {
			_, err := parse(query, time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC), noon, time.Hour)
			require.ErrorIs(t, err, inputerror.Err)
			require.ErrorContains(t, err, "is too long: select one between 1900-01-01 and 2100-01-01")
		}
		_, err := parse(query, noon, time.Date(2101, 1, 1, 0, 0, 0, 0, time.UTC), time.Hour)
		require.ErrorIs(t, err, inputerror.Err)
		_, err = parse(query, time.Unix(0, 0), noon, time.Hour)
		require.NoError(t, err)
	}
}
