package query

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/inputerror"
	"github.com/insights/insights-reporting-datasource/schema"
)

func covers(q *Plan, l schema.Language) string { return q.Range(time.Time{}, l).Covers }

// The words about the time of a number. One of which the service knows only a part says which.
func TestWhatANumberCovers(t *testing.T) {
	const (
		table = `{"queryType":"runners"}`
		tasks = `{"format":"numeric","measure":"tasks"}`
	)
	october, endOfOctober := utc(t, "2026-10-01"), utc(t, "2026-10-31 23:59:59.999")
	year, all := with(savingsNumber, `"days":365`), time.Time{}
	for name, test := range map[string]struct {
		query           string
		from, to, known time.Time
		words           string
	}{
		"an hour is a day":       {savingsNumber, noon.Add(-time.Hour), noon, all, "last 24 h"},
		"24 hours, a moment old": {savingsNumber, daysAgo(1).Add(-20 * time.Second), noon.Add(-20 * time.Second), all, ""},
		"a week and a bit":       {savingsNumber, daysAgo(7.3), noon, all, "last 8 days"},
		"days":                   {with(savingsNumber, `"days":7`), noon.Add(-6 * time.Hour), noon, all, "last 7 days"},
		"previous month":         {savingsNumber, october, endOfOctober, all, "≈ 1 – 31 Oct"},
		"a week, a week ago":     {savingsNumber, daysAgo(14), daysAgo(7), all, ""},
		"last year":              {savingsNumber, daysAgo(400.4), daysAgo(365.4), all, "≈ 16 Oct 2025 – 20 Nov 2025"},
		"a table of October":     {table, october, endOfOctober, all, "≈ 1 – 31 Oct"},
		"a table, minutes ago":   {table, daysAgo(7).Add(-2 * time.Minute), noon.Add(-2 * time.Minute), all, "last 7 days"},
		"tasks of a range":       {tasks, october, endOfOctober, all, ""},
		"tasks of days":          {with(tasks, `"days":30`), daysAgo(7), noon, all, "last 30 days"},
		"a day of October":       {savingsNumber, october.AddDate(0, 0, 14), october.AddDate(0, 0, 15), all, "≈ 15 Oct"},
		"days over two months":   {savingsNumber, october.AddDate(0, 0, -3), october.AddDate(0, 0, 2), all, "≈ 28 Sep – 2 Oct"},
		"a line of tasks":        {`{"format":"timeseries","measure":"tasks","days":30}`, daysAgo(7), noon, all, ""},

		"a year, known in part":   {year, daysAgo(365), noon, october.AddDate(0, 0, 23), "only ≈ 24 Oct until now"},
		"all but a few days":      {year, daysAgo(365), noon, daysAgo(350), ""},
		"the end of October":      {savingsNumber, october, endOfOctober, october.AddDate(0, 0, 23), "only ≈ 24 – 31 Oct"},
		"a part of a week":        {savingsNumber, daysAgo(14), daysAgo(7), daysAgo(10), "only ≈ 10 – 13 Nov"},
		"none of October":         {savingsNumber, october, endOfOctober, october.AddDate(0, 0, 40), "≈ 1 – 31 Oct"},
		"nobody knows since when": {year, daysAgo(365), noon, noon, ""},
		"a known part of tasks":   {tasks, october, endOfOctober, october.AddDate(0, 0, 23), "only ≈ 24 – 31 Oct"},
		"tasks until now":         {tasks, october, noon, october.AddDate(0, 0, 23), "only ≈ 24 Oct until now"},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.words, parsed(t, test.query, test.from, test.to).Range(test.known, schema.English).Covers)
		})
	}
}

func TestPeriodsInEveryLanguage(t *testing.T) {
	year := with(savingsNumber, `"days":365`)
	for language, want := range map[schema.Language][4]string{
		"en-US": {"last 24 h", "last 30 days", "only ≈ 1 Oct until now", "≈ 16 Oct 2025 – 20 Nov 2025"},
		"pt-BR": {"últimas 24 h", "últimos 30 dias", "só ≈ 1 out. até agora", "≈ 16 out. 2025 – 20 nov. 2025"},
		"es-ES": {"últimas 24 h", "últimos 30 días", "solo ≈ 1 oct hasta ahora", "≈ 16 oct 2025 – 20 nov 2025"},
		"api":   {"last 24 h", "last 30 days", "only ≈ 1 Oct until now", "≈ 16 Oct 2025 – 20 Nov 2025"},
	} {
		assert.Equal(t, want, [4]string{
			covers(parsed(t, savingsNumber, noon.Add(-time.Hour), noon), language), covers(parsed(t, savingsNumber, daysAgo(29.9), noon), language),
			parsed(t, year, daysAgo(365), noon).Range(time.Date(2026, 10, 1, 12, 0, 0, 0, time.UTC), language).Covers,
			covers(parsed(t, savingsNumber, daysAgo(400.4), daysAgo(365.4)), language),
		}, language)
	}
}

