package query

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/insights/insights-reporting-datasource/schema"
)

// covers returns the words about the time of a number of a service that knows all of it.
func covers(q *Plan, l schema.Language) string { return q.Range(time.Time{}, l).Covers }

// The words about the time of a number.
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
	}{
		"an hour is a day":       {savingsNumber, noon.Add(-time.Hour), noon, "last 24 h"},
		"24 hours, a moment old": {savingsNumber, daysAgo(1).Add(-20 * time.Second), noon.Add(-20 * time.Second), ""},
		"a week and a bit":       {savingsNumber, daysAgo(7.3), noon, "last 8 days"},
		"days":                   {weekOfSum, noon.Add(-6 * time.Hour), noon, "last 7 days"},
		"previous month":         {savingsNumber, october, endOfOctober, "≈ 1 – 31 Oct"},
		"a week, a week ago":     {savingsNumber, daysAgo(14), daysAgo(7), ""},
		"last year":              {savingsNumber, daysAgo(400.4), daysAgo(365.4), "≈ 16 Oct 2025 – 20 Nov 2025"},
		"a table of October":     {table, october, endOfOctober, "≈ 1 – 31 Oct"},
		"a table, minutes ago":   {table, daysAgo(7).Add(-2 * time.Minute), noon.Add(-2 * time.Minute), "last 7 days"},
		"tasks of a range":       {`{"format":"numeric","measure":"tasks"}`, october, endOfOctober, ""},
		"tasks of days":          {`{"format":"numeric","measure":"tasks","days":30}`, daysAgo(7), noon, "last 30 days"},
		"a day of October":       {savingsNumber, october.AddDate(0, 0, 14), october.AddDate(0, 0, 15), "≈ 15 Oct"},
		"days over two months":   {savingsNumber, october.AddDate(0, 0, -3), october.AddDate(0, 0, 2), "≈ 28 Sep – 2 Oct"},
		"a line of tasks":        {`{"format":"timeseries","measure":"tasks","days":30}`, daysAgo(7), noon, ""},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.words, covers(parsed(t, test.query, test.from, test.to), schema.English))
		})
	}
}

// A number of which the service knows only a part says which.
func TestWhatAKnownPartCovers(t *testing.T) {
	october := time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC)
	endOfOctober := time.Date(2026, 10, 31, 23, 59, 59, 999e6, time.UTC)
	year := with(savingsNumber, `"days":365`)
	for name, test := range map[string]struct {
		query    string
		from, to time.Time
		known    time.Time
		words    string
	}{
		"a year":                  {year, daysAgo(365), noon, october.AddDate(0, 0, 23), "≈ 24 Oct until now"},
		"all but a few days":      {year, daysAgo(365), noon, daysAgo(350), ""},
		"the end of October":      {savingsNumber, october, endOfOctober, october.AddDate(0, 0, 23), "≈ 24 – 31 Oct"},
		"a week, a week ago":      {savingsNumber, daysAgo(14), daysAgo(7), daysAgo(10), "≈ 10 – 13 Nov"},
		"none of October":         {savingsNumber, october, endOfOctober, october.AddDate(0, 0, 40), "≈ 1 – 31 Oct"},
		"nobody knows since when": {year, daysAgo(365), noon, noon, ""},
		"tasks of a range":        {`{"format":"numeric","measure":"tasks"}`, october, endOfOctober, october.AddDate(0, 0, 23), ""},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.words, parsed(t, test.query, test.from, test.to).Range(test.known, schema.English).Covers)
		})
	}
}

// A panel that is edited for minutes keeps the range that it was drawn with.
func TestStaleRangeUntilNow(t *testing.T) {
	old := noon.Add(-10 * time.Minute)
	for _, untilNow := range []bool{true, false} {
		q := parsed(t, fmt.Sprintf(`{"queryType":"automations","format":"numeric","measure":"savings","untilNow":%t}`, untilNow), old.AddDate(0, 0, -1), old)
		assert.Equal(t, 1, q.Read.All.Days)
		assert.Equal(t, untilNow, noon.Equal(q.Period.To))
	}
	tasks := parsed(t, `{"untilNow":true}`, old.AddDate(0, 0, -1), old)
	assert.Equal(t, old, tasks.Period.To, "tasks are cut to the range that the panel shows")
}

func TestPeriodsInEveryLanguage(t *testing.T) {
	year := with(savingsNumber, `"days":365`)
	for language, want := range map[schema.Language][4]string{
		"en-US": {"last 24 h", "last 30 days", "≈ 1 Oct until now", "≈ 16 Oct 2025 – 20 Nov 2025"},
		"pt-BR": {"últimas 24 h", "últimos 30 dias", "≈ 1 out. até agora", "≈ 16 out. 2025 – 20 nov. 2025"},
		"es-ES": {"últimas 24 h", "últimos 30 días", "≈ 1 oct hasta ahora", "≈ 16 oct 2025 – 20 nov 2025"},
		"api":   {"last 24 h", "last 30 days", "≈ 1 Oct until now", "≈ 16 Oct 2025 – 20 Nov 2025"},
	} {
		assert.Equal(t, want, [4]string{
			covers(parsed(t, savingsNumber, noon.Add(-time.Hour), noon), language), covers(parsed(t, savingsNumber, daysAgo(29.9), noon), language),
			parsed(t, year, daysAgo(365), noon).Range(time.Date(2026, 10, 1, 12, 0, 0, 0, time.UTC), language).Covers,
			covers(parsed(t, savingsNumber, daysAgo(400.4), daysAgo(365.4)), language),
		}, language)
	}
}
