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

// The windows of a line, and its notice.
func TestWindowsOfALine(t *testing.T) {
	for name, test := range map[string]struct {
		query    string
		from, to float64 // days ago
		interval time.Duration
		days     []int
		says     string
	}{
		"a week":                    {savingsLine, 7, 0, time.Hour, falling(7, 0, 1), "covers 1 day of 24 hours, counted back from now, and is placed at its start: from 2026-11-13T12:00:00Z to now. The service counts whole days, so shorter steps are not available"},
		"a week and a bit":          {savingsLine, 7.1, 0, 24 * time.Hour, falling(8, 0, 1), "from 2026-11-12T12:00:00Z to now"},
		"weeks that do not fit":     {savingsLine, 30, 0, 7 * 24 * time.Hour, falling(35, 0, 7), "from 2026-10-16T12:00:00Z to now"},
		"steps within the range":    {savingsLine, 7, 0, 90 * 24 * time.Hour, falling(7, 0, 7), "7 days"},
		"sixty days":                {savingsLine, 60, 0, time.Hour, falling(60, 0, 1), "1 day"},
		"a day more":                {savingsLine, 61, 0, time.Hour, falling(62, 0, 2), "2 days of 24 hours, counted back from now, and is placed at its start: from 2026-09-19T12:00:00Z to now. Shorter steps would need more than 60 windows of the service: select a shorter time range"},
		"ended, with its end":       {savingsLine, 37, 7, time.Hour, falling(37, 7, 1), "from 2026-10-14T12:00:00Z to 2026-11-13T12:00:00Z"},
		"ended: 59 and the end":     {savingsLine, 66, 7, time.Hour, falling(66, 7, 1), "1 day"},
		"ended, to the nearest day": {savingsLine, 37.4, 7.4, time.Hour, falling(37, 7, 1), "to 2026-11-13T12:00:00Z"},
		"ended less than a day ago": {savingsLine, 2, 0.9, time.Hour, falling(2, 0, 1), "to now"},
		"days, whatever the range":  {`{"queryType":"runners","format":"timeseries","measure":"tasks","days":3}`, 37, 7, time.Hour, falling(3, 0, 1), "to now"},
	} {
		t.Run(name, func(t *testing.T) {
			q, err := parse(test.query, daysAgo(test.from), daysAgo(test.to), test.interval)
			require.NoError(t, err)
			assert.Equal(t, test.days, q.Period.Steps.Days)
			assert.LessOrEqual(t, len(q.Period.Steps.Windows()), 60)
			assert.Contains(t, q.Period.Notice, test.says)
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

// A number of a range that has ended is the difference of two windows.
func TestWindowsOfANumber(t *testing.T) {
	for name, test := range map[string]struct {
		query    string
		from, to float64
		days     []int // nil: sums up to now
	}{
		"up to now":               {savingsNumber, 7, 0, nil},
		"ended a day ago":         {savingsNumber, 2, 1, []int{2, 1}},
		"ended":                   {savingsNumber, 30, 10, []int{30, 10}},
		"rounded up":              {savingsNumber, 30.6, 10.6, []int{31, 11}},
		"an hour, long ago":       {savingsNumber, 5.2, 5.15, []int{6, 5}},
		"an hour, a moment less":  {savingsNumber, 1.04, 1 - 1.0/86400, []int{2, 1}},
		"with days":               {`{"queryType":"automations","format":"numeric","measure":"savings","days":7}`, 30, 10, nil},
		"a rate":                  {`{"queryType":"automations","format":"numeric","measure":"successRate"}`, 30, 10, nil},
		"tasks have their times":  {`{"format":"numeric","measure":"tasks"}`, 30, 10, nil},
		"as long as times go":     {savingsNumber, 46_000, 10, []int{46_000, 10}},
		"a range that is to come": {savingsNumber, -5, -9, nil},
	} {
		t.Run(name, func(t *testing.T) {
			q, err := parse(test.query, daysAgo(test.from), daysAgo(test.to), time.Hour)
			require.NoError(t, err)
			if test.days == nil {
				require.Nil(t, q.Period.Steps)
				return
			}
			assert.Equal(t, test.days, q.Period.Steps.Days)
			assert.Contains(t, q.Period.Notice, "from "+q.Period.Steps.Time(0).Format(time.RFC3339)+" to "+q.Period.Steps.Time(1).Format(time.RFC3339))
		})
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