func parsed(t *testing.T, query string, from, to time.Time) *Plan {
	t.Helper()
	q, err := parse(query, from, to, time.Hour)
	require.NoError(t, err)
	return q
}

func parse(query string, from, to time.Time, interval time.Duration) (*Plan, error) {
	return Parse(schema.All(), backend.DataQuery{JSON: json.RawMessage(query), TimeRange: backend.TimeRange{From: from, To: to}, Interval: interval}, noon, false)
}

func zoned(t *testing.T, at, zone string) time.Time {
	t.Helper()
	location, err := time.LoadLocation(zone)
	require.NoError(t, err)
	parsed, err := time.ParseInLocation("2006-01-02 15:04:05.999", at, location)
	require.NoError(t, err)
	return parsed
}

// The earlier period of each comparison, to the millisecond.
func TestEarlierTime(t *testing.T) {
	for name, test := range map[string]struct {
		format, compare, zone, from, to string
		wantFrom, wantTo                string
	}{
		"October is preceded by its 30":  {"timeseries", "previous", "UTC", "2026-10-01 00:00:00", "2026-10-31 23:59:59.999", "2026-09-01 00:00:00", "2026-09-30 23:59:59.999"},
		"a day of 25 hours":              {"timeseries", "previous", "Europe/Berlin", "2026-10-25 00:00:00", "2026-10-25 23:59:59.999", "2026-10-24 00:00:00", "2026-10-24 23:59:59.999"},
		"a week with a change of clocks": {"timeseries", "previous", "Europe/Berlin", "2026-10-26 00:00:00", "2026-11-01 23:59:59.999", "2026-10-19 00:00:00", "2026-10-25 23:59:59.999"},
		"the same hours of yesterday":    {"timeseries", "day", "Europe/Berlin", "2026-10-26 08:00:00", "2026-10-26 18:00:00", "2026-10-25 08:00:00", "2026-10-25 18:00:00"},
		"the day before has no midnight": {"timeseries", "day", "America/Santiago", "2026-09-07 00:00:00", "2026-09-07 23:59:59.999", "2026-09-06 01:00:00", "2026-09-06 23:59:59.999"},
		"the day before has 23 hours":    {"timeseries", "day", "Europe/Berlin", "2026-03-30 02:30:00", "2026-03-30 04:00:00", "2026-03-29 03:00:00", "2026-03-29 04:00:00"},
		"this month so far":              {"timeseries", "month", "America/Sao_Paulo", "2026-11-01 00:00:00", "2026-11-20 12:00:00", "2026-10-01 00:00:00", "2026-10-20 12:00:00"},
		"March has more days":            {"timeseries", "month", "UTC", "2026-03-01 00:00:00", "2026-03-31 10:00:00", "2026-02-01 00:00:00", "2026-02-28 10:00:00"},
		"a leap day":                     {"timeseries", "year", "UTC", "2024-02-29 00:00:00", "2024-02-29 23:59:59.999", "2023-02-28 00:00:00", "2023-02-28 23:59:59.999"},

		"an hour is one when clocks change":     {"timeseries", "hour", "Europe/Berlin", "2026-10-25 00:30:00", "2026-10-25 04:00:00", "2026-10-24 23:30:00", "2026-10-25 03:00:00"},
		"the hour before now, of today":         {"numeric", "hour", "UTC", "2026-11-20 00:00:00", "2026-11-20 23:59:59.999", "2026-11-19 23:00:00", "2026-11-20 11:00:00"},
		"an hour ends before the next one does": {"numeric", "hour", "UTC", "2026-11-20 10:00:00", "2026-11-20 11:00:00", "2026-11-20 09:00:00", "2026-11-20 09:59:59.999"},
		"a number of this month so far":         {"numeric", "previous", "UTC", "2026-11-01 00:00:00", "2026-11-30 23:59:59.999", "2026-10-01 00:00:00", "2026-10-20 12:00:00"},
		"a line shows where the month went":     {"timeseries", "year", "UTC", "2026-11-01 00:00:00", "2026-11-30 23:59:59.999", "2025-11-01 00:00:00", "2025-11-30 23:59:59.999"},
	} {
		t.Run(name, func(t *testing.T) {
			q := parsed(t, fmt.Sprintf(`{"format":%q,"measure":"tasks","compare":%q,"timezone":%q}`, test.format, test.compare, test.zone),
				zoned(t, test.from, test.zone), zoned(t, test.to, test.zone))
			c := q.Period.Earlier
			assert.Equal(t, zoned(t, test.wantFrom, test.zone).UTC(), c.From.UTC())
			assert.Equal(t, zoned(t, test.wantTo, test.zone).UTC(), c.To.UTC())
			assert.Equal(t, test.compare, c.Name)
		})
	}
}

