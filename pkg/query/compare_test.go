package query

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/schema"
)

func parsed(t *testing.T, query string, from, to time.Time) *Plan {
	t.Helper()
	q, err := parse(query, from, to, time.Hour)
	require.NoError(t, err)
	return q
}

func parse(query string, from, to time.Time, interval time.Duration) (*Plan, error) {
	return Parse(schema.All(), backend.DataQuery{JSON: json.RawMessage(query), TimeRange: backend.TimeRange{From: from, To: to}, Interval: interval}, noon, false)
}

// zoned parses a time of a zone.
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
