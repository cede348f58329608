package query

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
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
