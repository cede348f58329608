package query

import (
	"slices"
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

// Weeks and months start at midnight of the dashboard's time zone, and are placed there.
func TestCalendarOfALineOfTotals(t *testing.T) {
	q := parsed(t, with(savingsLine, `"per":"month","timezone":"America/Sao_Paulo"`), daysAgo(60), noon)
	assert.Equal(t, []time.Time{utc(t, "2026-09-01 03:00:00"), utc(t, "2026-10-01 03:00:00"), utc(t, "2026-11-01 03:00:00")}, q.Period.Steps.At)
}

// A month that is a few hours old has no point yet: the line has steps of days as without months.
func TestMonthThatHasJustStarted(t *testing.T) {
	begun := time.Date(2026, 11, 1, 6, 0, 0, 0, time.UTC)
	q, err := Parse(schema.All(), backend.DataQuery{JSON: []byte(with(savingsLine, `"per":"month"`)), TimeRange: backend.TimeRange{From: begun.Add(-5 * time.Hour), To: begun}}, begun, false)
	require.NoError(t, err)
	assert.Nil(t, q.Period.Steps.At)
	assert.Equal(t, []int{1, 0}, q.Period.Steps.Days)
}

// Compared periods have the same number of days: constant activity shows no change. Ranges start and end at any time of
// day, and clocks change between them.
func TestComparedPeriodsHaveEqualDays(t *testing.T) {
	for _, compare := range slices.DeleteFunc(slices.Clone(Comparisons), func(c string) bool { return c == compareHour }) {
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
