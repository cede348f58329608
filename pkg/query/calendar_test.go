package query

import (
	"strings"
	"testing"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/schema"
)

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

// The windows of a comparison of totals: now is noon of November 20.
func TestWindowsOfAComparison(t *testing.T) {
	for name, test := range map[string]struct {
		query        string
		from, to     time.Time
		days, before []int
		says         string
	}{
		"an hour is a day, and the one before": {with(savingsNumber, `"compare":"previous"`), noon.Add(-time.Hour), noon, []int{1, 0}, []int{2, 1},
			"They are compared with the totals from 2026-11-18T12:00:00Z to 2026-11-19T12:00:00Z"},
		"the same day a week ago": {with(savingsNumber, `"compare":"week"`), daysAgo(1), noon, []int{1, 0}, []int{8, 7}, "compared with"},
		"a week, and a year ago":  {with(savingsNumber, `"compare":"year"`), daysAgo(7), noon, []int{7, 0}, []int{372, 368, 365}, "compared with"},
		"days":                    {with(savingsNumber, `"compare":"previous","days":30`), daysAgo(7), noon, []int{30, 0}, []int{60, 56, 30}, "compared with"},
		"the current month": {with(savingsNumber, `"compare":"previous"`), utc(t, "2026-11-01"), utc(t, "2026-11-30 23:59:59.999"), []int{20, 0}, []int{51, 47, 31},
			"from 2026-09-30T12:00:00Z to 2026-10-20T12:00:00Z"},
		"October and September": {with(savingsNumber, `"compare":"previous"`), utc(t, "2026-10-01"), utc(t, "2026-10-31 23:59:59.999"), []int{51, 20}, []int{81, 77, 51}, "compared with"},
		"an hour, long ago":     {with(savingsNumber, `"compare":"previous"`), daysAgo(5.2), daysAgo(5.15), []int{6, 5}, []int{7, 6}, "compared with"},

		"six hours are a day": {with(savingsLine, `"compare":"previous"`), noon.Add(-6 * time.Hour), noon, falling(1, 0, 1), falling(2, 1, 1), "The dashed lines are 1 day earlier"},
		"a line, and the week before": {with(savingsLine, `"compare":"previous"`), daysAgo(7), noon, falling(7, 0, 1), falling(14, 7, 1),
			"The dashed lines are 7 days earlier"},
		"a line, and a month before": {with(savingsLine, `"compare":"month"`), daysAgo(7), noon, falling(7, 0, 1), falling(38, 31, 1), "The dashed lines are 31 days earlier"},
		"both within 60 windows":     {with(savingsLine, `"compare":"previous"`), daysAgo(30), noon, falling(30, 0, 2), falling(60, 30, 2), "more than 60 windows"},
		"a year, and the one before": {with(savingsLine, `"compare":"year"`), daysAgo(365), noon, falling(377, 0, 13), falling(742, 365, 13), "13 days of 24 hours"},

		"per week": {with(savingsLine, `"per":"week"`), daysAgo(14), noon, falling(14, 0, 7), nil, "Each point covers 7 days of 24 hours, counted back from now"},
		"a year per month": {with(savingsLine, `"per":"month"`), utc(t, "2025-11-20 12:00:00"), noon,
			[]int{385, 355, 324, 293, 265, 234, 204, 173, 143, 112, 81, 51, 20, 0}, nil, "Each point covers a month"},
		"per month":            {with(savingsLine, `"per":"month"`), daysAgo(60), noon, []int{81, 51, 20, 0}, nil, "Each point covers a month and is placed at its start: from 2026-09-01T00:00:00Z to now"},
		"per month, has ended": {with(savingsLine, `"per":"month"`), utc(t, "2026-08-01"), utc(t, "2026-09-30 23:59:59.999"), []int{112, 81, 51}, nil, "to 2026-09-30T12:00:00Z"},
		"per month, and a year before": {with(savingsLine, `"per":"month","compare":"year"`), utc(t, "2026-09-01"), noon, []int{81, 51, 20, 0}, []int{446, 416, 385, 365},
			"The dashed lines start at 2025-08-31T12:00:00Z"},
		"months, and as many before": {with(savingsLine, `"per":"month","compare":"previous"`), utc(t, "2026-10-01"), utc(t, "2026-11-30 23:59:59.999"), []int{51, 20, 0}, []int{112, 81, 61}, "The dashed lines start at"},
		"too many weeks":             {with(savingsLine, `"per":"week"`), daysAgo(500), noon, falling(504, 0, 9), nil, "9 days of 24 hours, counted back from now, and is placed at its start: from 2025-07-04T12:00:00Z to now. Shorter steps would need more than 60 windows"},
	} {
		t.Run(name, func(t *testing.T) {
			q := parsed(t, test.query, test.from, test.to)
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

// Weeks and months start at midnight of the dashboard's time zone, and are placed there.
func TestCalendarOfALineOfTotals(t *testing.T) {
	q := parsed(t, with(savingsLine, `"per":"month","timezone":"America/Sao_Paulo"`), daysAgo(60), noon)
	assert.Equal(t, []time.Time{utc(t, "2026-09-01 03:00:00"), utc(t, "2026-10-01 03:00:00"), utc(t, "2026-11-01 03:00:00")}, q.Period.Steps.At)
}

// A month that is a few hours old has no point yet: the line has steps of days as without months.
func TestMonthThatHasJustStarted(t *testing.T) {
	begun := time.Date(2026, 11, 1, 6, 0, 0, 0, time.UTC)
	q, err := Parse(schema.All(), backend.DataQuery{JSON: []byte(with(savingsLine, `"per":"month"`)), TimeRange: backend.TimeRange{From: begun.Add(-5 * time.Hour), To: begun}}, begun, schema.English)
	require.NoError(t, err)
	assert.Nil(t, q.Period.Steps.At)
	assert.Equal(t, []int{1, 0}, q.Period.Steps.Days)
}

// Compared periods have the same number of days: constant activity shows no change. Ranges start and end at any time of
// day, and clocks change between them.
func TestComparedPeriodsHaveEqualDays(t *testing.T) {
	for _, compare := range Comparisons {
		for hour := range 24 * 35 {
			from := zoned(t, "2026-10-15 00:30:00", "Europe/Berlin").Add(time.Duration(hour) * time.Hour)
			for _, length := range []time.Duration{10 * time.Hour, 23 * time.Hour, 86 * time.Hour, 7 * day} {
				to := from.Add(length)
				// September is a day shorter than October.
				if noon.Sub(to) < day || compare == "month" && (from.Month() != to.Month() || to.Day() == 31) {
					continue
				}
				q := parsed(t, with(savingsNumber, `"timezone":"Europe/Berlin","compare":"`+compare+`"`), from, to)
				days, before := q.Period.Steps.Days, q.Period.Steps.Before
				at := compare + " " + from.UTC().Format(time.RFC3339) + " " + length.String()
				end := before[len(before)-1]
				require.Equal(t, days[0]-days[1], before[0]-end, "%s: %v and %v", at, days, before)
				require.Greater(t, before[0], days[0], at)
				if compare == comparePrevious {
					require.Equal(t, days[0], end, at)
				}
			}
		}
	}
}