var noon = time.Date(2026, time.November, 20, 12, 0, 0, 0, time.UTC)

func daysAgo(days float64) time.Time {
	return noon.Add(-time.Duration(days * float64(24*time.Hour)))
}

func with(query, properties string) string { return strings.Replace(query, "}", ","+properties+"}", 1) }

func utc(t *testing.T, at string) time.Time {
	t.Helper()
	if len(at) == len(time.DateOnly) {
		at += " 00:00:00"
	}
	return zoned(t, at, "UTC")
}

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

// The margin of a sum follows from days that are all in the range, and days that it is all in.
func TestDaysOfAMargin(t *testing.T) {
	margin := strings.Replace(savingsNumber, `"measure":"savings"`, `"measure":"savings.margin"`, 1)
	for name, test := range map[string]struct {
		from, to           time.Time
		days, inner, outer []int
	}{
		"whole days":                  {daysAgo(7), noon, []int{7, 0}, []int{7, 0}, []int{7, 0}},
		"whole days until lately":     {daysAgo(7).Add(-5 * time.Second), noon.Add(-5 * time.Second), []int{7, 0}, []int{7, 0}, []int{7, 0}},
		"whole days, a clock is slow": {daysAgo(7).Add(5 * time.Second), noon.Add(5 * time.Second), []int{7, 0}, []int{7, 0}, []int{7, 0}},
		"whole days that have ended":  {daysAgo(14), daysAgo(7), []int{14, 7}, []int{14, 7}, []int{14, 7}},
		"half a minute too late":      {daysAgo(14), daysAgo(7).Add(30 * time.Second), []int{14, 7}, []int{14, 7}, []int{14, 6}},
		"half a minute too early":     {daysAgo(14).Add(-30 * time.Second), daysAgo(7), []int{14, 7}, []int{14, 7}, []int{15, 7}},
		"seconds, long ago":           {daysAgo(5).Add(-50 * time.Second), daysAgo(5).Add(-9 * time.Second), []int{5, 4}, []int{6, 6}, []int{6, 4}},
		"the current month":           {utc(t, "2026-11-01"), utc(t, "2026-11-30 23:59:59.999"), []int{20, 0}, []int{19, 0}, []int{20, 0}},
		"October":                     {utc(t, "2026-10-01"), utc(t, "2026-10-31 23:59:59.999"), []int{51, 20}, []int{50, 20}, []int{51, 19}},
		"the part of a day until now": {daysAgo(0.4), noon, []int{1, 0}, []int{0, 0}, []int{1, 0}},
		"the part of a day, long ago": {daysAgo(5.4), daysAgo(5.1), []int{6, 5}, []int{6, 6}, []int{6, 5}},
		"a day that has no whole day": {daysAgo(5.4), daysAgo(4.2), []int{5, 4}, []int{5, 5}, []int{6, 4}},
		"a range that is to come":     {daysAgo(-5), daysAgo(-9), []int{1, 0}, []int{0, 0}, []int{1, 0}},
	} {
		q := parsed(t, margin, test.from, test.to)
		assert.Equal(t, [][]int{test.days, test.inner, test.outer}, [][]int{q.Period.Steps.Days, q.Period.Steps.Inner, q.Period.Steps.Outer}, name)
	}
}

// The points of a live panel lie at its own edges, those of one that moves on its own in one request.
func TestAnchorOfALine(t *testing.T) {
	end := noon.Add(-20 * time.Second)
	q := parsed(t, savingsLine, end.AddDate(0, 0, -7), end)
	assert.Equal(t, end.AddDate(0, 0, -7), q.Period.Steps.Starts()[0])
	for name, to := range map[string]time.Time{"this week": noon.AddDate(0, 0, 3), "ended": daysAgo(5)} {
		q := parsed(t, savingsLine, daysAgo(7), to)
		assert.Equal(t, noon, q.Period.Steps.Now, name)
	}
}

// Such ranges are typing errors, in any format.
func TestTimeRangesThatAreWrong(t *testing.T) {
	year := func(year int) time.Time { return time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC) }
	const long, empty = "is too long: select one between 1900-01-01 and 2100-01-01", "is empty"
	for _, query := range []string{savingsLine, savingsNumber, `{}`, `{"format":"timeseries","measure":"tasks","per":"hour"}`} {
		for of, says := range map[[2]time.Time]string{
			{year(1), noon}: long, {year(1899), noon}: long, {year(2000), year(2101)}: long, {noon, noon}: empty, {noon, noon.Add(-time.Hour)}: empty,
		} {
			_, err := parse(query, of[0], of[1], time.Hour)
			require.ErrorIs(t, err, inputerror.Err)
			require.ErrorContains(t, err, says)
		}
		parsed(t, query, time.Unix(0, 0), noon)
	}
}
