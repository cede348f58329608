package pages

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/columnstest"
)

// FuzzDates checks that a text is parsed like time.Parse does in one of the four supported formats, or not at all.
func FuzzDates(f *testing.F) {
	for _, seed := range []string{
		"2026-11-20T10:05:00.000+00:00", "2026-11-20T10:05:00.123456789-0330", "2026-11-20T10:05:00Z", "2026-11-20T10:05:00.1", "2026-02-30T10:05:00Z",
		"1677-09-21T00:12:43.145224192Z", "2262-04-11T23:47:16.854775807Z", "9999-12-31T23:59:59Z", "2026-11-20T24:00:00Z", "2026-11-20T9:05:00,5Z", "", "soon",
	} {
		f.Add(seed, int64(1.7e18), int16(-180), uint8(0))
		f.Add(seed, int64(-9e18), int16(839), uint8(1))
	}
	f.Fuzz(func(t *testing.T, text string, ns int64, minutes int16, layout uint8) {
		at, ok := parseTime([]byte(text))
		want, isDate := columnstest.PlainTime(text).(time.Time)
		require.Equal(t, isDate, ok, text)
		if ok {
			require.Equal(t, want.UnixNano(), at, text)
		}
		requireRoundTrip(t, ns, int(minutes%(18*60)), layout)
	})
}

// requireRoundTrip formats a time and parses it again.
func requireRoundTrip(t *testing.T, ns int64, minutes int, layout uint8) {
	t.Helper()
	layouts := []string{
		"2006-01-02T15:04:05.999999999Z07:00", "2006-01-02T15:04:05.000000000-0700", "2006-01-02T15:04:05.999999999", "2006-01-02T15:04:05.999999999-07:00",
	}
	zone := time.FixedZone("", minutes*60)
	chosen := layouts[int(layout)%len(layouts)]
	if chosen == layouts[2] {
		zone = time.UTC // no offset means UTC
	}
	written := time.Unix(0, ns).In(zone)
	if !written.After(earliest) || !written.Before(latest) {
		t.Skip("the ends of what 64 bits hold")
	}
	text := written.Format(chosen)
	at, ok := parseTime([]byte(text))
	require.True(t, ok, text)
	require.Equal(t, ns, at, text)
}
